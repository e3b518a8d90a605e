// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that work-items do nothing with but reduce into, of which each thread may have a copy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

using compiler::ReductionOperation;

template <class T>
std::vector<T> randoms(size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(random());
  return values;
}

/// An operation with the name that the language has for it, and what it does to an element.
template <class T>
struct Operation {
  const char* name;
  ReductionOperation kind;
  std::function<T(T, T)> combine;
};

template <class T>
std::vector<Operation<T>> operations() {
  using U = std::make_unsigned_t<T>;
  constexpr bool isSigned = std::is_signed_v<T>;
  return {
      {"add", ReductionOperation::Add, [](T a, T b) { return T(U(a) + U(b)); }},
      {"sub", ReductionOperation::Add, [](T a, T b) { return T(U(a) - U(b)); }},
      {"and", ReductionOperation::And, [](T a, T b) { return T(a & b); }},
      {"or", ReductionOperation::Or, [](T a, T b) { return T(a | b); }},
      {"xor", ReductionOperation::Xor, [](T a, T b) { return T(a ^ b); }},
      {"min", isSigned ? ReductionOperation::Min : ReductionOperation::UMin,
       [](T a, T b) { return std::min(a, b); }},
      {"max", isSigned ? ReductionOperation::Max : ReductionOperation::UMax,
       [](T a, T b) { return std::max(a, b); }},
  };
}

/// `place` is where work-item i, which has read v, reduces v into: an expression of both languages.
template <class T>
void reduceAt(const char* type, const char* prefix, const std::string& place,
              const std::function<size_t(size_t i, T v)>& placeOf) {
  constexpr size_t kItems = 960, kBins = 1100;
  auto in = randoms<T>(kItems, 11);
  for (const Operation<T>& operation : operations<T>()) {
    SCOPED_TRACE(std::string(type) + " " + operation.name + " at " + place);
    auto program =
        build(std::string("kernel void k(global const ") + type + "* in, global " + type +
              "* out) { int i = get_global_id(0); " + type + " v = in[i]; if (v % 5 != 0) " +
              prefix + operation.name + "(&out[" + place + "], v); }");
    const auto* info = kernelInfo(program, "k");
    ASSERT_NE(info, nullptr);
    EXPECT_EQ(info->reductions,
              (std::vector{compiler::Reduction{1, operation.kind, uint32_t(sizeof(T))}}));
    auto out = randoms<T>(kBins, 12), expected = out;
    for (size_t i = 0; i < kItems; ++i)
      if (in[i] % 5 != 0) {
        T& element = expected[placeOf(i, in[i])];
        element = operation.combine(element, in[i]);
      }
    Launch(program, "k")
        .range({kItems}, {96})
        .buffer(in)
        .buffer(out)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
}

template <class T>
void reduceEverywhere(const char* type, const char* prefix) {
  reduceAt<T>(type, prefix, "v & 63", [](size_t, T v) { return size_t(v & 63); });
  reduceAt<T>(type, prefix, "7", [](size_t, T) { return 7; });
  reduceAt<T>(type, prefix, "i + 2", [](size_t i, T) { return i + 2; });
  reduceAt<T>(type, prefix, "i >> 3", [](size_t i, T) { return i >> 3; });
}

TEST(Reductions, OfInts) { reduceEverywhere<int32_t>("int", "atomic_"); }
TEST(Reductions, OfUnsignedInts) { reduceEverywhere<uint32_t>("uint", "atomic_"); }
TEST(Reductions, OfLongs) { reduceEverywhere<int64_t>("long", "atom_"); }
TEST(Reductions, OfUnsignedLongs) { reduceEverywhere<uint64_t>("ulong", "atom_"); }

// Neutral elements are not the memory's: an extreme that nobody reaches stays, and so does memory
// that is not whole elements.
TEST(Reductions, MemoryKeepsWhatNobodyReducesInto) {
  std::vector<uint8_t> out(4 * 40 + 3);
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<uint8_t>(37 * i + 5);
  for (const char* operation : {"add", "and", "or", "xor", "min", "max"})
    for (const char* type : {"int", "uint"}) {
      const auto before = out;
      auto program = build(std::string("kernel void k(global ") + type + "* out, " + type +
                           " never) { if (get_global_id(0) == never) atomic_" + operation +
                           "(out + get_global_id(0), 5); }");
      Launch(program, "k")
          .range({40}, {8})
          .buffer(out)
          .value(uint32_t{1000})
          .inEveryForm(
              [&](const Outcome&) { EXPECT_EQ(out, before) << operation << " of " << type; });
    }
}

// The last thing that a group does: nobody reads local memory any more, but what a thread has of
// its own is merged.
TEST(Reductions, RowsBehindBarriers) {
  auto program = build(R"(
    kernel void k(global const uint* in, global uint* out) {
      local uint tile[64];
      int l = get_local_id(0);
      tile[l] = in[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_add(&out[l], tile[63 - l]);
    }
  )");
  auto in = randoms<uint32_t>(64 * 10, 31), out = randoms<uint32_t>(64, 32), expected = out;
  for (size_t i = 0; i < in.size(); ++i) expected[63 - i % 64] += in[i];
  Launch(program, "k")
      .range({in.size()}, {64})
      .buffer(in)
      .buffer(out)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

// Several of them, with rows and planes, barriers between, in the spelling of C11, and increments
// in loops.
TEST(Reductions, SeveralInOneKernel) {
  auto program = build(R"(
    kernel void k(global const uint* in, global uint* count, global atomic_int* least,
                  global atomic_ulong* sum, global uint* out, int n) {
      local uint tile[64];
      int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
      int l = get_local_id(0) + get_local_size(0) * get_local_id(1);
      tile[l] = in[y * w + x];
      barrier(CLK_LOCAL_MEM_FENCE);
      uint v = tile[63 - l];
      for (int i = 0; i < n; ++i) {
        atomic_inc(&count[v >> 27]);
        if (v & 1) atomic_dec(&count[32 + (v >> 28)]);
        v = v * 1664525u + 1013904223u;
      }
      barrier(CLK_GLOBAL_MEM_FENCE);
      atomic_fetch_min_explicit(&least[y & 3], (int)v, memory_order_relaxed, memory_scope_device);
      atomic_fetch_add_explicit(&sum[get_group_id(0) & 1], (ulong)v, memory_order_relaxed);
      out[y * w + x] = v;
    }
  )",
                       "-cl-std=CL3.0");
  const auto* info = kernelInfo(program, "k");
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->reductions.size(), 3u);
  constexpr size_t kWidth = 64, kHeight = 24;
  constexpr int kTrips = 9;
  auto in = randoms<uint32_t>(kWidth * kHeight, 21);
  std::vector<uint32_t> count(48, 1000), out(in.size());
  std::vector<int32_t> least(4, 1 << 30);
  std::vector<uint64_t> sum(2, 3);
  auto counts = count;
  auto leasts = least;
  auto sums = sum;
  for (size_t y = 0; y < kHeight; ++y)
    for (size_t x = 0; x < kWidth; ++x) {
      // Groups of 16 x 4 read the tile from its end.
      const size_t gx = x / 16 * 16, gy = y / 4 * 4;
      uint32_t v = in[(gy + 3 - (y - gy)) * kWidth + gx + 15 - (x - gx)];
      for (int i = 0; i < kTrips; ++i) {
        ++counts[v >> 27];
        if (v & 1) --counts[32 + (v >> 28)];
        v = v * 1664525u + 1013904223u;
      }
      leasts[y & 3] = std::min(leasts[y & 3], static_cast<int32_t>(v));
      sums[x / 16 & 1] += v;
    }
  Launch(program, "k")
      .range({kWidth, kHeight}, {16, 4})
      .buffer(in)
      .buffer(count)
      .buffer(least)
      .buffer(sum)
      .buffer(out)
      .value(kTrips)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(count, counts);
        EXPECT_EQ(least, leasts);
        EXPECT_EQ(sum, sums);
      });
}

// What is seen by anyone before the launch ends, or has an order, is none.
TEST(Reductions, AreWhatNobodySees) {
  const auto reductionsOf = [](const std::string& body) {
    auto program = build(
        "kernel void k(global atomic_int* c, global int* a, global float* f, int n) {"
        "  int i = get_global_id(0); " +
            body + " }",
        "-cl-std=CL3.0");
    const auto* info = kernelInfo(program, "k");
    std::vector<uint32_t> found;
    if (info)
      for (const auto& reduction : info->reductions) found.push_back(reduction.argument);
    return found;
  };
  using Found = std::vector<uint32_t>;
  EXPECT_EQ(reductionsOf("atomic_inc(&a[i & 7]);"), Found{1});
  EXPECT_EQ(reductionsOf("atomic_inc(&a[i & 7]); atomic_sub(a + n, 3);"), Found{1});
  EXPECT_EQ(reductionsOf("atomic_inc(&a[i]); mem_fence(CLK_GLOBAL_MEM_FENCE);"), Found{});
  EXPECT_EQ(reductionsOf("atomic_inc(&a[i]); atomic_store(c, 1);"), Found{});
  EXPECT_EQ(reductionsOf("atomic_inc(&a[i]); atomic_load_explicit(c, memory_order_acquire);"),
            Found{});
  EXPECT_EQ(reductionsOf("atomic_inc(&a[i]); atomic_fetch_add(c, 1);"), Found{});
  EXPECT_EQ(reductionsOf("atomic_fetch_add_explicit(c, 1, memory_order_relaxed);"), Found{0});
  EXPECT_EQ(reductionsOf("f[i] = atomic_inc(&a[i & 7]);"), Found{});
  EXPECT_EQ(reductionsOf("atomic_inc(&a[i & 7]); f[i] = a[0];"), Found{});
  EXPECT_EQ(reductionsOf("atomic_inc(&a[i & 7]); a[n] = 1;"), Found{});
  EXPECT_EQ(reductionsOf("atomic_inc(&a[i & 7]); f[i] = (float)(ulong)a;"), Found{});
  EXPECT_EQ(reductionsOf("atomic_inc(n ? &a[i & 7] : (global int*)f);"), Found{});
  EXPECT_EQ(reductionsOf("atomic_inc(&a[i & 7]); atomic_max(&a[i & 7], 3);"), Found{});
  EXPECT_EQ(reductionsOf("atomic_inc(&a[i & 7]); atomic_inc((global uint*)a);"), Found{1});
  EXPECT_EQ(reductionsOf("atomic_xchg(&a[i & 7], 3);"), Found{});
  EXPECT_EQ(reductionsOf("atomic_cmpxchg(&a[i & 7], 3, 4);"), Found{});
  EXPECT_EQ(reductionsOf("atomic_inc(&a[i & 7]); barrier(CLK_GLOBAL_MEM_FENCE); f[i] = n;"),
            Found{1});
}

}  // namespace
}  // namespace weft::test
