// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "weft/abi/machine_code.h"

namespace weft::runtime {

/// One slot's part in trials of code: the best one known and its rival run by turns, over as many
/// parts and launches as it takes, and the trial is told of each pair of turns. The rival warms up
/// in a short turn of its own. Which of them begins is drawn, so that nothing that a program does
/// keeps time with it. Parts begin with a look at what their work-items are like, which are those
/// of other arguments and ranges: what a pair compares should be alike.
///
/// A slot compares for one trial at a time. Launches of other kernels meanwhile, which may be of
/// any number, wait with theirs, so that each comes to an end.
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

  /// A part begins, whose calls run `leastItems` work-items at least. Goes on with the trial, or
  /// begins with it, if there is something to compare.
  void begin(abi::CodeTrial& trial, uint64_t leastItems, bool isOneCall) noexcept;
  bool isOn() const noexcept { return isOn_; }

  // Pre of these: isOn().
  /// Whose turn it is.
  const abi::MachineCode& code() const noexcept {
    return !isLooking_ && isRivalsTurn() ? *rival_ : *best_;
  }
  /// Work-items that the next call should run at most: no fewer than the `leastItems` of begin(),
  /// unless the trial has code change at each call.
  uint64_t mostItems() const noexcept;
  /// The code has run so many.
  void ran(uint64_t items, std::chrono::nanoseconds time) noexcept;

  /// Whether a part is to be measured while there is nothing to compare. Of parts that are soon
  /// over, one in some is, and stands for those before it.
  bool measuresNext(const abi::CodeTrial& trial) noexcept {
    if (&trial != measured_ || unmeasured_ == skipped_ || isEager(trial)) return true;
    ++unmeasured_;
    return false;
  }
  /// A part has been run, which begin() was called for.
  void end(abi::CodeTrial& trial, std::chrono::nanoseconds time, uint64_t items) noexcept;

 private:
  struct Turn {
    std::chrono::nanoseconds time{0};
    uint64_t items = 0;

    void add(std::chrono::nanoseconds more, uint64_t moreItems) noexcept {
      time += more;
      items += moreItems;
    }
    /// In nanoseconds, more than none.
    double perItem() const noexcept {
      return std::max(static_cast<double>(time.count()), 1.0) / static_cast<double>(items);
    }
  };

  static bool isEager(const abi::CodeTrial& trial) noexcept { return trial.turn().count() == 0; }
  bool isRivalsTurn() const noexcept { return turns_ == 0 || (turns_ == 2) != rivalBegins_; }
  Turn& turn() noexcept { return isRivalsTurn() ? rivals_ : own_; }
  const Turn& turn() const noexcept { return isRivalsTurn() ? rivals_ : own_; }
  std::chrono::nanoseconds shortest() const noexcept;
  std::chrono::nanoseconds turnTime() const noexcept;
  /// Begins a pair.
  void meet(const abi::MachineCode* rival) noexcept;
  void drawOrder() noexcept;
  void giveUp() noexcept;
  void looked() noexcept;
  void skipWarmUp() noexcept;
  void endWarmUp() noexcept;
  void endPair() noexcept;

  bool isOn_ = false;
  uint64_t leastItems_ = 0;
  // Of the pair under way, if there is one:
  bool isUnderWay_ = false;
  bool isLooking_ = false;  ///< the next call tells what this part's work-items are like
  bool rivalBegins_ = false;
  abi::CodeTrial* trial_ = nullptr;  ///< may be gone, unless it is that of the part that runs
  const abi::MachineCode* best_ = nullptr;
  const abi::MachineCode* rival_ = nullptr;
  unsigned turns_ = 0;  ///< that have ended: one to warm up, and then both
  Turn own_, rivals_;
  Turn seen_;             ///< of the look that goes on
  double pace_ = 0;       ///< nanoseconds for a work-item, in the last call or look; 0: not known
  double look_ = 0;       ///< the same when this pair began, or a later part of it
  uint64_t most_ = 0;     ///< work-items of the next call, since it should not differ too much
  unsigned waiting_ = 0;  ///< parts that could have begun another one
  Turn lastPart_;
  double wanted_ = 0;     ///< pace of the parts that the next pair should come from; 0: any
  unsigned refused_ = 0;  ///< parts since, that were not like that or like the pair's
  uint32_t random_ = 1;

  const abi::CodeTrial* measured_ = nullptr;  ///< what the last part measured was of
  unsigned skipped_ = 0;                      ///< parts after it that need not be measured
  unsigned unmeasured_ = 0;
};

}  // namespace weft::runtime
