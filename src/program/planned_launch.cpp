// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/planned_launch.h"

#include <algorithm>
#include <functional>

namespace weft {

PlannedLaunch::Codes PlannedLaunch::codes() const noexcept {
  Codes codes{};
  for (size_t i = 0; i < shape.boxCount; ++i)
    codes[i] = static_cast<const compiler::Variant*>(shape.boxes[i].code);
  return codes;
}

void PlannedLaunch::setPlan(const compiler::LaunchPlan& itsPlan, const Codes& itsCodes) noexcept {
  static_assert(compiler::LaunchPlan::kMostBoxes <= runtime::LaunchShape::kMostBoxes);
  plan = itsPlan;
  const auto planned = plan.boxes();
  shape.boxCount = planned.size();
  shape.subGroupSize = plan.key().subGroupSize;
  for (size_t i = 0; i < planned.size(); ++i)
    shape.boxes[i] = {.begin = planned[i].begin,
                      .end = planned[i].end,
                      .slicing = planned[i].slicing,
                      .code = itsCodes[i],
                      .isProvisional = itsCodes[i]->provisional.load(std::memory_order_relaxed)};
}

const compiler::Variant* PlannedLaunch::leastFinal() const noexcept {
  const auto end = shape.boxes.begin() + shape.boxCount;
  const auto found =
      std::find_if(shape.boxes.begin(), end, std::mem_fn(&runtime::CodeBox::isProvisional));
  return static_cast<const compiler::Variant*>((found == end ? shape.boxes.begin() : found)->code);
}

bool PlannedLaunch::isFinal() const noexcept {
  return std::none_of(shape.boxes.begin(), shape.boxes.begin() + shape.boxCount,
                      std::mem_fn(&runtime::CodeBox::isProvisional));
}

PlannedLaunches::~PlannedLaunches() {
  for (const auto& place : kept_)
    if (const PlannedLaunch* launch = place.load(std::memory_order_relaxed))
      launch->releaseInternal();
}

const PlannedLaunch* PlannedLaunches::findCode(const compiler::LaunchPlan& plan,
                                               const NDRange& range) const noexcept {
  const size_t rangeClass = abi::rangeClassOf(range.items());
  return findIf([&](const PlannedLaunch& each) {
    return each.plan.hasCodeOf(plan) && abi::rangeClassOf(each.shape.range.items()) == rangeClass;
  });
}

void PlannedLaunches::keep(const PlannedLaunch& launch) noexcept {
  for (auto& place : kept_) {
    const PlannedLaunch* known = nullptr;
    launch.retainInternal();
    if (place.compare_exchange_strong(known, &launch, std::memory_order_acq_rel)) return;
    launch.releaseInternal();
    if (known->request == launch.request) return;
  }
}

}  // namespace weft
