// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cl_khr_initialize_memory: private and local memory that begin as zeros, in every form.
#include <gtest/gtest.h>

#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

Program buildZeroed(const char* source, const char* options) {
  auto built = compilerUnderTest().build(source, options, compiler::PrivateMemory::Zeroed);
  EXPECT_TRUE(built) << built.error().log;
  return built ? built->program : nullptr;
}

// Each kernel first fills memory of its own, so that what is left behind is not zero.
const char* const kPrivate = R"(
__attribute__((noinline)) void dirty(global uint* p, uint seed) {
  volatile uint junk[64];
  for (uint i = 0; i < 64; ++i) junk[i] = seed + i + 1;
  p[get_global_id(0)] += junk[seed & 63] == 0;
}
__attribute__((noinline)) uint look(uint n) {
  uint table[64];
  uint sum = 0;
  for (uint i = 0; i < n; ++i) sum |= table[i];
  return sum;
}
kernel void helpers(global uint* p) {
  dirty(p, get_global_id(0));
  p[get_global_id(0)] |= look(64);
}
kernel void scalars(global uint* p) {
  uint a; ulong b; float4 v; struct { char c; uint4 x; } s; uint t[3][5];
  uint i = get_global_id(0);
  p[i] |= a | (uint)b | as_uint(v.y) | s.x.z | t[i % 3][i % 5] | (uint)s.c;
}
kernel void loops(global uint* p) {
  for (uint n = 0; n < 3; ++n) {
    uint t[16];
    uint sum = 0;
    if (n == 0) { for (uint i = 0; i < 16; ++i) sum |= t[i]; }
    for (uint i = 0; i < 16; ++i) t[i] = p[i] + 7;
    p[get_global_id(0)] |= sum | (t[n] == 1);
  }
}
kernel void across(global uint* p) {
  uint t[32];
  p[get_global_id(0)] |= t[get_local_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  t[get_local_id(0)] |= 0;
  p[get_global_id(0)] |= t[31 - get_local_id(0)];
}
)";

TEST(InitializeMemory, PrivateMemoryBeginsAsZeros) {
  for (const char* options : {"", "-cl-opt-disable", "-g"}) {
    SCOPED_TRACE(options);
    const Program program = buildZeroed(kPrivate, options);
    ASSERT_TRUE(program);
    EXPECT_EQ(program->privateMemory(), compiler::PrivateMemory::Zeroed);
    for (const char* kernel : {"helpers", "scalars", "loops", "across"}) {
      SCOPED_TRACE(kernel);
      std::vector<uint32_t> out(128, 0);
      Launch(program, kernel).range({128}, {32}).buffer(out).inEveryForm([&](const Outcome&) {
        EXPECT_EQ(out, std::vector<uint32_t>(128, 0));
      });
    }
  }
}

TEST(InitializeMemory, ZeroedAndOtherBuildsAreKeptApart) {
  const Program plain = build(kPrivate);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->privateMemory(), compiler::PrivateMemory::Unspecified);
  const Program zeroed = buildZeroed(kPrivate, "");
  ASSERT_TRUE(zeroed);
  const auto bytes = zeroed->serialize();
  ASSERT_TRUE(bytes);
  const auto loaded = compilerUnderTest().load(*bytes);
  ASSERT_TRUE(loaded) << loaded.error().log;
  EXPECT_EQ((*loaded)->privateMemory(), compiler::PrivateMemory::Zeroed);
}

const char* const kLocal = R"(
kernel void alone(global uint* p, local uint* scratch) {
  local uint fixed[50];
  uint sum = 0;
  for (uint i = 0; i < 50; ++i) sum |= fixed[i] | scratch[i];
  p[get_group_id(0)] |= sum;
  for (uint i = 0; i < 50; ++i) fixed[i] = scratch[i] = 0xabcdu + i;
}
kernel void together(global uint* p, local uint* scratch) {
  local uint fixed[50];
  uint i = get_local_id(0);
  uint seen = fixed[i] | scratch[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  fixed[i] = scratch[i] = ~0u;
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] |= seen | (fixed[15 - i] == 0);
}
)";

TEST(InitializeMemory, LocalMemoryOfEachGroupBeginsAsZeros) {
  const Program program = build(kLocal);
  ASSERT_TRUE(program);
  std::vector<uint32_t> groups(200, 0);
  Launch(program, "alone")
      .range({200}, {1})
      .buffer(groups)
      .local(200)
      .zeroLocal()
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(groups, std::vector<uint32_t>(200, 0)); });
  std::vector<uint32_t> items(640, 0);
  Launch(program, "together")
      .range({640}, {16})
      .buffer(items)
      .local(64)
      .zeroLocal()
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(items, std::vector<uint32_t>(640, 0)); });
}

}  // namespace
}  // namespace weft::test
