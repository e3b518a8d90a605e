// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

/// The structs that compiled kernels and the executor share. C layout; the compiler
/// names fields by the offsets asserted below, so a change here is a change of
/// kAbiVersion, which tags every cached object and program binary.
namespace weft::abi {

inline constexpr uint32_t kAbiVersion = 5;

/// Facts that are equal for all work-items of a command. Constant while it runs, so
/// compiled code loads them as invariant.
struct Launch {
  uint32_t workDim;               ///< 1 to 3
  uint32_t subGroupSize;          ///< S: what the language reports; never the SIMD width W
  uint64_t globalSize[3];         ///< work-items; 1 in unused dimensions
  uint64_t globalOffset[3];       ///< 0 in unused dimensions
  uint64_t enqueuedLocalSize[3];  ///< work-items per group; 1 in unused dimensions
  uint64_t numGroups[3];          ///< work-groups; 1 in unused dimensions
  const void* arguments;          ///< the argument block, laid out by KernelInfo::arguments
  void* programScope;             ///< block of program-scope variables; null when there are none
  void* command;                  ///< opaque to compiled code; handed to services
};

/// One work-group, or several of one size that follow each other along dimension 0, of which this
/// is the first; for the flat form one box of work-items. Rewritten between groups by the worker
/// that runs it; constant during one call of compiled code.
struct Group {
  const Launch* launch;
  uint64_t groupId[3];
  uint64_t localSize[3];   ///< real size of this group; smaller at a ragged edge
  uint64_t globalBase[3];  ///< global id of the group's first work-item, offset included
  uint8_t* localMemory;    ///< the group's local memory, kLocalMemoryAlignment-aligned
  void* runner;            ///< opaque to compiled code; handed to services
  uint64_t boxEnd[3];      ///< global ids run over [globalBase, boxEnd)
  uint64_t localBytes;     ///< size of localMemory
  /// Fiber form: what the work-items hand to collective functions, by linear local id, and who has
  /// come to one; kLocalMemoryAlignment-aligned, and areas of the same size (abi/services.h).
  uint8_t* collectiveCells;
  uint8_t* collectiveArrivals;
};

/// One work-item as compiled code sees it. In the flat and group-loop forms it lives in
/// registers only; in the fiber form the executor fills it, for a lane group with the ids of its
/// first work-item: the others follow it in its row, as many as the code is wide or the row has
/// left.
struct WorkItem {
  const Group* group;
  uint64_t localId[3];
  uint64_t globalId[3];  ///< offset included
  /// Where the stack of the work-item ends: its private memory lies below, everything else does
  /// not lie between here and the stack pointer.
  const void* privateEnd;
};

static_assert(offsetof(Launch, workDim) == 0);
static_assert(offsetof(Launch, subGroupSize) == 4);
static_assert(offsetof(Launch, globalSize) == 8);
static_assert(offsetof(Launch, globalOffset) == 32);
static_assert(offsetof(Launch, enqueuedLocalSize) == 56);
static_assert(offsetof(Launch, numGroups) == 80);
static_assert(offsetof(Launch, arguments) == 104);
static_assert(offsetof(Launch, programScope) == 112);
static_assert(offsetof(Launch, command) == 120);
static_assert(sizeof(Launch) == 128);
static_assert(offsetof(Group, launch) == 0);
static_assert(offsetof(Group, groupId) == 8);
static_assert(offsetof(Group, localSize) == 32);
static_assert(offsetof(Group, globalBase) == 56);
static_assert(offsetof(Group, localMemory) == 80);
static_assert(offsetof(Group, runner) == 88);
static_assert(offsetof(Group, boxEnd) == 96);
static_assert(offsetof(Group, localBytes) == 120);
static_assert(offsetof(Group, collectiveCells) == 128);
static_assert(offsetof(Group, collectiveArrivals) == 136);
static_assert(sizeof(Group) == 144);
static_assert(offsetof(WorkItem, group) == 0);
static_assert(offsetof(WorkItem, localId) == 8);
static_assert(offsetof(WorkItem, globalId) == 32);
static_assert(offsetof(WorkItem, privateEnd) == 56);
static_assert(sizeof(WorkItem) == 64);

/// Alignment of the local-memory arena and of the argument block: the widest type, long16.
inline constexpr uint32_t kLocalMemoryAlignment = 128;
inline constexpr uint32_t kArgumentAlignment = 128;
/// Alignment of the block of program-scope variables: that of a page, which nobody exceeds.
inline constexpr uint32_t kProgramScopeAlignment = 4096;

/// Entry of the flat form: runs the work-items of the box [globalBase, boxEnd).
/// Entry of the group-loop and barrier-loop forms: runs whole work-groups, of localSize each, along
/// dimension 0 until boxEnd[0].
using GroupEntry = void (*)(const Group* group);

/// What a collective function does for a group once all of its work-items have come: combines the
/// `cells` of its `items` work-items in place. Returns the bits of what all of them get, if they
/// all get the same. Where `arrivals` is not null, those that have no byte set there have ended;
/// leaves zeros. There is room for kCollectiveBlock cells more than there are work-items.
using CollectiveEntry = uint64_t (*)(uint8_t* cells, uint64_t items, uint8_t* arrivals);
inline constexpr uint64_t kCollectiveBlock = 32;

/// Entry of the fiber form: runs one lane group (one work-item at width 1).
using ItemEntry = void (*)(WorkItem* item);

}  // namespace weft::abi
