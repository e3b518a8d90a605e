// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>

#include <functional>

#include "analysis/loop_parts.h"

namespace weft::compiler {

/// A number that the iterations of a loop hand on, each in its cell of an array, to what takes it
/// up in order.
struct HandedOn {
  /// In the loop or before it; null for the way by which `meeting` is reached.
  llvm::Value* value = nullptr;
  unsigned element = 0;  ///< of a vector
  /// A phi or a selection; null: what the value is at the end of the iteration.
  const llvm::Instruction* meeting = nullptr;
  llvm::Value* taken = nullptr;         ///< the value counts where this is what `meeting` takes,
  llvm::Constant* otherwise = nullptr;  ///< and this elsewhere, or where it is not computed
  llvm::AllocaInst* array = nullptr;

  /// The number of the way that leads to a block from one before it.
  static unsigned wayFrom(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
};

/// Writes the part of a loop that is computed in order, as one block for an iteration. Vectors are
/// taken apart: their elements are chains of their own, which do not wait for each other. What is
/// added under a condition is always added, but is nothing where the condition does not hold.
///
/// Ownership: borrows everything.
class OrderedPart {
 public:
  using NewArray = std::function<llvm::AllocaInst*(llvm::Type*, const llvm::Twine&)>;
  using Induction = std::function<llvm::Value*(llvm::Instruction&, llvm::IRBuilder<>&)>;

  /// Writes iteration `index` at the end of `block`.
  OrderedPart(const llvm::Loop& loop, const LoopParts& parts, llvm::BasicBlock& block,
              llvm::Value& index, NewArray newArray, Induction induction);

  /// Starts what the loop carries in `phi` with `value`, from `before`, which has a terminator.
  void start(llvm::PHINode& phi, llvm::Value& value, llvm::BasicBlock& before);
  /// Carries `next` on in all of `phi`.
  void carryOn(llvm::PHINode& phi, llvm::Value& next);
  /// All of `value` of the loop, put together at the end of `builder`'s block.
  llvm::Value* whole(llvm::Value& value, llvm::IRBuilder<>& builder);

  /// What the iterations have to write for this.
  llvm::ArrayRef<HandedOn> handedOn() const { return handedOn_; }

 private:
  struct Element {
    llvm::Value* value;
    unsigned index;
    friend bool operator==(const Element&, const Element&) = default;
  };

  bool isInLoop(const llvm::Value& value) const;
  Element sourceOf(llvm::Value& value, unsigned index) const;
  llvm::Value* element(llvm::Value& value, unsigned index);
  llvm::Value* compute(llvm::Instruction& instruction, unsigned index);
  llvm::Value* meet(const llvm::PHINode& phi, unsigned index);
  llvm::Value* select(llvm::SelectInst& selection, unsigned index);
  llvm::Value* addWhereTaken(const llvm::Instruction& meeting, const Element& sum,
                             const Element& added, llvm::Value& taken);
  llvm::Value* take(HandedOn wanted, const llvm::Twine& name);

  const llvm::Loop& loop_;
  const LoopParts& parts_;
  llvm::IRBuilder<> builder_;
  llvm::Value& index_;
  NewArray newArray_;
  Induction induction_;
  bool flushesDenormals_;
  llvm::DenseMap<std::pair<llvm::Value*, unsigned>, llvm::Value*> elements_;
  llvm::SmallVector<HandedOn> handedOn_;
  llvm::DenseMap<llvm::AllocaInst*, llvm::Value*> taken_;  ///< out of the arrays
};

}  // namespace weft::compiler
