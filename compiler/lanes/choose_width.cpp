// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/choose_width.h"

#include <llvm/Support/MathExtras.h>

namespace weft::compiler {
namespace {

using namespace llvm;

uint64_t operations(const Work& work, unsigned width, unsigned registerBits) {
  uint64_t sum = 0;
  for (auto [components, bits, isScattered] : work.results)
    sum += uint64_t{components} *
           (isScattered ? std::min(width, 16u) : divideCeil(width * bits, registerBits));
  return sum;
}

bool isTooMuch(const Work& work, uint64_t operations) {
  return operations > (work.components >= tuning::kWideVector ? tuning::kMostOperationsOnWideVectors
                                                              : tuning::kMostOperations);
}

/// The size of what the loop mostly computes with.
unsigned mainBits(const Work& work) {
  unsigned bits = 32;
  unsigned most = 0;
  for (auto [size, count] : work.byBits) {
    if (count < most) continue;
    most = count;
    bits = size;
  }
  return std::max(bits, 8u);
}

/// Registers of vectors to take at once, where lanes mostly compute with `bits`. A chain from
/// iteration to iteration of the innermost loop waits for itself; several vectors, each a chain of
/// its own, fill the time as long as all of them fit into the register file.
unsigned interleave(const Work& work, unsigned registers, unsigned bits) {
  if (!work.hasInnerLoop) {
    const unsigned least = work.scattered != 0 ? tuning::kLongGathers : tuning::kLongCode;
    if (work.instructions > tuning::kTooLongCode) return 1;
    // As many vectors as fill the time that one of them waits for its own results, where the
    // processor cannot look far enough ahead to find them in the next iterations.
    const unsigned needed =
        work.pathCycles * tuning::kOperationsACycle /
        std::max({work.instructions, work.dividerCycles * tuning::kOperationsACycle, 1u});
    if (needed * work.instructions > tuning::kWindow && needed >= tuning::kEnoughChains / 2)
      return tuning::kEnoughChains / 2;
    return work.instructions <= tuning::kShortCode || work.instructions >= least ? 2 : 1;
  }
  // What one vector waits for its own chain is time for others, however long the body is.
  // The more lanes there are, the more likely it is that some of them go each way.
  const unsigned waited = work.chainCycles * tuning::kOperationsACycle;
  const unsigned longestBody = std::max(
      {tuning::kInterleavedBody, waited, 2 * work.branchesInLoops * tuning::kWorkOfBranch});
  const unsigned temporaries = work.live.hasTemporaries ? tuning::kTemporaries : 0;
  const auto registersOf = [&](unsigned vectors, unsigned held) {
    return static_cast<unsigned>(divideCeil(vectors * held, bits));
  };
  auto missing = [&](unsigned vectors) {
    const unsigned needed = registersOf(vectors, work.live.bits()) + temporaries;
    return needed - std::min(needed, registers);
  };
  // What has no register is read from memory in each iteration. Roots and quotients wait for each
  // other.
  auto time = [&](unsigned vectors) {
    const unsigned divider = work.dividerCycles * tuning::kOperationsACycle;
    return std::max(waited,
                    std::max(vectors * divider, vectors * work.innermost + missing(vectors)));
  };
  auto fits = [&](unsigned vectors) {
    // More chains than fill the machine's time are of no use, unless they are few vectors' anyway.
    const unsigned chains =
        vectors == tuning::kEnoughChains ? tuning::kEnoughChains : tuning::kEnoughChains * 2;
    if (registersOf(vectors, work.live.recurrences) > chains ||
        registersOf(vectors, work.live.chains) + temporaries > registers)
      return false;
    // Lanes that leave one by one wait for the last of them, the longer the more there are.
    const unsigned longest =
        work.live.isDivergent && vectors > tuning::kDivergentVectors ? waited : longestBody;
    return missing(vectors) == 0 ? vectors * work.innermost <= longest
                                 : time(vectors) * 3 <= time(vectors / 2) * 4;
  };
  unsigned vectors = work.live.isOnlyChains() ? tuning::kEnoughChains : tuning::kEnoughChains / 2;
  while (vectors > 1 && !fits(vectors)) vectors /= 2;
  return vectors;
}

/// Lane groups to run at once where registers hold as many as `wanted` lanes, and those of one
/// group are too few chains to fill the time.
unsigned groupsAtOnce(const Work& work, unsigned width, unsigned wanted, unsigned registerBits) {
  if (width < tuning::kMostLanes || !work.hasInnerLoop || !work.live.isOnlyChains()) return 1;
  const auto chains =
      static_cast<unsigned>(divideCeil(width * work.live.recurrences, registerBits));
  return std::clamp(tuning::kEnoughChains / std::max(chains, 1u), 1u, std::max(wanted / width, 1u));
}

/// Whether the loop has so few iterations that it should be unrolled: what it keeps for other
/// loops, or reads of what those have kept, then stays in registers.
bool isShort(const Work& work, const WidthQuestion& question, unsigned width, uint64_t operations) {
  const auto* count = dyn_cast<ConstantInt>(question.count);
  if (!count || work.hasInnerLoop) return false;
  const uint64_t trips = count->getZExtValue() / width;
  return trips > 1 && trips <= tuning::kUnrolledTrips &&
         trips * operations <= tuning::kUnrolledOperations;
}

/// Whether lanes that fill a register, or half a small one, are all work-items: no loop is left,
/// while LLVM would unroll that of the work-items before its vectoriser sees it.
bool isOnce(const Work& work, const WidthQuestion& question, unsigned width, unsigned bits) {
  const auto* count = dyn_cast<ConstantInt>(question.count);
  const unsigned least =
      width < tuning::kLanesOfSmallVector ? tuning::kVectorOfAll : tuning::kSmallVectorOfAll;
  return count && count->equalsInt(width) && width * bits >= least && !work.hasInnerLoop;
}

constexpr const char* kTooMuch = "its code for lanes would take too long to compile";

/// Whether atomic operations, which run lane by lane, are what takes the time. In a loop lanes have
/// what they need loaded at once.
bool waitsForAtomics(const Work& work) {
  return work.atomics * tuning::kWorkOfAtomic > work.instructions;
}

/// Whether lanes mostly count in local memory, one after the other: then all that they load is best
/// loaded at once, a cache line of it. Items count what lies far apart from iteration to iteration,
/// and the next lane group would find the rest of the line gone.
bool countsInLoops(const Work& work) {
  return work.hasInnerLoop && work.counts * tuning::kWorkOfCount > work.instructions;
}

/// Whether most of what lanes count in local memory is added to places that come out of vectors one
/// by one: what the processor has learnt of stores and the loads after them reaches for a few.
/// Where the places are words of a register, and the numbers are known, it does for all; and minima
/// and maxima, which are several instructions, it takes for misplaced in any number but in a loop.
bool countsInFewLanes(const Work& work) {
  return work.counts * tuning::kWorkOfCount > work.instructions &&
         2 * (work.extremes + work.inWords) < work.counts;
}

/// Whether one work-item waits for its own sum longer than lanes take to read rows of their own,
/// where these are all that is scattered.
bool waitsForSum(const Work& work) {
  return work.rows == work.scatteredInLoops &&
         work.recurrence * tuning::kOperationsACycle >=
             2 * tuning::kGatheredLane * (work.scatteredInLoops + work.awaited);
}

/// Why lanes do not pay, whatever their number; empty when they may.
const char* objection(const Work& work, const WidthQuestion& question) {
  // At worst they cost what they save in switches.
  if (question.isLaneGroup) return "";
  // One claim for all lanes saves more than all else costs.
  if (work.claims != 0) return "";
  // One work-item's row fills whole registers with one load, lanes' rows fill them one by one.
  if (work.rowsOfVectors * tuning::kWorkOfRow > work.inLoops - work.forAddresses ||
      (work.rowsInVectors != 0 && work.rowsInVectors == work.scatteredInLoops &&
       work.inRows == work.inLoops))
    return "it reads rows of its own, which fill vectors for one work-item";
  // Gathers take as long as the loads of one work-item after the other, and the masks come on top.
  // But for what says where to read next, and for a sum, all lanes together wait no longer than
  // one.
  const unsigned inLoops = work.inLoops + work.divisionsInLoops * tuning::kWorkOfDivision +
                           work.branchesInLoops * tuning::kWorkOfBranch;
  const unsigned instructions = work.instructions + work.divisions * tuning::kWorkOfDivision +
                                work.branches * tuning::kWorkOfBranch;
  // What is read of columns of local memory and written as rows of global memory takes as many
  // insertions as stores are spared, and each of these would wait for its line of the cache.
  const unsigned scattered = work.scattered - work.turned.pairs();
  const unsigned scatteredInLoops =
      work.scatteredInLoops + work.awaited - work.turnedInLoops.pairs();
  // One work-item goes along a row by a counter; lanes take the place in each row apart.
  const unsigned forRows = 2 * work.rows > work.scatteredInLoops ? work.forAddresses : 0;
  if ((work.chained == 0 && !waitsForSum(work) &&
       scatteredInLoops * tuning::kWorkOfScatteredInLoops > inLoops - forRows) ||
      (!work.hasInnerLoop && scattered * tuning::kWorkOfScattered > instructions))
    return work.volatiles * 2 > work.scattered
               ? "it mostly makes volatile accesses"
               : "it mostly reads or writes places that do not follow each other";
  if (work.calls * tuning::kWorkOfCall > work.weight)
    return "it mostly calls functions out of line";
  if (waitsForAtomics(work) && !work.hasInnerLoop) return "it mostly waits for atomic operations";
  return "";
}

bool isStraight(const Loop& loop) {
  return all_of(loop.blocks(), [&](const BasicBlock* block) {
    return block == loop.getLoopLatch() || block->getSingleSuccessor();
  });
}

/// Straight code for a number of work-items that is known, but too large to be unrolled, is as
/// fast in the hands of LLVM's loop vectoriser, which unrolls it where that pays. It knows of no
/// blocks of lanes and of no likely rows, gathers columns of tiles, makes none of code with the
/// program's vectors, and makes masks of branches that all lanes take: threads that store nothing
/// under them take each other's cache lines.
bool isForLlvm(const Work& work, const WidthQuestion& question) {
  return !question.isLaneGroup && work.claims == 0 && isStraight(question.loop) &&
         work.inBlocks == 0 && work.turned.pairs() == 0 && work.components == 1 &&
         (work.guessed == 0 || work.guessed * tuning::kWorkOfScattered > work.computed) &&
         isa<ConstantInt>(question.count);
}

}  // namespace

WidthChoice chooseWidth(const WidthQuestion& question, unsigned forced) {
  const Work work = measure(question);
  if (work.instructions == 0 && !question.isLaneGroup && !question.hasSubGroups)
    return {.isEmpty = true};
  const unsigned registerBits = bitsOfRegister(question);
  if (registerBits < 128) return {.why = "the host has no vectors"};
  auto cost = [&](unsigned lanes) { return operations(work, lanes, registerBits); };
  const unsigned bits = mainBits(work);
  // Integers of three bytes, say, leave part of a register unused.
  const unsigned inRegister = bit_floor(registerBits / bits);
  uint64_t privateBytes = 0;
  for (const auto& entry : question.privates) privateBytes += entry.second.bytes;
  if (forced != 0 && privateBytes > tuning::kForcedPrivateBytes / forced)
    return {.why = "its private arrays are too large"};
  if (forced != 0 && isTooMuch(work, cost(forced))) return {.why = kTooMuch};
  if (forced != 0)
    return {
        .width = forced, .bits = bits, .isShort = isShort(work, question, forced, cost(forced))};
  unsigned lanes = std::min(tuning::kMostLanes, inRegister);
  if (const auto* count = dyn_cast<ConstantInt>(question.count))
    lanes = std::min<uint64_t>(lanes, bit_floor(count->getZExtValue()));
  const bool isAll = isOnce(work, question, lanes, bits);
  if (work.scattered == work.known && work.atomics == 0 &&
      (isAll || isShort(work, question, lanes, cost(lanes))))
    return {.width = lanes, .bits = bits, .isShort = !isAll};
  if (const char* why = objection(work, question); *why) return {.why = why};
  if (isForLlvm(work, question))
    return {.why = "it is short straight code, which is left to LLVM's vectoriser",
            .isForLlvm = true};
  const unsigned registers = question.target.getNumberOfRegisters(
      question.target.getRegisterClassForType(/*Vector=*/true));
  const unsigned wanted = inRegister * interleave(work, registers, bits);
  unsigned width = std::min(tuning::kMostLanes, wanted);
  if (!question.joined.empty()) {
    // A value of these is several registers already, and in a loop each a chain of its own.
    const unsigned vectors = std::max(1U, registerBits / question.joined.largestBits());
    width = work.hasInnerLoop ? std::min(width, tuning::kEnoughChains * vectors)
                              : std::min({width, inRegister, tuning::kJoinedRegisters * vectors});
    // Half the lanes of tiles of sums that would not be in registers have as much to add to each.
    while (work.hasInnerLoop && width > 1 &&
           width * work.live.recurrences / registerBits + tuning::kTemporaries > registers)
      width /= 2;
  }
  // Of larger numbers than these, more would be in registers at a time than there are.
  if (work.hasInnerLoop && work.widestInLoops > bits)
    width = std::min(width,
                     std::max(1u, registerBits / work.widestInLoops) * tuning::kEnoughChains / 2);
  const bool takesLines = work.streams.areMany() && !work.hasInnerLoop && question.joined.empty();
  if (takesLines) width = std::min(tuning::kMostLanes, work.streams.lanesInLine());
  if (countsInLoops(work))
    width = std::min(tuning::kMostLanes, bit_floor(tuning::kLineBits / work.narrowest));
  if (countsInFewLanes(work)) width = std::min(width, tuning::kUnrolledLocalAtomics);
  if (const auto* count = dyn_cast<ConstantInt>(question.count))
    width = std::min<uint64_t>(width, bit_ceil(count->getZExtValue()));
  if (question.rowItems != 0) width = std::min(width, bit_ceil(question.rowItems));
  if (work.rowElements * tuning::kWorkOfRow > work.inLoops ||
      (!work.hasInnerLoop && work.inTiles * tuning::kWorkOfRow > work.instructions))
    width = std::min(width, tuning::kLanesAlongRows);
  width = std::min(width, work.rowLanes);
  if (waitsForAtomics(work)) width = std::min(width, tuning::kAtomicLanes);
  const bool isRowShort = width == 1;
  width = std::max(1u, std::min(width, bit_floor(tuning::kMostComponents / work.components)));
  while (!takesLines && width > 1 && cost(width) > tuning::kManyOperations &&
         cost(width / 2) * 4 <= cost(width) * 3)
    width /= 2;
  // A few lanes of half a register are better than none.
  while (width > std::max(tuning::kFewestLanes, inRegister / 2) && isTooMuch(work, cost(width)) &&
         cost(width / 2) < cost(width))
    width /= 2;
  if (isTooMuch(work, cost(width))) return {.why = kTooMuch};
  if (width == 1)
    return {.why = isRowShort ? "there are too few work-items in a row"
                              : "more lanes would cost more than they save"};
  while (width > 1 && privateBytes * width > tuning::kPrivateBytes) width /= 2;
  if (width == 1) return {.why = "its private arrays would take more than 32 KiB"};
  return {
      .width = width,
      .bits = bits,
      .groupsAtOnce = question.isLaneGroup ? 1 : groupsAtOnce(work, width, wanted, registerBits)};
}

}  // namespace weft::compiler
