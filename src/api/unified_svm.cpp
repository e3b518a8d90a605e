// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/unified_svm.h"
#include "memory/svm.h"
#include "memory/svm_types.h"

#include <array>
#include <bit>
#include <span>

#include "api/adaptor.h"
#include "api/info.h"
#include "validate/handles.h"

// cl_khr_unified_svm. Its allocations are those of clSVMAlloc, with more to be told of them.

namespace weft {
namespace {

using api::InfoRow;
using api::InfoWriter;

constexpr cl_uint kNoType = CL_UINT_MAX;

/// What is told of a pointer; it may point into nothing.
using Found = std::optional<SvmRange>;

constexpr std::array kPointerInfo{
    InfoRow<Found>{khr::kSvmInfoTypeIndex,
                   [](const Found& found, const InfoWriter& out) {
                     return out.value(found ? found->traits.type : kNoType);
                   }},
    InfoRow<Found>{khr::kSvmInfoCapabilities,
                   [](const Found& found, const InfoWriter& out) {
                     return out.value(found ? kSvmTypes[found->traits.type]
                                            : khr::cl_svm_capabilities{0});
                   }},
    InfoRow<Found>{khr::kSvmInfoProperties,
                   [](const Found& found, const InfoWriter& out) {
                     const SvmProperties list = found ? found->traits.properties : SvmProperties{};
                     return out.array(std::span(list.values).first(list.count));
                   }},
    InfoRow<Found>{khr::kSvmInfoAccessFlags,
                   [](const Found& found, const InfoWriter& out) {
                     return out.value(found ? found->traits.accessFlags
                                            : khr::cl_svm_alloc_access_flags{0});
                   }},
    InfoRow<Found>{khr::kSvmInfoBasePointer,
                   [](const Found& found, const InfoWriter& out) {
                     return out.value(static_cast<void*>(found ? found->base : nullptr));
                   }},
    InfoRow<Found>{khr::kSvmInfoSize,
                   [](const Found& found, const InfoWriter& out) {
                     return out.value(found ? found->size : size_t{0});
                   }},
    InfoRow<Found>{khr::kSvmInfoAssociatedDevice,
                   [](const Found& found, const InfoWriter& out) {
                     Device* const device = found ? found->traits.device : nullptr;
                     return out.value(device ? device->handle() : cl_device_id{nullptr});
                   }},
};

/// The type that has all of `required` and most of `desired`; kNoType for none.
cl_uint suggestedType(khr::cl_svm_capabilities required,
                      khr::cl_svm_capabilities desired) noexcept {
  cl_uint best = kNoType;
  int most = -1;
  for (cl_uint i = 0; i < kSvmTypes.size(); ++i) {
    const int wishes = std::popcount(kSvmTypes[i] & desired);
    if ((required & ~kSvmTypes[i]) != 0 || wishes <= most) continue;
    best = i;
    most = wishes;
  }
  return best;
}

}  // namespace

void* CL_API_CALL khr::clSVMAllocWithPropertiesKHR(cl_context context,
                                                   const cl_svm_alloc_properties* properties,
                                                   cl_uint svm_type_index, size_t size,
                                                   cl_int* errcode_ret) {
  return api::value(errcode_ret, [&]() -> Result<void*> {
    WEFT_TRY(Context * found, validate::context(context));
    WEFT_TRY(const SvmTraits traits,
             validate::unifiedSvmAllocation(*found, properties, svm_type_index, size));
    void* const pointer = SvmRegistry::instance().allocate(*found, size, traits);
    WEFT_TRY_VOID(require(pointer != nullptr, CL_OUT_OF_HOST_MEMORY));
    return pointer;
  });
}

cl_int CL_API_CALL khr::clSVMFreeWithPropertiesKHR(cl_context context,
                                                   const cl_svm_free_properties* properties,
                                                   cl_svm_free_flags flags, void* ptr) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Context * found, validate::anyContext(context));
    WEFT_TRY_VOID(validate::unifiedSvmFree(properties, flags));
    if (ptr == nullptr) return {};
    return require(SvmRegistry::instance().free(*found, ptr, false), CL_INVALID_VALUE);
  });
}

cl_int CL_API_CALL khr::clGetSVMPointerInfoKHR(cl_context context, cl_device_id device,
                                               const void* ptr, cl_svm_pointer_info param_name,
                                               size_t param_value_size, void* param_value,
                                               size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Context * found, validate::anyContext(context));
    // Types can do the same on all devices.
    if (device != nullptr) WEFT_TRY_VOID(validate::deviceOf(*found, device));
    return api::queryInfo<Found>(kPointerInfo, SvmRegistry::instance().findSvm(*found, ptr),
                                 param_name, param_value_size, param_value, param_value_size_ret);
  });
}

cl_int CL_API_CALL khr::clGetSVMSuggestedTypeIndexKHR(cl_context context,
                                                      cl_svm_capabilities required_capabilities,
                                                      cl_svm_capabilities desired_capabilities,
                                                      const cl_svm_alloc_properties* properties,
                                                      size_t, cl_uint* suggested_svm_type_index) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Context * found, validate::anyContext(context));
    WEFT_TRY_VOID(validate::unifiedSvmProperties(*found, properties));
    WEFT_TRY_VOID(require(suggested_svm_type_index != nullptr, CL_INVALID_VALUE));
    *suggested_svm_type_index = suggestedType(required_capabilities, desired_capabilities);
    return {};
  });
}

}  // namespace weft
