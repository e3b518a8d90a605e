// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <vector>

#include "base/error.h"
#include "memory/memory.h"
#include "queue/queue.h"

namespace weft::validate {

/// A copy of a native kernel's arguments, with the addresses of memory objects filled in.
struct NativeArguments {
  std::vector<std::byte> bytes;
  std::vector<Ref<Memory>> memory;  ///< to be kept alive until the function has run
};

/// The arguments of clEnqueueNativeKernel. A null memory object becomes a null address.
///   CL_INVALID_VALUE       pointers and counts that do not go together, or a place for an address
///                          that is not within the arguments
///   CL_INVALID_MEM_OBJECT  a memory object that is not a buffer
///   CL_INVALID_CONTEXT     one of another context than the queue
[[nodiscard]] Result<NativeArguments> nativeArguments(const Queue& queue, const void* arguments,
                                                      size_t size, cl_uint count,
                                                      const cl_mem* objects, const void** places);

}  // namespace weft::validate
