// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Lets volatile accesses of local memory be wide. Programs written for a GPU declare the array of
/// a reduction so, for the last steps of one warp, and every access would be one lane after the
/// other.
///
/// Does:    makes ordinary ones of volatile loads and stores of local memory, which nobody sees but
///          the work-items of a group, and one thread runs these. A fence of that thread, which is
///          no instruction of the host, keeps in its place each load that a volatile store may come
///          before without a barrier in between, or that is in a loop without barriers: such steps
///          of lanes happen together as they did, and a loop that waits for another work-item is
///          known as one.
/// Assumes: lower-sync, and isolate-barriers.
/// Leaves:  blocks and loops as they are.
/// Reads:   nothing.
class PlainLocalPass : public llvm::PassInfoMixin<PlainLocalPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
