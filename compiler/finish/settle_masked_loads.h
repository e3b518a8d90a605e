// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Makes masked loads instructions of the host where it has such (AVX and AVX2) but no mask
/// registers. LLVM 19 keeps masks in the sign bits of vectors there; where half of one is known to
/// be false and the mask has several uses, it takes what it left in the other bits of that half
/// for a mask that is true, and loads what must not be touched.
///
/// Does:    calls the host's intrinsics with masks whose other bits are sign bits too.
/// Assumes: the optimiser has run, which would make them what they were.
/// Leaves:  no llvm.masked.load of elements of 4 or 8 bytes in vectors of 16 bytes and more where
///          the host is such a one; nothing is changed for others.
/// Reads:   what the target says of the host.
class SettleMaskedLoadsPass : public llvm::PassInfoMixin<SettleMaskedLoadsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
