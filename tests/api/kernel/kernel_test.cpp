// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel objects through the API, with the real compiler: creation, arguments, queries.
#include <CL/cl_ext.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>

#include "support/info_query.h"
#include "support/programs.h"

namespace weft::test {
namespace {

const char* const kSource = R"(
typedef struct { char c; int4 v; } Packet;

kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void fixed(global float* out) { out[get_global_linear_id()] = 1; }

kernel __attribute__((work_group_size_hint(8, 1, 1)))
void every(global int* restrict out, constant float* table, local char* scratch, Packet packet,
           const volatile global int* in, uchar3 color, double d) {
  local int shared[10];
  size_t i = get_local_id(0);
  scratch[i] = (char)i;
  if (i < 10) shared[i] = (int)table[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = scratch[get_local_size(0) - 1 - i] + shared[i % 10] + packet.c +
                          packet.v.w + in[0] + color.z + (int)d;
}

kernel void empty(void) {}
)";

class KernelApi : public testing::Test {
 protected:
  InfoCall kernelInfo(cl_kernel kernel, cl_kernel_info parameter) {
    return [=](size_t size, void* value, size_t* sizeRet) {
      return clGetKernelInfo(kernel, parameter, size, value, sizeRet);
    };
  }
  InfoCall argInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info parameter) {
    return [=](size_t size, void* value, size_t* sizeRet) {
      return clGetKernelArgInfo(kernel, index, parameter, size, value, sizeRet);
    };
  }
  InfoCall groupInfo(cl_kernel kernel, cl_kernel_work_group_info parameter) {
    return [=](size_t size, void* value, size_t* sizeRet) {
      return clGetKernelWorkGroupInfo(kernel, device(), parameter, size, value, sizeRet);
    };
  }

  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_);
  ProgramHolder program_ = buildProgram(context_, kSource, "-cl-std=CL3.0 -cl-kernel-arg-info");
};

TEST_F(KernelApi, CreateRefuses) {
  cl_int error = 0;
  EXPECT_EQ(clCreateKernel(nullptr, "empty", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROGRAM);
  EXPECT_EQ(clCreateKernel(program_, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  for (const char* name : {"", "nope", "Packet", "empty ", "EMPTY"}) {
    EXPECT_EQ(clCreateKernel(program_, name, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_KERNEL_NAME) << name;
  }
  EXPECT_EQ(clRetainKernel(nullptr), CL_INVALID_KERNEL);
  EXPECT_EQ(clReleaseKernel(reinterpret_cast<cl_kernel>(program_.get())), CL_INVALID_KERNEL);
}

TEST_F(KernelApi, CreateAll) {
  cl_uint count = 0;
  EXPECT_EQ(clCreateKernelsInProgram(program_, 0, nullptr, &count), CL_SUCCESS);
  ASSERT_EQ(count, 3u);
  cl_kernel raw[4] = {};
  EXPECT_EQ(clCreateKernelsInProgram(program_, 2, raw, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(raw[0], nullptr);
  EXPECT_EQ(clCreateKernelsInProgram(program_, 4, raw, &count), CL_SUCCESS);
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(raw[3], nullptr);
  const char* names[] = {"fixed", "every", "empty"};
  for (cl_uint i = 0; i < 3; ++i) {
    const KernelHolder kernel(raw[i]);
    EXPECT_EQ(infoText(kernelInfo(kernel, CL_KERNEL_FUNCTION_NAME)), names[i]);
  }
  const ProgramHolder fresh = makeProgram(context_, kSource);
  EXPECT_EQ(clCreateKernelsInProgram(fresh, 4, raw, nullptr), CL_INVALID_PROGRAM_EXECUTABLE);
  EXPECT_EQ(clCreateKernelsInProgram(nullptr, 4, raw, nullptr), CL_INVALID_PROGRAM);
}

TEST_F(KernelApi, EveryKernelInfo) {
  const KernelHolder kernel = makeKernel(program_, "fixed");
  EXPECT_EQ(infoText(kernelInfo(kernel, CL_KERNEL_FUNCTION_NAME)), "fixed");
  EXPECT_EQ(infoValue<cl_uint>(kernelInfo(kernel, CL_KERNEL_NUM_ARGS)), 1u);
  EXPECT_EQ(infoValue<cl_uint>(kernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT)), 1u);
  EXPECT_EQ(infoValue<cl_context>(kernelInfo(kernel, CL_KERNEL_CONTEXT)), context_.get());
  EXPECT_EQ(infoValue<cl_program>(kernelInfo(kernel, CL_KERNEL_PROGRAM)), program_.get());
  const std::string attributes = infoText(kernelInfo(kernel, CL_KERNEL_ATTRIBUTES));
  EXPECT_NE(attributes.find("reqd_work_group_size(4,2,1)"), std::string::npos) << attributes;
  const KernelHolder empty = makeKernel(program_, "empty");
  EXPECT_EQ(infoText(kernelInfo(empty, CL_KERNEL_ATTRIBUTES)), "");
  EXPECT_EQ(infoValue<cl_uint>(kernelInfo(empty, CL_KERNEL_NUM_ARGS)), 0u);
  EXPECT_EQ(clGetKernelInfo(kernel, 0xdead, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetKernelInfo(nullptr, CL_KERNEL_NUM_ARGS, 0, nullptr, nullptr), CL_INVALID_KERNEL);
}

TEST_F(KernelApi, EveryArgInfo) {
  const KernelHolder kernel = makeKernel(program_, "every");
  const struct {
    const char *name, *type;
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_type_qualifier qualifier;
  } expected[] = {
      {"out", "int*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_RESTRICT},
      {"table", "float*", CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST},
      {"scratch", "char*", CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_TYPE_NONE},
      {"packet", "Packet", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
      {"in", "int*", CL_KERNEL_ARG_ADDRESS_GLOBAL,
       CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_VOLATILE},
      {"color", "uchar3", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
      {"d", "double", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
  };
  for (cl_uint i = 0; i < 7; ++i) {
    SCOPED_TRACE(expected[i].name);
    EXPECT_EQ(infoText(argInfo(kernel, i, CL_KERNEL_ARG_NAME)), expected[i].name);
    EXPECT_EQ(infoText(argInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME)), expected[i].type);
    EXPECT_EQ(infoValue<cl_kernel_arg_address_qualifier>(
                  argInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER)),
              expected[i].address);
    EXPECT_EQ(
        infoValue<cl_kernel_arg_type_qualifier>(argInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER)),
        expected[i].qualifier);
    EXPECT_EQ(infoValue<cl_kernel_arg_access_qualifier>(
                  argInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER)),
              cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_NONE});
  }
  EXPECT_EQ(clGetKernelArgInfo(kernel, 7, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr),
            CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clGetKernelArgInfo(kernel, 0, 0xdead, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetKernelArgInfo(nullptr, 0, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr),
            CL_INVALID_KERNEL);
  const ProgramHolder plain = buildProgram(context_, "kernel void k(global int* p) {}");
  const KernelHolder without = makeKernel(plain, "k");
  EXPECT_EQ(clGetKernelArgInfo(without, 0, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr),
            CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
}

// What the specification says of each query, sentence by sentence.
TEST_F(KernelApi, ArgInfoOfQualifiersAndTypes) {
  const ProgramHolder program = buildProgram(context_,
                                             "struct S { int i; };"
                                             "kernel void k(global unsigned int* const a,"
                                             " global int volatile* b, global int* volatile c,"
                                             " const int d, unsigned char e, struct S f,"
                                             " global struct S* restrict g,"
                                             " local volatile float2* h, constant  long * i) {}",
                                             "-cl-kernel-arg-info");
  const KernelHolder kernel = makeKernel(program, "k");
  const struct {
    const char* type;
    cl_kernel_arg_type_qualifier qualifier;
  } expected[] = {
      {"uint*", CL_KERNEL_ARG_TYPE_NONE},        {"int*", CL_KERNEL_ARG_TYPE_VOLATILE},
      {"int*", CL_KERNEL_ARG_TYPE_NONE},         {"int", CL_KERNEL_ARG_TYPE_NONE},
      {"uchar", CL_KERNEL_ARG_TYPE_NONE},        {"structS", CL_KERNEL_ARG_TYPE_NONE},
      {"structS*", CL_KERNEL_ARG_TYPE_RESTRICT}, {"float2*", CL_KERNEL_ARG_TYPE_VOLATILE},
      {"long*", CL_KERNEL_ARG_TYPE_CONST},
  };
  for (cl_uint i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(infoText(argInfo(kernel, i, CL_KERNEL_ARG_NAME)), std::string(1, char('a' + i)));
    EXPECT_EQ(infoText(argInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME)), expected[i].type) << i;
    EXPECT_EQ(
        infoValue<cl_kernel_arg_type_qualifier>(argInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER)),
        expected[i].qualifier)
        << i;
  }
}

// Images and pipes are global memory, and only they have an access; it comes from their type, by
// whatever name.
TEST_F(KernelApi, ArgInfoOfObjects) {
  const ProgramHolder program = buildProgram(
      context_,
      "typedef write_only image3d_t Volume;"
      "kernel void k(image2d_t a, read_only image1d_array_t b, Volume c,"
      " read_write image2d_t d, sampler_t e, read_only pipe int f, write_only pipe int g) {}",
      "-cl-std=CL3.0 -cl-kernel-arg-info");
  const KernelHolder kernel = makeKernel(program, "k");
  const struct {
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_access_qualifier access;
    cl_kernel_arg_type_qualifier qualifier;
  } expected[] = {
      {CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_TYPE_NONE},
      {CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_TYPE_NONE},
      {CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_WRITE_ONLY, CL_KERNEL_ARG_TYPE_NONE},
      {CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_READ_WRITE, CL_KERNEL_ARG_TYPE_NONE},
      {CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_TYPE_NONE},
      {CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_TYPE_PIPE},
      {CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_WRITE_ONLY, CL_KERNEL_ARG_TYPE_PIPE},
  };
  for (cl_uint i = 0; i < std::size(expected); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(infoValue<cl_kernel_arg_address_qualifier>(
                  argInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER)),
              expected[i].address);
    EXPECT_EQ(infoValue<cl_kernel_arg_access_qualifier>(
                  argInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER)),
              expected[i].access);
    EXPECT_EQ(
        infoValue<cl_kernel_arg_type_qualifier>(argInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER)),
        expected[i].qualifier);
  }
}

TEST_F(KernelApi, EveryWorkGroupInfo) {
  const KernelHolder fixed = makeKernel(program_, "fixed"), every = makeKernel(program_, "every");
  using Sizes = std::array<size_t, 3>;
  EXPECT_GE(infoValue<size_t>(groupInfo(fixed, CL_KERNEL_WORK_GROUP_SIZE)), 8u);
  EXPECT_EQ(infoValue<Sizes>(groupInfo(fixed, CL_KERNEL_COMPILE_WORK_GROUP_SIZE)),
            (Sizes{4, 2, 1}));
  EXPECT_EQ(infoValue<Sizes>(groupInfo(every, CL_KERNEL_COMPILE_WORK_GROUP_SIZE)),
            (Sizes{0, 0, 0}));
  EXPECT_EQ(infoValue<cl_ulong>(groupInfo(fixed, CL_KERNEL_LOCAL_MEM_SIZE)), 0u);
  EXPECT_EQ(infoValue<cl_ulong>(groupInfo(every, CL_KERNEL_LOCAL_MEM_SIZE)), 40u);
  EXPECT_EQ(clSetKernelArg(every, 2, 100, nullptr), CL_SUCCESS);
  EXPECT_EQ(infoValue<cl_ulong>(groupInfo(every, CL_KERNEL_LOCAL_MEM_SIZE)), 140u);
  EXPECT_GE(infoValue<size_t>(groupInfo(every, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)), 1u);
  infoValue<cl_ulong>(groupInfo(every, CL_KERNEL_PRIVATE_MEM_SIZE));
  const auto code = [&](cl_kernel kernel, cl_device_id on, cl_uint parameter) {
    return clGetKernelWorkGroupInfo(kernel, on, parameter, 0, nullptr, nullptr);
  };
  EXPECT_EQ(code(every, nullptr, CL_KERNEL_WORK_GROUP_SIZE), CL_SUCCESS);
  EXPECT_EQ(code(every, device(), CL_KERNEL_GLOBAL_WORK_SIZE), CL_INVALID_VALUE);
  EXPECT_EQ(code(every, device(), 0xdead), CL_INVALID_VALUE);
  EXPECT_EQ(code(nullptr, device(), CL_KERNEL_WORK_GROUP_SIZE), CL_INVALID_KERNEL);
  EXPECT_EQ(code(every, reinterpret_cast<cl_device_id>(context_.get()), CL_KERNEL_WORK_GROUP_SIZE),
            CL_INVALID_DEVICE);
}

/// The answer to one question about sub-groups, as so many numbers.
std::vector<size_t> subGroupInfo(cl_kernel kernel, cl_kernel_sub_group_info parameter,
                                 const std::vector<size_t>& input, size_t numbers = 1) {
  std::vector<size_t> answer(numbers, 77);
  size_t size = 0;
  EXPECT_EQ(clGetKernelSubGroupInfo(kernel, device(), parameter, input.size() * sizeof(size_t),
                                    input.empty() ? nullptr : input.data(),
                                    numbers * sizeof(size_t), answer.data(), &size),
            CL_SUCCESS);
  EXPECT_EQ(size, numbers * sizeof(size_t));
  return answer;
}

TEST_F(KernelApi, SubGroupsAreCounted) {
  using V = std::vector<size_t>;
  const KernelHolder kernel = makeKernel(program_, "every");
  const size_t size = subGroupInfo(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {64})[0];
  EXPECT_EQ(size, 16u);
  EXPECT_EQ(subGroupInfo(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {3, 5, 1}), V{16});
  EXPECT_EQ(subGroupInfo(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {65}), V{5});
  EXPECT_EQ(subGroupInfo(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {3, 5}), V{1});
  EXPECT_EQ(subGroupInfo(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {8, 4, 3}), V{6});
  EXPECT_EQ(subGroupInfo(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {3}), V{48});
  EXPECT_EQ(subGroupInfo(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {3}, 3), (V{48, 1, 1}));
  EXPECT_EQ(subGroupInfo(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {1u << 20}, 2),
            (V{0, 0}));
  EXPECT_EQ(subGroupInfo(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {0}), V{0});
  const size_t most = subGroupInfo(kernel, CL_KERNEL_MAX_NUM_SUB_GROUPS, {})[0];
  EXPECT_EQ(most, infoValue<size_t>(groupInfo(kernel, CL_KERNEL_WORK_GROUP_SIZE)) / 16);
  cl_uint deviceMost = 0;
  EXPECT_EQ(clGetDeviceInfo(device(), CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof deviceMost, &deviceMost,
                            nullptr),
            CL_SUCCESS);
  EXPECT_LE(most, deviceMost);
  EXPECT_EQ(subGroupInfo(kernel, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, {}), V{0});
}

TEST_F(KernelApi, QueriesOfSubGroupsRefuseWhatMakesNoSense) {
  const KernelHolder kernel = makeKernel(program_, "every");
  const size_t sizes[4] = {16, 1, 1, 1};
  size_t answer = 0;
  const auto code = [&](cl_kernel asked, cl_kernel_sub_group_info parameter, size_t bytes,
                        const void* input, size_t room = sizeof(size_t)) {
    return clGetKernelSubGroupInfo(asked, device(), parameter, bytes, input, room, &answer,
                                   nullptr);
  };
  for (const cl_kernel_sub_group_info parameter :
       {CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE}) {
    EXPECT_EQ(code(kernel, parameter, 8, sizes), CL_SUCCESS);
    EXPECT_EQ(code(kernel, parameter, 0, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(code(kernel, parameter, 8, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(code(kernel, parameter, 7, sizes), CL_INVALID_VALUE);
    EXPECT_EQ(code(kernel, parameter, 32, sizes), CL_INVALID_VALUE);
    EXPECT_EQ(code(kernel, parameter, 8, sizes, 4), CL_INVALID_VALUE);
  }
  EXPECT_EQ(code(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 16, sizes), CL_INVALID_VALUE);
  EXPECT_EQ(code(kernel, 0xdead, 8, sizes), CL_INVALID_VALUE);
  EXPECT_EQ(code(nullptr, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr), CL_INVALID_KERNEL);
}

struct Packet {
  cl_char c;
  cl_int4 v;
};

TEST_F(KernelApi, ArgumentsOfEveryKindReachTheKernel) {
  const KernelHolder kernel = makeKernel(program_, "every");
  const MemoryHolder out = makeBuffer(context_, std::vector<int>(32));
  const MemoryHolder table = makeBuffer(context_, std::vector<float>(16, 100));
  const MemoryHolder in = makeBuffer(context_, std::vector<int>(1, 1000));
  Packet packet{};
  packet.c = 3;
  packet.v.s[3] = 20;
  cl_uchar3 color{};
  color.s[2] = 200;
  setBuffer(kernel, 0, out);
  setBuffer(kernel, 1, table);
  EXPECT_EQ(clSetKernelArg(kernel, 2, 16, nullptr), CL_SUCCESS);
  setArgument(kernel, 3, packet);
  setBuffer(kernel, 4, in);
  setArgument(kernel, 5, color);
  setArgument(kernel, 6, cl_double{10000.5});
  const size_t global = 32, local = 16;
  ASSERT_EQ(
      clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr),
      CL_SUCCESS);
  std::vector<int> expected(32);
  for (int i = 0; i < 32; ++i) expected[i] = 15 - i % 16 + 100 + 3 + 20 + 1000 + 200 + 10000;
  EXPECT_EQ(readBuffer<int>(queue_, out, 32), expected);
}

TEST_F(KernelApi, WrongArgumentSizes) {
  const KernelHolder kernel = makeKernel(program_, "every");
  unsigned char bytes[256] = {};
  const struct {
    cl_uint index;
    size_t right;
  } values[] = {{3, sizeof(Packet)}, {5, 4}, {6, 8}};
  for (const auto& value : values) {
    EXPECT_EQ(clSetKernelArg(kernel, value.index, value.right, bytes), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, value.index, value.right - 1, bytes), CL_INVALID_ARG_SIZE);
    EXPECT_EQ(clSetKernelArg(kernel, value.index, value.right + 1, bytes), CL_INVALID_ARG_SIZE);
    EXPECT_EQ(clSetKernelArg(kernel, value.index, value.right, nullptr), CL_INVALID_ARG_VALUE);
  }
  EXPECT_EQ(clSetKernelArg(kernel, 0, 7, bytes), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, 8, bytes), CL_SUCCESS);  // a null cl_mem
  EXPECT_EQ(clSetKernelArg(kernel, 7, 8, bytes), CL_INVALID_ARG_INDEX);
}

TEST_F(KernelApi, NullBufferIsANullPointer) {
  const ProgramHolder program =
      buildProgram(context_,
                   "kernel void k(global int* out, global int* p, constant int* q) {"
                   "  out[0] = (p == 0) + 2 * (q == 0); }");
  const KernelHolder kernel = makeKernel(program, "k");
  const MemoryHolder out = makeBuffer(context_, std::vector<int>(1));
  setBuffer(kernel, 0, out);
  setBuffer(kernel, 1, nullptr);
  EXPECT_EQ(clSetKernelArg(kernel, 2, sizeof(cl_mem), nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueTask(queue_, kernel, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(readBuffer<int>(queue_, out, 1)[0], 3);
}

TEST_F(KernelApi, SubBuffersStartWhereTheyShould) {
  const ProgramHolder program =
      buildProgram(context_, "kernel void k(global int* p) { p[get_global_id(0)] += 100; }");
  const KernelHolder kernel = makeKernel(program, "k");
  const MemoryHolder whole = makeBuffer(context_, std::vector<int>(256, 1));
  const cl_buffer_region region{512, 128};
  cl_int error = 1;
  const MemoryHolder part(
      clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  setBuffer(kernel, 0, part);
  const size_t global = 32;
  EXPECT_EQ(
      clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr),
      CL_SUCCESS);
  std::vector<int> expected(256, 1);
  for (int i = 128; i < 160; ++i) expected[i] = 101;
  EXPECT_EQ(readBuffer<int>(queue_, whole, 256), expected);
}

// One program, kernels made, used and dropped by several threads at once.
TEST_F(KernelApi, ManyThreadsOnOneProgram) {
  const ProgramHolder program =
      buildProgram(context_,
                   "kernel void add(global int* p, int v) { p[get_global_id(0)] += v; }"
                   "kernel void mul(global int* p, int v) { p[get_global_id(0)] *= v; }");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const QueueHolder queue = makeQueue(context_);
      const MemoryHolder buffer = makeBuffer(context_, std::vector<int>(100, 1));
      int expected = 1;
      for (int i = 0; i < 100; ++i) {
        const KernelHolder add = makeKernel(program, "add"), mul = makeKernel(program, "mul");
        setBuffer(add, 0, buffer);
        setBuffer(mul, 0, buffer);
        setArgument(add, 1, t + i);
        setArgument(mul, 1, 3);
        const size_t global = 100;
        for (cl_kernel kernel : {add.get(), mul.get()})
          EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr,
                                           nullptr),
                    CL_SUCCESS);
        expected = static_cast<int>((static_cast<unsigned>(expected) + t + i) * 3u);
      }
      EXPECT_EQ(readBuffer<int>(queue, buffer, 100), std::vector<int>(100, expected));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace weft::test
