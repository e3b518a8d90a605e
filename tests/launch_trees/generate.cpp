// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <random>

#include "tree.h"

namespace weft::trees {
namespace {

/// Of a whole program, so that it is made and run in little time.
constexpr uint64_t kMostItems = 20000, kMostLaunches = 3000;
constexpr int kMostLaunchSteps = 12;
constexpr unsigned kMostDepth = 5;

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) { program_.seed = seed; }

  Program make() {
    program_.isDetailed = chance(50);
    program_.number = static_cast<uint32_t>(random_());
    failing_ = chance(35);
    launchesLeft_ = 2 + below(kMostLaunchSteps - 1);
    program_.root = body(0, 1, chance(30) ? 500 : 40);
    program_.lastId = nextStep_;
    return std::move(program_);
  }

 private:
  uint64_t below(uint64_t n) { return random_() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }
  uint32_t word() { return static_cast<uint32_t>(random_()); }

  Range range(uint64_t most) {
    Range made;
    made.dimensions = 1 + static_cast<unsigned>(below(3));
    uint64_t left = chance(30) ? std::min<uint64_t>(most, 3) : most;
    for (unsigned d = 0; d < made.dimensions; ++d) {
      made.global[d] = 1 + below(d == 0 || left < 12 ? left : left / 3);
      left /= made.global[d];
    }
    made.hasLocal = chance(70);
    if (!made.hasLocal) return made;
    const bool shifted = chance(40);
    for (unsigned d = 0; d < made.dimensions; ++d) {
      // Mostly powers of two, as programs have; groups that do not fit among them.
      made.local[d] = chance(60) ? uint64_t{1} << below(5) : 1 + below(made.global[d]);
      made.local[d] = std::min(made.local[d], made.global[d]);
      if (shifted) made.offset[d] = below(1000);
    }
    for (unsigned d = made.dimensions; d < 3; ++d) made.local[d] = 1;
    return made;
  }

  /// `instances`: how often it is launched in all.
  Body body(unsigned depth, uint64_t instances, uint64_t mostItems) {
    Body made;
    made.id = nextBody_++;
    made.range = range(std::max<uint64_t>(1, std::min(mostItems, itemsLeft_ / instances)));
    const uint64_t items = made.range.items();
    itemsLeft_ -= std::min(itemsLeft_, items * instances);
    const auto kinds = made.range.hasLocal ? 6u : 3u;
    made.kind = static_cast<BodyKind>(below(kinds));
    if (kinds == 3 && chance(20)) made.kind = BodyKind::Reduction;
    made.factor = word() | 1;
    made.added = word();
    for (uint64_t i = below(4); depth > 0 && i-- > 0;)
      made.captures.push_back({static_cast<CaptureType>(below(9)), word(), word()});
    if (depth == kMostDepth) return made;
    for (uint64_t i = depth == 0 ? 1 + below(2) : below(3); i-- > 0;)
      if (launchesLeft_ > 0) made.groups.push_back(group(depth, instances, items));
    return made;
  }

  Group group(unsigned depth, uint64_t instances, uint64_t items) {
    Group made;
    made.isLate = chance(50);
    // All work-items, one of them, or some.
    made.modulus = chance(40)   ? 1u
                   : chance(50) ? static_cast<uint32_t>(items)
                                : 1 + static_cast<uint32_t>(below(items));
    while (instances * ((items + made.modulus - 1) / made.modulus) > launches_ &&
           made.modulus < items)
      made.modulus = static_cast<uint32_t>(std::min<uint64_t>(items, made.modulus * 2ull));
    made.remainder = static_cast<uint32_t>(below(std::min<uint64_t>(made.modulus, items)));
    const uint64_t members = instances * membersOf(made, items);
    std::vector<int> events;
    for (uint64_t i = 1 + below(5); i-- > 0;) addStep(made, events, depth, members);
    // Each user event is set by a child or by the work-item that made it, rarely by nobody.
    for (size_t i = 0; i < made.steps.size(); ++i) {
      if (made.steps[i].kind != StepKind::CreateUserEvent || isSet(made, made.steps[i].id))
        continue;
      if (failing_ && chance(30)) continue;
      Step step;
      step.id = nextStep_++;
      step.kind = StepKind::SetUserEvent;
      step.target = made.steps[i].id;
      step.fails = failing_ && chance(70);
      // What comes behind it may wait for it all the same.
      const auto after = static_cast<long>(i + 1 + below(made.steps.size() - i));
      made.steps.insert(made.steps.begin() + after, step);
    }
    return made;
  }

  static bool isSet(const Group& group, int event) {
    return std::ranges::any_of(group.steps, [&](const Step& step) { return step.sets == event; });
  }

  std::vector<int> someOf(const std::vector<int>& events) {
    std::vector<int> some;
    for (const int event : events)
      if (chance(40)) some.push_back(event);
    return some;
  }

  void addStep(Group& group, std::vector<int>& events, unsigned depth, uint64_t members) {
    Step step;
    step.id = nextStep_++;
    const uint64_t what = below(10);
    if (what == 0 && !events.empty()) {
      step.kind = StepKind::Marker;
      step.waits = someOf(events);
      if (step.waits.empty()) step.waits.push_back(events.back());
    } else if (what == 1 || (failing_ && what > 7)) {
      step.kind = StepKind::CreateUserEvent;
    } else if (what == 2 && members <= launches_ / 16) {
      step.kind = StepKind::Chain;
      step.depth = 1 + static_cast<unsigned>(below(std::min<uint64_t>(200, launches_ / members)));
      launches_ -= members * step.depth;
    } else if (launchesLeft_ > 0 && members <= launches_) {
      makeLaunch(step, group, events, depth, members);
    } else {
      return;
    }
    step.retains = chance(20);
    if (step.hasEvent || step.kind == StepKind::Marker || step.kind == StepKind::CreateUserEvent)
      events.push_back(step.id);
    group.steps.push_back(std::move(step));
  }

  void makeLaunch(Step& step, const Group& group, const std::vector<int>& events, unsigned depth,
                  uint64_t members) {
    --launchesLeft_;
    launches_ -= members;
    step.flags = static_cast<Flags>(below(3));
    step.queue = chance(60) ? Queue::Default : chance(50) ? Queue::Other : Queue::Small;
    step.isVariable = step.queue == Queue::Small || chance(30);
    step.hasEvent = chance(50);
    if (chance(50)) step.waits = someOf(events);
    for (const Step& other : group.steps)
      if (other.kind == StepKind::CreateUserEvent && step.waits.empty() &&
          !isSet(group, other.id) && chance(40)) {
        step.sets = other.id;
        break;
      }
    step.body = body(depth + 1, members, chance(10) ? 3000 : 60);
  }

  std::mt19937_64 random_;
  Program program_;
  bool failing_ = false;
  uint64_t launchesLeft_ = 0;          ///< places in the text
  uint64_t launches_ = kMostLaunches;  ///< when it runs
  uint64_t itemsLeft_ = kMostItems;
  int nextBody_ = 0, nextStep_ = 0;
};

}  // namespace

Program randomProgram(uint64_t seed) { return Generator(seed).make(); }

}  // namespace weft::trees
