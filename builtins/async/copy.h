// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "weft_common.h"

// async_work_group_copy and async_work_group_strided_copy of one element type. All work-items of
// the group make the same call, so the first one copies for all: one large copy is what a CPU
// does best. The data are there for the others after wait_group_events, which is a barrier.
// The events carry nothing; the one given is handed on, as the specification wants it.

#define WEFT_IS_FIRST() (get_local_linear_id() == 0)

#define WEFT_ASYNC_COPY(T, to, from)                                                         \
  WEFT_API event_t async_work_group_copy(to T *target, const from T *source, size_t count,   \
                                         event_t event) {                                    \
    if (WEFT_IS_FIRST()) __builtin_memcpy(target, source, count * sizeof(T));                \
    return event;                                                                            \
  }
/* Elements of three components stand as far apart as those of four: sizeof says so. */
#define WEFT_ASYNC_GATHER(T)                                                                 \
  WEFT_API event_t async_work_group_strided_copy(__local T *target, const __global T *source, \
                                                 size_t count, size_t stride,                \
                                                 event_t event) {                            \
    if (WEFT_IS_FIRST()) {                                                                   \
      for (size_t i = 0; i < count; ++i) target[i] = source[i * stride];                     \
    }                                                                                        \
    return event;                                                                            \
  }
#define WEFT_ASYNC_SCATTER(T)                                                                \
  WEFT_API event_t async_work_group_strided_copy(__global T *target, const __local T *source, \
                                                 size_t count, size_t stride,                \
                                                 event_t event) {                            \
    if (WEFT_IS_FIRST()) {                                                                   \
      for (size_t i = 0; i < count; ++i) target[i * stride] = source[i];                     \
    }                                                                                        \
    return event;                                                                            \
  }
#define WEFT_ASYNC(n, T)                        \
  WEFT_ASYNC_COPY(T##n, __local, __global)      \
  WEFT_ASYNC_COPY(T##n, __global, __local)      \
  WEFT_ASYNC_GATHER(T##n)                       \
  WEFT_ASYNC_SCATTER(T##n)
#define WEFT_ASYNC_ALL(T) WEFT_FOR_SIZES(WEFT_ASYNC, T)
