// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <optional>

#include "ir/item_loop.h"

namespace weft::compiler {

/// What is computed of the ids of work-items and of constants, and perhaps of one power of two that
/// all share, as the distance in a step of a sorting network is: work-item by work-item. A group
/// has so few of them that what holds for all can be looked up where it is hard to prove.
///
/// Ownership: borrows everything.
class ItemTable {
 public:
  /// Pre: `items` has a trip count that is a constant, of no more than tuning::kMostTabled.
  explicit ItemTable(const ItemLoop& items);
  static bool isPossible(const ItemLoop& items);

  /// Whether `pointer` is a constant away from a base that all work-items share, in each of them.
  bool isKnown(const llvm::Value& pointer);

  /// The work-items for which `test` is true, or false; nothing where that is not known of all.
  std::optional<llvm::SmallVector<uint64_t>> thatPass(const llvm::ICmpInst& test, bool isTrue);

  /// Whether no two work-items that reach `block` have an element of `bytes` in common among those
  /// at `pointers`, whatever the power of two is; no, where that is not known.
  bool areOwn(llvm::ArrayRef<const llvm::Value*> pointers, uint64_t bytes,
              const llvm::BasicBlock& block);

 private:
  /// A base that all work-items share, and what is added to it.
  struct Place {
    const llvm::Value* base = nullptr;
    uint64_t offset = 0;
    llvm::SmallVector<std::pair<const llvm::Value*, uint64_t>, 2> terms;  ///< and their factors
  };
  /// A comparison that work-items have passed.
  struct Guard {
    const llvm::ICmpInst* test;
    bool isTrue;
  };
  /// An instruction, and where the numbers of its operands are.
  struct Operation {
    const llvm::Instruction* instruction;
    unsigned left, right, result;
  };

  bool add(const llvm::Value& value);
  unsigned addNumber(const llvm::Value& value, uint64_t number);
  bool addPlace(const llvm::Value& pointer, llvm::SmallVectorImpl<Place>& places);
  llvm::SmallVector<Guard> guardsOf(const llvm::BasicBlock& block);
  void compute(uint64_t item, uint64_t power);
  uint64_t numberOf(const llvm::Value& value) const { return numbers_[at_.lookup(&value)]; }
  bool passes(const Guard& guard) const;

  const ItemLoop& items_;
  const llvm::Value* power_ = nullptr;
  llvm::SmallVector<Operation> order_;               ///< operands come first
  llvm::DenseMap<const llvm::Value*, unsigned> at_;  ///< where their numbers are
  llvm::SmallVector<uint64_t> numbers_;              ///< the upper bits are 0
};

}  // namespace weft::compiler
