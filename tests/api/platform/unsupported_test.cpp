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
  const size_t origin_[3] = {0, 0, 0};
  const size_t region_[3] = {1, 1, 1};
  unsigned char bytes_[64] = {};
  const cl_image_format format_{CL_RGBA, CL_UNORM_INT8};
};

TEST_F(Unsupported, ImagesCannotBeMade) {
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 4;
  const auto error = [&](cl_context context, cl_mem_flags flags, const cl_image_format* format,
                         const cl_image_desc* desc) {
    cl_int code = CL_SUCCESS;
    EXPECT_EQ(clCreateImage(context, flags, format, desc, nullptr, &code), nullptr);
    return code;
  };
  EXPECT_EQ(error(nullptr, 0, &format_, &description), CL_INVALID_CONTEXT);
  EXPECT_EQ(error(context_, cl_mem_flags{1} << 40, &format_, &description), CL_INVALID_VALUE);
  EXPECT_EQ(error(context_, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &format_, &description),
            CL_INVALID_VALUE);
  EXPECT_EQ(error(context_, 0, nullptr, &description), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(error(context_, 0, &format_, nullptr), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(error(context_, 0, &format_, &description), CL_INVALID_OPERATION);

  cl_int code = CL_SUCCESS;
  EXPECT_EQ(clCreateImage2D(context_, 0, &format_, 4, 4, 0, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_OPERATION);
  EXPECT_EQ(clCreateImage3D(context_, 0, &format_, 4, 4, 4, 0, 0, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_OPERATION);
  EXPECT_EQ(
      clCreateImageWithProperties(context_, nullptr, 0, &format_, &description, nullptr, &code),
      nullptr);
  EXPECT_EQ(code, CL_INVALID_OPERATION);
  const cl_mem_properties unknown[] = {0x7777, 1, 0};
  EXPECT_EQ(
      clCreateImageWithProperties(context_, unknown, 0, &format_, &description, nullptr, &code),
      nullptr);
  EXPECT_EQ(code, CL_INVALID_PROPERTY);
}

TEST_F(Unsupported, NoImageFormat) {
  cl_uint count = 7;
  cl_image_format format;
  EXPECT_EQ(clGetSupportedImageFormats(context_, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0,
                                       nullptr, &count),
            CL_SUCCESS);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(clGetSupportedImageFormats(context_, CL_MEM_READ_ONLY, CL_MEM_OBJECT_BUFFER, 0, nullptr,
                                       &count),
            CL_INVALID_VALUE);
  EXPECT_EQ(clGetSupportedImageFormats(context_, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0,
                                       &format, &count),
            CL_INVALID_VALUE);
  EXPECT_EQ(clGetSupportedImageFormats(nullptr, 0, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count),
            CL_INVALID_CONTEXT);
}

TEST_F(Unsupported, ImageCommands) {
  const auto all = [&](cl_command_queue queue, cl_mem image, cl_mem other) {
    cl_int mapped = CL_SUCCESS;
    size_t pitch = 0;
    EXPECT_EQ(clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, origin_, region_, &pitch,
                                nullptr, 0, nullptr, nullptr, &mapped),
              nullptr);
    return std::vector<cl_int>{
        clEnqueueReadImage(queue, image, CL_TRUE, origin_, region_, 0, 0, bytes_, 0, nullptr,
                           nullptr),
        clEnqueueWriteImage(queue, image, CL_TRUE, origin_, region_, 0, 0, bytes_, 0, nullptr,
                            nullptr),
        clEnqueueFillImage(queue, image, bytes_, origin_, region_, 0, nullptr, nullptr),
        clEnqueueCopyImage(queue, image, other, origin_, origin_, region_, 0, nullptr, nullptr),
        clEnqueueCopyImageToBuffer(queue, image, other, origin_, region_, 0, 0, nullptr, nullptr),
        clEnqueueCopyBufferToImage(queue, other, image, 0, origin_, region_, 0, nullptr, nullptr),
        mapped};
  };
  for (cl_int code : all(nullptr, buffer_, buffer_)) EXPECT_EQ(code, CL_INVALID_COMMAND_QUEUE);
  for (cl_int code : all(queue_, nullptr, buffer_)) EXPECT_EQ(code, CL_INVALID_MEM_OBJECT);
  for (cl_int code : all(queue_, buffer_, buffer_)) EXPECT_EQ(code, CL_INVALID_OPERATION);
  const cl_event none = nullptr;
  EXPECT_EQ(clEnqueueFillImage(queue_, buffer_, bytes_, origin_, region_, 1, &none, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueFillImage(queue_, buffer_, bytes_, origin_, region_, 1, nullptr, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  size_t size = 0;
  EXPECT_EQ(clGetImageInfo(buffer_, CL_IMAGE_WIDTH, 0, nullptr, &size), CL_INVALID_MEM_OBJECT);
}

TEST_F(Unsupported, Samplers) {
  cl_int code = CL_SUCCESS;
  EXPECT_EQ(clCreateSampler(context_, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_OPERATION);
  EXPECT_EQ(clCreateSampler(nullptr, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateSamplerWithProperties(context_, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_OPERATION);
  const auto wrong = reinterpret_cast<cl_sampler>(buffer_.get());
  EXPECT_EQ(clRetainSampler(wrong), CL_INVALID_SAMPLER);
  EXPECT_EQ(clReleaseSampler(nullptr), CL_INVALID_SAMPLER);
  EXPECT_EQ(clGetSamplerInfo(nullptr, CL_SAMPLER_CONTEXT, 0, nullptr, nullptr), CL_INVALID_SAMPLER);
}

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
