// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Keeps masks of lanes in vectors of integers of the size of what they select, on hosts that have
/// no mask registers. LLVM 19 chooses the size within a block; from block to block, and for
/// conditions that all lanes share, a mask has the smallest elements that fill a register, and is
/// packed and unpacked for each use.
///
/// Does:    makes vectors of 0 and -1 of masks that go from block to block, are combined with
///          conditions of all lanes or chosen by one, and has their uses ask for the sign.
/// Assumes: the optimiser has run, which would make them what they were.
/// Leaves:  the same values; nothing is changed for hosts with mask registers, and for those
///          without instructions that select by signs (SSE4.1).
/// Reads:   what is known of the host.
class WidenMasksPass : public llvm::PassInfoMixin<WidenMasksPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
