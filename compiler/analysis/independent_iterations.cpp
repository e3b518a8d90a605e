// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/independent_iterations.h"

#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// The places of an access: `step` bytes further on in each iteration.
struct Places {
  const SCEV* first;  ///< address in the first iteration
  int64_t step;
  int64_t bytes;  ///< of one access
};

class Independence {
 public:
  Independence(const Loop& loop, ScalarEvolution& evolution, AAResults& aliases)
      : loop_(loop), evolution_(evolution), aliases_(aliases) {
    aliases_.enableCrossIterationMode();
    const APInt most = evolution.getUnsignedRangeMax(evolution.getBackedgeTakenCount(&loop));
    if (most.getActiveBits() < 32) lastIteration_ = static_cast<int64_t>(most.getZExtValue());
  }

  bool isProved() {
    if (!collect()) return false;
    for (const Instruction* store : accesses_)
      if (isa<StoreInst>(store))
        for (const Instruction* other : accesses_)
          if (!areIndependent(*store, *other)) return false;
    return true;
  }

 private:
  bool collect() {
    for (const BasicBlock* block : loop_.blocks())
      for (const Instruction& instruction : *block) {
        if (instruction.isDebugOrPseudoInst() || isa<AssumeInst>(instruction)) continue;
        if (!instruction.mayReadOrWriteMemory()) continue;
        const auto* load = dyn_cast<LoadInst>(&instruction);
        const auto* store = dyn_cast<StoreInst>(&instruction);
        if (!(load && load->isSimple()) && !(store && store->isSimple())) return false;
        switch (getLoadStorePointerOperand(&instruction)->getType()->getPointerAddressSpace()) {
          case names::kGlobal:
          case names::kConstant:
          case names::kLocal:
            accesses_.push_back(&instruction);
            break;
          default:
            return false;
        }
      }
    return true;
  }

  bool areIndependent(const Instruction& a, const Instruction& b) {
    const auto everywhere = [](const Instruction& access) {
      // Scopes hold for all iterations: a loop that declares one is not looked at.
      return MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&access),
                                              access.getAAMetadata());
    };
    if (&a != &b && aliases_.alias(everywhere(a), everywhere(b)) == AliasResult::NoAlias)
      return true;
    const std::optional<Places> placesOfA = placesOf(a);
    const std::optional<Places> placesOfB = placesOf(b);
    if (!placesOfA || !placesOfB) return false;
    const auto* distance =
        dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(placesOfB->first, placesOfA->first));
    if (!distance || distance->getAPInt().getSignificantBits() > 40) return false;
    const int64_t between = distance->getAPInt().getSExtValue();
    return areApart(*placesOfA, *placesOfB, between) ||
           (placesOfA->step == placesOfB->step && neverMeet(*placesOfA, *placesOfB, between));
  }

  std::optional<Places> placesOf(const Instruction& access) const {
    const Value* pointer = getLoadStorePointerOperand(&access);
    const auto bytes = static_cast<int64_t>(access.getDataLayout().getTypeStoreSize(
        getLoadStoreType(const_cast<Instruction*>(&access))));
    const SCEV* address = evolution_.getSCEV(const_cast<Value*>(pointer));
    if (evolution_.isLoopInvariant(address, &loop_)) return Places{address, 0, bytes};
    const auto* recurrence = dyn_cast<SCEVAddRecExpr>(address);
    if (!recurrence || recurrence->getLoop() != &loop_ || !recurrence->isAffine())
      return std::nullopt;
    const auto* step = dyn_cast<SCEVConstant>(recurrence->getStepRecurrence(evolution_));
    if (!step || step->getAPInt().getSignificantBits() > 32) return std::nullopt;
    return Places{recurrence->getStart(), step->getAPInt().getSExtValue(), bytes};
  }

  /// Whether all that `a` touches lies before or behind all that `b` touches, whose first place is
  /// `between` bytes after that of `a`.
  bool areApart(const Places& a, const Places& b, int64_t between) const {
    if (!lastIteration_) return false;
    // Both numbers have 32 bits at most.
    const auto extent = [&](const Places& places) {
      const int64_t last = places.step * *lastIteration_;
      return std::pair{std::min<int64_t>(last, 0), std::max<int64_t>(last, 0) + places.bytes};
    };
    const auto [beginA, endA] = extent(a);
    const auto [beginB, endB] = extent(b);
    return endA <= between + beginB || between + endB <= beginA;
  }

  /// Whether places that step alike overlap in the same iteration alone.
  static bool neverMeet(const Places& a, const Places& b, int64_t between) {
    if (a.step == 0) return false;
    // `b` is at `between + n * step` from `a` in the nth iteration after it, or before it. The
    // nearest of these, on both sides, and those that reach as far.
    const int64_t nearest = -between / a.step;
    const int64_t reach = (a.bytes + b.bytes) / std::abs(a.step) + 1;
    for (int64_t n = nearest - reach; n <= nearest + reach; ++n) {
      const int64_t apart = between + n * a.step;
      if (n != 0 && apart < a.bytes && -apart < b.bytes) return false;
    }
    return true;
  }

  const Loop& loop_;
  ScalarEvolution& evolution_;
  BatchAAResults aliases_;
  std::optional<int64_t> lastIteration_;  ///< its number, from 0
  SmallVector<const Instruction*> accesses_;
};

}  // namespace

bool areIterationsIndependent(const Loop& loop, ScalarEvolution& evolution, AAResults& aliases) {
  return Independence(loop, evolution, aliases).isProved();
}

}  // namespace weft::compiler
