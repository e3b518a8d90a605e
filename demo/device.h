// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <array>
#include <memory>
#include <string>
#include <type_traits>

namespace weft::demo {

/// Throws std::runtime_error with the name of the call that failed.
void check(cl_int code, const char* what);

/// Owns one OpenCL object.
template <class Handle, cl_int (*kRelease)(Handle)>
struct Release {
  using pointer = Handle;
  void operator()(Handle handle) const { kRelease(handle); }
};
template <class Handle, cl_int (*kRelease)(Handle)>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Release<Handle, kRelease>>;
using Context = Owned<cl_context, clReleaseContext>;
using Queue = Owned<cl_command_queue, clReleaseCommandQueue>;
using Program = Owned<cl_program, clReleaseProgram>;
using Kernel = Owned<cl_kernel, clReleaseKernel>;
using Memory = Owned<cl_mem, clReleaseMemObject>;
using Sampler = Owned<cl_sampler, clReleaseSampler>;
using Event = Owned<cl_event, clReleaseEvent>;

/// What one run of a filter on an OpenCL device took.
struct Timing {
  double buildMilliseconds = 0;
  double kernelMilliseconds = 0;  ///< best of several launches
};

/// The first OpenCL device, with a context and a queue. Throws std::runtime_error when a call
/// fails.
class Device {
 public:
  Device();

  std::string name() const;
  cl_context context() const { return context_.get(); }
  cl_command_queue queue() const { return queue_.get(); }

  /// The kernel `name` of the source file at `path`, and how long it took to build.
  Kernel build(const char* path, const std::string& options, const char* name,
               Timing& timing) const;
  /// Launches the kernel several times over the work-items of a picture, in groups of `local`.
  void launch(cl_kernel kernel, std::array<size_t, 2> global, const size_t* local,
              Timing& timing) const;

 private:
  cl_device_id device_ = nullptr;
  Context context_;
  Queue queue_;
};

template <class T>
void setArgument(const Kernel& kernel, cl_uint index, const T& value) {
  check(clSetKernelArg(kernel.get(), index, sizeof value, &value), "clSetKernelArg");
}

}  // namespace weft::demo
