// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl_ext.h>

#include <cstddef>

#include "base/error.h"
#include "memory/svm.h"

/// Rules of cl_intel_unified_shared_memory.
namespace weft::validate {

/// Arguments that the three allocating functions share.
struct UsmArguments {
  cl_context context;
  SvmKind kind;
  cl_device_id device;  ///< null for host memory
  const cl_mem_properties_intel* properties;
  size_t size;
  cl_uint alignment;
};

/// A checked allocation.
struct UsmRequest {
  Context& context;
  SvmTraits traits;
};

/// clHostMemAllocINTEL, clDeviceMemAllocINTEL, clSharedMemAllocINTEL.
///   CL_INVALID_CONTEXT
///   CL_INVALID_DEVICE       not a device of the context; shared memory may do without
///   CL_INVALID_VALUE        an alignment that is no power of two or beyond the largest type
///   CL_INVALID_PROPERTY     an unknown or repeated name, unknown flags, or placement flags that
///                           are for shared memory only or exclude each other
///   CL_INVALID_BUFFER_SIZE  zero, or more than a device can hold
[[nodiscard]] Result<UsmRequest> usmAllocation(const UsmArguments& arguments) noexcept;

/// CL_INVALID_VALUE for every advice: the extension defines none. 0 is none.
[[nodiscard]] Result<void> usmAdvice(cl_mem_advice_intel advice) noexcept;

}  // namespace weft::validate
