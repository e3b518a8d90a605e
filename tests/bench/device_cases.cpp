// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels ask of the device while they run: packets through pipes, launches from launches.
#include <array>
#include <string>

#include "compute.h"

namespace weft::bench {
namespace {

constexpr size_t kPackets = size_t{1} << 22;

/// Millions of packets of 4 bytes that are written by one kernel and read by the next.
double packetRate(const std::string& platform) {
  const Session session(platform);
  const cl_program program = session.build(R"(
    kernel void put(write_only pipe int out) {
      int packet = (int)get_global_id(0);
      write_pipe(out, &packet);
    }
    kernel void get(read_only pipe int in, global int* sums) {
      int packet = 0;
      read_pipe(in, &packet);
      sums[get_global_id(0)] = packet;
    })",
                                           "-cl-std=CL3.0");
  cl_int code = 0;
  const cl_kernel put = clCreateKernel(program, "put", &code);
  check(code, "clCreateKernel");
  const cl_kernel get = clCreateKernel(program, "get", &code);
  check(code, "clCreateKernel");
  const cl_mem pipe = clCreatePipe(session.context, 0, 4, kPackets, nullptr, &code);
  check(code, "clCreatePipe");
  const cl_mem sums = session.buffer(4 * kPackets);
  check(clSetKernelArg(put, 0, sizeof pipe, &pipe), "clSetKernelArg");
  check(clSetKernelArg(get, 0, sizeof pipe, &pipe), "clSetKernelArg");
  check(clSetKernelArg(get, 1, sizeof sums, &sums), "clSetKernelArg");
  const double seconds = steadySeconds([&] {
    for (const cl_kernel kernel : {put, get})
      check(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &kPackets, nullptr, 0,
                                   nullptr, nullptr),
            "clEnqueueNDRangeKernel");
    clFinish(session.queue);
  });
  return 1e-6 * kPackets / seconds;
}

constexpr const char* kLaunches = R"(
    void step(global int* left) {
      if (--*left > 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1, 1),
                       ^{ step(left); });
    }
    kernel void chain(global int* left) { step(left); }
    kernel void siblings(global int* left) {
      int count = *left;
      for (int i = 0; i < count; ++i)
        while (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1, 1),
                              ^{ atomic_dec(left); }) != CLK_SUCCESS) {}
    })";

/// Microseconds for each of `launches` launches of one work-item that one work-item of `name`, or
/// its descendants, make.
double launchTime(const std::string& platform, const char* name, cl_int launches) {
  const Session session(platform);
  const std::array<cl_queue_properties, 3> list{
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int code = 0;
  clCreateCommandQueueWithProperties(session.context, session.device, list.data(), &code);
  if (code != CL_SUCCESS) throw Unsupported("no queue on the device");
  const cl_kernel kernel = session.kernel(kLaunches, name, "-cl-std=CL3.0");
  const cl_mem left = session.buffer(sizeof launches);
  check(clSetKernelArg(kernel, 0, sizeof left, &left), "clSetKernelArg");
  const size_t one = 1;
  const auto prepare = [&] {
    check(clEnqueueWriteBuffer(session.queue, left, CL_TRUE, 0, sizeof launches, &launches, 0,
                               nullptr, nullptr),
          "clEnqueueWriteBuffer");
  };
  const double seconds = steadySeconds(
      [&] {
        check(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, &one, 0, nullptr,
                                     nullptr),
              "clEnqueueNDRangeKernel");
        clFinish(session.queue);
      },
      prepare);
  cl_int rest = -1;
  check(
      clEnqueueReadBuffer(session.queue, left, CL_TRUE, 0, sizeof rest, &rest, 0, nullptr, nullptr),
      "clEnqueueReadBuffer");
  if (rest != 0) throw std::runtime_error("launches are missing");
  return 1e6 * seconds / launches;
}

double nested(const std::string& platform) { return launchTime(platform, "chain", 1000); }
double siblings(const std::string& platform) { return launchTime(platform, "siblings", 1000); }
double million(const std::string& platform) { return launchTime(platform, "siblings", 1000000); }

constexpr std::array kCases{
    Case{"pipe packets", "M/s", true, packetRate, "device"},
    Case{"device launch nested", "us", false, nested, "device"},
    Case{"device launch siblings", "us", false, siblings, "device"},
    Case{"device launch million", "us", false, million, "device"},
};

}  // namespace

std::span<const Case> deviceCases() { return kCases; }

}  // namespace weft::bench
