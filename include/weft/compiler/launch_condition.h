// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::compiler {

/// What a launch has to say for itself before code may rely on it: that index expressions of a
/// kernel do not wrap in 32 bits for any of its work-items.
///
/// A list of steps, each of which gives an interval that holds a number of the kernel in all
/// work-items, from what a launch says and from the results of steps before it; some steps fail
/// where their interval is too large, and with them the condition. Numbers of 32 bits and less
/// stand for signed ones, those of 64 bits as well.
struct LaunchCondition {
  enum class Op : uint8_t {
    Range,     ///< the numbers from `number` to `last`
    Argument,  ///< the signed integer of `size` bytes at `number` in the argument block
    // Along dimension `number`: all that work-items see.
    GlobalId,
    GlobalOffset,
    GlobalSize,
    LocalId,
    LocalSize,
    EnqueuedLocalSize,
    GroupId,
    GroupCount,
    // Of all dimensions.
    GlobalLinearId,
    LocalLinearId,
    // Of `left` and `right`. Where 64 bits may not do, any number of 64 bits.
    Add,
    Subtract,
    Multiply,
    Smaller,  ///< of two numbers, as the next one
    Larger,
    Hull,       ///< one or the other
    Quotient,   ///< truncated; of numbers that are not negative: else anything of `size` bits
    Remainder,  ///< unsigned, of `size` bits
    Counter,    ///< begins in `left`, moves by `right`, and never leaves `size` bits
    // Of `left`, where a comparison with `right` has been true; unsigned ones of numbers that may
    // be negative tell nothing.
    Below,
    AtMost,
    Above,
    AtLeast,
    BelowUnsigned,
    AtMostUnsigned,
    AboveUnsigned,
    AtLeastUnsigned,
    Equal,
    NotEqual,
    // Of `left` and a signed type of `size` bits.
    Wrapped,   ///< cut to it: anything where that may change the number
    Promised,  ///< what it has in common with the type: the program promises no more
    Unsigned,  ///< a number of that size taken for unsigned
    // Conditions on `left`, which they pass on.
    Fits,       ///< in the type
    IsPositive  ///< or 0
  };
  struct Step {
    Op op = Op::Range;
    uint8_t size = 0;
    uint16_t left = 0;  ///< indices of steps before this one
    uint16_t right = 0;
    int64_t number = 0;
    int64_t last = 0;

    friend bool operator==(const Step&, const Step&) = default;
  };

  static constexpr size_t kMostSteps = 128;

  std::vector<Step> steps;  ///< none: every launch will do

  friend bool operator==(const LaunchCondition&, const LaunchCondition&) = default;
};

}  // namespace weft::compiler
