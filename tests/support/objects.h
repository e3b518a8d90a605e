// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>
#include <gtest/gtest.h>

#include <utility>

/// Holders of API objects for tests that link the library itself.
namespace weft::test {

/// Releases an object at the end of its scope. `kRelease` is clReleaseContext and the like.
template <class Handle, cl_int (*kRelease)(Handle)>
class Holder {
 public:
  Holder() = default;
  explicit Holder(Handle handle) : handle_(handle) {}
  Holder(Holder&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Holder& operator=(Holder&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Holder() { reset(); }

  void reset() {
    if (handle_) {
      EXPECT_EQ(kRelease(handle_), CL_SUCCESS);
    }
    handle_ = nullptr;
  }
  Handle get() const { return handle_; }
  operator Handle() const { return handle_; }

 private:
  Handle handle_ = nullptr;
};

using ContextHolder = Holder<cl_context, clReleaseContext>;
using QueueHolder = Holder<cl_command_queue, clReleaseCommandQueue>;
using MemoryHolder = Holder<cl_mem, clReleaseMemObject>;
using ProgramHolder = Holder<cl_program, clReleaseProgram>;
using SamplerHolder = Holder<cl_sampler, clReleaseSampler>;
using KernelHolder = Holder<cl_kernel, clReleaseKernel>;
using EventHolder = Holder<cl_event, clReleaseEvent>;

inline cl_platform_id platform() {
  cl_platform_id found = nullptr;
  EXPECT_EQ(clGetPlatformIDs(1, &found, nullptr), CL_SUCCESS);
  return found;
}

inline cl_device_id device() {
  cl_device_id found = nullptr;
  EXPECT_EQ(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 1, &found, nullptr), CL_SUCCESS);
  return found;
}

inline ContextHolder makeContext() {
  const cl_device_id only = device();
  cl_int error = CL_INVALID_VALUE;
  ContextHolder context(clCreateContext(nullptr, 1, &only, nullptr, nullptr, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  return context;
}

inline QueueHolder makeQueue(cl_context context, cl_command_queue_properties properties = 0) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_int error = CL_INVALID_VALUE;
  QueueHolder queue(clCreateCommandQueueWithProperties(context, device(), list, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  return queue;
}

}  // namespace weft::test
