// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstdint>

#include "weft/abi/machine_code.h"

namespace weft::runtime {

/// One slot's part in trials of code: the best one known and its rival run by turns, over as many
/// parts and launches as it takes, and the trial is told of each pair of turns. Which of them
/// begins changes from pair to pair.
/// Threads: one at a time.
class CodeTurns {
 public:
  using Clock = std::chrono::steady_clock;

  class Watch {
   public:
    std::chrono::nanoseconds passed() const noexcept { return Clock::now() - start_; }

   private:
    Clock::time_point start_ = Clock::now();
  };

  /// Goes on with the trial, or begins with it, if there is something to compare in calls of at
  /// least `leastItems` work-items.
  void begin(abi::CodeTrial& trial, uint64_t leastItems) noexcept;
  void end() noexcept { isOn_ = false; }
  bool isOn() const noexcept { return isOn_; }

  // Pre of these: isOn().
  /// Whose turn it is.
  const abi::MachineCode& code() const noexcept { return isRivalsTurn() ? *rival_ : *best_; }
  /// Work-items that the next call should run at most.
  uint64_t mostItems() const noexcept;
  /// The code has run so many.
  void ran(uint64_t items, std::chrono::nanoseconds time) noexcept;

  /// Tells a trial that has nothing to compare yet what its code uses. Of parts that are soon over,
  /// one in some is measured, and stands for them.
  bool measuresNext(const abi::CodeTrial& trial) noexcept {
    return &trial != measured_ || skipped_ == 0 || --skipped_ == 0 || isEager(trial);
  }
  void spent(abi::CodeTrial& trial, std::chrono::nanoseconds time, uint64_t items) noexcept;

 private:
  struct Turn {
    std::chrono::nanoseconds time{0};
    uint64_t items = 0;

    double perItem() const noexcept {
      return static_cast<double>(time.count()) / static_cast<double>(items);
    }
  };

  static bool isEager(const abi::CodeTrial& trial) noexcept { return trial.turn().count() == 0; }
  bool isRivalsTurn() const noexcept { return (turns_ % 2 != 0) != (turns_ / 2 % 2 != 0); }
  std::chrono::nanoseconds turnTime() const noexcept;
  void endPair() noexcept;

  bool isOn_ = false;
  uint64_t leastItems_ = 0;
  abi::CodeTrial* trial_ = nullptr;
  const abi::MachineCode* best_ = nullptr;
  const abi::MachineCode* rival_ = nullptr;
  unsigned turns_ = 0;                        ///< that have ended
  Turn own_, rivals_;                         ///< of the pair under way
  const abi::CodeTrial* measured_ = nullptr;  ///< what the last part measured was of
  unsigned skipped_ = 0;
  unsigned weight_ = 1;  ///< parts that the measured one stands for
};

}  // namespace weft::runtime
