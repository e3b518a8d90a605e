// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Takes addresses of lanes that are at known distances from each other out of vectors: as an
/// address that all lanes share and a number. LLVM does so for vectors that are used once.
///
/// Does:    replaces elements of vectors of pointers whose offsets are constants or the same in all
///          lanes by pointers.
/// Assumes: nothing.
/// Leaves:  vectors that nothing uses any more.
/// Reads:   nothing.
class TakeAddressesPass : public llvm::PassInfoMixin<TakeAddressesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace weft::compiler
