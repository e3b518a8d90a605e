// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/svm.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "memory/svm.h"
#include "platform/limits.h"
#include "validate/memory.h"
#include "weft/khr/buffer_device_address.h"

namespace weft::validate {
namespace {

constexpr bool soundFlags(cl_svm_mem_flags flags) {
  constexpr cl_svm_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  constexpr cl_svm_mem_flags kSharing = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
  const cl_svm_mem_flags access = flags & kAccess;
  return (flags & ~(kAccess | kSharing)) == 0 && (access & (access - 1)) == 0 &&
         (flags & kSharing) != CL_MEM_SVM_ATOMICS;
}

}  // namespace

Result<void> svmAlignment(cl_uint alignment) noexcept {
  constexpr cl_uint kLargestType = sizeof(cl_long16);
  static_assert(limits::kMemoryAlignment >= kLargestType);  // so that there is nothing to pass on
  const bool sound =
      alignment == 0 || (std::has_single_bit(alignment) && alignment <= kLargestType);
  return require(sound, CL_INVALID_VALUE);
}

Result<void> svmSize(const Context& context, size_t size) noexcept {
  const bool fits = std::ranges::all_of(
      context.devices(), [size](const Device* device) { return size <= device->maxAllocation(); });
  return require(size != 0 && fits, CL_INVALID_BUFFER_SIZE);
}

Result<void> svmAllocation(const Context& context, cl_svm_mem_flags flags, size_t size,
                           cl_uint alignment) noexcept {
  WEFT_TRY_VOID(require(soundFlags(flags), CL_INVALID_VALUE));
  WEFT_TRY_VOID(svmAlignment(alignment));
  return svmSize(context, size);
}

Result<void> svmHostPointer(Context& context, const void* hostPointer, size_t size) noexcept {
  if (hostPointer == nullptr) return {};
  const auto found = SvmRegistry::instance().findSvm(context, hostPointer);
  return require(!found || found->holds(hostPointer, size), CL_INVALID_BUFFER_SIZE);
}

Result<CheckedTransfer> svmMemcpy(void* target, const void* source, size_t size) noexcept {
  WEFT_TRY_VOID(require(target != nullptr && source != nullptr, CL_INVALID_VALUE));
  const auto to = reinterpret_cast<uintptr_t>(target);
  const auto from = reinterpret_cast<uintptr_t>(source);
  const uintptr_t distance = from < to ? to - from : from - to;
  WEFT_TRY_VOID(require(distance >= size, CL_MEM_COPY_OVERLAP));
  return CheckedTransfer{
      LinearCopy{static_cast<const std::byte*>(source), static_cast<std::byte*>(target), size}};
}

Result<CheckedTransfer> svmMemFill(void* target, const void* pattern, size_t patternSize,
                                   size_t size) noexcept {
  WEFT_TRY_VOID(require(target != nullptr, CL_INVALID_VALUE));
  WEFT_TRY_VOID(fillPattern(pattern, patternSize, reinterpret_cast<uintptr_t>(target), size));
  Fill fill{static_cast<std::byte*>(target), size, {}, patternSize};
  std::memcpy(fill.pattern.data(), pattern, patternSize);
  return CheckedTransfer{fill};
}

Result<void> svmMap(const void* pointer, size_t size, cl_map_flags flags) noexcept {
  WEFT_TRY_VOID(require(pointer != nullptr && size != 0, CL_INVALID_VALUE));
  return mapFlags(flags);
}

Result<std::vector<void*>> svmPointers(cl_uint count, void* const* pointers) {
  WEFT_TRY_VOID(require((count == 0) == (pointers == nullptr), CL_INVALID_VALUE));
  return std::vector<void*>(pointers, pointers + count);
}

Result<void> svmMigration(Context& context, cl_uint count, const void* const* pointers,
                          const size_t* sizes, cl_mem_migration_flags flags) noexcept {
  WEFT_TRY_VOID(require(count != 0 && pointers != nullptr, CL_INVALID_VALUE));
  WEFT_TRY_VOID(migrationFlags(flags));
  if (sizes == nullptr) return {};
  SvmRegistry& registry = SvmRegistry::instance();
  for (cl_uint i = 0; i < count; ++i) {
    if (sizes[i] == 0) continue;  // the whole of its allocation
    const auto found = registry.findSvm(context, pointers[i]);
    WEFT_TRY_VOID(require(found && found->holds(pointers[i], sizes[i]), CL_INVALID_VALUE));
  }
  return {};
}

Result<void> deviceAddressArgument(const Kernel& kernel, cl_uint index) noexcept {
  const auto& arguments = kernel.info().arguments;
  const bool sound =
      index < arguments.size() && arguments[index].kind == compiler::ArgumentKind::GlobalPointer;
  return require(sound, CL_INVALID_ARG_INDEX);
}

}  // namespace weft::validate
