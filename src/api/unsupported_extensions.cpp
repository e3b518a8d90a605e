// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/unsupported_extensions.h"

#include "api/adaptor.h"
#include "validate/handles.h"
#include "validate/unsupported.h"

namespace weft::api {
namespace {

/// A null object of a feature that no device of the context has.
template <class ClHandle>
ClHandle unsupportedObject(cl_context context, cl_int* errcodeRet, const char* function) {
  return api::value(
      errcodeRet,
      [&]() -> Result<ClHandle> {
        WEFT_TRY_VOID(validate::context(context));
        return clError(CL_INVALID_OPERATION);
      },
      function);
}

cl_int noDevices(cl_platform_id platform, cl_uint* count, const char* function) {
  return api::call(
      [&]() -> Result<void> {
        WEFT_TRY_VOID(validate::platform(platform));
        if (count) *count = 0;
        return clError(CL_DEVICE_NOT_FOUND);
      },
      function);
}

}  // namespace

cl_int CL_API_CALL createSubDevicesExt(cl_device_id device, const cl_device_partition_property_ext*,
                                       cl_uint, cl_device_id*, cl_uint* count) {
  return clCreateSubDevices(device, nullptr, 0, nullptr, count);
}

cl_int CL_API_CALL getGlContextInfo(const cl_context_properties*, cl_gl_context_info, size_t, void*,
                                    size_t*) {
  return api::call(
      []() -> Result<void> { return clError(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR); });
}

cl_event CL_API_CALL createEventFromGlSync(cl_context, cl_GLsync, cl_int* errcodeRet) {
  // No context is made from an OpenGL context, which is what this code says.
  return api::value(errcodeRet, []() -> Result<cl_event> { return clError(CL_INVALID_CONTEXT); });
}

cl_mem CL_API_CALL createFromEglImage(cl_context context, CLeglDisplayKHR, CLeglImageKHR,
                                      cl_mem_flags, const cl_egl_image_properties_khr*,
                                      cl_int* errcodeRet) {
  return unsupportedObject<cl_mem>(context, errcodeRet, __func__);
}

cl_event CL_API_CALL createEventFromEglSync(cl_context context, CLeglSyncKHR, CLeglDisplayKHR,
                                            cl_int* errcodeRet) {
  return unsupportedObject<cl_event>(context, errcodeRet, __func__);
}

cl_int CL_API_CALL unsupportedObjectsCommand(cl_command_queue queue, cl_uint, const cl_mem*,
                                             cl_uint eventCount, const cl_event* events,
                                             cl_event*) {
  return api::call([&] { return validate::unsupportedCommand(queue, eventCount, events); });
}

cl_int CL_API_CALL d3dDeviceIds(cl_platform_id platform, cl_uint, void*, cl_uint, cl_uint,
                                cl_device_id*, cl_uint* count) {
  return noDevices(platform, count, __func__);
}

cl_int CL_API_CALL mediaDeviceIds(cl_platform_id platform, cl_uint, cl_uint*, void*, cl_uint,
                                  cl_uint, cl_device_id*, cl_uint* count) {
  return noDevices(platform, count, __func__);
}

cl_mem CL_API_CALL createFromD3dBuffer(cl_context context, cl_mem_flags, void*,
                                       cl_int* errcodeRet) {
  return unsupportedObject<cl_mem>(context, errcodeRet, __func__);
}

cl_mem CL_API_CALL createFromD3dTexture(cl_context context, cl_mem_flags, void*, cl_uint,
                                        cl_int* errcodeRet) {
  return unsupportedObject<cl_mem>(context, errcodeRet, __func__);
}

cl_mem CL_API_CALL createFromMediaSurface(cl_context context, cl_mem_flags, cl_uint, void*, cl_uint,
                                          cl_int* errcodeRet) {
  return unsupportedObject<cl_mem>(context, errcodeRet, __func__);
}

}  // namespace weft::api
