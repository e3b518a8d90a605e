// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "async/copy.h"

// cl_khr_extended_async_copies: lines of a rectangle or of a box. As other copies, they are made
// by the first work-item when they are asked for.
#define COPY(to, from)                                                                      \
  WEFT_API event_t async_work_group_copy_3D3D(                                              \
      to void *dst, size_t dst_offset, const from void *src, size_t src_offset,             \
      size_t bytes, size_t elements, size_t lines, size_t planes, size_t src_line,          \
      size_t src_plane, size_t dst_line, size_t dst_plane, event_t event) {                 \
    if (!WEFT_IS_FIRST()) return event;                                                     \
    for (size_t z = 0; z < planes; ++z) {                                                   \
      for (size_t y = 0; y < lines; ++y) {                                                  \
        size_t target = dst_offset + z * dst_plane + y * dst_line;                          \
        size_t source = src_offset + z * src_plane + y * src_line;                          \
        __builtin_memcpy((to char *)dst + target * bytes,                                   \
                         (const from char *)src + source * bytes, elements * bytes);        \
      }                                                                                     \
    }                                                                                       \
    return event;                                                                           \
  }                                                                                         \
  WEFT_API event_t async_work_group_copy_2D2D(                                              \
      to void *dst, size_t dst_offset, const from void *src, size_t src_offset,             \
      size_t bytes, size_t elements, size_t lines, size_t src_line, size_t dst_line,        \
      event_t event) {                                                                      \
    return async_work_group_copy_3D3D(dst, dst_offset, src, src_offset, bytes, elements,    \
                                      lines, 1, src_line, 0, dst_line, 0, event);           \
  }

COPY(__local, __global)
COPY(__global, __local)
