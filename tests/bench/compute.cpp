// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compute.h"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "timing.h"

namespace weft::bench {
namespace {

constexpr size_t kFewestLaunches = 3;
constexpr size_t kMostLaunches = 25;
constexpr double kEnoughSeconds = 0.2;
/// Whatever a runtime does in the background after a first launch (a better compilation, for one)
/// has this long to come about.
constexpr double kWarmUpSeconds = 0.05;

std::string readKernels(const char* name) {
  std::ifstream file(std::string(WEFT_BENCH_KERNELS "/") + name);
  if (!file) throw std::runtime_error(std::string("no kernels/") + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

size_t usableCpus() {
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus) != 0) return 1;
  return static_cast<size_t>(CPU_COUNT(&cpus));
}

bool hasExtension(cl_device_id device, const char* name) {
  size_t size = 0;
  clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &size);
  std::string all(size, '\0');
  clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, all.data(), nullptr);
  return all.find(name) != std::string::npos;
}

/// Of all threads of the process.
double cpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

double steadySeconds(const std::function<void()>& body, const std::function<void()>& prepare) {
  const bool cpuTime = std::getenv(kCpuTimeVariable) != nullptr;
  const auto once = [&] {
    if (prepare) prepare();
    const double cpuStart = cpuSeconds();
    const auto start = Clock::now();
    body();
    return cpuTime ? (cpuSeconds() - cpuStart) / static_cast<double>(usableCpus())
                   : secondsSince(start);
  };
  const auto warming = Clock::now();
  do once();
  while (secondsSince(warming) < kWarmUpSeconds);
  std::vector<double> seconds;
  double total = 0;
  while (seconds.size() < kFewestLaunches ||
         (seconds.size() < kMostLaunches && total < kEnoughSeconds)) {
    seconds.push_back(once());
    total += seconds.back();
  }
  // Wall clock time has what disturbed it added. Processor time has little of that, but a launch
  // may find a core to itself that it usually shares.
  const auto wanted = seconds.begin() + (cpuTime ? static_cast<long>(seconds.size() / 2) : 0);
  std::ranges::nth_element(seconds, wanted);
  return *wanted;
}

void onAllCpus(size_t count, size_t grain,
               const std::function<void(size_t begin, size_t end)>& body) {
  const size_t cpus = usableCpus();
  // Some pieces for each thread, for loops whose iterations take unequal time.
  const size_t pieces = cpus * 8;
  const size_t piece = (count / pieces + grain) / grain * grain;
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t begin; (begin = next.fetch_add(piece)) < count;)
      body(begin, std::min(begin + piece, count));
  };
  std::vector<std::jthread> threads;
  for (size_t i = 1; i < cpus; ++i) threads.emplace_back(work);
  work();
}

double nativeSeconds(size_t count, size_t grain,
                     const std::function<void(size_t begin, size_t end)>& body,
                     const std::function<void()>& prepare) {
  return steadySeconds([&] { onAllCpus(count, grain, body); }, prepare);
}

ComputeKernel::ComputeKernel(const std::string& platform, const char* file, const char* name,
                             const std::string& options, const char* extension)
    : session_(platform) {
  if (!hasExtension(session_.device, extension)) throw Unsupported(std::string("no ") + extension);
  kernel_ = session_.kernel(readKernels(file), name, options);
}

ComputeKernel& ComputeKernel::memory(cl_mem memory) {
  check(clSetKernelArg(kernel_, next_++, sizeof memory, &memory), "clSetKernelArg");
  return *this;
}

ComputeKernel& ComputeKernel::input(const void* data, size_t bytes) {
  cl_mem buffer = session_.buffer(bytes);
  check(clEnqueueWriteBuffer(session_.queue, buffer, CL_TRUE, 0, bytes, data, 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
  return memory(buffer);
}

ComputeKernel& ComputeKernel::output(void* data, size_t bytes, bool zeroed) {
  outputs_.push_back({session_.buffer(bytes), data, bytes, zeroed});
  return memory(outputs_.back().memory);
}

cl_mem ComputeKernel::image(const cl_image_format& format, const Sizes& size, const void* data) {
  cl_bool supported = CL_FALSE;
  clGetDeviceInfo(session_.device, CL_DEVICE_IMAGE_SUPPORT, sizeof supported, &supported, nullptr);
  if (supported == CL_FALSE) throw Unsupported("no images");
  cl_image_desc description{};
  description.image_type = size[2] > 1 ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D;
  description.image_width = size[0];
  description.image_height = size[1];
  description.image_depth = size[2];
  const cl_mem_flags flags =
      data != nullptr ? CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR : CL_MEM_WRITE_ONLY;
  cl_int error = CL_SUCCESS;
  cl_mem image = clCreateImage(session_.context, flags, &format, &description,
                               const_cast<void*>(data), &error);
  check(error, "clCreateImage");
  memory(image);
  return image;
}

ComputeKernel& ComputeKernel::imageIn(const cl_image_format& format, const Sizes& size,
                                      const void* data) {
  image(format, size, data);
  return *this;
}

ComputeKernel& ComputeKernel::imageOut(const cl_image_format& format, const Sizes& size,
                                       void* data) {
  outputs_.push_back({image(format, size, nullptr), data, 0, false, size});
  return *this;
}

void ComputeKernel::readBack(const Output& output) const {
  constexpr size_t kOrigin[3] = {};
  if (output.image[0] != 0)
    return check(clEnqueueReadImage(session_.queue, output.memory, CL_TRUE, kOrigin,
                                    output.image.data(), 0, 0, output.host, 0, nullptr, nullptr),
                 "clEnqueueReadImage");
  check(clEnqueueReadBuffer(session_.queue, output.memory, CL_TRUE, 0, output.bytes, output.host, 0,
                            nullptr, nullptr),
        "clEnqueueReadBuffer");
}

void ComputeKernel::fill(const Output& output, cl_uint pattern) const {
  if (output.image[0] != 0) {
    constexpr size_t kOrigin[3] = {};
    constexpr float kColour[4] = {0.75, 0.25, 0.5, 0.125};
    return check(clEnqueueFillImage(session_.queue, output.memory, kColour, kOrigin,
                                    output.image.data(), 0, nullptr, nullptr),
                 "clEnqueueFillImage");
  }
  const size_t unit = output.bytes % 4 == 0 ? 4 : 1;
  check(clEnqueueFillBuffer(session_.queue, output.memory, &pattern, unit, 0, output.bytes, 0,
                            nullptr, nullptr),
        "clEnqueueFillBuffer");
}

double ComputeKernel::seconds(const Shape& shape) {
  cl_uint dimensions = 0;
  while (dimensions < 3 && shape.global[dimensions] != 0) ++dimensions;
  const size_t* local = shape.local[0] == 0 ? nullptr : shape.local.data();
  const auto launch = [&] {
    check(clEnqueueNDRangeKernel(session_.queue, kernel_, dimensions, nullptr, shape.global.data(),
                                 local, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(session_.queue), "clFinish");
  };
  const auto zero = [&] {
    for (const Output& output : outputs_)
      if (output.zeroed) fill(output, 0);
    clFinish(session_.queue);
  };
  const double best = steadySeconds(launch, zero);
  // One more, into memory that holds nothing of the others.
  for (const Output& output : outputs_) fill(output, output.zeroed ? 0 : 0xcdcdcdcd);
  launch();
  for (const Output& output : outputs_) readBack(output);
  return best;
}

}  // namespace weft::bench
