// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace weft::demo {
namespace {

constexpr int kLaunches = 5;

cl_ulong timeStamp(cl_event event, cl_profiling_info which) {
  cl_ulong time = 0;
  check(clGetEventProfilingInfo(event, which, sizeof time, &time, nullptr),
        "clGetEventProfilingInfo");
  return time;
}

}  // namespace

void check(cl_int code, const char* what) {
  if (code != CL_SUCCESS) throw std::runtime_error(std::string(what) + ": " + std::to_string(code));
}

Device::Device() {
  cl_platform_id platform = nullptr;
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");
  cl_int code = 0;
  context_.reset(clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code));
  check(code, "clCreateContext");
  queue_.reset(clCreateCommandQueue(context_.get(), device_, CL_QUEUE_PROFILING_ENABLE, &code));
  check(code, "clCreateCommandQueue");
}

std::string Device::name() const {
  std::array<char, 256> text{};
  check(clGetDeviceInfo(device_, CL_DEVICE_NAME, text.size(), text.data(), nullptr),
        "clGetDeviceInfo");
  return text.data();
}

Kernel Device::build(const char* path, const std::string& options, const char* name,
                     Timing& timing) const {
  std::ifstream file(path);
  const std::string source{std::istreambuf_iterator<char>(file), {}};
  const char* text = source.c_str();
  const auto start = std::chrono::steady_clock::now();
  cl_int code = 0;
  const Program program(clCreateProgramWithSource(context_.get(), 1, &text, nullptr, &code));
  check(code, "clCreateProgramWithSource");
  code = clBuildProgram(program.get(), 1, &device_, options.c_str(), nullptr, nullptr);
  if (code != CL_SUCCESS) {
    std::string log(1 << 16, '\0');
    clGetProgramBuildInfo(program.get(), device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(),
                          nullptr);
    throw std::runtime_error("clBuildProgram: " + std::string(log.c_str()));
  }
  timing.buildMilliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  Kernel kernel(clCreateKernel(program.get(), name, &code));
  check(code, "clCreateKernel");
  return kernel;
}

void Device::launch(cl_kernel kernel, std::array<size_t, 2> global, const size_t* local,
                    Timing& timing) const {
  timing.kernelMilliseconds = INFINITY;
  for (int i = 0; i < kLaunches; ++i) {
    cl_event handle = nullptr;
    check(clEnqueueNDRangeKernel(queue_.get(), kernel, 2, nullptr, global.data(), local, 0, nullptr,
                                 &handle),
          "clEnqueueNDRangeKernel");
    const Event event(handle);
    check(clWaitForEvents(1, &handle), "clWaitForEvents");
    const auto duration =
        timeStamp(handle, CL_PROFILING_COMMAND_END) - timeStamp(handle, CL_PROFILING_COMMAND_START);
    timing.kernelMilliseconds =
        std::min(timing.kernelMilliseconds, static_cast<double>(duration) * 1e-6);
  }
}

}  // namespace weft::demo
