// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sharpen.h"

#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>

namespace weft::demo {
namespace {

constexpr size_t kTile = 16;
constexpr int kLaunches = 5;

void check(cl_int code, const char* what) {
  if (code != CL_SUCCESS) throw std::runtime_error(std::string(what) + ": " + std::to_string(code));
}

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
using Buffer = Owned<cl_mem, clReleaseMemObject>;
using Event = Owned<cl_event, clReleaseEvent>;

cl_device_id firstDevice(std::string& name) {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  std::array<char, 256> text{};
  check(clGetDeviceInfo(device, CL_DEVICE_NAME, text.size(), text.data(), nullptr),
        "clGetDeviceInfo");
  name = text.data();
  return device;
}

Program buildProgram(cl_context context, cl_device_id device, int radius) {
  std::ifstream file(WEFT_DEMO_KERNEL);
  const std::string source{std::istreambuf_iterator<char>(file), {}};
  const char* text = source.c_str();
  cl_int code = 0;
  Program program(clCreateProgramWithSource(context, 1, &text, nullptr, &code));
  check(code, "clCreateProgramWithSource");
  const std::string options =
      "-DTILE=" + std::to_string(kTile) + " -DRADIUS=" + std::to_string(radius);
  code = clBuildProgram(program.get(), 1, &device, options.c_str(), nullptr, nullptr);
  if (code != CL_SUCCESS) {
    std::string log(1 << 16, '\0');
    clGetProgramBuildInfo(program.get(), device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(),
                          nullptr);
    throw std::runtime_error("clBuildProgram: " + std::string(log.c_str()));
  }
  return program;
}

Buffer makeBuffer(cl_context context, cl_mem_flags flags, size_t bytes, const void* data) {
  cl_int code = 0;
  Buffer buffer(clCreateBuffer(context, flags | (data ? CL_MEM_COPY_HOST_PTR : 0), bytes,
                               const_cast<void*>(data), &code));
  check(code, "clCreateBuffer");
  return buffer;
}

/// Launches the kernel once and gives its time by the event's clock, in milliseconds.
double launch(cl_command_queue queue, cl_kernel kernel, const Picture& picture) {
  const auto roundUp = [](int n) { return (static_cast<size_t>(n) + kTile - 1) / kTile * kTile; };
  const std::array<size_t, 2> global{roundUp(picture.width), roundUp(picture.height)};
  const std::array<size_t, 2> local{kTile, kTile};
  cl_event handle = nullptr;
  check(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global.data(), local.data(), 0, nullptr,
                               &handle),
        "clEnqueueNDRangeKernel");
  const Event event(handle);
  check(clWaitForEvents(1, &handle), "clWaitForEvents");
  cl_ulong start = 0, end = 0;
  check(clGetEventProfilingInfo(handle, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr),
        "clGetEventProfilingInfo");
  check(clGetEventProfilingInfo(handle, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr),
        "clGetEventProfilingInfo");
  return static_cast<double>(end - start) * 1e-6;
}

}  // namespace

std::vector<float> gaussian(int radius) {
  std::vector<float> weights;
  float total = 0;
  for (int i = -radius; i <= radius; ++i) {
    const float t = static_cast<float>(i) / (0.5f * static_cast<float>(radius));
    weights.push_back(std::exp(-0.5f * t * t));
    total += weights.back();
  }
  for (float& weight : weights) weight /= total;
  return weights;
}

Picture sharpenOnDevice(const Picture& source, const std::vector<float>& weights, float amount,
                        Timing& timing) {
  cl_device_id device = firstDevice(timing.device);
  cl_int code = 0;
  const Context context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code));
  check(code, "clCreateContext");
  const Queue queue(clCreateCommandQueue(context.get(), device, CL_QUEUE_PROFILING_ENABLE, &code));
  check(code, "clCreateCommandQueue");

  const auto start = std::chrono::steady_clock::now();
  const Program program = buildProgram(context.get(), device, static_cast<int>(weights.size() / 2));
  timing.buildMilliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  const Kernel kernel(clCreateKernel(program.get(), "sharpen", &code));
  check(code, "clCreateKernel");

  const size_t bytes = source.rgba.size();
  const Buffer input = makeBuffer(context.get(), CL_MEM_READ_ONLY, bytes, source.rgba.data());
  const Buffer output = makeBuffer(context.get(), CL_MEM_WRITE_ONLY, bytes, nullptr);
  const Buffer taps =
      makeBuffer(context.get(), CL_MEM_READ_ONLY, weights.size() * sizeof(float), weights.data());
  cl_mem inputHandle = input.get(), outputHandle = output.get(), tapsHandle = taps.get();
  check(clSetKernelArg(kernel.get(), 0, sizeof(cl_mem), &inputHandle), "clSetKernelArg");
  check(clSetKernelArg(kernel.get(), 1, sizeof(cl_mem), &outputHandle), "clSetKernelArg");
  check(clSetKernelArg(kernel.get(), 2, sizeof(cl_mem), &tapsHandle), "clSetKernelArg");
  check(clSetKernelArg(kernel.get(), 3, sizeof(cl_int), &source.width), "clSetKernelArg");
  check(clSetKernelArg(kernel.get(), 4, sizeof(cl_int), &source.height), "clSetKernelArg");
  check(clSetKernelArg(kernel.get(), 5, sizeof(cl_float), &amount), "clSetKernelArg");

  timing.kernelMilliseconds = INFINITY;
  for (int i = 0; i < kLaunches; ++i)
    timing.kernelMilliseconds =
        std::min(timing.kernelMilliseconds, launch(queue.get(), kernel.get(), source));

  Picture result{source.width, source.height, std::vector<uint8_t>(bytes)};
  check(clEnqueueReadBuffer(queue.get(), output.get(), CL_TRUE, 0, bytes, result.rgba.data(), 0,
                            nullptr, nullptr),
        "clEnqueueReadBuffer");
  return result;
}

Picture sharpenOnHost(const Picture& source, const std::vector<float>& weights, float amount) {
  const int width = source.width, height = source.height;
  const int radius = static_cast<int>(weights.size() / 2);
  std::vector<float> rows(source.rgba.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 4; ++c) {
        float sum = 0;
        for (int k = -radius; k <= radius; ++k) {
          const int column = std::clamp(x + k, 0, width - 1);
          sum +=
              weights[k + radius] * source.rgba[4 * (static_cast<size_t>(y) * width + column) + c];
        }
        rows[4 * (static_cast<size_t>(y) * width + x) + c] = sum;
      }
  Picture result{width, height, std::vector<uint8_t>(source.rgba.size())};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 4; ++c) {
        float blurred = 0;
        for (int k = -radius; k <= radius; ++k) {
          const int row = std::clamp(y + k, 0, height - 1);
          blurred += weights[k + radius] * rows[4 * (static_cast<size_t>(row) * width + x) + c];
        }
        const size_t i = 4 * (static_cast<size_t>(y) * width + x) + c;
        const auto original = static_cast<float>(source.rgba[i]);
        const float value = std::nearbyint(original + amount * (original - blurred));
        result.rgba[i] = static_cast<uint8_t>(std::clamp(value, 0.0f, 255.0f));
      }
  return result;
}

}  // namespace weft::demo
