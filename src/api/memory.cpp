// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/memory.h"

#include <array>

#include "api/adaptor.h"
#include "api/external_memory.h"
#include "api/info.h"
#include "validate/memory.h"
#include "validate/svm.h"
#include "weft/khr/buffer_device_address.h"

// clCreateBuffer, clCreateBufferWithProperties, clCreateSubBuffer, clRetainMemObject,
// clReleaseMemObject, clGetMemObjectInfo, clSetMemObjectDestructorCallback.

namespace weft {
namespace {

using api::InfoRow;
using api::InfoWriter;

/// Of each device of the context; they all use the one place in memory.
Result<void> deviceAddresses(const Memory& memory, const InfoWriter& out) {
  WEFT_TRY_VOID(require(memory.properties().hasFixedAddress, CL_INVALID_OPERATION));
  const std::vector<khr::cl_mem_device_address> addresses(
      memory.context().devices().size(), reinterpret_cast<uintptr_t>(memory.data()));
  return out.array(std::span(addresses));
}

constexpr std::array kMemoryInfo{
    InfoRow<Memory>{CL_MEM_TYPE, [](const Memory& memory,
                                    const InfoWriter& out) { return out.value(memory.type()); }},
    InfoRow<Memory>{CL_MEM_FLAGS, [](const Memory& memory,
                                     const InfoWriter& out) { return out.value(memory.flags()); }},
    InfoRow<Memory>{CL_MEM_SIZE, [](const Memory& memory,
                                    const InfoWriter& out) { return out.value(memory.size()); }},
    InfoRow<Memory>{CL_MEM_HOST_PTR,
                    [](const Memory& memory, const InfoWriter& out) {
                      return out.value(memory.hostPointer());
                    }},
    InfoRow<Memory>{
        CL_MEM_MAP_COUNT,
        [](const Memory& memory, const InfoWriter& out) { return out.value(memory.mapCount()); }},
    InfoRow<Memory>{CL_MEM_REFERENCE_COUNT,
                    [](const Memory& memory, const InfoWriter& out) {
                      return out.value(cl_uint{memory.applicationRefs()});
                    }},
    InfoRow<Memory>{CL_MEM_CONTEXT,
                    [](const Memory& memory, const InfoWriter& out) {
                      return out.value(memory.context().handle());
                    }},
    InfoRow<Memory>{CL_MEM_ASSOCIATED_MEMOBJECT,
                    [](const Memory& memory, const InfoWriter& out) {
                      Memory* const parent = memory.parent();
                      return out.value(parent ? parent->handle() : cl_mem{nullptr});
                    }},
    InfoRow<Memory>{
        CL_MEM_OFFSET,
        [](const Memory& memory, const InfoWriter& out) { return out.value(memory.offset()); }},
    InfoRow<Memory>{CL_MEM_USES_SVM_POINTER,
                    [](const Memory& memory, const InfoWriter& out) {
                      return out.value(cl_bool{memory.usesSvmPointer()});
                    }},
    InfoRow<Memory>{khr::kMemDeviceAddress, deviceAddresses},
    InfoRow<Memory>{CL_MEM_PROPERTIES,
                    [](const Memory& memory, const InfoWriter& out) {
                      return out.array(
                          std::span<const cl_mem_properties>(memory.properties().list));
                    }},
};

Result<Ref<Buffer>> createBuffer(cl_context context, const cl_mem_properties* properties,
                                 cl_mem_flags flags, size_t size, void* hostPointer) {
  WEFT_TRY(Context * found, validate::context(context));
  WEFT_TRY(MemoryProperties given, validate::bufferProperties(*found, properties));
  WEFT_TRY(const cl_mem_flags complete, validate::completeFlags(flags, given.isExternal()));
  WEFT_TRY_VOID(validate::hostPointer(complete, hostPointer));
  WEFT_TRY_VOID(validate::bufferSize(*found, size));
  WEFT_TRY_VOID(validate::svmHostPointer(*found, hostPointer, size));
  WEFT_TRY_VOID(validate::externalSize(given, size, CL_INVALID_BUFFER_SIZE));
  return Buffer::create(*found, complete, size, hostPointer, std::move(given));
}

}  // namespace
}  // namespace weft

using namespace weft;

extern "C" {

CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                               void* host_ptr, cl_int* errcode_ret) {
  return api::create(errcode_ret,
                     [&] { return createBuffer(context, nullptr, flags, size, host_ptr); });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context,
                                                             const cl_mem_properties* properties,
                                                             cl_mem_flags flags, size_t size,
                                                             void* host_ptr, cl_int* errcode_ret) {
  return api::takeExternalHandle(api::create(
      errcode_ret, [&] { return createBuffer(context, properties, flags, size, host_ptr); }));
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                                  cl_buffer_create_type buffer_create_type,
                                                  const void* buffer_create_info,
                                                  cl_int* errcode_ret) {
  return api::create(errcode_ret, [&]() -> Result<Ref<Buffer>> {
    WEFT_TRY(Buffer * parent, validate::buffer(buffer));
    WEFT_TRY_VOID(require(parent->parent() == nullptr, CL_INVALID_MEM_OBJECT));
    WEFT_TRY(const cl_mem_flags complete, validate::partFlags(*parent, flags));
    WEFT_TRY(const cl_buffer_region region,
             validate::subBufferRegion(*parent, buffer_create_type, buffer_create_info));
    return Buffer::createSub(*parent, complete, region.origin, region.size);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainMemObject(cl_mem memobj) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Memory * memory, validate::memory(memobj));
    memory->retainApplication();
    return {};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseMemObject(cl_mem memobj) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Memory * memory, validate::memory(memobj));
    return require(memory->releaseApplication(), CL_INVALID_MEM_OBJECT);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memobj, cl_mem_info param_name,
                                                   size_t param_value_size, void* param_value,
                                                   size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Memory* memory, validate::memory(memobj));
    return api::queryInfo<Memory>(kMemoryInfo, *memory, param_name, param_value_size, param_value,
                                  param_value_size_ret);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetMemObjectDestructorCallback(
    cl_mem memobj, Memory::DestructorCallback pfn_notify, void* user_data) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Memory * memory, validate::memory(memobj));
    WEFT_TRY_VOID(require(pfn_notify != nullptr, CL_INVALID_VALUE));
    memory->addDestructorCallback(pfn_notify, user_data);
    return {};
  });
}

}  // extern "C"
