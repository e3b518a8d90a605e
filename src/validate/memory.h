// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <vector>

#include "base/error.h"
#include "memory/memory.h"
#include "memory/rect.h"
#include "queue/queue.h"
#include "validate/handles.h"

/// Rules of memory objects and of the commands that move their bytes.
namespace weft::validate {

[[nodiscard]] inline Result<Memory*> memory(cl_mem handle) noexcept {
  return object<Memory>(handle, CL_INVALID_MEM_OBJECT);
}
[[nodiscard]] Result<Buffer*> buffer(cl_mem handle) noexcept;
/// A memory object for a command of `queue`; CL_INVALID_CONTEXT when it is of another context.
[[nodiscard]] Result<Memory*> memoryOf(const Queue& queue, cl_mem handle) noexcept;
/// The same for a buffer.
[[nodiscard]] Result<Buffer*> bufferOf(const Context& context, cl_mem handle) noexcept;
[[nodiscard]] inline Result<Buffer*> bufferOf(const Queue& queue, cl_mem handle) noexcept {
  return bufferOf(queue.context(), handle);
}

/// CL_INVALID_VALUE for bits that no memory object has, and for bits that exclude each other.
[[nodiscard]] Result<void> memoryFlags(cl_mem_flags flags) noexcept;

/// Flags of an object with memory of its own, with the default access added.
///   CL_INVALID_VALUE  as memoryFlags, host pointer flags of external memory, and an object that is
///                     immutable without its contents
[[nodiscard]] Result<cl_mem_flags> completeFlags(cl_mem_flags flags, bool isExternal) noexcept;

/// CL_INVALID_HOST_PTR for a pointer without a flag for it, or the other way round.
[[nodiscard]] Result<void> hostPointer(cl_mem_flags flags, const void* pointer) noexcept;

/// Flags of an object that shares the bytes of `whole`, with what it inherits. CL_INVALID_VALUE for
/// what the whole does not allow and for host pointer flags.
[[nodiscard]] Result<cl_mem_flags> partFlags(const Memory& whole, cl_mem_flags flags) noexcept;

/// CL_INVALID_BUFFER_SIZE for zero, and for more than any device of the context can hold.
[[nodiscard]] Result<void> bufferSize(const Context& context, size_t size) noexcept;

/// The list of clCreateBufferWithProperties.
///   CL_INVALID_PROPERTY  an unknown or repeated name, a bad value, several handles of external
///                        memory, or devices without one
///   CL_INVALID_DEVICE    devices of which one is not of the context, or none
[[nodiscard]] Result<MemoryProperties> bufferProperties(const Context& context,
                                                        const cl_mem_properties* list);
/// The same for clCreateImageWithProperties.
[[nodiscard]] Result<MemoryProperties> imageProperties(const Context& context,
                                                       const cl_mem_properties* list);

/// Whether the external memory, if any, has that many bytes.
///   CL_INVALID_PROPERTY  the descriptor is not one of memory
///   sizeCode             there are fewer
[[nodiscard]] Result<void> externalSize(const MemoryProperties& properties, size_t size,
                                        cl_int sizeCode) noexcept;

/// The objects of a command that acquires or releases external memory.
///   CL_INVALID_VALUE          count and list do not go together
///   CL_INVALID_MEM_OBJECT     one of them is not valid, or was made without an external handle
///   CL_INVALID_CONTEXT        one is of another context
///   CL_INVALID_COMMAND_QUEUE  one is not for the device of the queue
[[nodiscard]] Result<std::vector<Ref<Memory>>> externalObjects(const Queue& queue, cl_uint count,
                                                               const cl_mem* list);

/// The region of clCreateSubBuffer.
///   CL_INVALID_VALUE                 another create type, no region, or one beyond the parent
///   CL_INVALID_BUFFER_SIZE           an empty region
///   CL_MISALIGNED_SUB_BUFFER_OFFSET  an origin that no device can start a buffer at
[[nodiscard]] Result<cl_buffer_region> subBufferRegion(const Buffer& parent,
                                                       cl_buffer_create_type type,
                                                       const void* info) noexcept;

/// CL_INVALID_VALUE unless [offset, offset + size) lies within the object.
[[nodiscard]] Result<void> range(const Memory& memory, size_t offset, size_t size) noexcept;

/// What the host wants to do to a buffer; CL_INVALID_OPERATION when it was created without.
[[nodiscard]] Result<void> hostReads(const Memory& memory) noexcept;
[[nodiscard]] Result<void> hostWrites(const Memory& memory) noexcept;
/// What a copy or a fill does to its target, whatever the host and kernels may do:
/// CL_INVALID_OPERATION when it is immutable.
[[nodiscard]] Result<void> commandWrites(const Memory& memory) noexcept;

/// CL_INVALID_VALUE for unknown bits and for bits that exclude each other.
[[nodiscard]] Result<void> mapFlags(cl_map_flags flags) noexcept;
/// What hostReads and hostWrites say to a map; gives whether it is for writing. Pre: mapFlags() is
/// content.
[[nodiscard]] Result<bool> hostMaps(const Memory& memory, cl_map_flags flags) noexcept;

/// CL_MEM_COPY_OVERLAP when both ranges share bytes of one buffer.
[[nodiscard]] Result<void> noOverlap(const Buffer& source, size_t sourceOffset,
                                     const Buffer& target, size_t targetOffset,
                                     size_t size) noexcept;

/// CL_INVALID_VALUE unless there is a pattern whose size is a power of two up to 128, which
/// divides offset and size.
[[nodiscard]] Result<void> fillPattern(const void* pattern, size_t patternSize, size_t offset,
                                       size_t size) noexcept;

/// The region of a rect command. CL_INVALID_VALUE when it is null or empty in a dimension.
[[nodiscard]] Result<RectRegion> rectRegion(const size_t* region) noexcept;

/// Where a rect lies, with pitches of zero replaced by those of a packed one.
/// CL_INVALID_VALUE for a null origin, a pitch that is too small or not a multiple, or what does
/// not fit 64 bits.
[[nodiscard]] Result<RectLayout> rectLayout(const size_t* origin, const RectRegion& region,
                                            size_t rowPitch, size_t slicePitch) noexcept;
/// The same, within a buffer: CL_INVALID_VALUE when it ends beyond.
[[nodiscard]] Result<RectLayout> rectLayout(const Buffer& buffer, const size_t* origin,
                                            const RectRegion& region, size_t rowPitch,
                                            size_t slicePitch) noexcept;

/// Source and target of clEnqueueCopyBufferRect.
///   CL_INVALID_VALUE     one buffer with two different pitches
///   CL_MEM_COPY_OVERLAP  both share bytes of one buffer
[[nodiscard]] Result<void> rectCopy(const Buffer& source, const RectLayout& from,
                                    const Buffer& target, const RectLayout& to,
                                    const RectRegion& region) noexcept;

/// CL_INVALID_VALUE for unknown bits.
[[nodiscard]] Result<void> migrationFlags(cl_mem_migration_flags flags) noexcept;

/// The objects of clEnqueueMigrateMemObjects.
///   CL_INVALID_VALUE       there are none, or unknown flags
///   CL_INVALID_MEM_OBJECT  one of them is not valid
///   CL_INVALID_CONTEXT     one of them is of another context than the queue
[[nodiscard]] Result<void> migration(const Queue& queue, cl_uint count, const cl_mem* objects,
                                     cl_mem_migration_flags flags) noexcept;

}  // namespace weft::validate
