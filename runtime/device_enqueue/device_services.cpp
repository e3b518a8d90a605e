// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_enqueue/device_services.h"

#include "device_enqueue/family.h"
#include "exec/slot.h"

namespace weft::runtime {
namespace {

constexpr int32_t kFailure = -101;

Family* familyOf(const ExecSlot& slot) noexcept {
  const LaunchNode* node = slot.node();
  return node ? static_cast<Family*>(node->family) : nullptr;
}

/// Calls `body` with the caller's slot and family, on the stack of the thread: a fiber's is small.
/// Gives `otherwise` where kernels cannot enqueue.
template <class Result, class Body>
Result inFamily(const abi::Group& group, Result otherwise, Body body) noexcept {
  ExecSlot& slot = ExecSlot::of(group);
  Family* family = familyOf(slot);
  if (!family) return otherwise;
  struct Call {
    ExecSlot& slot;
    Family& family;
    Body& body;
    Result result;
    static void run(void* self) noexcept {
      auto& call = *static_cast<Call*>(self);
      call.result = call.body(call.slot, call.family);
    }
  } call{slot, *family, body, otherwise};
  slot.lanes().onThreadStack(&Call::run, &call);
  return call.result;
}

}  // namespace

int32_t enqueueService(const abi::Group* group, const abi::EnqueueRequest* request) {
  return inFamily<int32_t>(*group, kFailure, [&](ExecSlot& slot, Family& family) {
    return family.enqueue(slot, *request);
  });
}

uint32_t queryService(const abi::Group* group, uint64_t kernel, uint32_t query,
                      const abi::DeviceRange* range) {
  return inFamily<uint32_t>(*group, 0, [&](ExecSlot&, Family& family) {
    return family.blocks().query(kernel, static_cast<abi::BlockQuery>(query), range);
  });
}

void* defaultQueueService(const abi::Group* group) {
  return inFamily<void*>(*group, nullptr,
                         [](ExecSlot&, Family& family) { return family.defaultQueue(); });
}

void* createEventService(const abi::Group* group) {
  return inFamily<void*>(*group, reinterpret_cast<void*>(abi::kNullDeviceEvent),
                         [](ExecSlot&, Family& family) { return family.createUserEvent(); });
}

void retainEventService(const abi::Group* group, void* event) {
  inFamily<int>(*group, 0, [&](ExecSlot&, Family& family) {
    family.retain(event);
    return 0;
  });
}

void releaseEventService(const abi::Group* group, void* event) {
  inFamily<int>(*group, 0, [&](ExecSlot&, Family& family) {
    family.release(event);
    return 0;
  });
}

void setEventService(const abi::Group* group, void* event, int32_t status) {
  inFamily<int>(*group, 0, [&](ExecSlot& slot, Family& family) {
    family.setUserEvent(slot, event, status);
    return 0;
  });
}

void captureService(const abi::Group* group, void* event, int32_t name, void* value) {
  inFamily<int>(*group, 0, [&](ExecSlot&, Family& family) {
    family.capture(event, name, value);
    return 0;
  });
}

}  // namespace weft::runtime
