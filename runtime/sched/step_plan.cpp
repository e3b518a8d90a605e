// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft/runtime/step_plan.h"

#include <algorithm>

namespace weft::runtime {
namespace {

constexpr uint32_t kNone = ~uint32_t{0};

/// For each step, the only step that follows it and nothing else; kNone when there is none.
std::vector<uint32_t> chainLinks(std::span<const RecordedStep> recording) {
  std::vector<uint32_t> successors(recording.size(), 0);
  for (const RecordedStep& recorded : recording)
    for (const uint32_t before : recorded.after) ++successors[before];
  std::vector<uint32_t> next(recording.size(), kNone);
  for (uint32_t i = 0; i < recording.size(); ++i) {
    const std::vector<uint32_t>& after = recording[i].after;
    if (after.size() == 1 && successors[after[0]] == 1) next[after[0]] = i;
  }
  return next;
}

}  // namespace

StepGraph::StepGraph(std::span<const RecordedStep> recording) : positions_(recording.size()) {
  const std::vector<uint32_t> next = chainLinks(recording);
  std::vector<uint32_t> segmentOf(recording.size(), kNone);
  uint32_t position = 0;
  // Steps come after earlier ones only, so the first of a chain is met before the others.
  for (uint32_t head = 0; head < recording.size(); ++head) {
    if (segmentOf[head] != kNone) continue;
    const auto index = static_cast<uint32_t>(segments_.size());
    Segment& segment = segments_.emplace_back();
    segment.first = position;
    for (uint32_t i = head; i != kNone; i = next[i]) {
      segmentOf[i] = index;
      positions_[i] = position++;
    }
    segment.last = position;
    // Whatever is not linked into a chain ends one, so these are the last steps of segments.
    segment.unmet = static_cast<uint32_t>(recording[head].after.size());
    for (const uint32_t before : recording[head].after)
      segments_[segmentOf[before]].successors.push_back(index);
  }
  costs_ = std::make_unique<std::atomic<uint32_t>[]>(segments_.size());
}

StepPlan::StepPlan(std::span<const RecordedStep> recording)
    : graph_(makeRef<StepGraph>(recording)), steps_(recording.size()) {
  for (size_t i = 0; i < recording.size(); ++i) steps_[graph_->position(i)] = recording[i].step;
  lookAtSteps();
}

StepPlan::StepPlan(const StepPlan& other, std::span<const Change> changes)
    : graph_(other.graph_), steps_(other.steps_) {
  for (const Change& change : changes) steps_[graph_->position(change.recorded)] = change.step;
  lookAtSteps();
}

Ref<const StepPlan> StepPlan::with(std::span<const Change> changes) const {
  return Ref<const StepPlan>::adopt(new StepPlan(*this, changes));
}

void StepPlan::lookAtSteps() noexcept {
  hasWork_ = std::ranges::any_of(steps_, [](const auto& step) { return step->parts() != 0; });
  complete_ = std::ranges::all_of(steps_, [](const auto& step) { return step->isComplete(); });
}

void StepPlan::forgetCosts() const noexcept {
  for (const Ref<const Step>& step : steps_) step->setCost(0);
  for (size_t i = 0; i < graph_->segments().size(); ++i) graph_->setCost(i, 0);
}

}  // namespace weft::runtime
