// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/unified_svm.h"

#include <limits>

#include "memory/svm_types.h"
#include "validate/handles.h"
#include "validate/svm.h"

namespace weft::validate {
namespace {

constexpr khr::cl_svm_alloc_access_flags kAccessFlags =
    khr::kSvmHostNoRead | khr::kSvmHostNoWrite | khr::kSvmDeviceNoRead | khr::kSvmDeviceNoWrite;

bool isSoundAlignment(khr::cl_svm_alloc_properties value) noexcept {
  return value <= std::numeric_limits<cl_uint>::max() &&
         svmAlignment(static_cast<cl_uint>(value)).has_value();
}

/// Takes one property into what is to be allocated.
Result<void> takeProperty(const Context& context, khr::cl_svm_alloc_properties name,
                          khr::cl_svm_alloc_properties value, SvmTraits& traits) noexcept {
  switch (name) {
    case khr::kSvmAllocAssociatedDevice: {
      if (value == 0) return {};
      WEFT_TRY(traits.device, deviceOf(context, reinterpret_cast<cl_device_id>(value)));
      return {};
    }
    case khr::kSvmAllocAccessFlags:
      traits.accessFlags = value;
      return require((value & ~kAccessFlags) == 0, CL_INVALID_PROPERTY);
    case khr::kSvmAllocAlignment:
      return require(isSoundAlignment(value), CL_INVALID_PROPERTY);
    default:
      return clError(CL_INVALID_PROPERTY);
  }
}

}  // namespace

Result<SvmTraits> unifiedSvmProperties(const Context& context,
                                       const khr::cl_svm_alloc_properties* list) noexcept {
  SvmTraits traits;
  if (list == nullptr) return traits;
  SvmProperties& kept = traits.properties;
  for (; *list != 0; list += 2) {
    for (size_t i = 0; i < kept.count; i += 2)
      WEFT_TRY_VOID(require(kept.values[i] != *list, CL_INVALID_PROPERTY));
    WEFT_TRY_VOID(takeProperty(context, list[0], list[1], traits));
    kept.values[kept.count++] = list[0];
    kept.values[kept.count++] = list[1];
  }
  kept.values[kept.count++] = 0;
  return traits;
}

Result<SvmTraits> unifiedSvmAllocation(const Context& context,
                                       const khr::cl_svm_alloc_properties* properties, cl_uint type,
                                       size_t size) noexcept {
  WEFT_TRY_VOID(require(type < kSvmTypes.size(), CL_INVALID_VALUE));
  WEFT_TRY(SvmTraits traits, unifiedSvmProperties(context, properties));
  WEFT_TRY_VOID(svmSize(context, size));
  traits.type = type;
  return traits;
}

Result<void> unifiedSvmFree(const khr::cl_svm_free_properties* properties,
                            khr::cl_svm_free_flags flags) noexcept {
  WEFT_TRY_VOID(require(properties == nullptr || *properties == 0, CL_INVALID_PROPERTY));
  return require(flags == 0, CL_INVALID_VALUE);
}

}  // namespace weft::validate
