// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/function_table.h"

// Atomic functions of OpenCL C 1.x and 3.0 (6.15.12), fences, and asynchronous copies (6.15.11).
namespace weft::test {
namespace {

constexpr size_t kItems = 512, kGroup = 64;

template <class T>
class BuiltinsAtomic : public testing::Test {};

using AtomicTypes = testing::Types<int32_t, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(BuiltinsAtomic, AtomicTypes);

// Operations whose final value does not depend on the order.
TYPED_TEST(BuiltinsAtomic, LegacyOperations) {
  using T = TypeParam;
  constexpr unsigned kOperations = 8;
  for (const std::string prefix : {"atomic_", "atom_"}) {
    if (prefix == "atomic_" && sizeof(T) == 8) continue;
    const std::string body =
        "#define ALL(p) P(add)(p, (T)i); P(sub)(p + 1, (T)i); P(inc)(p + 2); P(dec)(p + 3); "
        "P(min)(p + 4, (T)(100 - i)); P(max)(p + 5, (T)i); P(or)(p + 6, (T)1 << (i % 31)); "
        "P(xor)(p + 7, (T)i)\n"
        "kernel void run(global T* out, local T* group) {\n"
        "  T i = (T)get_global_id(0);\n"
        "  size_t l = get_local_id(0);\n"
        "  if (l < 8) group[l] = l == 4 ? (T)100 : 0;\n"
        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  ALL(out);\n"
        "  ALL(group);\n"
        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  if (l < 8) out[8 + get_group_id(0) * 8 + l] = group[l];\n"
        "}\n";
    Program program =
        build("#define P(f) " + prefix + "##f\n" + body, std::string("-DT=") + typeName<T>());
    auto expected = [&](size_t first, size_t count) {
      std::vector<T> r(kOperations);
      r[4] = 100;
      for (size_t k = first; k < first + count; ++k) {
        const T i = T(k);
        r[0] += i;
        r[1] -= i;
        r[2] += 1;
        r[3] -= 1;
        r[4] = std::min(r[4], T(100 - i));
        r[5] = std::max(r[5], i);
        r[6] |= T(1) << (i % 31);
        r[7] ^= i;
      }
      return r;
    };
    std::vector<T> out(kOperations * (1 + kItems / kGroup));
    out[4] = 100;
    Launch(program, "run")
        .range({kItems}, {kGroup})
        .buffer(out)
        .local(kOperations * sizeof(T))
        .inEveryForm([&](const Outcome&) {
          EXPECT_EQ(std::vector<T>(out.begin(), out.begin() + kOperations), expected(0, kItems));
          for (size_t g = 0; g < kItems / kGroup; ++g) {
            auto begin = out.begin() + kOperations * (1 + g);
            EXPECT_EQ(std::vector<T>(begin, begin + kOperations), expected(g * kGroup, kGroup))
                << "group " << g;
          }
        });
  }
}

// Old values are all different when each exchange or increment is one indivisible step.
TYPED_TEST(BuiltinsAtomic, OldValuesAreHandedOutOnce) {
  using T = TypeParam;
  const std::string prefix = sizeof(T) == 8 ? "atom_" : "atomic_";
  Program program =
      build("#define P(f) " + prefix +
                "##f\n"
                "kernel void run(global T* counters, global T* inc, global T* xchg, global T* "
                "swapped) {\n"
                "  T i = (T)get_global_id(0);\n"
                "  inc[i] = P(inc)(counters);\n"
                "  xchg[i] = P(xchg)(counters + 1, i + 1);\n"
                "  T seen = counters[2], old;\n"
                "  while ((old = P(cmpxchg)(counters + 2, seen, seen + 1)) != seen) seen = old;\n"
                "  swapped[i] = old;\n"
                "}\n",
            std::string("-DT=") + typeName<T>());
  std::vector<T> counters(3), inc(kItems), xchg(kItems), swapped(kItems);
  Launch(program, "run")
      .range(kItems)
      .buffer(counters)
      .buffer(inc)
      .buffer(xchg)
      .buffer(swapped)
      .unordered()
      .inEveryForm([&](const Outcome&) {
        std::vector<T> all(kItems);
        std::iota(all.begin(), all.end(), T(0));
        auto sorted = [](std::vector<T> v) {
          std::sort(v.begin(), v.end());
          return v;
        };
        EXPECT_EQ(sorted(inc), all);
        EXPECT_EQ(sorted(swapped), all);
        std::vector<T> exchanged = xchg;  // every value but the last one comes back
        exchanged.push_back(counters[1]);
        std::iota(all.begin(), all.end(), T(0));
        all.push_back(T(kItems));
        EXPECT_EQ(sorted(exchanged), all);
        EXPECT_EQ(counters[0], T(kItems));
        EXPECT_EQ(counters[2], T(kItems));
      });
}

TEST(BuiltinsAtomicFloat, Exchange) {
  Program program = build(
      "kernel void run(global float* cell, global float* out, local float* group) {\n"
      "  size_t i = get_global_id(0);\n"
      "  out[i] = atomic_xchg(cell, (float)(i + 1));\n"
      "  if (get_local_id(0) == 0) {\n"
      "    *group = 5.0f;\n"
      "    if (atomic_xchg(group, 6.0f) != 5.0f || *group != 6.0f) out[i] = -1;\n"
      "  }\n"
      "}\n");
  std::vector<float> cell(1), out(kItems);
  Launch(program, "run")
      .range({kItems}, {kGroup})
      .buffer(cell)
      .buffer(out)
      .local(4)
      .unordered()
      .inEveryForm([&](const Outcome&) {
        double sum = cell[0];
        for (float v : out) sum += v;
        EXPECT_EQ(sum, kItems * (kItems + 1) / 2.0);
      });
}

// The atomic objects of OpenCL C 3.0 without generic pointers: every function once, with every
// way to give its order and scope.
TEST(BuiltinsAtomicC11, Operations) {
  Program program = build(
      R"(#define ORDER memory_order_relaxed, memory_scope_work_group
kernel void run(global atomic_int* a, global int* out, local atomic_uint* l) {
  uint i = get_global_id(0);
  if (get_local_id(0) == 0) atomic_init(l, 0u);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add_explicit(a, 1, ORDER);
  atomic_fetch_sub_explicit(a + 1, (int)i, ORDER);
  atomic_fetch_or_explicit(a + 2, 1 << (i % 31), ORDER);
  atomic_fetch_xor_explicit(a + 3, (int)i, ORDER);
  atomic_fetch_min_explicit(a + 4, -(int)i, ORDER);
  atomic_fetch_max_explicit(a + 5, (int)i, ORDER);
  atomic_fetch_and_explicit(a + 6, ~(1 << (i % 5)), ORDER);
  int expected = atomic_load_explicit(a + 7, ORDER);
  while (!atomic_compare_exchange_strong_explicit(a + 7, &expected, expected + 2,
                                                  memory_order_relaxed, memory_order_relaxed,
                                                  memory_scope_work_group)) {}
  out[i] = expected;
  atomic_fetch_max_explicit(l, i, ORDER);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    out[get_global_size(0) + get_group_id(0)] = (int)atomic_exchange_explicit(l, 0u, ORDER);
})",
      "-cl-std=CL3.0");
  std::vector<int32_t> a(8), out(kItems + kItems / kGroup);
  a[6] = -1;
  Launch(program, "run")
      .range({kItems}, {kGroup})
      .buffer(a)
      .buffer(out)
      .local(4)
      .unordered()
      .inEveryForm([&](const Outcome&) {
        int32_t exclusive = 0;
        for (size_t i = 0; i < kItems; ++i) exclusive ^= int32_t(i);
        const int32_t last = kItems - 1;
        EXPECT_EQ(a, (std::vector<int32_t>{kItems, -last * (last + 1) / 2, 0x7fffffff, exclusive,
                                           -last, last, -1 & ~31, 2 * int32_t(kItems)}));
        std::vector<int32_t> seen(out.begin(), out.begin() + kItems);
        std::sort(seen.begin(), seen.end());
        for (size_t i = 0; i < kItems; ++i) ASSERT_EQ(seen[i], 2 * int32_t(i));
        for (size_t g = 0; g < kItems / kGroup; ++g) {
          EXPECT_EQ(out[kItems + g], int32_t((g + 1) * kGroup - 1));
        }
      });
}

TEST(BuiltinsFence, MessagesPassWithinAGroup) {
  Program program = build(
      "kernel void run(global int* out, local int* data) {\n"
      "  size_t l = get_local_id(0);\n"
      "  data[l] = (int)l;\n"
      "  write_mem_fence(CLK_LOCAL_MEM_FENCE);\n"
      "  read_mem_fence(CLK_LOCAL_MEM_FENCE);\n"
      "  mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  out[get_global_id(0)] = data[get_local_size(0) - 1 - l];\n"
      "}\n");
  std::vector<int32_t> out(kItems);
  Launch(program, "run")
      .range({kItems}, {kGroup})
      .buffer(out)
      .local(kGroup * 4)
      .inEveryForm([&](const Outcome&) {
        for (size_t i = 0; i < kItems; ++i) ASSERT_EQ(out[i], int32_t(kGroup - 1 - i % kGroup));
      });
}

template <class T>
class BuiltinsAsync : public testing::Test {};
using CopyTypes = testing::Types<int8_t, uint16_t, int32_t, uint64_t, float, double>;
TYPED_TEST_SUITE(BuiltinsAsync, CopyTypes);

// Through local memory and back: whole, gathered and scattered.
TYPED_TEST(BuiltinsAsync, CopiesOfEverySize) {
  using T = TypeParam;
  constexpr size_t kGroups = 4, kCopied = 37;
  for (unsigned n : {1u, 2u, 3u, 4u, 8u, 16u}) {
    SCOPED_TRACE(n);
    const unsigned held = n == 3 ? 4 : n;  // vectors of three take the room of four
    Program program = build(
        R"(kernel void run(global const V* in, global V* out, global V* spread, local V* group) {
  size_t base = get_group_id(0) * COUNT;
  event_t e = async_work_group_copy(group, in + base, COUNT, 0);
  wait_group_events(1, &e);
  e = async_work_group_copy(out + base, group, COUNT, 0);
  e = async_work_group_strided_copy(spread + 3 * base, group, COUNT, 3, e);
  wait_group_events(1, &e);
  e = async_work_group_strided_copy(group, in + get_group_id(0), COUNT, 2, 0);
  prefetch(in, COUNT);
  wait_group_events(1, &e);
  out[get_num_groups(0) * COUNT + base + get_local_id(0)] = group[get_local_id(0)];
})",
        std::string("-DV=") + typeName<T>() + (n == 1 ? "" : std::to_string(n)) +
            " -DCOUNT=" + std::to_string(kCopied));
    std::vector<T> in(kGroups * kCopied * held);
    for (size_t i = 0; i < in.size(); ++i) in[i] = T(i % 113);
    std::vector<T> out(2 * in.size()), spread(3 * in.size(), T(99));
    Launch launch(program, "run");
    if (n == 3) launch.unordered();  // nobody says what is copied into the padding
    launch.range({kGroups * kCopied}, {kCopied})
        .buffer(in)
        .buffer(out)
        .buffer(spread)
        .local(kCopied * held * sizeof(T))
        .inEveryForm([&](const Outcome&) {
          for (size_t v = 0; v < kGroups * kCopied; ++v) {
            const size_t gathered = v / kCopied + 2 * (v % kCopied);
            for (size_t k = 0; k < n; ++k) {
              ASSERT_EQ(out[v * held + k], in[v * held + k]) << v;
              ASSERT_EQ(out[in.size() + v * held + k], in[gathered * held + k]) << v;
              ASSERT_EQ(spread[3 * v * held + k], in[v * held + k]) << v;
              ASSERT_EQ(spread[(3 * v + 1) * held + k], T(99)) << v;
            }
          }
        });
  }
}

}  // namespace
}  // namespace weft::test
