// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl_icd.h>

/// Functions for the slots of extensions that are not there. On other systems the loader has
/// these slots filled by whoever supports the extension; here they must fail, not crash.
namespace weft::api {

cl_int CL_API_CALL createSubDevicesExt(cl_device_id device,
                                       const cl_device_partition_property_ext* properties,
                                       cl_uint entries, cl_device_id* devices, cl_uint* count);

cl_int CL_API_CALL getGlContextInfo(const cl_context_properties* properties,
                                    cl_gl_context_info parameter, size_t size, void* value,
                                    size_t* sizeRet);
cl_event CL_API_CALL createEventFromGlSync(cl_context context, cl_GLsync sync, cl_int* errcodeRet);

cl_mem CL_API_CALL createFromEglImage(cl_context context, CLeglDisplayKHR display,
                                      CLeglImageKHR image, cl_mem_flags flags,
                                      const cl_egl_image_properties_khr* properties,
                                      cl_int* errcodeRet);
cl_event CL_API_CALL createEventFromEglSync(cl_context context, CLeglSyncKHR sync,
                                            CLeglDisplayKHR display, cl_int* errcodeRet);

/// Acquire and release commands of every sharing extension have this signature.
cl_int CL_API_CALL unsupportedObjectsCommand(cl_command_queue queue, cl_uint objectCount,
                                             const cl_mem* objects, cl_uint eventCount,
                                             const cl_event* events, cl_event* event);

// Direct3D 10 and 11, DirectX 9 media: the types are those of 64-bit Windows' headers, which are
// enumerations, pointers and unsigned ints.
cl_int CL_API_CALL d3dDeviceIds(cl_platform_id platform, cl_uint source, void* object, cl_uint set,
                                cl_uint entries, cl_device_id* devices, cl_uint* count);
cl_int CL_API_CALL mediaDeviceIds(cl_platform_id platform, cl_uint adapterCount,
                                  cl_uint* adapterTypes, void* adapters, cl_uint set,
                                  cl_uint entries, cl_device_id* devices, cl_uint* count);
cl_mem CL_API_CALL createFromD3dBuffer(cl_context context, cl_mem_flags flags, void* resource,
                                       cl_int* errcodeRet);
cl_mem CL_API_CALL createFromD3dTexture(cl_context context, cl_mem_flags flags, void* resource,
                                        cl_uint subresource, cl_int* errcodeRet);
cl_mem CL_API_CALL createFromMediaSurface(cl_context context, cl_mem_flags flags,
                                          cl_uint adapterType, void* surface, cl_uint plane,
                                          cl_int* errcodeRet);

}  // namespace weft::api
