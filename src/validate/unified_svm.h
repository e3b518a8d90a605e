// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "base/error.h"
#include "context/context.h"
#include "memory/svm.h"
#include "weft/khr/unified_svm.h"

/// Rules of cl_khr_unified_svm.
namespace weft::validate {

/// clSVMAllocWithPropertiesKHR.
///   CL_INVALID_VALUE        no type of this index
///   CL_INVALID_PROPERTY     an unknown or repeated name, unknown access flags, or an alignment
///   that
///                           is no power of two or beyond the largest type
///   CL_INVALID_DEVICE       not a device of the context
///   CL_INVALID_BUFFER_SIZE  zero, or more than a device can hold
[[nodiscard]] Result<SvmTraits> unifiedSvmAllocation(const Context& context,
                                                     const khr::cl_svm_alloc_properties* properties,
                                                     cl_uint type, size_t size) noexcept;

/// The list alone, with the errors above.
[[nodiscard]] Result<SvmTraits> unifiedSvmProperties(
    const Context& context, const khr::cl_svm_alloc_properties* properties) noexcept;

/// clSVMFreeWithPropertiesKHR. CL_INVALID_PROPERTY for any property, CL_INVALID_VALUE for any flag:
/// the extension defines none.
[[nodiscard]] Result<void> unifiedSvmFree(const khr::cl_svm_free_properties* properties,
                                          khr::cl_svm_free_flags flags) noexcept;

}  // namespace weft::validate
