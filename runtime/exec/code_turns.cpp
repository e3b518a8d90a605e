// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exec/code_turns.h"

#include <algorithm>

namespace weft::runtime {
namespace {

using std::chrono::nanoseconds;

/// Parts shorter than this are measured now and then: two looks at the clock would be a tenth of
/// the time that the smallest of launches takes.
constexpr nanoseconds kShortPart{2000};
constexpr unsigned kSkipped = 15;

/// Turns to warm up are shorter by this factor, and the first call of each turn; and no call runs
/// more work-items than the one before by more than this. A rival may be many times as slow, and so
/// may be the next work-items of a range.
constexpr int kCaution = 8;
constexpr uint64_t kMostItems = uint64_t{1} << 50;

/// A look at work-items takes so long, in one call or several, less in short parts; and there is
/// none in the shortest.
constexpr nanoseconds kLook{1000};
constexpr int kLooksInPart = 16;

/// Work-items that are as much work as others within this factor are alike.
constexpr double kAlike = 2;
/// Parts that are looked at until one is like that during which it was time for a pair, or like
/// that which the pair has begun in: pairs should come from each kind of launches as often as these
/// take the kernel's time, and hold nothing else.
constexpr unsigned kMostRefused = 4096;

/// A pair whose kernel has not been launched for so long gives way to others.
constexpr unsigned kPatience = 256;

bool isAlike(double pace, double other) noexcept {
  return pace < other * kAlike && other < pace * kAlike;
}

}  // namespace

void CodeTurns::begin(abi::CodeTrial& trial, uint64_t leastItems, bool isOneCall) noexcept {
  isOn_ = false;
  const bool isSame = trial_ == &trial;
  if (isUnderWay_ && !isSame && ++waiting_ < kPatience) return;
  isUnderWay_ = isUnderWay_ && isSame;
  if (!isSame) {
    pace_ = wanted_ = 0;
    lastPart_ = {};
  }
  leastItems_ = leastItems;
  const abi::MachineCode* const rival = trial.rival(isUnderWay_, shortest());
  if (rival == nullptr) {
    if (isSame) giveUp();
    return;
  }
  waiting_ = 0;
  trial_ = &trial;
  const bool wasLong = lastPart_.items == 0 || lastPart_.time >= kShortPart;
  if (!isUnderWay_ && wanted_ == 0 && lastPart_.items != 0 && wasLong) {
    wanted_ = lastPart_.perItem();
  }
  if (!isUnderWay_ || rival != rival_ || trial.best() != best_) meet(rival);
  isOn_ = true;
  isLooking_ = !isEager(trial) && (pace_ == 0 || (!isOneCall && (wasLong || wanted_ != 0)));
  if (!isLooking_) wanted_ = 0;
  most_ = leastItems;
  seen_ = {};
}

/// What the shortest call takes, as far as is known.
nanoseconds CodeTurns::shortest() const noexcept {
  return nanoseconds(
      static_cast<int64_t>(std::min(pace_ * static_cast<double>(leastItems_), 1e15)));
}

void CodeTurns::meet(const abi::MachineCode* rival) noexcept {
  isUnderWay_ = true;
  best_ = trial_->best();
  rival_ = rival;
  turns_ = isEager(*trial_) ? 1 : 0;
  look_ = pace_;
  drawOrder();
  skipWarmUp();
}

void CodeTurns::drawOrder() noexcept {
  own_ = rivals_ = {};
  random_ = random_ * 1664525 + 1013904223;
  rivalBegins_ = (random_ & 0x80000000) != 0;
}

nanoseconds CodeTurns::turnTime() const noexcept {
  return turns_ == 0 ? trial_->turn() / kCaution : trial_->turn();
}

uint64_t CodeTurns::mostItems() const noexcept {
  if (isEager(*trial_)) return 1;
  if (isLooking_) return most_;
  const nanoseconds left = turn().items == 0 ? turnTime() / kCaution : turnTime() - turn().time;
  const double most = static_cast<double>(left.count()) / pace_;
  return static_cast<uint64_t>(
      std::clamp(most, static_cast<double>(leastItems_), static_cast<double>(most_)));
}

void CodeTurns::ran(uint64_t items, nanoseconds time) noexcept {
  pace_ = Turn{time, items}.perItem();
  most_ = std::max(std::min(items, kMostItems) * kCaution, leastItems_);
  if (isLooking_) {
    seen_.add(time, items);
    const nanoseconds enough = std::min(kLook, lastPart_.time / kLooksInPart);
    // Calls grow, so that the last one tells the most, unless all are as short as they can be.
    if (time < enough) pace_ = seen_.perItem();
    if (seen_.time >= enough) looked();
    return;
  }
  Turn& current = turn();
  current.add(time, items);
  // What is left would be a call too short to tell anything.
  if (current.time < turnTime() - turnTime() / kCaution) return;
  ++turns_;
  if (turns_ == 1) endWarmUp();
  if (turns_ == 3) endPair();
}

void CodeTurns::giveUp() noexcept {
  if (isUnderWay_ && rivals_.items != 0) endWarmUp();
  isOn_ = isUnderWay_ = false;
}

void CodeTurns::looked() noexcept {
  isLooking_ = false;
  if (trial_->rival(/*isUnderWay=*/true, shortest()) != rival_ || trial_->best() != best_) {
    giveUp();
    return;
  }
  const bool hasBegun = own_.items + rivals_.items != 0;
  const double wanted = hasBegun ? look_ : wanted_;
  if (wanted != 0 && !isAlike(pace_, wanted)) {
    if (++refused_ < kMostRefused) {
      isOn_ = false;
      isUnderWay_ = hasBegun;
      return;
    }
    if (hasBegun) endWarmUp();
    turns_ = std::min(turns_, 1U);
  }
  refused_ = 0;
  wanted_ = 0;
  look_ = pace_;
  skipWarmUp();
}

/// Long calls warm up by themselves.
void CodeTurns::skipWarmUp() noexcept {
  if (turns_ == 0 && shortest() >= trial_->turn() / 2) turns_ = 1;
}

/// Notes what the rival's turn has cost, which says nothing else.
void CodeTurns::endWarmUp() noexcept {
  const auto other = nanoseconds(static_cast<int64_t>(look_ * static_cast<double>(rivals_.items)));
  trial_->compared(*best_, *rival_, {.lost = rivals_.time - other, .isWarmUp = true});
  drawOrder();
}

void CodeTurns::endPair() noexcept {
  const auto other =
      nanoseconds(static_cast<int64_t>(own_.perItem() * static_cast<double>(rivals_.items)));
  trial_->compared(
      *best_, *rival_,
      {.best = own_.perItem(), .rival = rivals_.perItem(), .lost = rivals_.time - other});
  isUnderWay_ = false;
  const abi::MachineCode* const rival = trial_->rival(/*isUnderWay=*/false, shortest());
  isOn_ = rival != nullptr;
  if (isOn_) meet(rival);
}

void CodeTurns::end(abi::CodeTrial& trial, nanoseconds time, uint64_t items) noexcept {
  isOn_ = false;
  if (measured_ != &trial) unmeasured_ = 0;
  if (trial_ == &trial) lastPart_ = {time, items};
  trial.spent(time * (1 + unmeasured_));
  measured_ = &trial;
  unmeasured_ = 0;
  skipped_ = time < kShortPart && !isEager(trial) ? kSkipped : 0;
}

}  // namespace weft::runtime
