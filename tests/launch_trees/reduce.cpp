// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "tree.h"

namespace weft::trees {
namespace {

/// Whether the step was there.
bool remove(Body& body, int id) {
  for (Group& group : body.groups) {
    const size_t before = group.steps.size();
    std::erase_if(group.steps,
                  [&](const Step& step) { return step.id == id || step.target == id; });
    for (Step& step : group.steps) {
      std::erase(step.waits, id);
      if (step.sets == id) step.sets = -1;
    }
    // A marker waits for something.
    for (size_t i = 0; i < group.steps.size(); ++i)
      if (group.steps[i].kind == StepKind::Marker && group.steps[i].waits.empty())
        return remove(body, group.steps[i].id);
    if (group.steps.size() != before) return true;
    for (Step& step : group.steps)
      if (step.kind == StepKind::Launch && remove(step.body, id)) return true;
  }
  return false;
}

}  // namespace

Program reduce(Program program, bool (*isWrong)(const Program&)) {
  for (bool isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (int id = 0; id < program.lastId; ++id) {
      Program less = program;
      if (!remove(less.root, id) || !isWrong(less)) continue;
      program = std::move(less);
      isSmaller = true;
    }
  }
  return program;
}

}  // namespace weft::trees
