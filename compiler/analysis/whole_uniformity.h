// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>

#include <functional>
#include <memory>

namespace weft::compiler {

/// Whether the results of a call may differ even where its arguments do not.
bool isVaryingCall(const llvm::CallBase& call);

/// Which values and branches are equal for all of the work-items, or lanes, that are together, from
/// what says so of single values: LLVM's analysis, and what that of LLVM 19 leaves out.
///
/// It follows the paths from a divergent branch to where they join, but may stop too early: with
/// several blocks on either side of an if it can take the phi behind for uniform (llvm-project
/// issue 137277), as it can phis where a loop is left (216296). Here the paths are followed as far
/// as the branch's post-dominator; phis that are found missing become sources of divergence, and
/// LLVM's analysis is run again.
///
/// Ownership: borrows function and dominator tree, which must not change while answers are asked
/// for.
class WholeUniformity {
 public:
  using Predicate = std::function<bool(const llvm::Value*)>;

  /// What a phi is for those who come to it by a way where its value is undefined. To LLVM it is
  /// uniform all the same.
  enum class Undefined : uint8_t {
    IsLikeOthers,  ///< as the others': only those who have the value ask
    IsOwn,         ///< anything, and must not be taken for the others'
  };

  /// `varies`: sources of divergence. `neverVaries`: values that are uniform whatever they are
  /// computed from.
  WholeUniformity(llvm::Function& function, const llvm::DominatorTree& dominators, Predicate varies,
                  Predicate neverVaries, Undefined undefined);
  ~WholeUniformity();
  WholeUniformity(const WholeUniformity&) = delete;
  WholeUniformity& operator=(const WholeUniformity&) = delete;

  /// Where it is computed.
  bool isUniform(const llvm::Value& value) const { return info_->isUniform(&value); }
  /// Where it is used: a value computed in a loop that work-items leave at different times is
  /// varying outside, even if it is uniform inside.
  bool isUniform(const llvm::Use& use) const;
  /// Whether all that end `block` together go on to the same successor.
  bool endsUniformly(const llvm::BasicBlock& block) const {
    return !info_->hasDivergentTerminator(block);
  }
  const llvm::CycleInfo& cycles() const { return cycles_; }

 private:
  class Sources;
  class Paths;

  llvm::CycleInfo cycles_;
  Predicate varies_, neverVaries_;
  Undefined undefined_;
  llvm::SmallPtrSet<const llvm::Value*, 16> found_;     ///< divergent, though LLVM did not say so
  llvm::SmallPtrSet<const llvm::Cycle*, 8> leftApart_;  ///< loops that are left at different times
  std::unique_ptr<llvm::TargetTransformInfo> sources_;
  std::unique_ptr<llvm::UniformityInfo> info_;
};

}  // namespace weft::compiler
