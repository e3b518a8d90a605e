// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Included before every program: declarations of functions that Clang knows neither as table
// entries nor in its own header. Each group stands under the macro of its extension, so it costs
// nothing where the device does not report that extension.
#ifndef WEFT_EXTRA_H
#define WEFT_EXTRA_H

#ifdef cl_khr_extended_async_copies
event_t __attribute__((overloadable, convergent)) async_work_group_copy_2D2D(
    __local void *, size_t, const __global void *, size_t, size_t, size_t, size_t, size_t, size_t,
    event_t);
event_t __attribute__((overloadable, convergent)) async_work_group_copy_2D2D(
    __global void *, size_t, const __local void *, size_t, size_t, size_t, size_t, size_t, size_t,
    event_t);
event_t __attribute__((overloadable, convergent)) async_work_group_copy_3D3D(
    __local void *, size_t, const __global void *, size_t, size_t, size_t, size_t, size_t, size_t,
    size_t, size_t, size_t, event_t);
event_t __attribute__((overloadable, convergent)) async_work_group_copy_3D3D(
    __global void *, size_t, const __local void *, size_t, size_t, size_t, size_t, size_t, size_t,
    size_t, size_t, size_t, event_t);
#endif

#ifdef cl_khr_async_work_group_copy_fence
void __attribute__((overloadable, convergent)) async_work_group_copy_fence(cl_mem_fence_flags);
#endif

#endif
