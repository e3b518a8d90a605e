// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <array>
#include <span>
#include <vector>

#include "ir/names.h"
#include "weft/compiler/check_launch.h"
#include "weft/compiler/kernel_info.h"

namespace weft::compiler {

/// Writes the steps of a LaunchCondition, each once, and knows what they come to at best and at
/// worst.
class ConditionWriter {
 public:
  using Op = LaunchCondition::Op;
  using Node = uint16_t;  ///< index of a step

  Node number(int64_t value) { return range(value, value); }
  Node range(int64_t first, int64_t last) {
    return add({.op = Op::Range, .number = first, .last = last});
  }
  Node anyOf(unsigned bits);
  Node argument(uint32_t offset, uint32_t size) {
    return add({.op = Op::Argument, .size = static_cast<uint8_t>(size), .number = offset});
  }
  Node size(Op op, unsigned dimension = 0) { return add({.op = op, .number = dimension}); }
  Node binary(Op op, Node left, Node right, unsigned bits = 0);
  /// What changes its number in no launch is left out.
  Node unary(Op op, Node left, unsigned bits);

  /// No more steps are taken: what is written from now on means nothing.
  bool isFull() const { return isFull_; }
  /// Whether a condition holds in every launch whose ids are below 2^31.
  bool isCertain(Node condition) const { return passes(condition, 0); }
  /// Whether a condition holds in some launch of an ordinary kind.
  bool isPossible(std::span<const Node> conditions) const;

  /// The steps that the conditions need.
  LaunchCondition write(std::span<const Node> conditions) const;

 private:
  /// Launches that stand for others: all that there may be, and a few.
  static constexpr size_t kCases = 4;
  static constexpr size_t kMostNodes = 1024;
  struct Entry {
    LaunchCondition::Step step;
    std::array<Interval, kCases> values;
  };
  Node add(const LaunchCondition::Step& step);
  bool passes(Node condition, size_t number) const;

  std::vector<Entry> entries_;
  bool isFull_ = false;
};

/// Bounds of the integers of a kernel, in all work-items that come to a block, from what a launch
/// says and from the branches on the way to the block.
///
/// Ownership: borrows everything.
class NumberBounds {
 public:
  using Node = ConditionWriter::Node;

  NumberBounds(llvm::Function& kernel, std::span<const ArgumentInfo> arguments,
               ConditionWriter& writer);

  /// Of the signed number that `value` is.
  Node of(const llvm::Value& value, const llvm::BasicBlock& block) {
    return valueIn(value, block, kMaxDepth);
  }
  /// Of what a sum, a difference, a product, a shift or a truncation would be with any number of
  /// bits, at its own place.
  Node withoutWrapping(const llvm::Instruction& operation);

  const llvm::Loop* loopHeadedBy(const llvm::BasicBlock& block) const;

 private:
  using Op = LaunchCondition::Op;
  static constexpr unsigned kMaxDepth = 10;

  struct Fact {
    llvm::CmpInst::Predicate predicate;
    const llvm::Value* left;
    const llvm::Value* right;
  };
  using Facts = llvm::SmallVector<Fact, 4>;

  Node valueIn(const llvm::Value& value, const llvm::BasicBlock& block, unsigned depth);
  Node unguarded(const llvm::Value& value, const llvm::BasicBlock& block, unsigned depth);
  Node ofInstruction(const llvm::Instruction& instruction, const llvm::BasicBlock& block,
                     unsigned depth);
  Node arithmetic(const llvm::Instruction& operation, const llvm::BasicBlock& block,
                  unsigned depth);
  Node ofCast(const llvm::CastInst& cast, const llvm::BasicBlock& block, unsigned depth);
  Node ofCall(const llvm::CallInst& call, const llvm::BasicBlock& block, unsigned depth);
  Node ofWorkItem(names::WorkItemFunction function, const llvm::CallInst& call);
  Node ofPhi(const llvm::PHINode& phi, unsigned depth);
  Node onEdge(const llvm::Value& value, const llvm::BasicBlock& from, const llvm::BasicBlock& to,
              unsigned depth);
  Node ofDivision(Op op, const llvm::Instruction& division, const llvm::BasicBlock& block,
                  unsigned depth);
  Node restricted(Node node, const llvm::Value& value, const Fact& fact,
                  const llvm::BasicBlock& block, unsigned depth);
  const Facts& factsAt(const llvm::BasicBlock& block);
  static void addFacts(const llvm::BasicBlock& from, const llvm::BasicBlock& to, Facts& facts);

  const std::span<const ArgumentInfo> arguments_;
  ConditionWriter& writer_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::DenseMap<const llvm::BasicBlock*, Facts> facts_;
  llvm::DenseMap<std::pair<const llvm::Value*, const llvm::BasicBlock*>, Node> known_;
  llvm::DenseMap<const llvm::PHINode*, Node> phis_;
  bool isInFact_ = false;
};

}  // namespace weft::compiler
