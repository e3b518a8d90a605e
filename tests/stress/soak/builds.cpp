// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "soak.h"

namespace weft::soak {
namespace {

/// What compiled code, its tables and the compiler's own caches may come to after the warm-up.
constexpr size_t kMostGrowth = size_t{32} << 20;
constexpr uint64_t kBroken = 16;  ///< one program in so many does not compile
constexpr size_t kItems = 64;

std::string sourceOf(uint64_t number) {
  const std::string value = std::to_string(number);
  if (number % kBroken == kBroken - 1)
    return "kernel void k(global uint* p) { p[0] = no" + value + "; }";
  return "uint twice" + value +
         "(uint x) { return 2 * x; }\n"
         "kernel void k(global uint* p) {\n"
         "  size_t i = get_global_id(0);\n"
         "  uint x = " +
         value +
         ";\n"
         "  for (uint j = 0; j < i; ++j) x += twice" +
         value + "(j) ^ " + value +
         ";\n"
         "  p[i] = x;\n"
         "}\n";
}

uint32_t expected(uint64_t number, size_t item) {
  auto x = static_cast<uint32_t>(number);
  for (uint32_t j = 0; j < item; ++j) x += (2 * j) ^ static_cast<uint32_t>(number);
  return x;
}

void buildAndRun(cl_context context, cl_command_queue queue, cl_mem buffer, uint64_t number) {
  const std::string source = sourceOf(number);
  const char* text = source.c_str();
  cl_int error = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
  check(error, "clCreateProgramWithSource");
  const cl_int built = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  if (number % kBroken == kBroken - 1) {
    require(built == CL_BUILD_PROGRAM_FAILURE, "a broken program was built");
  } else {
    check(built, "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    check(error, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
    const size_t items = kItems;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    uint32_t result[kItems] = {};
    check(
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof result, result, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
    for (const size_t item : {size_t{0}, kItems / 2, kItems - 1})
      require(result[item] == expected(number, item), "a kernel gave a wrong result");
    check(clReleaseKernel(kernel), "clReleaseKernel");
  }
  check(clReleaseProgram(program), "clReleaseProgram");
}

}  // namespace

void runBuilds(cl_context context, cl_device_id device, uint64_t count, unsigned threads) {
  MemoryWatch watch("builds", kMostGrowth);
  std::mutex mutex;  // of the watch and the failure
  std::exception_ptr failure;
  std::atomic<uint64_t> next{0}, done{0};
  const auto work = [&] {
    try {
      cl_int error = CL_SUCCESS;
      cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
      check(error, "clCreateCommandQueueWithProperties");
      cl_mem buffer = clCreateBuffer(context, 0, kItems * sizeof(uint32_t), nullptr, &error);
      check(error, "clCreateBuffer");
      for (uint64_t number; (number = next.fetch_add(1)) < count;) {
        buildAndRun(context, queue, buffer, number);
        const uint64_t sum = done.fetch_add(1) + 1;
        const std::scoped_lock lock(mutex);
        watch.look(sum, count);
      }
      check(clReleaseMemObject(buffer), "clReleaseMemObject");
      check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
    } catch (...) {
      const std::scoped_lock lock(mutex);
      failure = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < threads; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  if (failure) std::rethrow_exception(failure);
  watch.finish();
}

}  // namespace weft::soak
