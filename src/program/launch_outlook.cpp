// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/launch_outlook.h"

#include <algorithm>
#include <array>

#include "weft/compiler/argument_value.h"

namespace weft {
namespace {

using compiler::WorkFormula;
using Op = WorkFormula::Op;

/// Of quick code, on one slot: each takes two or three of the machine.
constexpr double kNanosecondsPerInstruction = 1;
/// Longer than anybody waits.
constexpr double kLongestNanoseconds = 1e15;

double argumentOf(const WorkFormula::Step& step, const void* block) noexcept {
  if (block == nullptr) return static_cast<double>(WorkFormula::kUnknownTrips);
  return static_cast<double>(compiler::argumentValue(block, step.number, step.size));
}

double leafOf(const WorkFormula::Step& step, const NDRange& range, const void* arguments) noexcept {
  const auto size = [&](const auto& sizes) {
    return static_cast<double>(sizes[static_cast<size_t>(step.number)]);
  };
  switch (step.op) {
    case Op::Argument:
      return argumentOf(step, arguments);
    case Op::GlobalSize:
      return size(range.globalSize);
    case Op::LocalSize:
      return size(range.localSize);
    case Op::GroupCount:
      return size(range.globalSize) / std::max(1.0, size(range.localSize));
    default:
      return static_cast<double>(step.number);
  }
}

double combine(Op op, double left, double right) noexcept {
  switch (op) {
    case Op::Add:
      return left + right;
    case Op::Multiply:
      // No trips are less than none.
      return std::max(0.0, left) * right;
    case Op::Divide:
      return right == 0 ? left : left / right;
    case Op::Largest:
      return std::max(left, right);
    default:
      return std::min(left, right);
  }
}

}  // namespace

double instructionsPerItem(const WorkFormula& formula, const NDRange& range,
                           const void* arguments) noexcept {
  std::array<double, WorkFormula::kMostDepth> results{};
  size_t depth = 0;
  for (const WorkFormula::Step& step : formula.steps) {
    if (step.op < Op::Add) {
      results[depth++] = leafOf(step, range, arguments);
    } else {
      --depth;
      results[depth - 1] = combine(step.op, results[depth - 1], results[depth]);
    }
  }
  return depth == 0 ? 0 : std::max(0.0, results[0]);
}

std::chrono::nanoseconds quickTimeOf(const compiler::KernelInfo& kernel, const NDRange& range,
                                     const void* arguments, unsigned slots) noexcept {
  const auto items = static_cast<double>(range.items());
  const auto groups = items / static_cast<double>(range.itemsPerGroup());
  // A group stays on one slot.
  const double parallel =
      std::clamp(kernel.observesGroup ? groups : items, 1.0, std::max(1.0, double(slots)));
  const double time = items * instructionsPerItem(kernel.work, range, arguments) *
                      kNanosecondsPerInstruction / parallel;
  return std::chrono::nanoseconds(static_cast<int64_t>(std::min(time, kLongestNanoseconds)));
}

}  // namespace weft
