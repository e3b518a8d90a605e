// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cl_khr_initialize_memory through the API.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/programs.h"
#include "weft/khr/initialize_memory.h"

namespace weft::test {
namespace {

const char* const kSource = R"(
kernel void look(global uint* p, local uint* scratch) {
  local uint fixed[64];
  uint own[64];
  uint sum = 0;
  for (uint i = 0; i < 64; ++i) sum |= own[(i * 7 + p[1]) & 63];
  sum |= fixed[get_local_id(0)] | scratch[get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  fixed[get_local_id(0)] = scratch[get_local_id(0)] = 0x5555u;
  p[get_global_id(0)] |= sum;
}
)";

ContextHolder makeContext(cl_context_properties memory, cl_int* error) {
  const cl_context_properties list[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, memory, 0};
  const cl_device_id only = device();
  return ContextHolder(clCreateContext(list, 1, &only, nullptr, nullptr, error));
}

constexpr cl_context_properties kLocal = khr::CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR;
constexpr cl_context_properties kPrivate = khr::CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR;

TEST(InitializeMemoryApi, IsReported) {
  size_t size = 0;
  EXPECT_EQ(clGetDeviceInfo(device(), CL_DEVICE_EXTENSIONS, 0, nullptr, &size), CL_SUCCESS);
  std::string names(size, '\0');
  EXPECT_EQ(clGetDeviceInfo(device(), CL_DEVICE_EXTENSIONS, size, names.data(), nullptr),
            CL_SUCCESS);
  EXPECT_NE(names.find("cl_khr_initialize_memory"), std::string::npos);
}

TEST(InitializeMemoryApi, PropertyIsChecked) {
  for (const cl_context_properties good :
       {cl_context_properties{0}, kLocal, kPrivate, kLocal | kPrivate}) {
    cl_int error = 1;
    const ContextHolder context = makeContext(good, &error);
    EXPECT_EQ(error, CL_SUCCESS) << good;
    cl_context_properties list[3] = {};
    size_t size = 0;
    EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof list, list, &size),
              CL_SUCCESS);
    EXPECT_EQ(size, sizeof list);
    EXPECT_EQ(list[1], good);
  }
  for (const cl_context_properties bad : {cl_context_properties{4}, cl_context_properties{-1}}) {
    cl_int error = 1;
    EXPECT_EQ(makeContext(bad, &error).get(), nullptr);
    EXPECT_EQ(error, CL_INVALID_PROPERTY) << bad;
  }
}

void expectZeros(cl_context context, cl_program program) {
  const QueueHolder queue = makeQueue(context);
  const KernelHolder kernel = makeKernel(program, "look");
  const MemoryHolder buffer = makeBuffer(context, std::vector<cl_uint>(4096));
  setBuffer(kernel, 0, buffer);
  EXPECT_EQ(clSetKernelArg(kernel, 1, 64 * sizeof(cl_uint), nullptr), CL_SUCCESS);
  const size_t global = 4096, local = 64;
  for (int round = 0; round < 3; ++round)
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr),
        CL_SUCCESS);
  EXPECT_EQ(readBuffer<cl_uint>(queue, buffer, 4096), std::vector<cl_uint>(4096));
}

TEST(InitializeMemoryApi, KernelsFindZeros) {
  cl_int error = 1;
  const ContextHolder context = makeContext(kLocal | kPrivate, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  for (const char* options : {"", "-cl-opt-disable"}) {
    const ProgramHolder program = buildProgram(context, kSource, options);
    expectZeros(context, program);
  }
  const ProgramHolder object = makeProgram(context, kSource);
  ASSERT_EQ(clCompileProgram(object, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  const cl_program inputs[] = {object};
  const ProgramHolder linked(
      clLinkProgram(context, 0, nullptr, "", 1, inputs, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  expectZeros(context, linked);
}

// Machine code of another kind of context would read what was there before.
TEST(InitializeMemoryApi, ExecutablesFromOtherContextsAreRefused) {
  cl_int error = 1;
  const ContextHolder plain = test::makeContext(), zeroed = makeContext(kPrivate, &error);
  const auto load = [&](cl_context context, const std::vector<unsigned char>& binary) {
    const unsigned char* bytes = binary.data();
    const size_t length = binary.size();
    const cl_device_id on = device();
    return ProgramHolder(
        clCreateProgramWithBinary(context, 1, &on, &length, &bytes, nullptr, &error));
  };
  const ProgramHolder plainProgram = buildProgram(plain, kSource),
                      zeroedProgram = buildProgram(zeroed, kSource);
  EXPECT_EQ(load(zeroed, binaryOf(plainProgram)).get(), nullptr);
  EXPECT_EQ(error, CL_INVALID_BINARY);
  EXPECT_NE(load(zeroed, binaryOf(zeroedProgram)).get(), nullptr);
  EXPECT_NE(load(plain, binaryOf(zeroedProgram)).get(), nullptr);
  const ProgramHolder object = makeProgram(plain, kSource);
  ASSERT_EQ(clCompileProgram(object, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_NE(load(zeroed, binaryOf(object)).get(), nullptr) << "the link is still to come";
}

}  // namespace
}  // namespace weft::test
