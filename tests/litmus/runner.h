// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstdint>

#include "litmus/litmus.h"

namespace weft::test::litmus {

/// Who the threads of a litmus test are.
enum class Threads : uint8_t {
  FlatRows,       ///< parts of a range without groups to be seen
  Groups,         ///< work-groups
  BarrierGroups,  ///< work-groups with a barrier in their loop
  Devices,        ///< launches on two sub-devices
  HostAndDevice,  ///< the host's thread for the first, a launch for the others; fine-grained SVM
  GroupInLocal,   ///< work-items of one group, x and y in local memory
  GroupInGlobal,  ///< work-items of one group, x and y in global memory
};

struct Placement {
  Threads threads;
  size_t items = 1;        ///< work-items for each thread, or instances for each group
  bool alternate = false;  ///< in one group: threads are neighbours rather than halves of the group
};

struct Tally {
  uint64_t instances = 0;
  uint64_t forbidden = 0;
  uint64_t meetings = 0;  ///< times that a thread met another that ran at the same time
};

/// Runs at least `instances` instances of `threads`, or until a forbidden one is seen where
/// `untilSeen` says so, and counts.
Tally run(const Test& test, bool control, const Placement& placement, uint64_t instances,
          bool untilSeen);

}  // namespace weft::test::litmus
