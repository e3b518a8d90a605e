// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

/// cl_ext_immutable_memory_objects 1.0.0, which Debian's headers do not have.
namespace weft::khr {

/// CL_MEM_IMMUTABLE_EXT.
inline constexpr cl_mem_flags kMemImmutable = cl_mem_flags{1} << 6;

}  // namespace weft::khr
