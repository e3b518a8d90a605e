// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Shows code generation, which looks at one block at a time, that factors of vectors of products
/// fill half of their bits. Hosts multiply 32 bits by 32, or take the upper half of 16 by 16, in
/// one instruction, and products of 64 bits in several; the extension of what stays the same in a
/// loop has been moved out of it.
///
/// Does:    extends factors beside the product where only its upper half is asked for, and
///          shifts that half where more was shifted out; masks them there where all of it is.
/// Assumes: the optimiser has run, which would move what this makes out of loops again.
/// Leaves:  the same values; blocks and loops as they are.
/// Reads:   loops.
class NarrowFactorsPass : public llvm::PassInfoMixin<NarrowFactorsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
