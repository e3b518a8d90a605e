// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/Support/KnownBits.h>

#include "analysis/index_steps.h"

namespace weft::compiler {

/// What operations on bits make of steps from lane to lane, where the index of the first lane is a
/// multiple of the number of lanes: `id / 16` is one number for sixteen of them, and `id % 16`
/// grows by one.
///
/// Ownership: borrows everything.
class AlignedSteps {
 public:
  /// `index` is below `count` rounded up to a multiple of the lanes; where `count` is 0, it may be
  /// anything. Pre: `lanes` is a power of two.
  AlignedSteps(const llvm::PHINode& index, unsigned lanes, uint64_t count);

  /// Whether an operation is one on bits, by a constant.
  static bool changesBits(const llvm::Instruction& operation);

  /// How the result of an operation on a number steps, whose operands' steps `of` gives; varying
  /// where that is not known to be the same from each lane to the next.
  IndexStep after(const llvm::Instruction& operation, StepOf of) const;

  /// Whether a comparison gives the same in all lanes: that of numbers which differ in their lowest
  /// bits alone with one that lies outside what these make up.
  bool comparesAlike(const llvm::ICmpInst& comparison, StepOf of) const;

  /// Whether all lanes have the same number but for the lowest bits, which are known, so that it
  /// does not wrap from one to the other. Pre: `step` is uniform or affine.
  bool isContained(const llvm::Value& number, IndexStep step) const;

 private:
  /// The lowest bits of the first lane's number.
  struct Low {
    unsigned bits;
    uint64_t value;
  };
  Low lowOf(const llvm::Value& number) const;
  llvm::KnownBits inFirstLane(const llvm::Value& number, unsigned depth = 0) const;
  llvm::KnownBits ofPhi(const llvm::PHINode& phi, unsigned depth) const;
  llvm::KnownBits ofAny(const llvm::PHINode& phi, unsigned depth) const;
  llvm::KnownBits ofOperation(const llvm::Instruction& operation, unsigned depth) const;

  const llvm::PHINode& index_;
  unsigned lanes_;
  uint64_t most_;  ///< of the index; 0: any
};

}  // namespace weft::compiler
