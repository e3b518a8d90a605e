// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "weft/compiler/argument_value.h"
#include "weft/compiler/launch_condition.h"
#include "weft/support/nd_range.h"

/// What the steps of a LaunchCondition mean: for the host, which asks them of launches, and for the
/// compiler, which writes them.
namespace weft::compiler {

/// Numbers from `low` to `high`; none where they cross.
struct Interval {
  int64_t low;  // not set: there are many, of which few are used
  int64_t high;

  constexpr bool isEmpty() const { return low > high; }
  constexpr bool fits(const Interval& other) const {
    return isEmpty() || (low >= other.low && high <= other.high);
  }
  static constexpr Interval all() {
    return {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};
  }
  /// The numbers of a signed type.
  static constexpr Interval ofType(unsigned bits) {
    if (bits >= 64) return all();
    const int64_t half = int64_t{1} << (bits - 1);
    return {-half, half - 1};
  }
  static constexpr Interval none() { return {1, 0}; }
  friend constexpr Interval operator&(const Interval& left, const Interval& right) {
    const Interval both{std::max(left.low, right.low), std::min(left.high, right.high)};
    return both.isEmpty() ? none() : both;
  }
};

namespace launch_condition {

using Op = LaunchCondition::Op;
using Step = LaunchCondition::Step;

inline Interval sum(const Interval& left, const Interval& right) noexcept {
  Interval result;
  const int overflows = __builtin_add_overflow(left.low, right.low, &result.low) +
                        __builtin_add_overflow(left.high, right.high, &result.high);
  return overflows ? Interval::all() : result;
}

inline Interval difference(const Interval& left, const Interval& right) noexcept {
  Interval result;
  const int overflows = __builtin_sub_overflow(left.low, right.high, &result.low) +
                        __builtin_sub_overflow(left.high, right.low, &result.high);
  return overflows ? Interval::all() : result;
}

inline Interval product(const Interval& left, const Interval& right) noexcept {
  int64_t ends[4];
  const int overflows = __builtin_mul_overflow(left.low, right.low, &ends[0]) +
                        __builtin_mul_overflow(left.low, right.high, &ends[1]) +
                        __builtin_mul_overflow(left.high, right.low, &ends[2]) +
                        __builtin_mul_overflow(left.high, right.high, &ends[3]);
  if (overflows) return Interval::all();
  return {std::min({ends[0], ends[1], ends[2], ends[3]}),
          std::max({ends[0], ends[1], ends[2], ends[3]})};
}

/// Of `value` where it is below `limit` as an unsigned number, or at most that.
inline Interval below(const Interval& value, const Interval& limit, bool orEqual) noexcept {
  if (limit.low < 0) return value;
  return value & Interval{0, limit.high - (orEqual ? 0 : 1)};
}

inline Interval above(const Interval& value, const Interval& limit, bool orEqual) noexcept {
  if (value.low < 0 || limit.low < 0) return value;
  if (limit.low == std::numeric_limits<int64_t>::max()) return value;
  return value & Interval{limit.low + (orEqual ? 0 : 1), value.high};
}

inline Interval compared(Op op, const Interval& left, const Interval& right) noexcept {
  constexpr Interval kAll = Interval::all();
  switch (op) {
    case Op::Below:
      return right.high == kAll.low ? Interval::none() : left & Interval{kAll.low, right.high - 1};
    case Op::AtMost:
      return left & Interval{kAll.low, right.high};
    case Op::Above:
      return right.low == kAll.high ? Interval::none() : left & Interval{right.low + 1, kAll.high};
    case Op::AtLeast:
      return left & Interval{right.low, kAll.high};
    case Op::BelowUnsigned:
      return below(left, right, false);
    case Op::AtMostUnsigned:
      return below(left, right, true);
    case Op::AboveUnsigned:
      return above(left, right, false);
    case Op::AtLeastUnsigned:
      return above(left, right, true);
    case Op::Equal:
      return left & right;
    default: {
      if (right.low != right.high) return left;
      if (left.low == right.low && left.high == right.low) return Interval::none();
      if (left.low == right.low) return {left.low + 1, left.high};
      if (left.high == right.low) return {left.low, left.high - 1};
      return left;
    }
  }
}

inline Interval quotient(const Step& step, const Interval& left, const Interval& right) noexcept {
  if (left.low < 0 || right.low < 1) return Interval::ofType(step.size);
  return {left.low / right.high, left.high / right.low};
}

inline Interval remainder(const Step& step, const Interval& left, const Interval& right) noexcept {
  if (right.low < 1) return Interval::ofType(step.size);
  const int64_t most = right.high - 1;
  return {0, left.low < 0 ? most : std::min(left.high, most)};
}

inline Interval counter(const Step& step, const Interval& left, const Interval& right) noexcept {
  const Interval all = Interval::ofType(step.size);
  if (right.low >= 0) return {left.low, all.high};
  if (right.high <= 0) return {all.low, left.high};
  return all;
}

inline Interval asUnsigned(const Step& step, const Interval& value) noexcept {
  if (value.low >= 0 || step.size >= 64) return value;
  return {0, (int64_t{1} << step.size) - 1};
}

/// The numbers from `first` on, so many.
inline Interval counted(uint64_t first, uint64_t count) noexcept {
  constexpr uint64_t kMost = uint64_t{1} << 62;
  if (count == 0) return Interval::none();
  if (first > kMost || count > kMost) return Interval::all();
  return {static_cast<int64_t>(first), static_cast<int64_t>(first + (count - 1))};
}

inline Interval leaf(const Step& step, const NDRange& range, const void* arguments) noexcept {
  const auto d = static_cast<size_t>(step.number);
  switch (step.op) {
    case Op::Argument: {
      const int64_t value = argumentValue(arguments, step.number, step.size);
      return {value, value};
    }
    case Op::GlobalId:
      return counted(range.globalOffset[d], range.globalSize[d]);
    case Op::GlobalOffset:
      return counted(range.globalOffset[d], 1);
    case Op::GlobalSize:
      return counted(range.globalSize[d], 1);
    case Op::LocalId:
      return counted(0, range.localSize[d]);
    case Op::LocalSize:
      return counted(1, range.localSize[d]);
    case Op::EnqueuedLocalSize:
      return counted(range.localSize[d], 1);
    case Op::GroupId:
      return counted(0, range.groups(static_cast<uint32_t>(step.number)));
    case Op::GroupCount:
      return counted(range.groups(static_cast<uint32_t>(step.number)), 1);
    case Op::GlobalLinearId:
      return counted(0, range.items());
    case Op::LocalLinearId:
      return counted(0, range.itemsPerGroup());
    default:
      return {step.number, step.last};
  }
}

inline Interval combined(const Step& step, const Interval& left, const Interval& right) noexcept {
  if (step.op == Op::Hull) {
    if (left.isEmpty()) return right;
    if (right.isEmpty()) return left;
    return {std::min(left.low, right.low), std::max(left.high, right.high)};
  }
  if (left.isEmpty() || right.isEmpty()) return Interval::none();
  switch (step.op) {
    case Op::Add:
      return sum(left, right);
    case Op::Subtract:
      return difference(left, right);
    case Op::Multiply:
      return product(left, right);
    case Op::Smaller:
      return {std::min(left.low, right.low), std::min(left.high, right.high)};
    case Op::Larger:
      return {std::max(left.low, right.low), std::max(left.high, right.high)};
    case Op::Quotient:
      return quotient(step, left, right);
    case Op::Remainder:
      return remainder(step, left, right);
    case Op::Counter:
      return counter(step, left, right);
    case Op::Wrapped:
      return left.fits(Interval::ofType(step.size)) ? left : Interval::ofType(step.size);
    case Op::Unsigned:
      return asUnsigned(step, left);
    default:
      return compared(step.op, left, right);
  }
}

constexpr bool isLeaf(Op op) noexcept { return op < Op::Add; }
constexpr bool isUnary(Op op) noexcept { return op >= Op::Wrapped; }

/// What a step that is no leaf gives.
inline Interval result(const Step& step, const Interval& left, const Interval& right) noexcept {
  switch (step.op) {
    case Op::Promised:
      return left & Interval::ofType(step.size);
    case Op::Fits:
    case Op::IsPositive:
      return left;
    default:
      return combined(step, left, right);
  }
}

/// Whether a step does not fail.
inline bool passes(const Step& step, const Interval& left) noexcept {
  if (step.op == Op::Fits) return left.fits(Interval::ofType(step.size));
  return step.op != Op::IsPositive || left.isEmpty() || left.low >= 0;
}

}  // namespace launch_condition

/// Whether launches over the range with these arguments meet the condition. Pre:
/// isValid(condition), and the range is not empty.
inline bool holds(const LaunchCondition& condition, const NDRange& range,
                  const void* arguments) noexcept {
  std::array<Interval, LaunchCondition::kMostSteps> results;
  size_t next = 0;
  for (const LaunchCondition::Step& step : condition.steps) {
    Interval& result = results[next++];
    if (launch_condition::isLeaf(step.op)) {
      result = launch_condition::leaf(step, range, arguments);
      continue;
    }
    const Interval& left = results[step.left];
    if (!launch_condition::passes(step, left)) return false;
    result = launch_condition::result(step, left, results[step.right]);
  }
  return true;
}

/// Whether every step finds what it works on, and every argument lies in a block of so many bytes:
/// what comes from a file may be anything.
inline bool isValid(const LaunchCondition& condition, uint64_t argumentBytes) noexcept {
  using Op = LaunchCondition::Op;
  if (condition.steps.size() > LaunchCondition::kMostSteps) return false;
  size_t index = 0;
  for (const LaunchCondition::Step& step : condition.steps) {
    if (step.op > Op::IsPositive) return false;
    const bool isPlain =
        step.op == Op::Range || step.op == Op::GlobalLinearId || step.op == Op::LocalLinearId;
    if (step.op == Op::Argument) {
      const bool isSize = step.size == 1 || step.size == 2 || step.size == 4 || step.size == 8;
      if (!isSize || step.number < 0 || uint64_t(step.number) > argumentBytes ||
          argumentBytes - uint64_t(step.number) < step.size)
        return false;
    } else if (launch_condition::isLeaf(step.op)) {
      if (!isPlain && (step.number < 0 || step.number > 2)) return false;
    } else if (step.left >= index || (!launch_condition::isUnary(step.op) && step.right >= index)) {
      return false;
    } else if (step.size > 64 ||
               (step.size == 0 && (launch_condition::isUnary(step.op) || step.op == Op::Counter ||
                                   step.op == Op::Quotient || step.op == Op::Remainder))) {
      return false;
    }
    ++index;
  }
  return true;
}

}  // namespace weft::compiler
