// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl_ext.h>

/// cl_khr_semaphore 1.0, of which Debian's headers have an experimental version. Values of the
/// registry; functions and types are those of the header.
namespace weft::khr {

inline constexpr cl_semaphore_properties_khr kSemaphoreDeviceHandleList = 0x2053;
inline constexpr cl_semaphore_properties_khr kSemaphoreDeviceHandleListEnd = 0;

}  // namespace weft::khr
