// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "tree.h"

namespace weft::trees {
namespace {

using Triple = std::array<uint64_t, 3>;

Triple positionOf(uint64_t linear, const Triple& size) {
  return {linear % size[0], linear / size[0] % size[1], linear / (size[0] * size[1])};
}

uint32_t captured(const Capture& capture, uint32_t number) {
  const uint32_t base = number * capture.factor + capture.added;
  switch (capture.type) {
    case CaptureType::UChar:
      return static_cast<uint8_t>(base);
    case CaptureType::Short:
      return static_cast<uint32_t>(static_cast<int16_t>(base));
    case CaptureType::UInt:
      return base;
    case CaptureType::ULong:
      return static_cast<uint32_t>((uint64_t{base} * 0x10001 + 7) >> 13);
    case CaptureType::Float:
      return base & 0xffff;
    case CaptureType::Float4:
      return (base & 255) + 3 * (base >> 24);
    case CaptureType::UInt3:
      return base + 3 * (base ^ 5) + 5 * (base + 9);
    case CaptureType::UChar16:
      return static_cast<uint8_t>(base) + 3 * 7;
    case CaptureType::Bundle:
      return static_cast<uint8_t>(base) + static_cast<uint32_t>((uint64_t{base} << 20) >> 7) +
             static_cast<uint16_t>(base >> 9);
  }
  return 0;
}

/// The number of each work-item before the body's own computation.
std::vector<uint32_t> numbersOf(const Body& body, uint32_t parent) {
  uint32_t mixed = 0;
  for (const Capture& capture : body.captures) mixed = mixed * 33 + captured(capture, parent);
  const Range& range = body.range;
  std::vector<uint32_t> numbers(range.items());
  for (uint64_t i = 0; i < numbers.size(); ++i) {
    const Triple at = positionOf(i, range.global);
    uint64_t ids = range.dimensions * 11 + range.global[0] * 13 + range.offset[1] * 17;
    for (unsigned d = 0; d < 3; ++d) {
      ids += (at[d] + range.offset[d]) * (3 + 2 * d);
      if (!range.hasLocal) continue;
      const uint64_t size = range.local[d], group = at[d] / size;
      ids += group * (19 + d) + at[d] % size * (23 + d) + size * (31 + d);
      ids += std::min(size, range.global[d] - group * size) * (27 + d);
      ids += (range.global[d] + size - 1) / size * (37 + d);
    }
    numbers[i] = parent * body.factor + static_cast<uint32_t>(i) * body.added + mixed +
                 static_cast<uint32_t>(ids);
  }
  return numbers;
}

uint32_t looped(uint32_t number) {
  uint32_t made = number;
  for (uint32_t i = 0; i < (number & 15); ++i) made = made * 7 + i;
  return made;
}

uint32_t branched(uint32_t number) {
  uint32_t made = number & 1 ? number * 3 : number ^ 0x55;
  switch (number % 5) {
    case 1:
      made += 9;
      [[fallthrough]];
    case 3:
      made *= 5;
      break;
    case 4:
      made -= 77;
  }
  return made;
}

/// With what the other work-items of the group have left in local memory.
uint32_t exchanged(const Body& body, const std::vector<uint32_t>& numbers, uint64_t item) {
  const Range& range = body.range;
  const Triple at = positionOf(item, range.global);
  Triple first, size, local;
  for (unsigned d = 0; d < 3; ++d) {
    first[d] = at[d] / range.local[d] * range.local[d];
    size[d] = std::min(range.local[d], range.global[d] - first[d]);
    local[d] = at[d] - first[d];
  }
  const uint64_t count = size[0] * size[1] * size[2];
  const uint64_t linear = local[0] + size[0] * (local[1] + size[1] * local[2]);
  const auto other = [&](uint64_t index) {
    const Triple there = positionOf(index % count, size);
    return numbers[first[0] + there[0] +
                   range.global[0] *
                       (first[1] + there[1] + range.global[1] * (first[2] + there[2]))];
  };
  const uint32_t made = numbers[item] + 3 * other(linear + 1);
  return body.kind == BodyKind::LocalMemory ? made : made + 5 * other(count - 1 - linear);
}

uint32_t addend(const Body& body, const std::vector<uint32_t>& numbers, uint64_t item) {
  switch (body.kind) {
    case BodyKind::Plain:
    case BodyKind::Reduction:
      return numbers[item];
    case BodyKind::Loop:
      return looped(numbers[item]);
    case BodyKind::Branches:
      return branched(numbers[item]);
    case BodyKind::LocalMemory:
    case BodyKind::TwoLocals:
      return exchanged(body, numbers, item);
  }
  return 0;
}

void run(const Body& body, uint32_t parent, Expected& expected) {
  const std::vector<uint32_t> numbers = numbersOf(body, parent);
  expected.items += numbers.size();
  for (uint64_t i = 0; i < numbers.size(); ++i)
    expected.sums[static_cast<size_t>(body.id)] += addend(body, numbers, i);
  for (const Group& group : body.groups)
    for (uint64_t i = group.remainder; i < numbers.size(); i += group.modulus)
      for (const Step& step : group.steps) {
        if (step.kind == StepKind::Launch) {
          expected.cells += 2 + static_cast<uint32_t>(step.body.range.items());
          expected.launches++;
          if (runs(group, step)) run(step.body, numbers[i], expected);
        } else if (step.kind == StepKind::CreateUserEvent) {
          expected.cells++;
        } else if (step.kind == StepKind::Chain) {
          uint32_t number = numbers[i];
          expected.launches += step.depth;
          for (unsigned left = step.depth + 1; left-- > 0; number = number * 5 + left)
            expected.sums[kMostBodies] += number;
        }
      }
}

/// A user event that is not set, or to a failure, fails no command by itself.
bool fails(const Body& body) {
  return std::ranges::any_of(body.groups, [](const Group& group) {
    return std::ranges::any_of(group.steps, [&](const Step& step) {
      return step.kind != StepKind::CreateUserEvent && !succeeds(group, step);
    });
  });
}

}  // namespace

uint64_t membersOf(const Group& group, uint64_t items) {
  return items <= group.remainder ? 0 : (items - group.remainder - 1) / group.modulus + 1;
}

const Step& stepOf(const Group& group, int id) {
  return *std::ranges::find_if(group.steps, [&](const Step& step) { return step.id == id; });
}

bool runs(const Group& group, const Step& step) {
  return std::ranges::all_of(step.waits,
                             [&](int id) { return succeeds(group, stepOf(group, id)); });
}

bool succeeds(const Group& group, const Step& step) {
  switch (step.kind) {
    case StepKind::Chain:
    case StepKind::SetUserEvent:
      return true;
    case StepKind::Marker:
      return runs(group, step);
    case StepKind::Launch:
      return runs(group, step) && !fails(step.body);
    case StepKind::CreateUserEvent:
      return std::ranges::any_of(group.steps, [&](const Step& other) {
        return other.kind == StepKind::SetUserEvent ? other.target == step.id && !other.fails
                                                    : other.sets == step.id;
      });
  }
  return true;
}

uint64_t treeItems(const Body& body) {
  uint64_t items = body.range.items();
  for (const Group& group : body.groups)
    for (const Step& step : group.steps)
      if (step.kind == StepKind::Launch && runs(group, step))
        items += membersOf(group, body.range.items()) * treeItems(step.body);
  return items;
}

Expected simulate(const Program& program) {
  Expected expected;
  expected.sums.resize(kMostBodies + 1);
  expected.cells += 2 + static_cast<uint32_t>(program.root.range.items());
  run(program.root, program.number, expected);
  expected.succeeds = !fails(program.root);
  return expected;
}

}  // namespace weft::trees
