// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in which work-items take turns: `for (i = lid; i < n; i += size)`, and what looks like
// them.
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "guarded.h"
#include "harness.h"

namespace weft::test {
namespace {

using Sizes = std::vector<size_t>;

using Names = std::vector<std::pair<const char*, std::string>>;

/// Runs a kernel `k(global int* out, global const int* in, int n)`, with names that its source
/// leaves open, over an `out` and an `in` of `size` elements that end at the end of their memory.
void runWith(const std::string& source, const Sizes& global, const Sizes& local, size_t size, int n,
             const Names& names = {}) {
  std::string text;
  for (const auto& [name, value] : names)
    text += std::string("#define ") + name + " " + value + "\n";
  text += source;
  Guarded out(size * sizeof(int), /*atEnd=*/true), in(size * sizeof(int), /*atEnd=*/true);
  for (size_t i = 0; i < size; ++i) {
    reinterpret_cast<int*>(out.data())[i] = -1;
    reinterpret_cast<int*>(in.data())[i] = static_cast<int>(i * 2654435761u >> 8);
  }
  Launch(build(text, "-cl-std=CL3.0"), "k")
      .range(global, local)
      .memory(out.data(), out.size())
      .memory(in.data(), in.size())
      .value(n)
      .inEveryForm([](const Outcome&) {});
}

std::string number(size_t value) { return std::to_string(value); }

// A tile with a border of its neighbours, as filters fill it.
TEST(Turns, TilesWithBorders) {
  for (const auto& [x, y, border] : std::vector<std::array<size_t, 3>>{
           {64, 4, 1}, {8, 8, 1}, {16, 16, 2}, {16, 2, 9}, {12, 3, 2}, {33, 1, 16}, {32, 4, 0}})
    runWith(R"(
      kernel void k(global int* out, global const int* in, int n) {
        local int tile[Y + 2 * R][X + 2 * R];
        for (int j = get_local_id(1); j < Y + 2 * R; j += Y)
          for (int i = get_local_id(0); i < X + 2 * R; i += X) {
            int x = clamp((int)get_group_id(0) * X + i - R, 0, n - 1);
            int y = clamp((int)get_group_id(1) * Y + j - R, 0, 2 * Y - 1);
            tile[j][i] = in[y * n + x] + i * 3;
          }
        barrier(CLK_LOCAL_MEM_FENCE);
        int lx = get_local_id(0), ly = get_local_id(1), sum = 0;
        for (int j = 0; j <= 2 * R; ++j)
          for (int i = 0; i <= 2 * R; ++i) sum += tile[ly + j][lx + i] * (i + 5 * j + 1);
        out[get_global_id(1) * n + get_global_id(0)] = sum;
      })",
            {3 * x, 2 * y}, {x, y}, 6 * x * y, static_cast<int>(3 * x),
            {{"X", number(x)}, {"Y", number(y)}, {"R", number(border)}});
}

// Sizes that are known, and those that are asked for; bounds in between, and none at all.
TEST(Turns, GroupsFillLocalMemory) {
  constexpr std::pair<size_t, size_t> kShapes[] = {
      {64, 66}, {16, 100}, {24, 24}, {48, 7}, {64, 1000}};
  size_t turn = 0;
  for (const char* type : {"int", "uint", "size_t"})
    for (const char* limit : {"N", "n", "min(n, N)", "N - 1"})
      for (const char* step :
           {"L", "get_local_size(0)", "(int)get_local_size(0)", "(L / 2)", "2 * L"}) {
        const auto [local, count] = kShapes[turn++ % std::size(kShapes)];
        SCOPED_TRACE(std::string(type) + ", " + limit + ", " + step);
        runWith(R"(
          kernel void k(global int* out, global const int* in, int n) {
            local int s[N];
            for (T i = get_local_id(0); i < N; i += L) s[i] = -3;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (T i = get_local_id(0); i < (T)(LIMIT); i += STEP) atomic_add(&s[i], in[i] & 0xffff);
            barrier(CLK_LOCAL_MEM_FENCE);
            for (T i = get_local_id(0); i < N; i += get_local_size(0))
              out[get_group_id(0) * N + i] = s[N - 1 - i];
          })",
                {2 * local}, {local}, 2 * count, static_cast<int>(count) - 3,
                {{"T", type},
                 {"L", number(local)},
                 {"N", number(count)},
                 {"LIMIT", limit},
                 {"STEP", step}});
        if (turn % 4 == 0) ++turn;  // so that each step meets each shape
      }
}

// What is larger than a range, and what is smaller.
TEST(Turns, RangesWalkThroughMore) {
  for (const char* type : {"int", "uint", "size_t"})
    for (const char* each : {"1", "3"})
      for (const int n : {0, 1, 63, 64, 65, 500, 1000})
        runWith(R"(
          kernel void k(global int* out, global const int* in, int n) {
            T id = get_global_id(0), size = get_global_size(0);
            for (T i = EACH * id; i < (T)n; i += EACH * size)
              for (int j = 0; j < EACH && i + j < (T)n; ++j) out[i + j] = in[i + j] * 3 + (int)id;
          })",
                {192}, {64}, 1000, n, {{"T", type}, {"EACH", each}});
}

// The iterations of one work-item stay in order, and those of all of them in what they share.
TEST(Turns, WhatIterationsHandOn) {
  constexpr const char* kAfter[] = {"", "out[id] ^= 0x55;",
                                    "barrier(CLK_GLOBAL_MEM_FENCE); out[id] += lid;"};
  size_t turn = 0;
  for (const char* body :
       {"out[id] = out[id] * 31 + in[i];", "sum += in[i]; out[i] = sum;",
        "if (in[i] & 1) continue; out[id] += i;", "if (in[i] % 17 == 0) break; out[i] = i;",
        "out[i] = first + i; ", "out[id] = in[i] - out[id]; if (i == n / 2) out[id] = 7;",
        "if (i < 128) later[id & 3] = id; later[id & 3] += in[i]; out[i] = later[id & 3];",
        "mine[i & 3] += in[i]; out[i] = mine[1];",
        "for (int j = i; j < n; j += 40) last = in[j]; out[i] = last;"})
    for (const char* before : {"", "if (lid == 3) return;", "if (id > 100) out[id] = 5; else",
                               "if (in[id] & 2)", "out[id] = 2 * id;"})
      for (const bool isAlone : {true, false}) {
        // Work-items that have returned come to no barrier.
        const char* after =
            isAlone ? "" : kAfter[1 + (std::string(before).contains("return") ? 0 : turn++ % 2)];
        SCOPED_TRACE(std::string(before) + " ... " + body + " ... " + after);
        runWith(std::string(R"(
          kernel void k(global int* out, global const int* in, int n) {
            int id = get_global_id(0), lid = get_local_id(0), sum = 0, last = 0, first = in[id];
            int mine[4] = {1, 2, 3, id}, later[4];
            )") + before +
                    " for (int i = id; i < n; i += 128) { " + body + " } " + after + " }",
                {128}, {32}, 700, 650);
      }
}

// Loops that neighbours leave one after the other.
TEST(Turns, EndsThatFollowEachOther) {
  size_t turn = 0;
  for (const char* loop :
       {"for (T j = id; j < n; ++j)", "for (T j = id + 1; j < n; j += 2)",
        "for (T j = 0; j < id; ++j)", "for (T j = 0; j <= id; ++j)", "for (T j = 3; j <= n; ++j)",
        "for (T j = 2 * id; j < n + id; j += 3)", "for (T j = id; j < id + 9; ++j)",
        "for (T j = id; j <= 2 * id; j += 5)", "for (T j = lid; j < n - 7; j += get_local_size(0))",
        "for (T j = id; n > j; j += step)", "for (T j = lid; !(j >= id); ++j)",
        "for (T j = id + 500; j < 400; j += n)", "for (T j = n - 90; j < id; ++j)"})
    for (const char* body :
         {"sum = sum * 31 + j; if (j & 1) continue; sum ^= in[j % 700];",
          "out[id] += in[j % 700]; if (in[j % 700] % 5 == 0) last = j; else last += sum;",
          "sum += in[j % 700]; if (sum % 13 == 5) break;"}) {
      const char* type = std::array{"int", "uint", "size_t", "long"}[turn++ % 4];
      SCOPED_TRACE(std::string(type) + ", " + loop + " " + body);
      runWith(std::string(R"(
        kernel void k(global int* out, global const int* in, int count) {
          T id = get_global_id(0), lid = get_local_id(0), n = count;
          int step = 1 + count % 4, sum = 0, last = -1;
          for (int twice = 0; twice < 2; ++twice)
            if (twice == 0 || id % 3 != 0) )") +
                  loop + "{" + body + "}" + R"(
          out[id] += sum * 7 + last;
        })",
              {144}, {48}, 700, 150, {{"T", type}});
    }
}

// What is done before the test is done once more than what is done after it.
TEST(Turns, TestsWithEffects) {
  for (const char* loop :
       {"int j = id; do { out[id] = out[id] * 3 + in[j]; } while (j++ < n);",
        "int j = id; do { out[id] = out[id] * 3 + in[j]; } while ((j += 144) < n);",
        "for (int j = id; out[id] = out[id] * 5 + j, j < n; ++j) sum += in[j];",
        "for (int j = id; out[j] = in[j], j < n; j += 144);",
        "for (int j = 0; out[id] += in[j], j <= id; ++j) sum ^= in[j] * j;",
        "int j = 0; do { sum = sum * 3 + in[j]; } while (j++ < id);",
        "int j = id; while (j < n) { sum += in[j]; j += 144; if (sum & 1) j += 144; }"}) {
    SCOPED_TRACE(loop);
    runWith(std::string(R"(
      kernel void k(global int* out, global const int* in, int n) {
        int id = get_global_id(0), sum = 0;
        )") + loop +
                " out[id] += sum; }",
            {144}, {48}, 700, 150);
  }
}

// Where all might wrap, and where none may: the first numbers of some work-items, or the last.
TEST(Turns, NumbersThatWrap) {
  for (const char* loop :
       {"for (uint i = lid - 16u; i < 64u; i += 0x40000001u)",
        "for (uint i = lid * 3u - 30u; i < 90u; i += 96u)",
        "for (uint i = lid + 0xfffffe00u; i < 0xffffff00u; i += 32u)",
        "for (uint i = lid + (uint)n; i < 0xffffffe0u; i += 32u)",
        "for (int i = (int)lid - 40; i < 20; i += 32)",
        "for (int i = (int)lid + 0x7fffff00; i < 0x7fffff80; i += 32)",
        "for (uint i = lid * 0x10000000u; i < 0xf0000000u; i += 0xf1000000u)",
        "for (uint i = lid + 0xffffff00u; i < (uint)n; i += get_local_size(0))",
        "for (int i = lid + 0x7fffff00; i < (int)(0x7fffffff + n); i += -n)",
        "for (uint i = lid; i < 64u; i += (uint)(n - 1000) << 4)",
        "for (ulong i = lid - 5ul; i < 27ul; i += 1ul << 63)",
        "int sum = 0; for (uint i = lid + 0xffffffe0u; i < 20u; sum += i++)",
        "int sum = 0; for (uint i = 0xffffff00u; i < lid + 0xffffffe0u; sum += i++)",
        "int sum = 0; for (int i = (int)lid + 0x7fffffb0; i < 0x7fffffff; sum += i++)",
        "int sum = 0; for (int i = (int)lid - 40; i <= 20; sum += i++)",
        "int sum = 0; for (ulong i = lid + 0xffffffffffffffe0ul; i < 20ul; sum += i++)"})
    runWith(std::string(R"(
      kernel void k(global int* out, global const int* in, int n) {
        uint lid = get_local_id(0);
        )") + loop +
                " atomic_add(&out[(uint)i & 127u], in[i & 127] + 1); }",
            {128}, {64}, 128, -64);
}

/// A loop of random numbers and bounds, and a body with other loops around or in it.
std::string randomLoop(std::mt19937& random) {
  const auto pick = [&](std::initializer_list<const char*> from) {
    return std::string(from.begin()[random() % from.size()]);
  };
  const std::string type = pick({"int", "uint", "short", "size_t", "long"});
  const std::string start = pick({"lid", "id", "lid + 3", "2 * lid", "3 * id + 1", "lid + y * 8",
                                  "lid - 5", "63 - lid", "y", "n / 8"});
  const std::string step =
      pick({"16", "32", "get_local_size(0)", "get_global_size(0)", "7", "n / 3 + 1"});
  const std::string limit =
      pick({"n", "100", "33", "n / 2", "n - (y & 3) * 3", "16", "in[0] % 100 + 20"});
  const std::string test =
      pick({"i < LIMIT", "i < LIMIT", "i <= LIMIT", "LIMIT > i", "!(i >= LIMIT)"});
  const std::string body = pick(
      {"atomic_add(&s[i & 127], in[i & 255]);", "atomic_xor(&s[(i + y) & 127], (int)(i * 77));",
       "if (i & 1) atomic_add(&s[i & 127], 1); else atomic_sub(&s[(i + 1) & 127], lid);",
       "for (int j = 0; j < (int)(i & 3); ++j) atomic_add(&s[(i + j) & 127], in[j] & 255);",
       "int v = in[i & 255]; while (v > 3) v /= 3; atomic_max(&s[i & 127], v);"});
  std::string loop =
      "for (" + type + " i = " + start + "; " + test + "; i += " + step + ") {" + body + "}";
  loop =
      pick({"", "", "for (int y = get_local_id(1); y < 9; y += 2)", "for (int y = 0; y < 3; ++y)",
            "for (int y = lid; y < 40; y += 16)", "if (y == 0)", "if (lid < 20)"}) +
      "{ " + loop + " }";
  for (size_t at = loop.find("LIMIT"); at != std::string::npos; at = loop.find("LIMIT"))
    loop.replace(at, 5, "(" + type + ")(" + limit + ")");
  return loop;
}

TEST(Turns, RandomLoops) {
  std::mt19937 random(20261127);
  for (int round = 0; round < 40; ++round) {
    const std::string loop = randomLoop(random);
    SCOPED_TRACE(loop);
    const std::array<Sizes, 2> ranges[] = {
        {{Sizes{64, 2}, Sizes{32, 2}}}, {{Sizes{48, 4}, Sizes{16, 2}}}, {{Sizes{64}, Sizes{64}}}};
    const auto& [global, local] = ranges[random() % 3];
    runWith(R"(
      kernel void k(global int* out, global const int* in, int n) {
        int lid = get_local_id(0), id = get_global_id(0), y = get_local_id(1);
        local int s[128];
        for (int i = get_local_linear_id(); i < 128; i += get_local_size(0) * get_local_size(1)) s[i] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        )" + loop +
                R"(
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = get_local_linear_id(); i < 128; i += get_local_size(0) * get_local_size(1))
          atomic_add(&out[i], s[i]);
      })",
            global, local, 256, 77);
  }
}

}  // namespace
}  // namespace weft::test
