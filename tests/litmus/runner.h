// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstdint>
#include <string>

#include "litmus/litmus.h"

namespace weft::test::litmus {

/// Who the threads of a litmus test are.
enum class Threads : uint8_t {
  FlatRows,          ///< parts of a range without groups to be seen
  Groups,            ///< work-groups
  BarrierGroups,     ///< work-groups with a barrier in their loop
  Devices,           ///< launches on two sub-devices
  HostAndDevice,     ///< the host's thread for the first, a launch for the others; fine-grained SVM
  GroupInLocal,      ///< work-items of one group, x and y in local memory
  GroupInGlobal,     ///< work-items of one group, x and y in global memory
  GroupXInLocal,     ///< work-items of one group, x in local memory and y in global
  GroupYInLocal,     ///< the other way round
  SubGroupInLocal,   ///< work-items of one sub-group, x and y in local memory
  SubGroupInGlobal,  ///< the same in global memory
};

constexpr bool isSubGroup(Threads threads) {
  return threads == Threads::SubGroupInLocal || threads == Threads::SubGroupInGlobal;
}
/// Of one group, or of one of its sub-groups.
constexpr bool isGroup(Threads threads) { return threads >= Threads::GroupInLocal; }
/// Whether `place`, x or y, is in local memory.
constexpr bool hasLocal(Threads threads, char place) {
  return threads == Threads::GroupInLocal || threads == Threads::SubGroupInLocal ||
         threads == (place == 'x' ? Threads::GroupXInLocal : Threads::GroupYInLocal);
}

struct Placement {
  Threads threads;
  /// Work-items for each thread, or instances for each group, or work-items of a group of whole
  /// sub-groups.
  size_t items = 1;
  bool alternate = false;  ///< in one group: threads are neighbours rather than halves of the group
  /// Of each thread's steps, as a memory_scope; empty: the narrowest that has all threads in it.
  std::array<std::string, kMostThreads> scopes{};
};

struct Tally {
  uint64_t instances = 0;
  uint64_t forbidden = 0;
  uint64_t meetings = 0;  ///< times that a thread met another that ran at the same time
};

/// Of each test in each placement: the variable LITMUS_INSTANCES, or some ten thousand.
uint64_t instancesOfEach();

/// Runs at least `instances` instances of `threads`, or until a forbidden one is seen where
/// `untilSeen` says so, and counts.
Tally run(const Test& test, bool control, const Placement& placement, uint64_t instances,
          bool untilSeen);

}  // namespace weft::test::litmus
