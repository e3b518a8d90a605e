// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "cases.h"
#include "session.h"
#include "timing.h"

namespace weft::bench {
namespace {

/// A number that no earlier run can have used.
uint64_t uniqueNumber() {
  return static_cast<uint64_t>(Clock::now().time_since_epoch().count()) ^
         (static_cast<uint64_t>(getpid()) << 40);
}

/// A one-line kernel whose text and whose code no earlier run can have cached.
std::string freshSource(int number) {
  return "kernel void line(global int* out) { out[get_global_id(0)] = get_global_id(0) ^ (int)" +
         std::to_string(uniqueNumber() + static_cast<uint64_t>(number)) + "; }";
}

void buildAndLaunch(const Session& session, const std::string& source) {
  cl_kernel kernel = session.kernel(source, "line");
  cl_mem out = session.buffer(256);
  check(clSetKernelArg(kernel, 0, sizeof out, &out), "clSetKernelArg");
  const size_t items = 64;
  check(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                               nullptr),
        "clEnqueueNDRangeKernel");
  check(clFinish(session.queue), "clFinish");
  clReleaseMemObject(out);
  clReleaseKernel(kernel);
}

double coldBuild(const std::string& platform) {
  const Session session(platform);
  return medianSeconds(1, [&] { buildAndLaunch(session, freshSource(0)); }) * 1e3;
}

double warmBuild(const std::string& platform) {
  const Session session(platform);
  buildAndLaunch(session, freshSource(0));
  int number = 1;
  return medianSeconds(21, [&] { buildAndLaunch(session, freshSource(number++)); }) * 1e3;
}

/// The same text in every process: the first round fills the disk cache, the rest hit it.
double cachedBuild(const std::string& platform) {
  const Session session(platform);
  return medianSeconds(1,
                       [&] {
                         buildAndLaunch(
                             session,
                             "kernel void line(global int* out) { out[get_global_id(0)] = 42; }");
                       }) *
         1e3;
}

std::string twentyKernels() {
  std::ifstream file(WEFT_BENCH_KERNELS "/twenty.cl");
  if (!file) throw std::runtime_error("no kernels/twenty.cl");
  std::ostringstream text;
  text << "#define UNIQUE " << uniqueNumber() % 100003 << "\n" << file.rdbuf();
  return text.str();
}

struct Twenty {
  double all;      ///< build and first launches
  double slowest;  ///< first launch
};

/// The program of kernels/twenty.cl, built, and every kernel of it launched once; milliseconds.
Twenty buildAndLaunchAll(const std::string& platform) {
  const Session session(platform);
  const std::string source = twentyKernels();
  const cl_int n = 1024;
  cl_mem a = session.buffer(n * sizeof(float)), b = session.buffer(n * sizeof(float)),
         c = session.buffer(n * sizeof(cl_int));
  const cl_int zero = 0;
  for (cl_mem memory : {a, b, c})
    check(clEnqueueFillBuffer(session.queue, memory, &zero, sizeof zero, 0, n * sizeof(cl_int), 0,
                              nullptr, nullptr),
          "clEnqueueFillBuffer");
  check(clFinish(session.queue), "clFinish");

  (void)session.translated(source);
  const auto start = Clock::now();
  cl_program program = session.build(source);
  cl_uint count = 0;
  check(clCreateKernelsInProgram(program, 0, nullptr, &count), "clCreateKernelsInProgram");
  std::vector<cl_kernel> kernels(count);
  check(clCreateKernelsInProgram(program, count, kernels.data(), nullptr),
        "clCreateKernelsInProgram");
  Twenty times{};
  for (cl_kernel kernel : kernels) {
    const auto launch = Clock::now();
    clSetKernelArg(kernel, 0, sizeof a, &a);
    clSetKernelArg(kernel, 1, sizeof b, &b);
    clSetKernelArg(kernel, 2, sizeof c, &c);
    clSetKernelArg(kernel, 3, sizeof n, &n);
    const size_t global = 256, local = 64;
    check(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &global, &local, 0, nullptr,
                                 nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(session.queue), "clFinish");
    times.slowest = std::max(times.slowest, secondsSince(launch) * 1e3);
  }
  times.all = secondsSince(start) * 1e3;
  return times;
}

double buildAndLaunchTwenty(const std::string& platform) {
  useOneCpu();
  return buildAndLaunchAll(platform).all;
}

double slowestFirstLaunch(const std::string& platform) {
  return buildAndLaunchAll(platform).slowest;
}

constexpr Case kCases[] = {
    {"build and first launch, fresh process", "ms", false, coldBuild},
    {"build and first launch, later", "ms", false, warmBuild},
    {"build and first launch, disk cache", "ms", false, cachedBuild},
    {"build and first launches, 20 kernels, one core", "ms", false, buildAndLaunchTwenty},
    {"slowest first launch of 20 kernels", "ms", false, slowestFirstLaunch},
};

}  // namespace

std::span<const Case> buildCases() { return kCases; }

}  // namespace weft::bench
