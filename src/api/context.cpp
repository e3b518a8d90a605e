// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "context/context.h"

#include <array>

#include "api/adaptor.h"
#include "api/info.h"
#include "queue/graph.h"
#include "validate/context.h"
#include "validate/handles.h"

// clCreateContext, clCreateContextFromType, clRetainContext, clReleaseContext, clGetContextInfo,
// clSetContextDestructorCallback, clTerminateContextKHR.

namespace weft {
namespace {

using api::InfoRow;
using api::InfoWriter;

Result<void> deviceHandles(const Context& context, const InfoWriter& out) {
  std::vector<cl_device_id> handles;
  for (Device* device : context.devices()) handles.push_back(device->handle());
  return out.array(std::span<const cl_device_id>(handles));
}

constexpr std::array kContextInfo{
    InfoRow<Context>{CL_CONTEXT_REFERENCE_COUNT,
                     [](const Context& context, const InfoWriter& out) {
                       return out.value(cl_uint{context.applicationRefs()});
                     }},
    InfoRow<Context>{CL_CONTEXT_NUM_DEVICES,
                     [](const Context& context, const InfoWriter& out) {
                       return out.value(static_cast<cl_uint>(context.devices().size()));
                     }},
    InfoRow<Context>{CL_CONTEXT_DEVICES, deviceHandles},
    InfoRow<Context>{CL_CONTEXT_PROPERTIES,
                     [](const Context& context, const InfoWriter& out) {
                       return out.array(context.properties());
                     }},
};

}  // namespace
}  // namespace weft

using namespace weft;

extern "C" {

CL_API_ENTRY cl_context CL_API_CALL clCreateContext(const cl_context_properties* properties,
                                                    cl_uint num_devices,
                                                    const cl_device_id* devices,
                                                    Context::Notify pfn_notify, void* user_data,
                                                    cl_int* errcode_ret) {
  return api::create(errcode_ret, [&]() -> Result<Ref<Context>> {
    WEFT_TRY(auto list, validate::contextProperties(properties));
    WEFT_TRY_VOID(validate::contextCallback(pfn_notify, user_data));
    WEFT_TRY(auto found, validate::contextDevices(num_devices, devices));
    return makeRef<Context>(Platform::instance(), std::move(found), std::move(list), pfn_notify,
                            user_data);
  });
}

CL_API_ENTRY cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties* properties,
                                                            cl_device_type device_type,
                                                            Context::Notify pfn_notify,
                                                            void* user_data, cl_int* errcode_ret) {
  return api::create(errcode_ret, [&]() -> Result<Ref<Context>> {
    WEFT_TRY(auto list, validate::contextProperties(properties));
    WEFT_TRY_VOID(validate::contextCallback(pfn_notify, user_data));
    WEFT_TRY_VOID(validate::deviceType(device_type));
    WEFT_TRY_VOID(require(Device::matches(device_type), CL_DEVICE_NOT_FOUND));
    Platform& platform = Platform::instance();
    return makeRef<Context>(platform, std::vector{&platform.device()}, std::move(list), pfn_notify,
                            user_data);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainContext(cl_context context) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Context * found, validate::anyContext(context));
    found->retainApplication();
    return {};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseContext(cl_context context) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Context * found, validate::anyContext(context));
    return require(found->releaseApplication(), CL_INVALID_CONTEXT);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clTerminateContextKHR(cl_context context) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Context * found, validate::anyContext(context));
    return Graph::instance().terminate(*found);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info param_name,
                                                 size_t param_value_size, void* param_value,
                                                 size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Context* found, validate::anyContext(context));
    return api::queryInfo<Context>(kContextInfo, *found, param_name, param_value_size, param_value,
                                   param_value_size_ret);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetContextDestructorCallback(
    cl_context context, Context::DestructorCallback pfn_notify, void* user_data) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Context * found, validate::context(context));
    WEFT_TRY_VOID(require(pfn_notify != nullptr, CL_INVALID_VALUE));
    return found->addDestructorCallback(pfn_notify, user_data);
  });
}

}  // extern "C"
