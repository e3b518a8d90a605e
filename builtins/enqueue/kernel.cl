// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enqueue/enqueue.h"

// What Clang makes of enqueue_kernel. A block comes as the number of its kernel, which lower-blocks
// has put in the place of an address, and its literal.

WEFT_INLINE int enqueue(WeftQueue queue, int flags, const __private ndrange_t *range,
                        uint wait_count, const __generic WeftEvent *waits,
                        __generic WeftEvent *event, const __generic void *kernel_index,
                        const __generic void *block, uint local_count,
                        const __private ulong *local_sizes) {
  WeftEnqueueRequest request = {queue, range,       block, (ulong)kernel_index, waits, event,
                                local_sizes, flags, wait_count, local_count, 0};
  return weft_device_enqueue(__weft_group(), &request);
}

#define WEFT_ENQUEUE __attribute__((always_inline)) int

WEFT_ENQUEUE __enqueue_kernel_basic(WeftQueue queue, int flags, ndrange_t range,
                                    __generic void *kernel_index, __generic void *block) {
  return enqueue(queue, flags, &range, 0, 0, 0, kernel_index, block, 0, 0);
}

WEFT_ENQUEUE __enqueue_kernel_basic_events(WeftQueue queue, int flags, __private ndrange_t *range,
                                           uint wait_count, __generic WeftEvent *waits,
                                           __generic WeftEvent *event,
                                           __generic void *kernel_index, __generic void *block) {
  return enqueue(queue, flags, range, wait_count, waits, event, kernel_index, block, 0, 0);
}

WEFT_ENQUEUE __enqueue_kernel_varargs(WeftQueue queue, int flags, __private ndrange_t *range,
                                      __generic void *kernel_index, __generic void *block,
                                      uint local_count, __private ulong *local_sizes) {
  return enqueue(queue, flags, range, 0, 0, 0, kernel_index, block, local_count, local_sizes);
}

WEFT_ENQUEUE __enqueue_kernel_events_varargs(WeftQueue queue, int flags,
                                             __private ndrange_t *range, uint wait_count,
                                             __generic WeftEvent *waits,
                                             __generic WeftEvent *event,
                                             __generic void *kernel_index, __generic void *block,
                                             uint local_count, __private ulong *local_sizes) {
  return enqueue(queue, flags, range, wait_count, waits, event, kernel_index, block, local_count,
                 local_sizes);
}

int weft_enqueue_marker(WeftQueue queue, uint wait_count, const __generic WeftEvent *waits,
                        __generic WeftEvent *event)
    __asm("_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_");
WEFT_ENQUEUE weft_enqueue_marker(WeftQueue queue, uint wait_count,
                                 const __generic WeftEvent *waits, __generic WeftEvent *event) {
  return enqueue(queue, 0, 0, wait_count, waits, event, 0, 0, 0, 0);
}

WeftQueue weft_get_default_queue() __asm("_Z17get_default_queuev");
__attribute__((always_inline)) WeftQueue weft_get_default_queue() {
  return weft_device_default_queue(__weft_group());
}

// For SPIR-V, whose functions are enqueued with any memory, of a size that the instruction says.
WEFT_ENQUEUE __weft_enqueue_function(WeftQueue queue, int flags, __private ndrange_t *range,
                                     uint wait_count, __generic WeftEvent *waits,
                                     __generic WeftEvent *event, __generic void *kernel_index,
                                     __generic void *block, uint block_bytes, uint local_count,
                                     __private ulong *local_sizes) {
  WeftEnqueueRequest request = {queue, range,       block, (ulong)kernel_index, waits, event,
                                local_sizes, flags, wait_count, local_count, block_bytes};
  return weft_device_enqueue(__weft_group(), &request);
}
