// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CL/cl_gl.h>

#include "api/adaptor.h"
#include "validate/handles.h"
#include "validate/unsupported.h"

// Sharing with OpenGL. No context of ours is ever made from an OpenGL context, and that is what
// CL_INVALID_CONTEXT says here.

using namespace weft;

namespace {

Result<cl_mem> noGlContext() { return clError(CL_INVALID_CONTEXT); }

Result<void> noGlObject(cl_mem memory) {
  WEFT_TRY_VOID(validate::tagged(memory, HandleTag::Memory, CL_INVALID_MEM_OBJECT));
  return clError(CL_INVALID_GL_OBJECT);
}

Result<void> glCommand(cl_command_queue queue, cl_uint count, const cl_mem* objects, cl_uint events,
                       const cl_event* waitList) {
  WEFT_TRY_VOID(validate::tagged(queue, HandleTag::Queue, CL_INVALID_COMMAND_QUEUE));
  WEFT_TRY_VOID(require((count == 0) == (objects == nullptr), CL_INVALID_VALUE));
  WEFT_TRY_VOID(validate::waitListShape(events, waitList));
  return clError(CL_INVALID_CONTEXT);
}

}  // namespace

extern "C" {

CL_API_ENTRY cl_mem CL_API_CALL clCreateFromGLBuffer(cl_context context, cl_mem_flags flags,
                                                     cl_GLuint bufobj, cl_int* errcode_ret) {
  return api::value(errcode_ret, noGlContext);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateFromGLTexture(cl_context context, cl_mem_flags flags,
                                                      cl_GLenum target, cl_GLint miplevel,
                                                      cl_GLuint texture, cl_int* errcode_ret) {
  return api::value(errcode_ret, noGlContext);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateFromGLTexture2D(cl_context context, cl_mem_flags flags,
                                                        cl_GLenum target, cl_GLint miplevel,
                                                        cl_GLuint texture, cl_int* errcode_ret) {
  return api::value(errcode_ret, noGlContext);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateFromGLTexture3D(cl_context context, cl_mem_flags flags,
                                                        cl_GLenum target, cl_GLint miplevel,
                                                        cl_GLuint texture, cl_int* errcode_ret) {
  return api::value(errcode_ret, noGlContext);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateFromGLRenderbuffer(cl_context context, cl_mem_flags flags,
                                                           cl_GLuint renderbuffer,
                                                           cl_int* errcode_ret) {
  return api::value(errcode_ret, noGlContext);
}

CL_API_ENTRY cl_int CL_API_CALL clGetGLObjectInfo(cl_mem memobj, cl_gl_object_type* gl_object_type,
                                                  cl_GLuint* gl_object_name) {
  return api::call([&] { return noGlObject(memobj); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetGLTextureInfo(cl_mem memobj, cl_gl_texture_info param_name,
                                                   size_t param_value_size, void* param_value,
                                                   size_t* param_value_size_ret) {
  return api::call([&] { return noGlObject(memobj); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueAcquireGLObjects(
    cl_command_queue command_queue, cl_uint num_objects, const cl_mem* mem_objects,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return api::call([&] {
    return glCommand(command_queue, num_objects, mem_objects, num_events_in_wait_list,
                     event_wait_list);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReleaseGLObjects(
    cl_command_queue command_queue, cl_uint num_objects, const cl_mem* mem_objects,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return api::call([&] {
    return glCommand(command_queue, num_objects, mem_objects, num_events_in_wait_list,
                     event_wait_list);
  });
}

}  // extern "C"
