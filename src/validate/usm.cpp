// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/usm.h"

#include "validate/handles.h"
#include "validate/svm.h"

namespace weft::validate {
namespace {

constexpr cl_mem_alloc_flags_intel kPlacement =
    CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

constexpr bool soundFlags(cl_mem_alloc_flags_intel flags, SvmKind kind) {
  const cl_mem_alloc_flags_intel placement = flags & kPlacement;
  return (flags & ~(CL_MEM_ALLOC_WRITE_COMBINED_INTEL | kPlacement)) == 0 &&
         placement != kPlacement && (placement == 0 || kind == SvmKind::UsmShared);
}

/// The value of CL_MEM_ALLOC_FLAGS_INTEL; 0 when it is not in the list.
Result<cl_mem_alloc_flags_intel> allocationFlags(const cl_mem_properties_intel* list,
                                                 SvmKind kind) noexcept {
  cl_mem_alloc_flags_intel flags = 0;
  if (list == nullptr) return flags;
  bool given = false;
  for (; list[0] != 0; list += 2) {
    const bool sound = list[0] == CL_MEM_ALLOC_FLAGS_INTEL && !given && soundFlags(list[1], kind);
    WEFT_TRY_VOID(require(sound, CL_INVALID_PROPERTY));
    given = true;
    flags = list[1];
  }
  return flags;
}

/// The device that an allocation is associated with; null when there is none.
Result<Device*> associated(const Context& context, SvmKind kind, cl_device_id handle) noexcept {
  const bool mayBeNull = kind != SvmKind::UsmDevice;
  if (handle == nullptr && mayBeNull) return nullptr;
  return deviceOf(context, handle);
}

}  // namespace

Result<UsmRequest> usmAllocation(const UsmArguments& arguments) noexcept {
  const SvmKind kind = arguments.kind;
  WEFT_TRY(Context * found, context(arguments.context));
  WEFT_TRY(Device * device, associated(*found, kind, arguments.device));
  WEFT_TRY_VOID(svmAlignment(arguments.alignment));
  WEFT_TRY(const cl_mem_alloc_flags_intel flags, allocationFlags(arguments.properties, kind));
  if (device == nullptr)
    WEFT_TRY_VOID(svmSize(*found, arguments.size));
  else
    WEFT_TRY_VOID(require(arguments.size != 0 && arguments.size <= device->maxAllocation(),
                          CL_INVALID_BUFFER_SIZE));
  return UsmRequest{*found, {.kind = kind, .usmFlags = flags, .device = device}};
}

Result<void> usmAdvice(cl_mem_advice_intel advice) noexcept {
  return require(advice == 0, CL_INVALID_VALUE);
}

}  // namespace weft::validate
