// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "weft_common.h"
#include "weft_internal.h"

// Device-side enqueue is a service of the runtime (include/weft/abi/device_enqueue.h), which is
// told of whose group the caller is. Queues and events come as pointers.

typedef __private void *WeftQueue;
typedef __private void *WeftEvent;

typedef struct {
  WeftQueue queue;
  const __private ndrange_t *range;
  const __generic void *block;
  ulong kernel_index;
  const __generic WeftEvent *waits;
  __generic WeftEvent *event;
  const __private ulong *local_sizes;
  int flags;
  uint wait_count;
  uint local_count;
  uint block_bytes;  // 0: the literal says
} WeftEnqueueRequest;

__attribute__((const)) __private void *__weft_group();

int weft_device_enqueue(__private void *group, const __private WeftEnqueueRequest *request);
uint weft_device_query(__private void *group, ulong kernel_index, uint query,
                       const __private ndrange_t *range);
WeftQueue weft_device_default_queue(__private void *group);
WeftEvent weft_device_create_event(__private void *group);
void weft_device_retain_event(__private void *group, WeftEvent event);
void weft_device_release_event(__private void *group, WeftEvent event);
void weft_device_set_event(__private void *group, WeftEvent event, int status);
void weft_device_capture_profiling(__private void *group, WeftEvent event, int name,
                                   __global void *value);
