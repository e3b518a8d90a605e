// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <cstdint>
#include <optional>

#include "analysis/aligned_steps.h"
#include "analysis/index_steps.h"
#include "analysis/lane_uniformity.h"
#include "analysis/mask_plan.h"

namespace weft::compiler {

/// How a value differs from lane to lane: uniform, affine or varying; steady ones are not told
/// apart from those.
using LaneShape = IndexStep;

/// How each private variable is laid out over the lanes.
struct PrivateLayout {
  /// Not 0: elements of this size alternate between the lanes, so that a uniform index gives
  /// consecutive elements. 0: every lane has a copy of the whole variable.
  uint64_t elementBytes = 0;
  uint64_t bytes = 0;  ///< of one lane's copy, padded to its alignment
};
using PrivateLayouts = llvm::MapVector<const llvm::AllocaInst*, PrivateLayout>;

/// The shapes of all values in a loop over work-items.
///
/// Ids are taken to be below 2^31: launches with larger ranges do not run vectorised code.
///
/// Ownership: borrows everything.
class LaneShapes {
 public:
  /// With `aligned` of as many lanes, which begin at a multiple of their number. Then also what is
  /// one number for them without being uniform to LLVM has the shape of a uniform value.
  LaneShapes(const llvm::Loop& loop, const llvm::PHINode& index, const LaneUniformity& uniformity,
             const MaskPlan& plan, const PrivateLayouts& privates, unsigned width,
             const AlignedSteps* aligned = nullptr);

  LaneShape of(const llvm::Value* value) const;

  /// The shape of a 64-bit index of an address, which may be affine where the number as such is
  /// not known to be: signed 32-bit numbers of which the program promises that they do not wrap in
  /// the lanes that use them, though lane 0 may be idle and wrap. They are computed for it from
  /// their parts in 64 bits, and so are 64-bit sums and multiples of them.
  ///   Into local memory, which is small, no index is used that wraps: there all are followed that
  ///   step from lane to lane in 32 bits.
  LaneShape ofIndex(const llvm::Value* index, bool isLocal) const {
    return ofIndex(index, isLocal, 0);
  }

  /// Whether lanes may have any places in memory that they share.
  bool isAnywhere(const llvm::Value* pointer) const;

  /// Whether a value of at most 32 bits that is uniform or affine is so as a signed number too, in
  /// all lanes in which it is used, lane 0 be it idle or not.
  bool isExact(const llvm::Value* value) const;

  /// Whether the number is needed for nothing but addresses that are known from lane 0.
  bool isOnlyIndex(const llvm::Value* value) const { return onlyIndices_.contains(value); }

  /// The private variable that a pointer leads to, of those with alternating elements.
  const llvm::AllocaInst* interleaved(const llvm::Value* pointer) const;

 private:
  LaneShape compute(const llvm::Instruction& instruction) const;
  LaneShape keptShape(LaneShape shape) const;
  LaneShape ofAddress(const llvm::GEPOperator& address) const;
  LaneShape ofPhi(const llvm::PHINode& phi) const;
  LaneShape ofExtension(const llvm::CastInst& cast) const;
  void findIndices();
  bool joinsTogether(const llvm::PHINode& phi) const;
  /// An upper bound of `value` as an unsigned number in every lane; none when not known.
  std::optional<uint64_t> bound(const llvm::Value* value, unsigned depth = 0) const;
  LaneShape ofIndex(const llvm::Value* index, bool isLocal, unsigned depth) const;
  /// Bounds of what the arithmetic behind a value gives in every lane when no number ever wraps.
  struct Range {
    int64_t low, high;
  };
  std::optional<Range> range(const llvm::Value* value, unsigned depth = 0) const;
  std::optional<Range> rangeOfPhi(const llvm::PHINode& phi, unsigned depth) const;
  bool isWithinType(const llvm::Value* value) const;
  /// Whether a signed number can be computed for lane 0 in more bits, from exact parts.
  bool canWiden(const llvm::Value* value, unsigned depth = 0) const;
  /// Whether the program promises that no lane's value wraps that is used; others may.
  bool promisesNoSignedWrap(const llvm::Value* value, unsigned depth = 0) const;
  bool neverWrapsUnsigned(const llvm::Value* value) const;
  bool isContained(const llvm::Value* value) const;

  const llvm::Loop& loop_;
  const llvm::PHINode& index_;
  const LaneUniformity& uniformity_;
  const MaskPlan& plan_;
  const AlignedSteps* aligned_;
  const AlignedSteps steps_;  ///< of which comparisons alone are asked without `aligned_`
  unsigned width_;
  llvm::DenseMap<const llvm::Value*, LaneShape> shapes_;
  llvm::DenseSet<const llvm::Value*> onlyIndices_;
  llvm::DenseMap<const llvm::Value*, const llvm::AllocaInst*> interleaved_;
};

}  // namespace weft::compiler
