// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enqueue/enqueue.h"

// Events of launches from the device. Clang's names of functions that take its own types.

#define WEFT_NAMED(result, name, symbol, ...) \
  result name(__VA_ARGS__) __asm(symbol);     \
  __attribute__((always_inline)) result name(__VA_ARGS__)

WEFT_NAMED(WeftEvent, weft_create_user_event, "_Z17create_user_eventv") {
  return weft_device_create_event(__weft_group());
}

WEFT_NAMED(void, weft_set_user_event_status, "_Z21set_user_event_status12ocl_clkeventi",
           WeftEvent event, int status) {
  weft_device_set_event(__weft_group(), event, status);
}

WEFT_NAMED(void, weft_retain_event, "_Z12retain_event12ocl_clkevent", WeftEvent event) {
  weft_device_retain_event(__weft_group(), event);
}

WEFT_NAMED(void, weft_release_event, "_Z13release_event12ocl_clkevent", WeftEvent event) {
  weft_device_release_event(__weft_group(), event);
}

WEFT_NAMED(bool, weft_is_valid_event, "_Z14is_valid_event12ocl_clkevent", WeftEvent event) {
  return (ulong)event + 1 > 1;
}

WEFT_NAMED(void, weft_capture_event_profiling_info,
           "_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v", WeftEvent event, int name,
           __global void *value) {
  weft_device_capture_profiling(__weft_group(), event, name, value);
}
