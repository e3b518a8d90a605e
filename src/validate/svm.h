// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <vector>

#include "base/error.h"
#include "context/context.h"
#include "program/kernel.h"
#include "validate/transfer.h"

/// Rules of shared virtual memory. Every device has all of it, fine-grained system memory too: a
/// pointer may point anywhere, and what depends on a device's support never fails.
namespace weft::validate {

/// The arguments of clSVMAlloc, which tells the application of no code.
///   CL_INVALID_VALUE        unknown flags, flags that exclude each other, atomics without
///                           fine-grained sharing, or a bad alignment
///   CL_INVALID_BUFFER_SIZE  zero, or more than some device of the context can hold
[[nodiscard]] Result<void> svmAllocation(const Context& context, cl_svm_mem_flags flags,
                                         size_t size, cl_uint alignment) noexcept;
/// The two rules that every allocation keeps, with the codes above.
[[nodiscard]] Result<void> svmAlignment(cl_uint alignment) noexcept;
[[nodiscard]] Result<void> svmSize(const Context& context, size_t size) noexcept;

/// host_ptr of a buffer. CL_INVALID_BUFFER_SIZE when it points into an allocation of clSVMAlloc
/// which ends before the buffer does.
[[nodiscard]] Result<void> svmHostPointer(Context& context, const void* hostPointer,
                                          size_t size) noexcept;

/// clEnqueueSVMMemcpy and clEnqueueMemcpyINTEL.
///   CL_INVALID_VALUE     a null pointer
///   CL_MEM_COPY_OVERLAP  both ranges share bytes
[[nodiscard]] Result<CheckedTransfer> svmMemcpy(void* target, const void* source,
                                                size_t size) noexcept;

/// clEnqueueSVMMemFill and clEnqueueMemFillINTEL. CL_INVALID_VALUE for a null or misaligned
/// pointer, a bad pattern, and a size that is not made of patterns.
[[nodiscard]] Result<CheckedTransfer> svmMemFill(void* target, const void* pattern,
                                                 size_t patternSize, size_t size) noexcept;

/// clEnqueueSVMMap. CL_INVALID_VALUE for a null pointer, no bytes and bad flags.
[[nodiscard]] Result<void> svmMap(const void* pointer, size_t size, cl_map_flags flags) noexcept;

/// The pointers of clEnqueueSVMFree. CL_INVALID_VALUE when count and list do not go together.
[[nodiscard]] Result<std::vector<void*>> svmPointers(cl_uint count, void* const* pointers);

/// clEnqueueSVMMigrateMem. CL_INVALID_VALUE when there is nothing to migrate, for unknown flags,
/// and for a range that is not within one allocation of clSVMAlloc.
[[nodiscard]] Result<void> svmMigration(Context& context, cl_uint count,
                                        const void* const* pointers, const size_t* sizes,
                                        cl_mem_migration_flags flags) noexcept;

/// clSetKernelArgDevicePointerEXT. CL_INVALID_ARG_INDEX unless it is the index of an argument that
/// points to global memory.
[[nodiscard]] Result<void> deviceAddressArgument(const Kernel& kernel, cl_uint index) noexcept;

}  // namespace weft::validate
