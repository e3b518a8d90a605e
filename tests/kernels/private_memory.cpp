// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private arrays from a kilobyte to megabytes, in all forms and in groups of many sizes, and in
// chains of functions that stay out of line: nothing overflows the stack that it is on.
#include <functional>
#include <string>

#include "harness.h"

namespace weft::test {
namespace {

/// Every kernel leaves the work-item's id, plus two, wherever it kept it meanwhile.
const char* const kSource = R"(
#define FILL                                                                   \
  int a[BYTES / 4];                                                            \
  const uint n = BYTES / 4, i = get_global_id(0);                              \
  for (uint k = 0; k < 8; ++k) a[(i * 7 + k * step) % n] = i + k;              \
  a[n - 1] = i;                                                                \
  a[step % n] = 1;                                                             \
  a[n - 2] = 1;
#define RESULT a[n - 1] + a[step % n] + a[n - 2]

kernel void flat(global int* out, uint step) {
  FILL
  out[i] = RESULT;
}
kernel void group(global int* out, uint step) {
  FILL
  out[get_group_id(0) * get_local_size(0) + get_local_id(0)] = RESULT;
}
kernel void whole(global int* out, uint step) {
  FILL
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = RESULT;
}
kernel void some(global int* out, uint step) {
  FILL
  if (out[i] == 0) barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = RESULT;
}
#define LINK(NAME, NEXT)                                                       \
  __attribute__((noinline)) int NAME(uint step) {                              \
    FILL                                                                       \
    return NEXT(step + 1) + RESULT - (int)i - 2;                               \
  }
__attribute__((noinline)) int end(uint step) { return get_global_id(0) + 2; }
LINK(c, end) LINK(b, c) LINK(d, b)
kernel void chain(global int* out, uint step) { out[get_global_id(0)] = d(step); }
kernel void waiting(global int* out, uint step) {
  int r = d(step);
  if (out[get_global_id(0)] == 0) barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = r;
}
)";

struct Case {
  uint64_t bytes, items;
};

class PrivateMemory : public testing::TestWithParam<Case> {};

TEST_P(PrivateMemory, FitsItsStack) {
  const auto [bytes, items] = GetParam();
  const Program program = build(kSource, "-DBYTES=" + std::to_string(bytes));
  for (const char* kernel : {"flat", "group", "whole", "some", "chain", "waiting"}) {
    SCOPED_TRACE(kernel);
    const auto* info = kernelInfo(program, kernel);
    ASSERT_NE(info, nullptr);
    const bool chain = std::string(kernel) == "chain" || std::string(kernel) == "waiting";
    EXPECT_EQ(info->privateBytes, chain ? 3 * bytes : bytes);
    std::vector<int> out(3 * items);
    Launch(program, kernel)
        .range({3 * items}, {items})
        .buffer(out)
        .value(1001u)
        .inEveryForm([&](const Outcome&) {
          for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<int>(i + 2));
        });
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, PrivateMemory,
                         testing::Values(Case{1 << 10, 1024}, Case{16 << 10, 256},
                                         Case{256 << 10, 16}, Case{4 << 20, 4}, Case{64 << 20, 1}));

/// Runs `kernel void k(global int* out, int one) { int i = get_global_id(0); BODY }`, where `one`
/// is 1, and expects out[i] = expected(i).
void runItem(const std::string& body, const std::function<int(int i)>& expected,
             const std::string& functions = "") {
  const auto program =
      build(functions +
                "typedef struct { int a; int2 b; char c; } Mixed;"
                "typedef struct { int a[3]; } Three;"
                "__attribute__((noinline)) int sum(int4* p) { return p->x + p->w; }"
                "kernel void k(global int* out, int one) {"
                "  int i = get_global_id(0);" +
                body + "}",
            "-cl-std=CL3.0");
  for (const uint64_t items : {uint64_t{1}, uint64_t{7}, uint64_t{64}, uint64_t{100}}) {
    std::vector<int> out(items), wanted(items);
    for (size_t i = 0; i < items; ++i) wanted[i] = expected(static_cast<int>(i));
    Launch(program, "k").range(items).buffer(out).value(1).inEveryForm([&](const Outcome&) {
      EXPECT_EQ(out, wanted) << body;
    });
  }
}

TEST(PrivateMemory, VolatileVectors) {
  runItem("volatile int2 v; v = (int2)(i, i * 2 + 1); int2 w = v; out[i] = w.x * 3 + w.y;",
          [](int i) { return i * 5 + 1; });
  runItem(
      "volatile int4 v = (int4)(i, 1, 2, i * 2); v += 1; int4 w = v; "
      "out[i] = w.x + w.y * 3 + w.z * 5 + w.w;",
      [](int i) { return i * 3 + 23; });
  runItem("volatile int3 v = (int3)(i, 1, 2); int3 w = v; out[i] = w.x + w.y * 3 + w.z * 5;",
          [](int i) { return i + 13; });
  runItem(
      "volatile int2 v[4]; for (int k = 0; k < 4; ++k) v[(k + i) & 3] = (int2)(i, k); "
      "if (i & 1) v[i & 3] = (int2)(7, 8); int2 w = v[(i + one) & 3]; "
      "out[i] = w.x * 10 + w.y;",
      [](int i) { return i * 10 + 1; });
  runItem(
      "volatile uchar4 v = (uchar4)(i, 1, 2, 3); if (i % 3) v.y = i; uchar4 w = v; "
      "out[i] = w.x + w.y * 2 + w.w;",
      [](int i) { return i + (i % 3 ? 2 * i : 2) + 3; });
  runItem("volatile double8 v = (double8)(i); v.s3 = one; out[i] = v.s3 * 1000 + v.s7;",
          [](int i) { return 1000 + i; });
}

TEST(PrivateMemory, VolatileScalarsArraysAndStructures) {
  runItem("volatile int v = i; v *= 2; if (i & 1) v += 1; out[i] = v;",
          [](int i) { return i * 2 + (i & 1); });
  runItem("volatile int v[4]; v[0] = i; v[i & 3] = 5; v[(i + one) & 3] = 6; out[i] = v[i & 3];",
          [](int) { return 5; });
  runItem(
      "volatile Mixed v; v.a = i; v.b = (int2)(i, 2); v.c = 3; Mixed w = v; "
      "out[i] = w.a + w.b.x * 3 + w.b.y + w.c;",
      [](int i) { return i * 4 + 5; });
  runItem(
      "volatile int v[4]; v[0] = i; v[1] = 2; v[2] = 3; v[3] = i; "
      "int4 w = *(volatile int4*)v; out[i] = w.x + w.y + w.z + w.w;",
      [](int i) { return i * 2 + 5; });
  runItem("volatile bool v = i & 1; out[i] = v ? 3 : 4;", [](int i) { return i & 1 ? 3 : 4; });
}

// Floats stay in memory, where integers that are seen by nobody else become registers.
TEST(PrivateMemory, VolatileFloats) {
  runItem("volatile float2 v; v = (float2)(i, i * 2 + 1); float2 w = v; out[i] = w.x * 3 + w.y;",
          [](int i) { return i * 5 + 1; });
  runItem(
      "volatile float4 v = (float4)(i, 1, 2, i * 2); v += 1; float4 w = v; "
      "out[i] = w.x + w.y * 3 + w.z * 5 + w.w;",
      [](int i) { return i * 3 + 23; });
  runItem(
      "volatile float2 v[4]; for (int k = 0; k < 4; ++k) v[(k + i) & 3] = (float2)(i, k); "
      "if (i & 1) v[i & 3] = (float2)(7, 8); float2 w = v[(i + one) & 3]; "
      "out[i] = w.x * 10 + w.y;",
      [](int i) { return i * 10 + 1; });
  runItem("volatile float v = i; v *= 2; if (i & 1) v += 1; out[i] = v;",
          [](int i) { return i * 2 + (i & 1); });
}

TEST(PrivateMemory, VolatileIdsAndCounters) {
  runItem(
      "const volatile int g = get_global_id(0); volatile int n = 0; "
      "for (volatile int k = 0; k < g % 5; ++k) n += k; out[g] = n;",
      [](int i) { return (i % 5) * (i % 5 - 1) / 2; });
  runItem("volatile int v = i; volatile int* p = one ? &v : 0; *p = i + 1; out[i] = v;",
          [](int i) { return i + 1; });
}

// LLVM 19 no longer sees stores to a variable beside an access that is wider than the variable.
TEST(PrivateMemory, AccessesWiderThanTheVariableThatNeverRun) {
  runItem(
      "int v[3]; v[0] = i; v[1] = v[2] = 0; v[one - 1] = 7; "
      "if (one == 5) { long2 w = *(long2*)v; out[i + 1] = w.s0 + w.s1; } out[i] = v[0];",
      [](int) { return 7; });
  runItem(
      "int v[2] = {i, 0}; v[(one - 1) & 1] = 7; int s = 0; "
      "if (one == 5) { long4 w = *(long4*)v; s = w.s3; } out[i] = v[0] + s;",
      [](int) { return 7; });
  runItem(
      "int u[3] = {i, 0, 0}, v[64]; for (int k = 0; k < 64; ++k) v[k * one & 63] = k; "
      "int* p = one == 9 ? v : u; p[0] = 1; u[one - 1] = 7; int s = 0; "
      "if (one == 5) { int8 w = *(int8*)p; s = w.s3; } out[i] = p[0] + s;",
      [](int) { return 7; });
}

TEST(PrivateMemory, AccessesWiderThanTheStructureOfAFunctionThatNeverRun) {
  runItem(
      "out[i] = first((S){{i, 0, 0}, {0, 0}}, one, i);", [](int) { return 7; },
      "typedef struct { int v[3], more[2]; } S;"
      "__attribute__((noinline)) int first(S s, int one, int i) {"
      "  s.v[0] = i; s.v[one - 1] = 7; int last = 0;"
      "  if (one == 5) { long4 w = *(long4*)s.v; last = w.s3; } return s.v[0] + last; }");
}

// LLVM 19's straight-line vectoriser does not see that a gather that it made reads a variable.
TEST(PrivateMemory, ArraysOfTheItemsOfAGroupBesideEachOther) {
  const Program program = build(
      "kernel void k(global uint* out, global const uint* in) {"
      "  local uint shared[16]; uint p[4] = {1, 2, 3, 4};"
      "  uint i = get_local_id(0), n = get_local_size(0);"
      "  shared[i] = in[i]; barrier(CLK_LOCAL_MEM_FENCE);"
      "  uint x = shared[i] ^ shared[(i + 2) % n];"
      "  p[x & 3] += x; out[i] = x ^ p[2]; }");
  for (size_t items = 1; items <= 16; ++items) {
    std::vector<uint32_t> in(items), out(items), wanted(items);
    for (size_t i = 0; i < items; ++i) in[i] = static_cast<uint32_t>(i) * 77777;
    for (size_t i = 0; i < items; ++i) {
      const uint32_t x = in[i] ^ in[(i + 2) % items];
      wanted[i] = x ^ ((x & 3) == 2 ? 3 + x : 3);
    }
    Launch(program, "k")
        .range({items}, {items})
        .buffer(out)
        .buffer(in)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted) << items; });
  }
}

TEST(PrivateMemory, CopiesAtomicsAndPointersOfVectors) {
  runItem(
      "int4 v[2]; v[i & 1] = (int4)(i); v[1 - (i & 1)] = (int4)(2); int4 w[2]; "
      "for (int k = 0; k < 2; ++k) w[k] = v[(k + i * one) & 1]; out[i] = sum(w) + w[1].y;",
      [](int i) { return i * 2 + 2; });
  runItem(
      "int v[4]; v[i & 3] = i; v[(i + 1) & 3] = 2; "
      "atomic_fetch_add_explicit((atomic_int*)(v + (i & 3)), 5, memory_order_relaxed, "
      "memory_scope_work_group); out[i] = v[i & 3];",
      [](int i) { return i + 5; });
  runItem(
      "Three v[2], w[2]; for (int k = 0; k < 3; ++k) v[i & 1].a[k] = i + k; "
      "w[one] = v[i & 1]; w[0] = w[one]; out[i] = w[1 - one].a[2 * one];",
      [](int i) { return i + 2; });
  runItem(
      "void* v[2]; v[i & 1] = v; int* w = v[i & 1]; w[2 - 2 * (i & 1)] = i; "
      "out[i] = ((int*)v)[2 - 2 * (i & 1)] + (v[i & 1] == (void*)v);",
      [](int i) { return i + 1; });
}

}  // namespace
}  // namespace weft::test
