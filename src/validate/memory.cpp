// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/memory.h"

#include <bit>

#include "platform/limits.h"
#include "weft/support/checked.h"

namespace weft::validate {
namespace {

constexpr cl_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
constexpr cl_mem_flags kHostPointer =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
constexpr cl_mem_flags kHostAccess =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

/// Whether at most one of the bits is set.
constexpr bool exclusive(cl_mem_flags bits) { return (bits & (bits - 1)) == 0; }

/// What an immutable object cannot be made with.
constexpr cl_mem_flags kWritten = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY;

constexpr bool soundFlags(cl_mem_flags flags) {
  const bool useAndOther =
      (flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR));
  const bool immutableAndWritten = (flags & khr::kMemImmutable) && (flags & kWritten);
  return (flags & ~(kAccess | kHostPointer | kHostAccess | khr::kMemImmutable)) == 0 &&
         exclusive(flags & kAccess) && exclusive(flags & kHostAccess) && !useAndOther &&
         !immutableAndWritten;
}

constexpr bool wantsPointer(cl_mem_flags flags) {
  return (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
}

}  // namespace

Result<Buffer*> buffer(cl_mem handle) noexcept {
  Memory* const found = Memory::from(handle);
  Buffer* const buffer = found ? found->buffer() : nullptr;
  if (buffer == nullptr) return clError(CL_INVALID_MEM_OBJECT);
  return buffer;
}

Result<Memory*> memoryOf(const Queue& queue, cl_mem handle) noexcept {
  WEFT_TRY(Memory * found, memory(handle));
  if (&found->context() != &queue.context()) return clError(CL_INVALID_CONTEXT);
  return found;
}

Result<Buffer*> bufferOf(const Context& context, cl_mem handle) noexcept {
  WEFT_TRY(Buffer * found, buffer(handle));
  if (&found->context() != &context) return clError(CL_INVALID_CONTEXT);
  return found;
}

Result<void> memoryFlags(cl_mem_flags flags) noexcept {
  return require(soundFlags(flags), CL_INVALID_VALUE);
}

Result<cl_mem_flags> completeFlags(cl_mem_flags flags, bool isExternal) noexcept {
  const bool immutable = (flags & khr::kMemImmutable) != 0;
  WEFT_TRY_VOID(memoryFlags(flags));
  WEFT_TRY_VOID(require(!isExternal || (flags & kHostPointer) == 0, CL_INVALID_VALUE));
  WEFT_TRY_VOID(require(!immutable || isExternal || wantsPointer(flags), CL_INVALID_VALUE));
  return (flags & kAccess) || immutable ? flags : flags | CL_MEM_READ_WRITE;
}

Result<void> hostPointer(cl_mem_flags flags, const void* pointer) noexcept {
  return require(wantsPointer(flags) == (pointer != nullptr), CL_INVALID_HOST_PTR);
}

Result<void> bufferSize(const Context& context, size_t size) noexcept {
  return require(size != 0 && size <= context.maxAllocation(), CL_INVALID_BUFFER_SIZE);
}

Result<cl_mem_flags> partFlags(const Memory& whole, cl_mem_flags flags) noexcept {
  if (!soundFlags(flags) || (flags & kHostPointer)) return clError(CL_INVALID_VALUE);
  const cl_mem_flags access = flags & kAccess;
  const cl_mem_flags hostAccess = flags & kHostAccess;
  const cl_mem_flags given = whole.flags();
  // Nothing may be done through the part that cannot be done through the whole.
  const bool accessGrows = (given & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY)) && access != 0 &&
                           access != (given & kAccess);
  const bool hostAccessGrows = (given & kHostAccess) && hostAccess != 0 &&
                               hostAccess != CL_MEM_HOST_NO_ACCESS &&
                               hostAccess != (given & kHostAccess);
  const bool becomesWritable = whole.isImmutable() && (flags & kWritten);
  if (accessGrows || hostAccessGrows || becomesWritable) return clError(CL_INVALID_VALUE);
  const cl_mem_flags immutable = (flags | given) & khr::kMemImmutable;
  const cl_mem_flags inherited = immutable ? given & ~kWritten : given;
  return immutable | (access ? access : inherited & kAccess) |
         (hostAccess ? hostAccess : inherited & kHostAccess) | (given & kHostPointer);
}

Result<cl_buffer_region> subBufferRegion(const Buffer& parent, cl_buffer_create_type type,
                                         const void* info) noexcept {
  if (type != CL_BUFFER_CREATE_TYPE_REGION || info == nullptr) return clError(CL_INVALID_VALUE);
  const auto region = *static_cast<const cl_buffer_region*>(info);
  if (region.size == 0) return clError(CL_INVALID_BUFFER_SIZE);
  WEFT_TRY_VOID(range(parent, region.origin, region.size));
  if (region.origin % limits::kMemoryAlignment != 0)
    return clError(CL_MISALIGNED_SUB_BUFFER_OFFSET);
  return region;
}

Result<void> range(const Memory& memory, size_t offset, size_t size) noexcept {
  return require(rangeFits(offset, size, memory.size()), CL_INVALID_VALUE);
}

Result<void> hostReads(const Memory& memory) noexcept {
  return require((memory.flags() & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0,
                 CL_INVALID_OPERATION);
}

Result<void> hostWrites(const Memory& memory) noexcept {
  constexpr cl_mem_flags kClosed =
      CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS | khr::kMemImmutable;
  return require((memory.flags() & kClosed) == 0, CL_INVALID_OPERATION);
}

Result<void> commandWrites(const Memory& memory) noexcept {
  return require(!memory.isImmutable(), CL_INVALID_OPERATION);
}

Result<void> mapFlags(cl_map_flags flags) noexcept {
  constexpr cl_map_flags kShared = CL_MAP_READ | CL_MAP_WRITE;
  const bool sound = (flags & ~kShared) == 0 || flags == CL_MAP_WRITE_INVALIDATE_REGION;
  return require(sound, CL_INVALID_VALUE);
}

Result<bool> hostMaps(const Memory& memory, cl_map_flags flags) noexcept {
  const bool forWriting = (flags & ~cl_map_flags{CL_MAP_READ}) != 0;
  if (flags & CL_MAP_READ) WEFT_TRY_VOID(hostReads(memory));
  if (forWriting) WEFT_TRY_VOID(hostWrites(memory));
  return forWriting;
}

Result<void> noOverlap(const Buffer& source, size_t sourceOffset, const Buffer& target,
                       size_t targetOffset, size_t size) noexcept {
  if (&source.root() != &target.root()) return {};
  const size_t from = source.offset() + sourceOffset;
  const size_t to = target.offset() + targetOffset;
  const size_t distance = from < to ? to - from : from - to;
  return require(distance >= size, CL_MEM_COPY_OVERLAP);
}

Result<void> fillPattern(const void* pattern, size_t patternSize, size_t offset,
                         size_t size) noexcept {
  const bool sound = pattern != nullptr && std::has_single_bit(patternSize) &&
                     patternSize <= limits::kMaxPatternSize && offset % patternSize == 0 &&
                     size % patternSize == 0;
  return require(sound, CL_INVALID_VALUE);
}

Result<void> migrationFlags(cl_mem_migration_flags flags) noexcept {
  constexpr cl_mem_migration_flags kKnown =
      CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  return require((flags & ~kKnown) == 0, CL_INVALID_VALUE);
}

Result<void> migration(const Queue& queue, cl_uint count, const cl_mem* objects,
                       cl_mem_migration_flags flags) noexcept {
  if (count == 0 || objects == nullptr) return clError(CL_INVALID_VALUE);
  WEFT_TRY_VOID(migrationFlags(flags));
  for (cl_uint i = 0; i < count; ++i) WEFT_TRY_VOID(memoryOf(queue, objects[i]));
  return {};
}

}  // namespace weft::validate
