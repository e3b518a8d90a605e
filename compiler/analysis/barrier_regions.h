// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "analysis/group_uniformity.h"

namespace weft::compiler {

/// A part of a kernel without a barrier that every work-item of the group runs through: it is
/// entered at its head and left for one place.
struct BarrierRegion {
  llvm::BasicBlock* head = nullptr;
  llvm::SmallVector<llvm::BasicBlock*> blocks;  ///< in no particular order, head included
  /// Where all work-items go next; null when the region ends in `branch`, or in a return.
  llvm::BasicBlock* next = nullptr;
  /// A branch or switch that decides over barriers, on a value that is equal for the group.
  llvm::Instruction* branch = nullptr;
  bool asks = false;  ///< whether that value is equal is not known: the work-items are asked
  llvm::SmallVector<unsigned> successors;  ///< the regions that may run next
  bool repeats = false;                    ///< may run more than once in a group
};

/// Why a kernel is not run in loops between its barriers.
struct BarrierObjection {
  std::string why;
  const llvm::Instruction* where = nullptr;    ///< the call or branch in question, where it is one
  const llvm::Instruction* barrier = nullptr;  ///< that a branch decides over
};

/// How a kernel falls apart at its barriers: a skeleton of control flow that the whole group
/// takes together, and regions between that each work-item can run from end to end.
///
/// A branch belongs to the skeleton when a barrier is control dependent on it, directly or through
/// other branches of the skeleton. It must then be group-uniform, or ask the work-items. Regions
/// start after barriers and after branches of the skeleton, and where regions flow together.
///
/// Assumes: isolate-barriers has run.
/// Ownership: borrows the function, which must not change while answers are asked for.
class BarrierRegions {
 public:
  using Ids = GroupUniformity::Ids;
  /// What becomes of branches of the skeleton that are not known to be group-uniform.
  enum class Unproven : uint8_t { Refused, Asked };
  /// The regions of what is reached from `first`, which dominates it; or why the function has none.
  static std::expected<BarrierRegions, BarrierObjection> find(
      llvm::Function& function, llvm::BasicBlock& first, Ids ids = Ids::Differ,
      Unproven unproven = Unproven::Refused);

  const std::vector<BarrierRegion>& regions() const { return regions_; }
  /// Index of the region that holds `block`; kNone for blocks of the skeleton.
  static constexpr unsigned kNone = ~0u;
  unsigned regionOf(const llvm::BasicBlock& block) const {
    const auto found = regionOf_.find(&block);
    return found == regionOf_.end() ? kNone : found->second;
  }
  /// Whether it is a phi that chooses between what several regions have computed.
  bool isHeadPhi(const llvm::Value& value) const {
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
    const unsigned region = phi ? regionOf(*phi->getParent()) : kNone;
    return region != kNone && regions_[region].head == phi->getParent();
  }
  const GroupUniformity& uniformity() const { return *uniformity_; }

 private:
  using Blocks = llvm::SmallPtrSet<llvm::BasicBlock*, 16>;

  BarrierRegions() = default;
  using Objection = std::optional<BarrierObjection>;
  Objection checkInstructions(llvm::Function& function);
  Objection findSkeleton(llvm::Function& function, Unproven unproven);
  BarrierObjection divergesAt(llvm::BasicBlock& block, llvm::PostDominatorTree& postDominators);
  void findHeads(llvm::BasicBlock& first);
  void assign(llvm::Function& function, const llvm::BasicBlock& first);
  Objection findExits();
  void findSuccessors();
  void findRepeats();
  bool isSkeletonBlock(const llvm::BasicBlock& block) const;

  std::unique_ptr<llvm::DominatorTree> dominators_;
  std::unique_ptr<GroupUniformity> uniformity_;
  Blocks barriers_;
  Blocks branches_;  ///< blocks that end in a branch of the skeleton
  Blocks asking_;    ///< those of them that end in one that is not known to be uniform
  Blocks heads_;
  std::vector<BarrierRegion> regions_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> regionOf_;
};

}  // namespace weft::compiler
