// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weft::abi {

struct MachineCode;

/// Classes of launches by the work-items of their ranges, each for four times as many as the one
/// before: which code is the fastest changes with what the caches hold, and with how long loops
/// are. The first and the last are for all that are smaller and larger.
inline constexpr size_t kRangeClasses = 9;
inline constexpr unsigned kItemBitsOfFirstClass = 12;

/// The class of ranges of so many work-items.
constexpr size_t rangeClassOf(uint64_t items) noexcept {
  const unsigned bits = static_cast<unsigned>(std::bit_width(items));
  return std::min<size_t>(
      bits <= kItemBitsOfFirstClass ? 0 : (bits - kItemBitsOfFirstClass + 1) / 2,
      kRangeClasses - 1);
}

/// The least work-items of a class.
constexpr uint64_t leastItemsOfClass(size_t rangeClass) noexcept {
  return rangeClass == 0 ? 0 : uint64_t{1} << (kItemBitsOfFirstClass + 2 * (rangeClass - 1));
}

/// Finds out which of several machine codes for the same is the fastest, on real launches of one
/// class. The compiler makes them and decides; the executor tells how long they run, and runs the
/// best one known and its rival by turns.
///
/// Ownership: the compiler's, as long as the code. Threads: any.
class CodeTrial {
 public:
  /// How long both have run, one right after the other. Times are in nanoseconds for a work-item.
  struct Pair {
    double best = 0;
    double rival = 0;
    std::chrono::nanoseconds lost{0};  ///< by running the rival; less than nothing when it won
    bool isWarmUp = false;             ///< says nothing of which is faster
  };

  /// `turn`: what each should run at a time; 0: a single call.
  CodeTrial(const MachineCode& code, std::chrono::nanoseconds turn) noexcept
      : best_(&code), turn_(turn) {}
  virtual ~CodeTrial() = default;
  CodeTrial(const CodeTrial&) = delete;
  CodeTrial& operator=(const CodeTrial&) = delete;

  /// What launches run. Needs no more of a stack than abi::kDirectFrameBytes, or than the first.
  const MachineCode* best() const noexcept { return best_.load(std::memory_order_acquire); }
  /// Whether that is for good, and nobody need tell anything.
  bool isOver() const noexcept { return isOver_.load(std::memory_order_relaxed); }
  std::chrono::nanoseconds turn() const noexcept { return turn_; }

  /// What best() is to be compared with now: in another pair, or in the rest of one that is under
  /// way. Null when there is nothing, when it is not time for another pair, and when a call that
  /// takes best() `shortest` may take too long.
  virtual const MachineCode* rival(bool isUnderWay, std::chrono::nanoseconds shortest) noexcept = 0;
  /// The kernel has run for so long.
  virtual void spent(std::chrono::nanoseconds time) noexcept = 0;
  /// Both have had a turn. What was lost counts in any case, the rest while they are best() and
  /// rival().
  virtual void compared(const MachineCode& best, const MachineCode& rival,
                        const Pair& pair) noexcept = 0;

 protected:
  void setBest(const MachineCode& code) noexcept { best_.store(&code, std::memory_order_release); }
  void end() noexcept { isOver_.store(true, std::memory_order_relaxed); }

 private:
  std::atomic<const MachineCode*> best_;
  std::atomic<bool> isOver_{false};
  const std::chrono::nanoseconds turn_;
};

/// The trials of one code. Null for classes without one: the code is the fastest as far as is
/// known.
using CodeTrials = std::array<CodeTrial*, kRangeClasses>;

}  // namespace weft::abi
