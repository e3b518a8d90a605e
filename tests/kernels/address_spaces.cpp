// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generic pointers, and variables at program scope.
#include <numeric>
#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

constexpr const char* kC30 = "-cl-std=CL3.0";
constexpr uint64_t kItems = 256;

TEST(GenericPointer, IsOneOfThreeAddressSpaces) {
  // The choice is made at run time and the functions stay out of line, so that nothing about the
  // pointer is known when the kernel is compiled.
  const auto program = build(R"(
    __attribute__((noinline)) int where(int* p) {
      return (to_global(p) == p ? 1 : 0) | (to_local(p) == p ? 2 : 0) |
             (to_private(p) == p ? 4 : 0) | (get_fence(p) == CLK_LOCAL_MEM_FENCE ? 8 : 0) |
             (get_fence(p) == CLK_GLOBAL_MEM_FENCE ? 16 : 0);
    }
    global int variable = 5;
    kernel void k(global int* out, global int* in, local int* block, int shift) {
      local int own[4];
      int mine[16];
      size_t i = get_global_id(0);
      mine[(i + shift) % 16] = (int)i;
      own[get_local_id(0) % 4] = 7;
      barrier(CLK_LOCAL_MEM_FENCE);
      int* all[5] = {&in[i], &own[i % 4], &mine[(i + shift) % 16], &block[get_local_id(0)],
                     &variable};
      for (int j = 0; j < 5; ++j) out[5 * i + j] = where(all[(j + shift) % 5]);
    })",
                             kC30);
  std::vector<int> out(5 * kItems), in(kItems), expected;
  const int byPointer[] = {1 | 16, 2 | 8, 4 | 16, 2 | 8, 1 | 16};
  for (size_t i = 0; i < kItems; ++i)
    for (int j = 0; j < 5; ++j) expected.push_back(byPointer[(j + 2) % 5]);
  Launch(program, "k")
      .range(kItems)
      .buffer(out)
      .buffer(in)
      .local(64 * sizeof(int))
      .value(2)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

TEST(GenericPointer, IsFoundWithoutABarrierToo) {
  const auto program = build(R"(
    __attribute__((noinline)) int where(int* p) {
      return (to_global(p) ? 1 : 0) | (to_local(p) ? 2 : 0) | (to_private(p) ? 4 : 0);
    }
    kernel void k(global int* out, int shift) {
      size_t i = get_global_id(0);
      int mine[8];
      mine[(i + shift) % 8] = 3;
      int* p = i % 3 == 0 ? &out[i] : i % 3 == 1 ? &mine[(i + shift) % 8] : (int*)0;
      out[i] = where(p);
    })",
                             kC30);
  std::vector<int> out(kItems), expected;
  for (size_t i = 0; i < kItems; ++i) expected.push_back(i % 3 == 0 ? 1 : i % 3 == 1 ? 4 : 0);
  Launch(program, "k").range(kItems).buffer(out).value(1).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
}

TEST(GenericPointer, ReachesFunctionsOfTheLibrary) {
  const auto program = build(R"(
    kernel void k(global float* out, local float* block) {
      size_t i = get_global_id(0), l = get_local_id(0);
      float mine;
      float* places[3] = {&mine, &block[l], &out[3 * i + 2]};
      float whole = 0;
      for (int j = 0; j < 3; ++j) {
        fract(i + 0.25f * j, places[j]);
        whole += *places[j];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      float4 four = (float4)(whole, mine, block[l], 0);
      vstore2(four.xy, 0, (float*)&out[3 * i]);
      out[3 * i + 2] = vload2(0, (const float*)&block[l & ~1u]).x;
    })",
                             kC30);
  std::vector<float> out(3 * kItems), expected;
  for (size_t i = 0; i < kItems; ++i) {
    const auto x = static_cast<float>(i);
    expected.insert(expected.end(), {3 * x, x, static_cast<float>(i & ~size_t{1})});
  }
  Launch(program, "k")
      .range(kItems)
      .buffer(out)
      .local(65 * sizeof(float))
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

TEST(GenericPointer, ReachesAtomics) {
  const auto program = build(R"(
    void bump(volatile atomic_int* p, int by) {
      atomic_fetch_add_explicit(p, by, memory_order_relaxed, memory_scope_work_group);
    }
    kernel void k(global int* out, global atomic_int* total) {
      local atomic_int part;
      if (get_local_id(0) == 0) atomic_init(&part, 0);
      barrier(CLK_LOCAL_MEM_FENCE);
      bump(&part, 2);
      bump(total, 1);
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = atomic_load(&part);
    })",
                             kC30);
  std::vector<int> out(kItems), total(1);
  Launch(program, "k")
      .range({kItems}, {64})
      .buffer(out)
      .buffer(total)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(out, std::vector<int>(kItems, 128));
        EXPECT_EQ(total[0], int(kItems));
      });
}

TEST(ProgramScope, InitialisersHoldDataAndAddresses) {
  const auto program = build(R"(
    typedef struct { char c; double d; short3 v; } Record;
    global int plain = 3;
    int implicit[4] = {1, 2, 3, 4};
    static global Record record = {7, 0.5, (short3)(1, -2, 3)};
    global int* pointer = &implicit[2];
    constant int table[3] = {10, 20, 30};
    constant int* global toConstant = &table[1];
    global int* constant fromConstant = &plain;
    int* generic_pointer = &implicit[1];
    global int** chain = &pointer;
    global float zeros[1000];
    global long number = -5;
    kernel void k(global double* out, int i) {
      static int calls;
      static global int* inside = &plain;
      out[0] = plain + implicit[i];
      out[1] = record.c + record.d + record.v.y;
      out[2] = *pointer + 100 * *toConstant + *fromConstant;
      out[3] = *generic_pointer + **chain + zeros[999] + number;
      out[4] = *inside + (toConstant == &table[1] ? 1000 : 0);
      out[5] = calls;
    })",
                             kC30);
  std::vector<double> out(6);
  const std::vector<double> expected{5, 5.5, 2006, 0, 1003, 0};
  Launch(program, "k").range(1).buffer(out).value(1).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
}

TEST(ProgramScope, ValuesOutlastKernelsAndAreShared) {
  const auto program = build(R"(
    global atomic_int counter = 10;
    kernel void add(int by) {
      atomic_fetch_add_explicit(&counter, by, memory_order_relaxed, memory_scope_device);
    }
    kernel void read(global int* out) { out[0] = atomic_load(&counter); })",
                             kC30);
  int sum = 10;
  std::vector<int> out(1);
  for (int round = 1; round <= 2; ++round) {
    Launch(program, "add").range(kItems).value(round).inEveryForm([&](const Outcome&) {
      sum += round * static_cast<int>(kItems);
    });
    Launch(program, "read").range(1).buffer(out).inEveryForm([&](const Outcome&) {
      EXPECT_EQ(out[0], sum);
    });
  }
}

TEST(ProgramScope, HelperFunctionsUseVariables) {
  const auto program = build(R"(
    global int values[4] = {1, 10, 100, 1000};
    __attribute__((noinline)) int get(int i) { return values[i]; }
    int twice(int i) { return 2 * get(i); }
    kernel void k(global int* out) { int i = get_global_id(0); out[i] = twice(i % 4) + i; })",
                             kC30);
  std::vector<int> out(kItems), expected;
  const int values[] = {1, 10, 100, 1000};
  for (int i = 0; i < static_cast<int>(kItems); ++i) expected.push_back(2 * values[i % 4] + i);
  Launch(program, "k").range(kItems).buffer(out).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
}

TEST(ProgramScope, SizeIsReportedAndLimited) {
  const auto program = build(
      "global char bytes[1000]; kernel void k(global char* o) { "
      "o[0] = bytes[0]; }",
      kC30);
  ASSERT_TRUE(program);
  EXPECT_GE(program->programScopeBytes(), 1000u);
  EXPECT_TRUE(program->kernels()[0].usesProgramScope);
  const auto none = build("kernel void k(global char* o) { o[0] = 1; }", kC30);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->programScopeBytes(), 0u);
  const auto tooLarge = tryBuild("global char bytes[(1 << 20) + 1]; kernel void k() {}", kC30);
  ASSERT_FALSE(tooLarge);
  EXPECT_NE(tooLarge.error().log.find("bytes"), std::string::npos) << tooLarge.error().log;
}

TEST(ProgramScope, SurvivesBinariesAndIsAnewInEachProgram) {
  const auto first = build(R"(
    global int value = 4;
    global int* where = &value;
    kernel void k(global int* out) { *where += 1; out[0] = value; })",
                           kC30);
  ASSERT_TRUE(first);
  const auto bytes = first->serialize();
  ASSERT_TRUE(bytes);
  auto second = compilerUnderTest().load(*bytes);
  ASSERT_TRUE(second) << second.error().log;
  std::vector<int> out(1);
  const Mode once;
  Launch(first, "k").range(1).buffer(out).in(once, [&](const Outcome&) { EXPECT_EQ(out[0], 5); });
  Launch(first, "k").range(1).buffer(out).in(once, [&](const Outcome&) { EXPECT_EQ(out[0], 6); });
  Launch(*second, "k").range(1).buffer(out).in(once, [&](const Outcome&) { EXPECT_EQ(out[0], 5); });
}

TEST(ProgramScope, ObjectsShareVariables) {
  const auto compile = [](const char* source) {
    auto object = compilerUnderTest().compile(source, kC30, {});
    EXPECT_TRUE(object) << object.error().log;
    return object ? object->program : Ref<compiler::Program>();
  };
  const Ref<compiler::Program> objects[] = {
      compile("global int shared = 40; static global int own = 1;"
              "int get(void) { return shared + own; }"),
      compile("extern global int shared; static global int own = 100; int get(void);"
              "kernel void k(global int* out) { shared += own; out[0] = get(); }")};
  auto linked = compilerUnderTest().link(objects, "");
  ASSERT_TRUE(linked) << linked.error().log;
  std::vector<int> out(1);
  Launch(linked->program, "k").range(1).buffer(out).in({}, [&](const Outcome&) {
    EXPECT_EQ(out[0], 141);
  });
}

}  // namespace
}  // namespace weft::test
