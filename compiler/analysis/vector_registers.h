// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Value.h>

namespace weft::compiler {

/// The vector registers of the host, which hold scalar floating-point numbers as well.
struct VectorRegisters {
  unsigned bits = 0;  ///< of each; 0 where the host has none
  unsigned count = 0;

  static VectorRegisters of(const llvm::TargetTransformInfo& target);

  /// How many a value takes: none for integers and pointers that are no vectors.
  unsigned neededFor(const llvm::Value& value) const;
};

}  // namespace weft::compiler
