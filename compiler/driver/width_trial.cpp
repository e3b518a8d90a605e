// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/width_trial.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "base/thread_clock.h"
#include "driver/trial_policy.h"

namespace weft::compiler {

using std::chrono::nanoseconds;

double Comparison::median() const {
  std::vector<double> sorted = ratios_;
  const auto middle = sorted.begin() + static_cast<ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  return *middle;
}

Comparison::Verdict Comparison::verdict() const {
  using namespace trial_policy;
  const size_t count = ratios_.size();
  if (count >= kHopelessPairs &&
      std::ranges::all_of(ratios_, [](double ratio) { return ratio > kHopeless; }))
    return Verdict::NotBetter;
  if (count < kLeastPairs) return Verdict::Open;
  const auto won = std::ranges::count_if(ratios_, [](double ratio) { return ratio < 1; });
  // Of so many coins, with the deviation of their heads.
  const double pairs = static_cast<double>(count);
  const double deviation = (static_cast<double>(won) - pairs / 2) / (std::sqrt(pairs) / 2);
  if (deviation >= kDeviations) return median() < kWinning ? Verdict::Better : Verdict::NotBetter;
  if (deviation <= -kDeviations || count >= kMostPairs) return Verdict::NotBetter;
  return Verdict::Open;
}

WidthTrial::WidthTrial(TrialHost& host, const Variant& code, std::vector<uint32_t> widths,
                       nanoseconds cost, bool isEager)
    : abi::CodeTrial(code, isEager ? nanoseconds(0) : trial_policy::kTurn),
      host_(host),
      widths_(std::move(widths)),
      isEager_(isEager),
      cost_(cost) {
  postpone();
}

/// The next rival must be worth it again.
void WidthTrial::postpone() noexcept {
  due_ = isEager_ ? 0 : (total() + cost_ * trial_policy::kWorthOfCost).count();
  state_.store(State::Spending, std::memory_order_release);
}

void WidthTrial::conclude() noexcept {
  state_ = State::Ended;
  end();
}

const abi::MachineCode* WidthTrial::rival(uint64_t items) noexcept {
  if (state_.load(std::memory_order_acquire) != State::Comparing) return nullptr;
  if (!isEager_) {
    const auto call = nanoseconds(static_cast<int64_t>(usualTime() * static_cast<double>(items) *
                                                       (trial_policy::kCaution - 1)));
    if ((lost() + call) * trial_policy::kWorthOfLoss > total()) return nullptr;
  }
  return rival_.load(std::memory_order_acquire);
}

double WidthTrial::usualTime() const noexcept {
  const uint64_t items = items_.load(std::memory_order_relaxed);
  return items == 0 ? 0 : static_cast<double>(total().count()) / static_cast<double>(items);
}

void WidthTrial::spent(nanoseconds time, uint64_t items) noexcept {
  items_.fetch_add(items, std::memory_order_relaxed);
  const int64_t sum = spent_.fetch_add(time.count(), std::memory_order_relaxed) + time.count();
  if (state_.load(std::memory_order_relaxed) != State::Spending ||
      sum < due_.load(std::memory_order_relaxed))
    return;
  State expected = State::Spending;
  if (state_.compare_exchange_strong(expected, State::Making) && !host_.post(*this)) conclude();
}

void WidthTrial::proceed() {
  for (; next_ < widths_.size(); ++next_) {
    const nanoseconds limit = cost_ * trial_policy::kMostCost;
    const ThreadClock clock = ThreadClock::ofThisThread();
    const auto [made, isLater] = host_.make(widths_[next_], limit);
    const nanoseconds took = clock.used();
    if (isLater && took >= limit) cost_ = limit;
    if (isLater) return postpone();
    if (made == nullptr || made->frameBytes > abi::kDirectFrameBytes) continue;
    cost_ = std::max<nanoseconds>(took, trial_policy::kUsualCost);
    comparison_ = {};
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
  // Who comes while another notes something is one of many.
  if (isNoting_.exchange(true, std::memory_order_acquire)) return;
  try {
    if (state_ == State::Comparing && &best == this->best() && &rival == rival_) {
      comparison_.add(pair.rival / pair.best);
      const auto verdict = comparison_.verdict();
      if (isEager_ ? comparison_.pairs() >= trial_policy::kEagerPairs
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
  ++next_;
  postpone();
  // How it has ended is told at once.
  if (next_ == widths_.size()) due_ = 0;
}

}  // namespace weft::compiler
