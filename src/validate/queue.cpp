// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/queue.h"

#include <CL/cl_ext.h>

#include <algorithm>

#include "platform/limits.h"
#include "queue/event.h"

namespace weft::validate {
namespace {

constexpr cl_command_queue_properties kHostBits = Device::kHostQueueProperties;
constexpr cl_command_queue_properties kDeviceBits = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

/// CL_QUEUE_PRIORITY_KHR: one of three.
Result<runtime::Priority> priority(cl_queue_properties value) noexcept {
  switch (value) {
    case CL_QUEUE_PRIORITY_HIGH_KHR:
      return runtime::Priority::High;
    case CL_QUEUE_PRIORITY_MED_KHR:
      return runtime::Priority::Medium;
    case CL_QUEUE_PRIORITY_LOW_KHR:
      return runtime::Priority::Low;
    default:
      return clError(CL_INVALID_VALUE);
  }
}

/// CL_QUEUE_THROTTLE_KHR: there is nothing beyond the normal that "high" could ask for.
Result<bool> throttled(cl_queue_properties value) noexcept {
  switch (value) {
    case CL_QUEUE_THROTTLE_HIGH_KHR:
    case CL_QUEUE_THROTTLE_MED_KHR:
      return false;
    case CL_QUEUE_THROTTLE_LOW_KHR:
      return true;
    default:
      return clError(CL_INVALID_VALUE);
  }
}

}  // namespace

Result<void> queueProperties(cl_command_queue_properties properties) noexcept {
  if ((properties & ~(kHostBits | kDeviceBits)) != 0) return clError(CL_INVALID_VALUE);
  if ((properties & kDeviceBits) == 0) return {};
  // A queue on the device is out of order, and the default one is a queue on the device.
  const bool sound = (properties & CL_QUEUE_ON_DEVICE) != 0 &&
                     (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
  return require(sound, CL_INVALID_VALUE);
}

Result<QueueOptions> queueOptions(const cl_queue_properties* list) {
  QueueOptions options;
  if (list == nullptr) return options;
  bool hasSize = false, isHinted = false;
  const cl_queue_properties* entry = list;
  for (; entry[0] != 0; entry += 2) {
    for (const cl_queue_properties* earlier = list; earlier != entry; earlier += 2)
      if (earlier[0] == entry[0]) return clError(CL_INVALID_VALUE);
    switch (entry[0]) {
      case CL_QUEUE_PROPERTIES:
        options.properties = entry[1];
        break;
      case CL_QUEUE_SIZE:
        hasSize = true;
        options.size = entry[1];
        break;
      case CL_QUEUE_PRIORITY_KHR: {
        WEFT_TRY(options.priority, priority(entry[1]));
        isHinted = true;
        break;
      }
      case CL_QUEUE_THROTTLE_KHR: {
        WEFT_TRY(options.throttled, throttled(entry[1]));
        isHinted = true;
        break;
      }
      default:
        return clError(CL_INVALID_VALUE);
    }
  }
  if (hasSize && (options.properties & CL_QUEUE_ON_DEVICE) == 0) return clError(CL_INVALID_VALUE);
  WEFT_TRY_VOID(queueProperties(options.properties));
  if ((options.properties & CL_QUEUE_ON_DEVICE) != 0) {
    // The hints are for queues of the host.
    WEFT_TRY_VOID(require(!isHinted, CL_INVALID_QUEUE_PROPERTIES));
    if (!hasSize) options.size = limits::kPreferredDeviceQueueSize;
    WEFT_TRY_VOID(require(options.size != 0, CL_INVALID_VALUE));
    WEFT_TRY_VOID(
        require(options.size <= limits::kMaxDeviceQueueSize, CL_INVALID_QUEUE_PROPERTIES));
  }
  options.list.assign(list, entry + 1);
  return options;
}

Result<void> waitedEvents(const Context& context, WaitList events) noexcept {
  for (const cl_event handle : events) {
    const Event* event = Event::from(handle);
    if (event == nullptr) return clError(CL_INVALID_EVENT_WAIT_LIST);
    if (&event->context() != &context) return clError(CL_INVALID_CONTEXT);
  }
  return {};
}

Result<void> noneFailed(WaitList waits) noexcept {
  const bool failed = std::ranges::any_of(
      waits, [](cl_event handle) { return Event::from(handle)->executionStatus() < 0; });
  return require(!failed, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

Result<WaitList> eventList(const Context* context, cl_uint count, const cl_event* list) noexcept {
  if (context) WEFT_TRY_VOID(require(!context->isTerminated(), kContextTerminated));
  if (count == 0 || list == nullptr) return clError(CL_INVALID_VALUE);
  const WaitList waits(list, count);
  for (const cl_event handle : waits) {
    const Event* event = Event::from(handle);
    if (event == nullptr) return clError(CL_INVALID_EVENT);
    if (context == nullptr) context = &event->context();
    if (&event->context() != context) return clError(CL_INVALID_CONTEXT);
  }
  return waits;
}

}  // namespace weft::validate
