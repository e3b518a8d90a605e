// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/width_trial.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "base/thread_clock.h"
#include "base/tuning.h"

namespace weft::compiler {

using std::chrono::nanoseconds;

double Comparison::median() const {
  std::vector<double> sorted = ratios_;
  const auto middle = sorted.begin() + static_cast<ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  return *middle;
}

/// Whether less is lost where the rival is slower than is won where it is faster, both in times of
/// the better one: a kernel that is launched for one thing and for another has a clear sign for
/// what is more frequent, and that may be next to nothing of what it loses elsewhere.
bool Comparison::pays() const {
  double won = 0;
  double lost = 0;
  for (const double ratio : ratios_) {
    won += std::min(std::max(1 / ratio - 1, 0.0), tuning::trials::kMostWeight);
    lost += std::min(std::max(ratio - 1, 0.0), tuning::trials::kMostWeight);
  }
  return won > lost;
}

Comparison::Verdict Comparison::verdict() const {
  using namespace tuning::trials;
  const size_t count = ratios_.size();
  if (count >= kHopelessPairs &&
      std::ranges::all_of(ratios_, [](double ratio) { return ratio > kHopeless; }))
    return Verdict::NotBetter;
  if (count < kLeastPairs) return Verdict::Open;
  const auto won = std::ranges::count_if(ratios_, [](double ratio) { return ratio < 1; });
  // Of so many coins, with the deviation of their heads.
  const double pairs = static_cast<double>(count);
  const double deviation = (static_cast<double>(won) - pairs / 2) / (std::sqrt(pairs) / 2);
  if (deviation <= -kDeviations) return Verdict::NotBetter;
  if (count >= kWinningPairs && deviation >= kDeviations && pays())
    return median() < kWinning ? Verdict::Better : Verdict::NotBetter;
  return count >= kMostPairs ? Verdict::NotBetter : Verdict::Open;
}

WidthTrial::WidthTrial(TrialHost& host, const Variant& code, std::vector<uint32_t> widths,
                       nanoseconds cost, bool isEager)
    : abi::CodeTrial(code, isEager ? nanoseconds(0) : tuning::trials::kTurn),
      host_(host),
      widths_(std::move(widths)),
      isEager_(isEager),
      cost_(cost) {
  postpone();
}

/// The next rival must be worth it again.
void WidthTrial::postpone() noexcept { spendUntil(total() + cost_ * tuning::trials::kWorthOfCost); }

/// Who has spent that begins with what comes next: nothing here is the caller's any more.
void WidthTrial::spendUntil(nanoseconds due) noexcept {
  due_ = isEager_ ? 0 : due.count();
  state_.store(State::Spending, std::memory_order_release);
}

void WidthTrial::conclude() noexcept {
  state_ = State::Ended;
  end();
}

const abi::MachineCode* WidthTrial::rival(bool isUnderWay, nanoseconds shortest) noexcept {
  if (state_.load(std::memory_order_acquire) != State::Comparing) return nullptr;
  if (!isEager_) {
    const nanoseconds all = total();
    if (!isUnderWay && all.count() < nextPair_.load(std::memory_order_relaxed)) return nullptr;
    const nanoseconds most = lost() + shortest * (tuning::trials::kCaution - 1);
    if (most * tuning::trials::kWorthOfLoss > all) return nullptr;
  }
  return rival_.load(std::memory_order_acquire);
}

void WidthTrial::spent(nanoseconds time) noexcept {
  const int64_t sum = spent_.fetch_add(time.count(), std::memory_order_relaxed) + time.count();
  if (state_.load(std::memory_order_relaxed) != State::Spending ||
      sum < due_.load(std::memory_order_relaxed))
    return;
  State expected = State::Spending;
  if (state_.compare_exchange_strong(expected, State::Making) && !host_.post(*this)) conclude();
}

void WidthTrial::proceed() {
  for (; next_ < widths_.size(); ++next_) {
    const nanoseconds limit = cost_ * tuning::trials::kMostCost;
    const ThreadClock clock = ThreadClock::ofThisThread();
    const auto [made, isLater] = host_.make(widths_[next_], limit);
    const nanoseconds took = clock.used();
    if (isLater && took >= limit) cost_ = limit;
    if (isLater) return postpone();
    if (made == nullptr || made->frameBytes > abi::kDirectFrameBytes) continue;
    cost_ = std::max<nanoseconds>(took, tuning::trials::kUsualCost);
    comparison_ = {};
    nextPair_ = 0;
    rival_.store(made, std::memory_order_release);
    state_.store(State::Comparing, std::memory_order_release);
    return;
  }
  host_.remember(record_);
  conclude();
}

void WidthTrial::compared(const abi::MachineCode& best, const abi::MachineCode& rival,
                          const Pair& pair) noexcept {
  lost_.fetch_add(std::max<int64_t>(pair.lost.count(), 0), std::memory_order_relaxed);
  if (pair.isWarmUp) return;
  // Who comes while another notes something is one of many.
  if (isNoting_.exchange(true, std::memory_order_acquire)) return;
  try {
    if (state_ == State::Comparing && &best == this->best() && &rival == rival_) {
      comparison_.add(pair.rival / pair.best);
      nextPair_ =
          (std::max(total(), nanoseconds(nextPair_)) + tuning::trials::kBetweenPairs).count();
      const auto verdict = comparison_.verdict();
      if (isEager_ ? comparison_.pairs() >= tuning::trials::kEagerPairs
                   : verdict != Comparison::Verdict::Open)
        settle(isEager_ || verdict == Comparison::Verdict::Better);
    }
  } catch (...) {  // no memory for the pair: what is known is good enough
    conclude();
  }
  isNoting_.store(false, std::memory_order_release);
}

void WidthTrial::settle(bool isBetter) {
  char text[64];
  std::snprintf(text, sizeof text, "%s%u: %.2f%s", record_.report.empty() ? "" : ", ",
                widths_[next_], 1 / comparison_.median(), isBetter ? " (taken)" : "");
  record_.report += text;
  if (isBetter) {
    record_.width = widths_[next_];
    setBest(*rival_);
  }
  rival_ = nullptr;
  // How it has ended is told at once.
  if (++next_ == widths_.size()) return spendUntil(nanoseconds(0));
  postpone();
}

}  // namespace weft::compiler
