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
constexpr unsigned kSkipped = 16;

/// The first turns with a rival are shorter by this factor: it may be many times as slow.
constexpr int kCaution = 8;
constexpr unsigned kCautiousTurns = 6;

}  // namespace

void CodeTurns::begin(abi::CodeTrial& trial, uint64_t leastItems) noexcept {
  leastItems_ = leastItems;
  const abi::MachineCode* const rival = trial.rival(leastItems);
  isOn_ = rival != nullptr;
  if (!isOn_) return;
  const abi::MachineCode* const best = trial.best();
  if (trial_ == &trial && best_ == best && rival_ == rival) return;
  trial_ = &trial;
  best_ = best;
  rival_ = rival;
  turns_ = 0;
  own_ = rivals_ = {};
}

nanoseconds CodeTurns::turnTime() const noexcept {
  return turns_ < kCautiousTurns ? trial_->turn() / kCaution : trial_->turn();
}

uint64_t CodeTurns::mostItems() const noexcept {
  const Turn& turn = isRivalsTurn() ? rivals_ : own_;
  const double usual = trial_->usualTime();
  const double left = static_cast<double>((turnTime() - turn.time).count());
  if (usual <= 0 || left <= usual) return 1;
  return static_cast<uint64_t>(std::min(left / usual, 1e15));
}

void CodeTurns::ran(uint64_t items, nanoseconds time) noexcept {
  Turn& turn = isRivalsTurn() ? rivals_ : own_;
  turn.time += time;
  turn.items += items;
  trial_->spent(time, items);
  if (turn.time < turnTime()) return;
  ++turns_;
  if (turns_ % 2 == 0) endPair();
}

void CodeTurns::endPair() noexcept {
  const auto other =
      nanoseconds(static_cast<int64_t>(own_.perItem() * static_cast<double>(rivals_.items)));
  // Code that has never run waits for memory in ways that say nothing of it.
  if (turns_ > 2 || isEager(*trial_))
    trial_->compared(
        *best_, *rival_,
        {.best = own_.perItem(), .rival = rivals_.perItem(), .lost = rivals_.time - other});
  own_ = rivals_ = {};
  begin(*trial_, leastItems_);
}

void CodeTurns::spent(abi::CodeTrial& trial, nanoseconds time, uint64_t items) noexcept {
  if (measured_ != &trial) weight_ = 1;
  measured_ = &trial;
  trial.spent(time * weight_, items * weight_);
  weight_ = time < kShortPart && !isEager(trial) ? kSkipped : 1;
  skipped_ = weight_ - 1;
}

}  // namespace weft::runtime
