// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "ir/item_loop.h"

namespace weft::compiler {

/// For what loops are limited to: a number that is known stays one that is seen to be known.
using FoldingBuilder = llvm::IRBuilder<llvm::InstSimplifyFolder>;

/// A condition on the ids of a loop over work-items or over their rows: all below a limit, or all
/// above one.
struct IdLimit {
  llvm::Value* base;                   ///< what the loop's index is added to; null for nothing
  llvm::Value* limit;                  ///< of another integer type than the index, perhaps
  llvm::CmpInst::Predicate predicate;  ///< of the id and the limit: an order, no equality

  /// What makes `test` true, or false. Nothing for tests of anything else.
  static std::optional<IdLimit> of(const llvm::ICmpInst& test, const ItemLoop& items, bool isTrue);

  /// The same of a comparison.
  static std::optional<IdLimit> of(llvm::Value& left, llvm::Value& right,
                                   llvm::CmpInst::Predicate predicate, const ItemLoop& items);

  /// An upper limit on the index that makes `test`, of a multiple of it and a constant, true or
  /// false.
  static std::optional<IdLimit> ofMultiple(const llvm::ICmpInst& test, const ItemLoop& items,
                                           bool isTrue);

  bool isSigned() const { return llvm::CmpInst::isSigned(predicate); }
  /// Whether ids are below the limit, which is not one of them.
  bool isBelow() const {
    return predicate == llvm::CmpInst::ICMP_ULT || predicate == llvm::CmpInst::ICMP_SLT;
  }

  /// The limit in a type of the index.
  llvm::Value* wideLimit(llvm::IRBuilderBase& builder, llvm::Type* type) const;
};

/// factor x index + offset, which does not wrap for any id of a loop.
struct IdMultiple {
  int64_t factor;
  int64_t offset;
  int64_t last;  ///< no index is greater

  int64_t least() const { return offset + std::min<int64_t>(factor * last, 0); }
  int64_t most() const { return offset + std::max<int64_t>(factor * last, 0); }

  /// Nothing for values of another kind.
  static std::optional<IdMultiple> of(const llvm::Value& value, const ItemLoop& items);
};

/// What a comparison of a multiple with a constant answers: one thing for indices below one of
/// them, and the other from there on.
struct IdThreshold {
  int64_t index;  ///< may be none of the loop's
  bool isTrueBelow;

  static std::optional<IdThreshold> of(const llvm::ICmpInst& test, const ItemLoop& items);
};

/// The two conditions that both have to be true, or both false, for `condition` to be so; none
/// where it is no such pair.
std::optional<std::pair<llvm::Value*, llvm::Value*>> partsOf(llvm::Value& condition, bool isTrue);

/// Whether a known limit on ids is taken for one of the beginning of rows, of sums of ids and
/// `offset` at least: it is small, like the radius of a stencil, or below 0.
bool isLimitOfBeginning(const llvm::APInt& limit, bool isSigned, int64_t offset);

/// Replaces questions by their answers. One answer may simplify others, and make them needless.
void answer(llvm::ArrayRef<std::pair<llvm::Instruction*, llvm::Value*>> answers);

/// Moves `value` out of the loop, with what it is computed from; what cannot be moved stays, and
/// the answer is no.
bool hoist(llvm::Value* value, llvm::Loop& loop);

/// Has the loop compute nothing any more that others need, so that it need not run; what cannot be
/// moved out stays, and the answer is no.
bool hoistWhatOthersUse(llvm::Loop& loop);

}  // namespace weft::compiler
