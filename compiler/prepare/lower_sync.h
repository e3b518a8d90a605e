// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Lowers barriers and fences to LLVM's fences and the barrier service.
///
/// Does:    __weft_fence becomes a fence; __weft_numbered_barrier a fence, a call of
///          weft_barrier(item, id) and a fence; __weft_numbered_collective_<operation>
///          weft_collective_<operation>(item, id, combine, linear id, x), which form-kernel lowers.
///          Orders that are not constant become sequentially consistent.
/// Assumes: users of barriers have the hidden parameter (add-work-item-parameter).
/// Leaves:  none of these functions. Fences have the address spaces that they order as annotations
///          (ir/synchronisation.h), for relax-fences.
/// Reads:   constant order, scope and flag arguments.
class LowerSyncPass : public llvm::PassInfoMixin<LowerSyncPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
