// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What queries and launches show of a kernel's attributes, with the real compiler.
#include <CL/cl_ext.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "support/info_query.h"
#include "support/programs.h"

namespace weft::test {
namespace {

using Sizes = std::array<size_t, 3>;

class KernelAttributes : public testing::Test {
 protected:
  /// A kernel `k` with `attributes` before its name.
  ProgramHolder buildWith(const std::string& attributes, const char* options = "-cl-std=CL3.0") {
    return buildProgram(context_, sourceWith(attributes), options);
  }
  static std::string sourceWith(const std::string& attributes) {
    return "kernel __attribute__((" + attributes +
           ")) void k(global uint* out) {"
           "  size_t i = get_global_id(0) + get_global_size(0) *"
           "             (get_global_id(1) + get_global_size(1) * get_global_id(2));"
           "  out[i] = get_local_size(0) + 100 * get_local_size(1) + 10000 * get_local_size(2); }";
  }
  static std::string textOf(cl_kernel kernel) {
    return infoText([=](size_t size, void* value, size_t* sizeRet) {
      return clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, size, value, sizeRet);
    });
  }
  static Sizes compileSizeOf(cl_kernel kernel) {
    return infoValue<Sizes>([=](size_t size, void* value, size_t* sizeRet) {
      return clGetKernelWorkGroupInfo(kernel, device(), CL_KERNEL_COMPILE_WORK_GROUP_SIZE, size,
                                      value, sizeRet);
    });
  }
  cl_int enqueue(cl_kernel kernel, const Sizes& global, const Sizes* local) {
    return clEnqueueNDRangeKernel(queue_, kernel, 3, nullptr, global.data(),
                                  local ? local->data() : nullptr, 0, nullptr, nullptr);
  }
  /// What a launch leaves, the same number from each of the 64 work-items; 0 if not.
  cl_uint run(cl_kernel kernel, const Sizes& global, const Sizes* local) {
    setBuffer(kernel, 0, out_);
    EXPECT_EQ(enqueue(kernel, global, local), CL_SUCCESS);
    const auto values = readBuffer<cl_uint>(queue_, out_, 64);
    return values == std::vector<cl_uint>(64, values[0]) ? values[0] : 0;
  }

  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_);
  MemoryHolder out_ = makeBuffer(context_, std::vector<cl_uint>(64));
};

TEST_F(KernelAttributes, TheQueryShowsThemAll) {
  const struct {
    const char *attributes, *text;
    Sizes compileSize;
  } cases[] = {
      {"reqd_work_group_size(4, 2, 1)", "reqd_work_group_size(4,2,1)", {4, 2, 1}},
      {"__reqd_work_group_size__(1, 1, 64)", "reqd_work_group_size(1,1,64)", {1, 1, 64}},
      {"reqd_work_group_size(1 << 3, 2 + 2, 1)", "reqd_work_group_size(8,4,1)", {8, 4, 1}},
      {"work_group_size_hint(8, 1, 2)", "work_group_size_hint(8,1,2)", {0, 0, 0}},
      {"__work_group_size_hint__(64, 1, 1)", "work_group_size_hint(64,1,1)", {0, 0, 0}},
      {"vec_type_hint(char)", "vec_type_hint(char)", {0, 0, 0}},
      {"vec_type_hint(uchar3)", "vec_type_hint(uchar3)", {0, 0, 0}},
      {"vec_type_hint(short8)", "vec_type_hint(short8)", {0, 0, 0}},
      {"vec_type_hint(ushort)", "vec_type_hint(ushort)", {0, 0, 0}},
      {"vec_type_hint(int)", "vec_type_hint(int)", {0, 0, 0}},
      {"__vec_type_hint__(uint2)", "vec_type_hint(uint2)", {0, 0, 0}},
      {"vec_type_hint(long)", "vec_type_hint(long)", {0, 0, 0}},
      {"vec_type_hint(ulong16)", "vec_type_hint(ulong16)", {0, 0, 0}},
      {"vec_type_hint(half8)", "vec_type_hint(half8)", {0, 0, 0}},
      {"vec_type_hint(float4)", "vec_type_hint(float4)", {0, 0, 0}},
      {"vec_type_hint(double2)", "vec_type_hint(double2)", {0, 0, 0}},
      {"vec_type_hint(int4), work_group_size_hint(4, 4, 4), reqd_work_group_size(2, 4, 8)",
       "vec_type_hint(int4) work_group_size_hint(4,4,4) reqd_work_group_size(2,4,8)",
       {2, 4, 8}},
      {"reqd_work_group_size(2, 4, 8))) __attribute__((vec_type_hint(int4), unused",
       "vec_type_hint(int4) reqd_work_group_size(2,4,8)",
       {2, 4, 8}},
      {"noinline, unused", "", {0, 0, 0}},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.attributes);
    for (const char* options :
         {"-cl-std=CL1.2 -Werror", "-cl-std=CL3.0 -Werror", "-cl-std=CLC++2021"}) {
      const ProgramHolder program = buildWith(test.attributes, options);
      const KernelHolder kernel = makeKernel(program, "k");
      EXPECT_EQ(textOf(kernel), test.text) << options;
      EXPECT_EQ(compileSizeOf(kernel), test.compileSize) << options;
    }
  }
}

TEST_F(KernelAttributes, WrongOnesAreRefused) {
  for (const char* wrong :
       {"reqd_work_group_size(4, 2)", "reqd_work_group_size(4, 2, 1, 1)", "reqd_work_group_size",
        "reqd_work_group_size(0, 1, 1)", "reqd_work_group_size(-1, 1, 1)",
        "reqd_work_group_size(1.5f, 1, 1)", "reqd_work_group_size(n, 1, 1)",
        "work_group_size_hint(0, 1, 1)", "work_group_size_hint(1)", "vec_type_hint(bool)",
        "vec_type_hint(void)", "vec_type_hint(int*)", "vec_type_hint(4)", "vec_type_hint",
        "opencl_unroll_hint"}) {
    const ProgramHolder program = makeProgram(context_, sourceWith(wrong));
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE)
        << wrong;
    EXPECT_NE(buildLog(program).find("error: "), std::string::npos) << wrong;
  }
  const ProgramHolder program =
      makeProgram(context_, "__attribute__((reqd_work_group_size(1, 1, 1))) void f(void) {}");
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
}

TEST_F(KernelAttributes, TheRequiredSizeIsTheOnlyOne) {
  const ProgramHolder program = buildWith("reqd_work_group_size(2, 4, 8)");
  const KernelHolder kernel = makeKernel(program, "k");
  const Sizes right{2, 4, 8}, turned{8, 4, 2}, smaller{2, 4, 4};
  EXPECT_EQ(run(kernel, right, nullptr), 80402u);
  EXPECT_EQ(run(kernel, right, &right), 80402u);
  EXPECT_EQ(enqueue(kernel, turned, &turned), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(enqueue(kernel, right, &smaller), CL_INVALID_WORK_GROUP_SIZE);
  // Where all groups are of one size it has to divide the range.
  const ProgramHolder older = buildWith("reqd_work_group_size(2, 4, 8)", "-cl-std=CL1.2");
  const KernelHolder uniform = makeKernel(older, "k");
  setBuffer(uniform, 0, out_);
  EXPECT_EQ(enqueue(uniform, turned, nullptr), CL_INVALID_WORK_GROUP_SIZE);
}

// The build cannot know the device that runs it; the launch does.
TEST_F(KernelAttributes, ARequiredSizeBeyondTheDeviceFailsAtTheLaunch) {
  for (const char* size :
       {"reqd_work_group_size(1048576, 1, 1)", "reqd_work_group_size(128, 128, 128)",
        "reqd_work_group_size(2, 2, 4294967295)"}) {
    const ProgramHolder program = buildWith(size);
    const KernelHolder kernel = makeKernel(program, "k");
    const Sizes required = compileSizeOf(kernel);
    const MemoryHolder out = makeBuffer(context_, std::vector<cl_uint>(1));
    setBuffer(kernel, 0, out);
    const cl_int given = enqueue(kernel, required, &required);
    EXPECT_TRUE(given == CL_INVALID_WORK_GROUP_SIZE || given == CL_INVALID_WORK_ITEM_SIZE) << given;
    const cl_int chosen = enqueue(kernel, required, nullptr);
    EXPECT_TRUE(chosen == CL_INVALID_WORK_GROUP_SIZE || chosen == CL_INVALID_WORK_ITEM_SIZE)
        << chosen;
  }
}

// Who knows no better size than the programmer's guess takes that, where it can be.
TEST_F(KernelAttributes, AHintIsTheSizeOfLaunchesWithoutOne) {
  const ProgramHolder program = buildWith("work_group_size_hint(2, 4, 8)");
  const KernelHolder kernel = makeKernel(program, "k");
  const Sizes dividing{4, 4, 8}, other{64, 1, 1};
  const MemoryHolder out = makeBuffer(context_, std::vector<cl_uint>(128));
  setBuffer(kernel, 0, out);
  EXPECT_EQ(enqueue(kernel, dividing, nullptr), CL_SUCCESS);
  EXPECT_EQ(readBuffer<cl_uint>(queue_, out, 128), std::vector<cl_uint>(128, 80402));
  EXPECT_NE(run(kernel, other, nullptr), 80402u);
}

TEST_F(KernelAttributes, HintsBindNobody) {
  for (const char* hint :
       {"work_group_size_hint(64, 1, 1)", "work_group_size_hint(7, 1, 1)",
        "work_group_size_hint(4294967295, 4294967295, 4294967295)", "vec_type_hint(float16)"}) {
    const ProgramHolder program = buildWith(hint);
    const KernelHolder kernel = makeKernel(program, "k");
    const Sizes global{64, 1, 1}, local{16, 1, 1}, other{4, 1, 1};
    EXPECT_EQ(run(kernel, global, &local), 10116u) << hint;
    EXPECT_EQ(run(kernel, global, &other), 10104u) << hint;
    EXPECT_NE(run(kernel, global, nullptr), 0u) << hint;
  }
}

// Clang knows the attribute without the extension.
TEST_F(KernelAttributes, ARequiredSubGroupSizeIsOneOfTheDevices) {
  const auto sizes = infoList<size_t>([](size_t size, void* value, size_t* sizeRet) {
    return clGetDeviceInfo(device(), CL_DEVICE_SUB_GROUP_SIZES_INTEL, size, value, sizeRet);
  });
  EXPECT_EQ(sizes, (std::vector<size_t>{8, 16, 32, 64}));
  for (const size_t required : sizes) {
    const std::string text = "intel_reqd_sub_group_size(" + std::to_string(required) + ")";
    const ProgramHolder program =
        buildProgram(context_,
                     "kernel __attribute__((" + text +
                         ")) void k(global uint* out) {"
                         " out[get_global_id(0)] = get_max_sub_group_size() * 1000 + "
                         "sub_group_reduce_add(1u); }",
                     "-cl-std=CL3.0");
    const KernelHolder kernel = makeKernel(program, "k");
    EXPECT_EQ(textOf(kernel), text);
    EXPECT_EQ(infoValue<size_t>([&](size_t size, void* value, size_t* sizeRet) {
                return clGetKernelSubGroupInfo(kernel, device(),
                                               CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, nullptr,
                                               size, value, sizeRet);
              }),
              required);
    EXPECT_EQ(infoValue<cl_ulong>([&](size_t size, void* value, size_t* sizeRet) {
                return clGetKernelWorkGroupInfo(kernel, device(), CL_KERNEL_SPILL_MEM_SIZE_INTEL,
                                                size, value, sizeRet);
              }),
              0u);
    const Sizes global{64, 1, 1}, local{64, 1, 1};
    EXPECT_EQ(run(kernel, global, &local), required * 1001) << required;
  }
  for (const int size : {0, 1, 7, 24, 128, 1 << 20}) {
    const ProgramHolder program = makeProgram(
        context_, sourceWith("intel_reqd_sub_group_size(" + std::to_string(size) + ")"));
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE)
        << size;
  }
}

TEST_F(KernelAttributes, OfStructArgumentsSetTheirSize) {
  const ProgramHolder program = buildProgram(context_, R"(
    typedef struct __attribute__((packed)) { char c; int i; short s; } Tight;
    typedef struct { char c; } __attribute__((aligned(64))) Wide;
    kernel void k(Tight t, Wide w, global int* out) { out[0] = t.i + t.s + w.c; })");
  const KernelHolder kernel = makeKernel(program, "k");
  const struct __attribute__((packed)) {
    cl_char c;
    cl_int i;
    cl_short s;
  } tight{1, 1000000, 2000};
  alignas(64) const std::array<cl_char, 64> wide{7};
  EXPECT_EQ(clSetKernelArg(kernel, 0, 8, &tight), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, 7, &tight), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 1, 1, &wide), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 1, 64, &wide), CL_SUCCESS);
  const MemoryHolder out = makeBuffer(context_, std::vector<int>(1));
  setBuffer(kernel, 2, out);
  EXPECT_EQ(clEnqueueTask(queue_, kernel, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(readBuffer<int>(queue_, out, 1)[0], 1002007);
}

}  // namespace
}  // namespace weft::test
