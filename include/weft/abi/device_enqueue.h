// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "weft/abi/work_group.h"

/// What the library's OpenCL C (builtins/enqueue) and the runtime agree on for kernels that enqueue
/// others. Queues and events are opaque to compiled code: pointers that the runtime gives out.
namespace weft::abi {

/// ndrange_t.
struct DeviceRange {
  uint32_t dimensions;
  uint64_t offset[3];
  uint64_t global[3];
  uint64_t local[3];  ///< zeros where it is left to the implementation
};
static_assert(sizeof(DeviceRange) == 80 && offsetof(DeviceRange, local) == 56);

/// The beginning of a block literal, which Clang makes: its captures follow.
struct BlockLiteral {
  int32_t bytes;  ///< of all of it
  int32_t alignment;
};

/// Values of a clk_event_t that are no events: CLK_NULL_EVENT, and what zeroed memory holds.
inline constexpr uintptr_t kNullDeviceEvent = ~uintptr_t{0};

/// kernel_enqueue_flags_t.
enum EnqueueFlags : int32_t { kEnqueueNoWait = 0, kEnqueueWaitKernel = 1, kEnqueueWaitGroup = 2 };

/// One call of enqueue_kernel or enqueue_marker, in the memory of the work-item.
struct EnqueueRequest {
  void* queue;
  const DeviceRange* range;   ///< null for a marker
  const BlockLiteral* block;  ///< null for a marker
  uint64_t kernel;            ///< index among the program's block kernels
  const void* const* waits;
  void** event;  ///< null when nobody asks
  const uint64_t* localSizes;
  int32_t flags;
  uint32_t waitCount;
  uint32_t localCount;
  uint32_t blockBytes;  ///< of what `block` points to; 0: the literal says
};
static_assert(sizeof(EnqueueRequest) == 72);
static_assert(offsetof(EnqueueRequest, flags) == 56);
static_assert(offsetof(EnqueueRequest, blockBytes) == 68);

/// What get_kernel_work_group_size and its likes ask.
enum class BlockQuery : uint32_t {
  WorkGroupSize,
  PreferredMultiple,
  SubGroupCount,
  MaxSubGroupSize,
  MaxSubGroups,
  LocalSizeForSubGroups,  ///< of one dimension; the range's global size is their number
};

// Link names of the services. They begin with kDeviceServicePrefix, by which kernels that enqueue
// are known.
inline constexpr const char* kDeviceServicePrefix = "weft_device_";
/// int32_t (const Group*, const EnqueueRequest*): CLK_SUCCESS or what enqueue_kernel returns.
inline constexpr const char* kDeviceEnqueueService = "weft_device_enqueue";
/// uint32_t (const Group*, uint64_t kernel, uint32_t query, const DeviceRange*)
inline constexpr const char* kDeviceQueryService = "weft_device_query";
/// void* (const Group*): null when there is none.
inline constexpr const char* kDeviceDefaultQueueService = "weft_device_default_queue";
/// void* (const Group*): a user event, or kNullDeviceEvent.
inline constexpr const char* kDeviceCreateEventService = "weft_device_create_event";
/// void (const Group*, void* event)
inline constexpr const char* kDeviceRetainEventService = "weft_device_retain_event";
inline constexpr const char* kDeviceReleaseEventService = "weft_device_release_event";
/// void (const Group*, void* event, int32_t status)
inline constexpr const char* kDeviceSetEventService = "weft_device_set_event";
/// void (const Group*, void* event, int32_t name, void* value)
inline constexpr const char* kDeviceCaptureService = "weft_device_capture_profiling";

}  // namespace weft::abi
