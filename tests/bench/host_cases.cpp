// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cases.h"

#include <algorithm>
#include <vector>

#include "session.h"
#include "timing.h"

namespace weft::bench {
namespace {

constexpr const char* kEmptyKernel = "kernel void empty(global int* out) {}";

struct EmptyLaunch {
  explicit EmptyLaunch(const std::string& platform)
      : session(platform), kernel(session.kernel(kEmptyKernel, "empty")), out(session.buffer(64)) {
    check(clSetKernelArg(kernel, 0, sizeof out, &out), "clSetKernelArg");
  }
  void enqueue(cl_command_queue queue, cl_event* event = nullptr) const {
    const size_t one = 1;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, 0, nullptr, event),
          "clEnqueueNDRangeKernel");
  }
  Session session;
  cl_kernel kernel;
  cl_mem out;
};

double enqueueAndFinish(const std::string& platform) {
  const EmptyLaunch launch(platform);
  const auto once = [&] {
    launch.enqueue(launch.session.queue);
    clFinish(launch.session.queue);
  };
  medianSeconds(500, once);
  return medianSeconds(5001, once) * 1e6;
}

/// From queued to start by the event's own clock, as clpeak reports it.
double profiledLatency(const std::string& platform) {
  const EmptyLaunch launch(platform);
  std::vector<double> latencies;
  for (int i = 0; i < 2000; ++i) {
    cl_event event = nullptr;
    launch.enqueue(launch.session.profilingQueue, &event);
    clFinish(launch.session.profilingQueue);
    cl_ulong queued = 0, start = 0;
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED, sizeof queued, &queued, nullptr);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr);
    clReleaseEvent(event);
    latencies.push_back(static_cast<double>(start - queued));
  }
  std::nth_element(latencies.begin(), latencies.begin() + 1000, latencies.end());
  return latencies[1000] * 1e-3;
}

double thousandEnqueues(const std::string& platform) {
  const EmptyLaunch launch(platform);
  const auto burst = [&] {
    for (int i = 0; i < 1000; ++i) launch.enqueue(launch.session.queue);
  };
  std::vector<double> seconds;
  for (int i = 0; i < 101; ++i) {
    seconds.push_back(medianSeconds(1, burst));
    clFinish(launch.session.queue);
  }
  std::nth_element(seconds.begin(), seconds.begin() + 50, seconds.end());
  return seconds[50] * 1e6 / 1000;
}

double smallRead(const std::string& platform) {
  const Session session(platform);
  cl_mem memory = session.buffer(64);
  int value = 0;
  const auto once = [&] {
    check(clEnqueueReadBuffer(session.queue, memory, CL_TRUE, 0, sizeof value, &value, 0, nullptr,
                              nullptr),
          "clEnqueueReadBuffer");
  };
  medianSeconds(500, once);
  return medianSeconds(5001, once) * 1e6;
}

double mapPair(const std::string& platform, size_t bytes) {
  const Session session(platform);
  cl_mem memory = session.buffer(bytes);
  const auto once = [&] {
    cl_int code = 0;
    void* pointer = clEnqueueMapBuffer(session.queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                       0, bytes, 0, nullptr, nullptr, &code);
    check(code, "clEnqueueMapBuffer");
    check(clEnqueueUnmapMemObject(session.queue, memory, pointer, 0, nullptr, nullptr),
          "clEnqueueUnmapMemObject");
    clFinish(session.queue);
  };
  medianSeconds(500, once);
  return medianSeconds(2001, once) * 1e6;
}
double smallMap(const std::string& platform) { return mapPair(platform, 4); }
double largeMap(const std::string& platform) { return mapPair(platform, size_t{256} << 20); }

double transfer(const std::string& platform, bool write) {
  constexpr size_t kBytes = size_t{128} << 20;
  const Session session(platform);
  cl_mem memory = session.buffer(kBytes);
  std::vector<char> host(kBytes, 1);
  const auto once = [&] {
    check(write ? clEnqueueWriteBuffer(session.queue, memory, CL_TRUE, 0, kBytes, host.data(), 0,
                                       nullptr, nullptr)
                : clEnqueueReadBuffer(session.queue, memory, CL_TRUE, 0, kBytes, host.data(), 0,
                                      nullptr, nullptr),
          "transfer");
  };
  medianSeconds(3, once);
  return static_cast<double>(kBytes) / medianSeconds(15, once) * 1e-9;
}
double writeBandwidth(const std::string& platform) { return transfer(platform, true); }
double readBandwidth(const std::string& platform) { return transfer(platform, false); }

double barrierSwitch(const std::string& platform) {
  constexpr size_t kLocal = 256, kGlobal = kLocal * 64;
  constexpr int kBarriers = 100;
  const Session session(platform);
  cl_kernel kernel = session.kernel(
      "kernel void barriers(global int* out, int n) {"
      "  local int cell[256]; int sum = 0; int l = get_local_id(0);"
      "  for (int i = 0; i < n; ++i) {"
      "    cell[l] = i + l; barrier(CLK_LOCAL_MEM_FENCE); sum += cell[(l + i) & 255];"
      "  }"
      "  out[get_global_id(0)] = sum;"
      "}",
      "barriers");
  cl_mem out = session.buffer(kGlobal * sizeof(cl_int));
  const cl_int count = kBarriers;
  clSetKernelArg(kernel, 0, sizeof out, &out);
  clSetKernelArg(kernel, 1, sizeof count, &count);
  const auto once = [&] {
    check(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &kGlobal, &kLocal, 0, nullptr,
                                 nullptr),
          "clEnqueueNDRangeKernel");
    clFinish(session.queue);
  };
  medianSeconds(5, once);
  cl_uint units = 1;
  clGetDeviceInfo(session.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr);
  // Time of one thread: the groups are spread over all of them.
  return medianSeconds(51, once) * units * 1e9 / (static_cast<double>(kGlobal) * kBarriers);
}

double enumerate(const std::string& platform) {
  const auto start = Clock::now();
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  const double seconds = secondsSince(start);
  const Session session(platform);  // fails when the platform was not there
  return seconds * 1e3;
}

constexpr Case kCases[] = {
    {"load and enumerate", "ms", false, enumerate},
    {"empty kernel: enqueue and finish", "us", false, enqueueAndFinish},
    {"empty kernel: queued to start", "us", false, profiledLatency},
    {"empty kernel: one of 1000 enqueues", "us", false, thousandEnqueues},
    {"4-byte blocking read", "us", false, smallRead},
    {"map and unmap, 4 bytes", "us", false, smallMap},
    {"map and unmap, 256 MiB", "us", false, largeMap},
    {"write 128 MiB", "GB/s", true, writeBandwidth},
    {"read 128 MiB", "GB/s", true, readBandwidth},
    {"barrier, per work-item", "ns", false, barrierSwitch, "barrier"},
};

}  // namespace

std::span<const Case> hostCases() { return kCases; }

}  // namespace weft::bench
