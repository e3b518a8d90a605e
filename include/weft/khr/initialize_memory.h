// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

/// cl_khr_initialize_memory, of which the headers have the property alone.
namespace weft::khr {

using cl_context_memory_initialize_khr = cl_bitfield;

inline constexpr cl_context_memory_initialize_khr CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR = 1 << 0;
inline constexpr cl_context_memory_initialize_khr CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR = 1 << 1;

}  // namespace weft::khr
