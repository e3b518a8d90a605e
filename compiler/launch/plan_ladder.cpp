// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch has in place of code that cannot be had.
#include <optional>

#include "weft/compiler/launch_plan.h"

namespace weft::compiler {

Overrides plainest(const KernelInfo& kernel, const Overrides& overrides) noexcept {
  return {.form = kernel.usesBarrier || kernel.meetsInSubGroups ? Form::Fibers : Form::GroupLoop,
          .width = 1,
          .fixedSize = false,
          .anyImages = true,
          .sharedReductions = true,
          .strictBarriers = overrides.strictBarriers};
}

std::optional<Overrides> PlanLadder::rung(unsigned number, ErrorKind refusal) const noexcept {
  Overrides usual = overrides_;
  usual.provenLoops = true;
  switch (number) {
    case 0:
      return usual;
    case 1:
      usual.anyImages = true;
      return usual;
    case 2:
      usual.fixedSize = false;
      return usual;
    case 3:
      usual.fixedSize = false;
      usual.anyImages = true;
      return usual;
    case 4: {
      // Barrier loops are for one size each; lanes are not what was refused.
      Overrides lanes = plainest(kernel_, overrides_);
      if (refusal == ErrorKind::TooMany) lanes.width = overrides_.width;
      return lanes;
    }
    case 5:
      return plainest(kernel_, overrides_);
  }
  return std::nullopt;
}

std::optional<LaunchPlan> PlanLadder::next(ErrorKind refusal) noexcept {
  if (refusal == ErrorKind::OutOfMemory) return std::nullopt;
  while (const auto overrides = rung(next_, refusal)) {
    ++next_;
    const LaunchPlan plan = choose(kernel_, facts_, *overrides);
    if (!plan.hasCodeOf(wanted_)) return plan;
  }
  return std::nullopt;
}

}  // namespace weft::compiler
