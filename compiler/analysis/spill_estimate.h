// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler {

/// The vector registers of the host, which hold scalar floating-point numbers as well.
struct VectorRegisters {
  unsigned bits = 0;  ///< of each; 0 where the host has none
  unsigned count = 0;

  static VectorRegisters of(const llvm::TargetTransformInfo& target);

  /// How many a value takes: none for integers and pointers that are no vectors.
  unsigned neededFor(const llvm::Value& value) const;
};

/// How many registers are read back from memory, or written there to be read back, when the
/// instructions of a block, from behind its phis to before its terminator, run in `order`, and
/// whatever is next needed last makes way for what is needed now: the least that any allocation of
/// registers comes to, but for what instructions read from memory without a register.
unsigned estimateSpills(llvm::ArrayRef<llvm::Instruction*> order, const VectorRegisters& registers);

/// Whether a value is needed behind its block, or by the next iteration of a loop.
bool isUsedBehind(const llvm::Value& value, const llvm::BasicBlock& block);

}  // namespace weft::compiler
