// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/usm.h"
#include "memory/svm.h"
#include "queue/graph.h"

#include <CL/cl_ext.h>

#include <array>

#include "api/adaptor.h"
#include "api/info.h"
#include "api/svm_commands.h"
#include "validate/handles.h"
#include "validate/memory.h"

// cl_intel_unified_shared_memory, but for clSetKernelArgMemPointerINTEL. All memory is the host's:
// migration and advice only take their place in the order of commands.

namespace weft {
namespace {

using api::InfoRow;
using api::InfoWriter;

cl_unified_shared_memory_type_intel usmType(SvmKind kind) noexcept {
  switch (kind) {
    case SvmKind::UsmHost:
      return CL_MEM_TYPE_HOST_INTEL;
    case SvmKind::UsmDevice:
      return CL_MEM_TYPE_DEVICE_INTEL;
    case SvmKind::UsmShared:
      return CL_MEM_TYPE_SHARED_INTEL;
    case SvmKind::Svm:
      break;
  }
  return CL_MEM_TYPE_UNKNOWN_INTEL;
}

// A range that is not known is empty, has no device and no flags.
constexpr std::array kUsmInfo{
    InfoRow<SvmRange>{CL_MEM_ALLOC_TYPE_INTEL,
                      [](const SvmRange& range, const InfoWriter& out) {
                        return out.value(usmType(range.traits.kind));
                      }},
    InfoRow<SvmRange>{CL_MEM_ALLOC_BASE_PTR_INTEL,
                      [](const SvmRange& range, const InfoWriter& out) {
                        return out.value(static_cast<void*>(range.base));
                      }},
    InfoRow<SvmRange>{
        CL_MEM_ALLOC_SIZE_INTEL,
        [](const SvmRange& range, const InfoWriter& out) { return out.value(range.size); }},
    InfoRow<SvmRange>{CL_MEM_ALLOC_DEVICE_INTEL,
                      [](const SvmRange& range, const InfoWriter& out) {
                        Device* const device = range.traits.device;
                        return out.value(device ? device->handle() : cl_device_id{nullptr});
                      }},
    InfoRow<SvmRange>{CL_MEM_ALLOC_FLAGS_INTEL,
                      [](const SvmRange& range, const InfoWriter& out) {
                        return out.value(range.traits.usmFlags);
                      }},
};

Result<void*> allocate(const validate::UsmArguments& arguments) {
  WEFT_TRY(const validate::UsmRequest request, validate::usmAllocation(arguments));
  void* const pointer =
      SvmRegistry::instance().allocate(request.context, arguments.size, request.traits);
  WEFT_TRY_VOID(require(pointer != nullptr, CL_OUT_OF_HOST_MEMORY));
  return pointer;
}

/// CL_INVALID_VALUE when it is not the start of an allocation.
Result<void> free(Context& context, void* pointer) {
  if (pointer == nullptr) return {};
  return require(SvmRegistry::instance().free(context, pointer, true), CL_INVALID_VALUE);
}

/// The allocation of USM that `pointer` points into; else an empty range.
SvmRange usmRange(Context& context, const void* pointer) {
  const auto found = SvmRegistry::instance().find(context, pointer);
  return found && isUsm(found->traits.kind) ? *found : SvmRange{};
}

}  // namespace
}  // namespace weft

using namespace weft;

extern "C" {

CL_API_ENTRY void* CL_API_CALL clHostMemAllocINTEL(cl_context context,
                                                   const cl_mem_properties_intel* properties,
                                                   size_t size, cl_uint alignment,
                                                   cl_int* errcode_ret) {
  return api::value(errcode_ret, [&] {
    return allocate({context, SvmKind::UsmHost, nullptr, properties, size, alignment});
  });
}

CL_API_ENTRY void* CL_API_CALL clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                                                     const cl_mem_properties_intel* properties,
                                                     size_t size, cl_uint alignment,
                                                     cl_int* errcode_ret) {
  return api::value(errcode_ret, [&] {
    return allocate({context, SvmKind::UsmDevice, device, properties, size, alignment});
  });
}

CL_API_ENTRY void* CL_API_CALL clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                                                     const cl_mem_properties_intel* properties,
                                                     size_t size, cl_uint alignment,
                                                     cl_int* errcode_ret) {
  return api::value(errcode_ret, [&] {
    return allocate({context, SvmKind::UsmShared, device, properties, size, alignment});
  });
}

CL_API_ENTRY cl_int CL_API_CALL clMemFreeINTEL(cl_context context, void* ptr) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Context * found, validate::anyContext(context));
    return free(*found, ptr);
  });
}

/// Waits for all commands of the context: a kernel may use memory that nothing tells of.
CL_API_ENTRY cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context context, void* ptr) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Context * found, validate::anyContext(context));
    if (ptr == nullptr) return {};
    WEFT_TRY_VOID(require(usmRange(*found, ptr).base == ptr, CL_INVALID_VALUE));
    Graph::instance().finish(*found);
    return free(*found, ptr);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetMemAllocInfoINTEL(cl_context context, const void* ptr,
                                                       cl_mem_info_intel param_name,
                                                       size_t param_value_size, void* param_value,
                                                       size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Context * found, validate::anyContext(context));
    return api::queryInfo<SvmRange>(kUsmInfo, usmRange(*found, ptr), param_name, param_value_size,
                                    param_value, param_value_size_ret);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemFillINTEL(cl_command_queue command_queue, void* dst_ptr,
                                                      const void* pattern, size_t pattern_size,
                                                      size_t size, cl_uint num_events_in_wait_list,
                                                      const cl_event* event_wait_list,
                                                      cl_event* event) {
  return api::call([&] {
    return api::enqueueMemFill({command_queue, CL_COMMAND_MEMFILL_INTEL, CL_FALSE,
                                num_events_in_wait_list, event_wait_list, event},
                               dst_ptr, pattern, pattern_size, size);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemcpyINTEL(cl_command_queue command_queue,
                                                     cl_bool blocking, void* dst_ptr,
                                                     const void* src_ptr, size_t size,
                                                     cl_uint num_events_in_wait_list,
                                                     const cl_event* event_wait_list,
                                                     cl_event* event) {
  return api::call([&] {
    return api::enqueueMemcpy({command_queue, CL_COMMAND_MEMCPY_INTEL, blocking,
                               num_events_in_wait_list, event_wait_list, event},
                              dst_ptr, src_ptr, size);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMigrateMemINTEL(
    cl_command_queue command_queue, const void*, size_t, cl_mem_migration_flags flags,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return api::call([&] {
    return api::enqueueNoBytes({command_queue, CL_COMMAND_MIGRATEMEM_INTEL, CL_FALSE,
                                num_events_in_wait_list, event_wait_list, event},
                               validate::migrationFlags(flags));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemAdviseINTEL(cl_command_queue command_queue, const void*,
                                                        size_t, cl_mem_advice_intel advice,
                                                        cl_uint num_events_in_wait_list,
                                                        const cl_event* event_wait_list,
                                                        cl_event* event) {
  return api::call([&] {
    return api::enqueueNoBytes({command_queue, CL_COMMAND_MEMADVISE_INTEL, CL_FALSE,
                                num_events_in_wait_list, event_wait_list, event},
                               validate::usmAdvice(advice));
  });
}

}  // extern "C"
