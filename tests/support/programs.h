// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/objects.h"

/// Short ways to programs, kernels and their results for tests of the API.
namespace weft::test {

inline ProgramHolder makeProgram(cl_context context, const std::string& source) {
  const char* text = source.c_str();
  cl_int error = CL_INVALID_VALUE;
  ProgramHolder program(clCreateProgramWithSource(context, 1, &text, nullptr, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  return program;
}

inline std::string buildLog(cl_program program) {
  size_t size = 0;
  EXPECT_EQ(clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_LOG, 0, nullptr, &size),
            CL_SUCCESS);
  std::string log(size, '\0');
  EXPECT_EQ(
      clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr),
      CL_SUCCESS);
  log.resize(size == 0 ? 0 : size - 1);
  return log;
}

inline ProgramHolder buildProgram(cl_context context, const std::string& source,
                                  const char* options = "") {
  ProgramHolder program = makeProgram(context, source);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, options, nullptr, nullptr), CL_SUCCESS)
      << buildLog(program);
  return program;
}

/// Of a program for one device.
inline std::vector<unsigned char> binaryOf(cl_program program) {
  size_t size = 0;
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr),
            CL_SUCCESS);
  std::vector<unsigned char> binary(size);
  unsigned char* target = binary.data();
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof target, &target, nullptr),
            CL_SUCCESS);
  return binary;
}

/// A program from that, which has to be built.
inline ProgramHolder loadBinary(cl_context context, const std::vector<unsigned char>& binary) {
  const unsigned char* bytes = binary.data();
  const size_t size = binary.size();
  const cl_device_id on = device();
  cl_int error = CL_INVALID_VALUE;
  ProgramHolder program(clCreateProgramWithBinary(context, 1, &on, &size, &bytes, nullptr, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  return program;
}

inline KernelHolder makeKernel(cl_program program, const char* name) {
  cl_int error = CL_INVALID_VALUE;
  KernelHolder kernel(clCreateKernel(program, name, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  return kernel;
}

/// A buffer with a copy of `values`.
template <class T>
MemoryHolder makeBuffer(cl_context context, const std::vector<T>& values) {
  cl_int error = CL_INVALID_VALUE;
  MemoryHolder buffer(clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                     values.size() * sizeof(T), const_cast<T*>(values.data()),
                                     &error));
  EXPECT_EQ(error, CL_SUCCESS);
  return buffer;
}

/// The buffer's first `count` elements, after all earlier commands of an in-order queue.
template <class T>
std::vector<T> readBuffer(cl_command_queue queue, cl_mem buffer, size_t count) {
  std::vector<T> values(count);
  EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(T), values.data(), 0,
                                nullptr, nullptr),
            CL_SUCCESS);
  return values;
}

template <class T>
void setArgument(cl_kernel kernel, cl_uint index, const T& value) {
  EXPECT_EQ(clSetKernelArg(kernel, index, sizeof value, &value), CL_SUCCESS) << index;
}
inline void setBuffer(cl_kernel kernel, cl_uint index, cl_mem buffer) {
  setArgument(kernel, index, buffer);
}

}  // namespace weft::test
