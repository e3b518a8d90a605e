// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"
#include "weft_internal.h"

// What C++ for OpenCL calls around the initialisation of a static variable of a function. The
// guard's first word: 0 before, 1 while some work-item initialises it, 2 afterwards. Waiting by
// looking again is enough: the one that initialises meets no barrier on its way.
enum { BEFORE, DURING, AFTER };

int weftAcquireGuard(__global ulong *guard) __asm("__cxa_guard_acquire");
int weftAcquireGuard(__global ulong *guard) {
  volatile __global int *state = (volatile __global int *)guard;
  for (;;) {
    int found = __weft_atomic_cmpxchg_i32_as1(state, BEFORE, DURING, memory_order_acquire,
                                              memory_order_acquire, memory_scope_device);
    if (found != DURING) return found == BEFORE;
  }
}

void weftReleaseGuard(__global ulong *guard) __asm("__cxa_guard_release");
void weftReleaseGuard(__global ulong *guard) {
  __weft_atomic_store_i32_as1((volatile __global int *)guard, AFTER, memory_order_release,
                              memory_scope_device);
}
