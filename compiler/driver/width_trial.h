// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "driver/trial_plan.h"
#include "weft/abi/code_trial.h"
#include "weft/compiler/compiler.h"

namespace weft::compiler {

class WidthTrial;

/// What a trial needs of those who make code.
class TrialHost {
 public:
  /// Has WidthTrial::proceed() called, at once or later on another thread, or else
  /// WidthTrial::postpone(). False when neither will happen.
  virtual bool post(WidthTrial& trial) noexcept = 0;

  /// Code, or that there is none to compare with, or that there will be another time.
  struct Made {
    const Variant* code = nullptr;
    bool isLater = false;
  };
  /// Code for the same at another width, if it takes no longer than `limit` to make and nothing
  /// that has been tried is the same.
  virtual Made make(uint32_t width, std::chrono::nanoseconds limit) = 0;
  /// The trial is over.
  virtual void remember(const TrialRecord& record) = 0;

 protected:
  ~TrialHost() = default;
};

/// Pairs of times of two codes, and what they say.
class Comparison {
 public:
  enum class Verdict : uint8_t { Open, Better, NotBetter };

  /// `ratio`: the rival's time over the best one's.
  void add(double ratio) { ratios_.push_back(ratio); }
  size_t pairs() const { return ratios_.size(); }
  Verdict verdict() const;
  /// Pre: there is one.
  double median() const;

 private:
  bool pays() const;

  std::vector<double> ratios_;
};

/// The trial of one variant: once it has run for long enough to pay for the compilation, it is
/// compared with the same at another width, the better of the two with the next one, and so on.
///
/// Spending -> Making -> Comparing -> Spending and so on, until Ended. Each state belongs to one
/// thread at a time, which alone leads to the next: it takes no lock that a fork could leave
/// locked.
class WidthTrial final : public abi::CodeTrial {
 public:
  /// `widths`: what to compare with, in this order. `cost`: of making code for one of them, more or
  /// less.
  WidthTrial(TrialHost& host, const Variant& code, std::vector<uint32_t> widths,
             std::chrono::nanoseconds cost, bool isEager);

  const abi::MachineCode* rival(bool isUnderWay,
                                std::chrono::nanoseconds shortest) noexcept override;
  void spent(std::chrono::nanoseconds time) noexcept override;
  void compared(const abi::MachineCode& best, const abi::MachineCode& rival,
                const Pair& pair) noexcept override;

  /// Makes the next rival, or tells how the trial has ended. Pre: posted.
  void proceed();
  /// There is other work to do. Pre: posted.
  void postpone() noexcept;

 private:
  enum class State : uint8_t { Spending, Making, Comparing, Ended };

  std::chrono::nanoseconds total() const noexcept {
    return std::chrono::nanoseconds(spent_.load(std::memory_order_relaxed));
  }
  std::chrono::nanoseconds lost() const noexcept {
    return std::chrono::nanoseconds(lost_.load(std::memory_order_relaxed));
  }
  void spendUntil(std::chrono::nanoseconds due) noexcept;
  void conclude() noexcept;
  void settle(bool isBetter);

  TrialHost& host_;
  const std::vector<uint32_t> widths_;
  const bool isEager_;

  std::atomic<int64_t> spent_{0};     ///< nanoseconds
  std::atomic<int64_t> due_{0};       ///< of spent_, when the next rival is to be made
  std::atomic<int64_t> nextPair_{0};  ///< of spent_, when another pair is to be compared
  std::atomic<int64_t> lost_{0};      ///< nanoseconds, by running rivals
  std::atomic<State> state_{State::Spending};
  std::atomic<const Variant*> rival_{nullptr};
  std::atomic<bool> isNoting_{false};  ///< a thread notes what it has compared

  // Of whoever makes the next rival, and then of whoever notes how it compares:
  std::chrono::nanoseconds cost_;  ///< of making one, as far as is known
  size_t next_ = 0;                ///< of widths_
  Comparison comparison_;
  TrialRecord record_;
};

}  // namespace weft::compiler
