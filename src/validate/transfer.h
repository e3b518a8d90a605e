// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstddef>

#include "base/error.h"
#include "memory/memory.h"
#include "queue/transfer.h"

/// Rules of the commands that move bytes within the device, whether they are enqueued or recorded
/// in a command buffer. Each function checks the arguments of one command and gives its work.
namespace weft::validate {

/// A checked transfer and the memory objects that it needs; `second` may be null.
struct CheckedTransfer {
  Transfer transfer;
  Memory* first = nullptr;
  Memory* second = nullptr;
};

/// clEnqueueCopyBuffer.
///   CL_INVALID_MEM_OBJECT  a memory object is not a buffer
///   CL_INVALID_CONTEXT     a buffer is of another context
///   CL_INVALID_VALUE       a range that is not within its buffer
///   CL_INVALID_OPERATION   the target is immutable
///   CL_MEM_COPY_OVERLAP    both ranges share bytes of one buffer
[[nodiscard]] Result<CheckedTransfer> copyBuffer(const Context& context, cl_mem source,
                                                 cl_mem target, size_t sourceOffset,
                                                 size_t targetOffset, size_t size) noexcept;

/// One side of a rect command as the application gives it.
struct RectSide {
  cl_mem buffer;
  const size_t* origin;
  size_t rowPitch;
  size_t slicePitch;
};

/// clEnqueueCopyBufferRect: the errors of copyBuffer; CL_INVALID_VALUE for null pointers, an empty
/// region and bad pitches too.
[[nodiscard]] Result<CheckedTransfer> copyBufferRect(const Context& context, const RectSide& source,
                                                     const RectSide& target,
                                                     const size_t* region) noexcept;

/// clEnqueueFillBuffer.
///   CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT
///   CL_INVALID_VALUE      a bad pattern, a range that is not within the buffer or not made of
///                         patterns
///   CL_INVALID_OPERATION  the buffer is immutable
[[nodiscard]] Result<CheckedTransfer> fillBuffer(const Context& context, cl_mem target,
                                                 const void* pattern, size_t patternSize,
                                                 size_t offset, size_t size) noexcept;

}  // namespace weft::validate
