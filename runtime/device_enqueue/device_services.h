// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "weft/abi/device_enqueue.h"

/// The services of include/weft/abi/device_enqueue.h.
namespace weft::runtime {

int32_t enqueueService(const abi::Group* group, const abi::EnqueueRequest* request);
uint32_t queryService(const abi::Group* group, uint64_t kernel, uint32_t query,
                      const abi::DeviceRange* range);
void* defaultQueueService(const abi::Group* group);
void* createEventService(const abi::Group* group);
void retainEventService(const abi::Group* group, void* event);
void releaseEventService(const abi::Group* group, void* event);
void setEventService(const abi::Group* group, void* event, int32_t status);
void captureService(const abi::Group* group, void* event, int32_t name, void* value);

}  // namespace weft::runtime
