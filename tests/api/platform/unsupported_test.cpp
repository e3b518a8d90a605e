// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CL/cl_gl.h>
#include <gtest/gtest.h>

#include "support/objects.h"

// Features that no device has: argument checks first, then the error that says so. Every object
// in the fixture is real, so a call that forgets to refuse would do something.

namespace weft::test {
namespace {

class Unsupported : public testing::Test {
 protected:
  void SetUp() override {
    context_ = makeContext();
    queue_ = makeQueue(context_);
    cl_int error = CL_INVALID_VALUE;
    buffer_ = MemoryHolder(clCreateBuffer(context_, CL_MEM_READ_WRITE, 64, nullptr, &error));
    ASSERT_EQ(error, CL_SUCCESS);
  }

  ContextHolder context_;
  QueueHolder queue_;
  MemoryHolder buffer_;
};

TEST_F(Unsupported, OpenGlSharing) {
  cl_int code = CL_SUCCESS;
  EXPECT_EQ(clCreateFromGLBuffer(context_, 0, 1, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateFromGLTexture(context_, 0, 0, 0, 1, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateFromGLTexture2D(context_, 0, 0, 0, 1, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateFromGLTexture3D(context_, 0, 0, 0, 1, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateFromGLRenderbuffer(context_, 0, 1, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clGetGLObjectInfo(nullptr, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clGetGLObjectInfo(buffer_, nullptr, nullptr), CL_INVALID_GL_OBJECT);
  EXPECT_EQ(clGetGLTextureInfo(buffer_, CL_GL_TEXTURE_TARGET, 0, nullptr, nullptr),
            CL_INVALID_GL_OBJECT);
  const cl_mem object = buffer_;
  EXPECT_EQ(clEnqueueAcquireGLObjects(nullptr, 1, &object, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueAcquireGLObjects(queue_, 1, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueAcquireGLObjects(queue_, 1, &object, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(clEnqueueReleaseGLObjects(queue_, 1, &object, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
}

}  // namespace
}  // namespace weft::test
