// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::compiler {

/// How many instructions one work-item of a kernel runs, as far as its code tells: a formula of
/// what a launch says, in postfix order, whose one result is the number. A guess in which both arms
/// of every branch are taken and a loop whose trip count nothing tells is long.
struct WorkFormula {
  enum class Op : uint8_t {
    Number,      ///< `number`
    Argument,    ///< the integer of `size` bytes at `number` in the argument block
    GlobalSize,  ///< along dimension `number`, as the next ones
    LocalSize,
    GroupCount,
    Add,  ///< takes two results away and leaves one, as the next ones
    Multiply,
    Divide,
    Largest,
    Smallest,
  };
  struct Step {
    Op op = Op::Number;
    uint8_t size = 0;
    int64_t number = 0;

    friend bool operator==(const Step&, const Step&) = default;
  };

  /// Results that wait for others at most.
  static constexpr size_t kMostDepth = 64;
  /// Trip count of a loop whose own nothing tells.
  static constexpr int64_t kUnknownTrips = 100;

  std::vector<Step> steps;  ///< empty: nothing is known

  friend bool operator==(const WorkFormula&, const WorkFormula&) = default;
};

}  // namespace weft::compiler
