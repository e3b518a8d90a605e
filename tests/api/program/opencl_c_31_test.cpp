// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL C 3.1: what is part of it rather than of an extension, without asking for any macro.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/programs.h"
#include "support/reported_version.h"

namespace weft::test {
namespace {

constexpr const char* kOption = "-cl-std=CL3.1";

class OpenClC31 : public testing::Test {
 protected:
  void SetUp() override {
    if (!expectsOpenCl31()) GTEST_SKIP() << "OpenCL 3.0 is reported";
  }

  /// What 32 work-items of one group write, each one number.
  std::vector<cl_int> run(const std::string& body, const char* option = kOption) {
    const ProgramHolder program = buildProgram(
        context_, "kernel void k(global int* out) { int i = (int)get_global_id(0); " + body + " }",
        option);
    const MemoryHolder out = makeBuffer(context_, std::vector<cl_int>(32, -7));
    const KernelHolder kernel = makeKernel(program, "k");
    setBuffer(kernel, 0, out);
    const size_t size = 32;
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &size, &size, 0, nullptr, nullptr),
              CL_SUCCESS);
    return readBuffer<cl_int>(queue_, out, 32);
  }
  template <class Value>
  static std::vector<cl_int> each(Value value) {
    std::vector<cl_int> values;
    for (cl_int i = 0; i < 32; ++i) values.push_back(value(i));
    return values;
  }

  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_);
};

TEST_F(OpenClC31, BitOperations) {
  EXPECT_EQ(run("out[i] = bitfield_insert(0, i, 4, 8);"), each([](int i) { return i << 4; }));
  EXPECT_EQ(run("out[i] = bitfield_extract_signed((short)(i << 3), 3, 5);"),
            each([](int i) { return i < 16 ? i : i - 32; }));
  EXPECT_EQ(run("out[i] = bitfield_extract_unsigned((uchar4)(i << 3), 3, 5).z;"),
            each([](int i) { return i; }));
  EXPECT_EQ(run("out[i] = (int)(bit_reverse((ulong)i) >> 59);"), each([](int i) {
              return (i & 1) << 4 | (i & 2) << 2 | (i & 4) | (i & 8) >> 2 | (i & 16) >> 4;
            }));
}

TEST_F(OpenClC31, DotProducts) {
  EXPECT_EQ(run("out[i] = dot_4x8packed_ss_int(0x01ff0203u, i | i << 8);"),
            each([](int i) { return 5 * i; }));
  EXPECT_EQ(run("out[i] = dot_acc_sat_4x8packed_us_int(0xffffffffu, 0x7f7f7f7fu, 0x7fffffff - i);"),
            each([](int) { return 0x7fffffff; }));
  EXPECT_EQ(run("out[i] = (int)dot((uchar4)(1, 2, 3, 4), (uchar4)(i));"),
            each([](int i) { return 10 * i; }));
}

TEST_F(OpenClC31, Shuffles) {
  for (const std::string type : {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong",
                                 "float", "double", "half"}) {
    const std::string pragma =
        type == "half" ? "\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : "";
    // All of a sub-group take part in `call`; `y` is what it gave.
    const auto of = [&](const std::string& call, const std::string& used = "y") {
      return pragma + "int n = (int)get_sub_group_size(), l = (int)get_sub_group_local_id(); " +
             type + " x = (" + type + ")l; " + type + " y = " + call + "; out[i] = (int)(" + used +
             ") - ";
    };
    const std::vector<cl_int> zeros(32);
    EXPECT_EQ(run(of("sub_group_shuffle(x, (uint)(n - 1 - l))") + "(n - 1 - l);"), zeros) << type;
    EXPECT_EQ(run(of("sub_group_shuffle_xor(x, 1u)") + "(l ^ 1);"), zeros) << type;
    EXPECT_EQ(run(of("sub_group_shuffle_up(x, 1u)", "l == 0 ? x : y") + "max(l - 1, 0);"), zeros)
        << type;
    EXPECT_EQ(run(of("sub_group_shuffle_down(x, 1u)", "l == n - 1 ? x : y") + "min(l + 1, n - 1);"),
              zeros)
        << type;
    EXPECT_EQ(run(of("sub_group_rotate(x, 1)") + "(l + 1) % n;"), zeros) << type;
    EXPECT_EQ(run(of("sub_group_clustered_rotate(x, 1, 4u)") + "((l & ~3) | ((l + 1) & 3));"),
              zeros)
        << type;
    EXPECT_EQ(run(of("sub_group_reduce_max(x)") + "(n - 1);"), zeros) << type;
    EXPECT_EQ(run(of("sub_group_broadcast(x, 2u)") + "2;"), zeros) << type;
  }
  EXPECT_EQ(run("out[i] = sub_group_broadcast((short4)(i, 1, 2, 3), 0u).w;"),
            each([](int) { return 3; }));
}

TEST_F(OpenClC31, IsAboveThreeInAllElse) {
  const std::string conditions =
      "__OPENCL_C_VERSION__ >= CL_VERSION_3_0 && __OPENCL_C_VERSION__ == CL_VERSION_3_1 && "
      "__OPENCL_VERSION__ == CL_VERSION_3_1 && defined(__opencl_c_subgroups) && "
      "defined(__opencl_c_int64) && defined(__opencl_c_generic_address_space) && "
      "defined(cl_khr_integer_dot_product) && defined(cl_khr_subgroup_rotate)";
  EXPECT_EQ(run("\n#if !(" + conditions + ")\n#error no\n#endif\n" +
                R"(atomic_int a; atomic_init(&a, i); int* p = (int*)out;
                   p[i] = atomic_load_explicit(&a, memory_order_relaxed, memory_scope_work_item) +
                          work_group_reduce_add(1);)"),
            each([](int i) { return i + 32; }));
}

// Groups at the ends of a range may be smaller, as since OpenCL C 2.0.
TEST_F(OpenClC31, GroupsNeedNotBeUniform) {
  const ProgramHolder program = buildProgram(context_, "kernel void k() {}", kOption);
  const KernelHolder kernel = makeKernel(program, "k");
  const size_t global = 33, local = 32;
  EXPECT_EQ(
      clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr),
      CL_SUCCESS);
}

// All versions know the device's version by its name.
TEST_F(OpenClC31, OtherVersionsKnowItsName) {
  for (const char* option : {"", "-cl-std=CL1.1", "-cl-std=CL3.0", "-cl-std=CLC++2021"})
    buildProgram(context_,
                 "#if __OPENCL_VERSION__ != CL_VERSION_3_1 || CL_VERSION_3_1 != 310\n#error no\n"
                 "#endif\n#if defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ >= 310\n"
                 "#error no\n#endif\nkernel void k() {}",
                 option);
}

TEST_F(OpenClC31, LengthsOfPrintf) {
  const ProgramHolder program = buildProgram(
      context_, R"(kernel void k() { printf("%zu %zd %td %zx|", (size_t)1 << 40, (ptrdiff_t)-3,
                                            (ptrdiff_t)-1 << 35, (size_t)255); })",
      kOption);
  const KernelHolder kernel = makeKernel(program, "k");
  testing::internal::CaptureStdout();
  const size_t one = 1;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "1099511627776 -3 -34359738368 ff|");
}

}  // namespace
}  // namespace weft::test
