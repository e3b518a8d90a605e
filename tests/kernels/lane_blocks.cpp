// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices that lanes know in blocks: tiles of groups of one dimension, rows that are padded, bits
// of ids, and structures that each work-item has in a place of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "guarded.h"
#include "harness.h"

namespace weft::test {
namespace {

constexpr const char* kIdTypes[] = {"int", "uint", "size_t"};

size_t bytesOf(const std::string& type) {
  if (type == "uchar") return 1;
  if (type == "float2" || type == "double" || type == "long") return 8;
  return type == "float4" ? 16 : 4;
}

/// `text` behind definitions of what it leaves open.
std::string with(const std::string& text,
                 std::initializer_list<std::pair<const char*, std::string>> names) {
  std::string definitions;
  for (const auto& [name, value] : names) {
    std::string line = value;
    std::ranges::replace(line, '\n', ' ');
    definitions += std::string("#define ") + name + " " + line + "\n";
  }
  return definitions + text;
}

/// Fills what kernels go through with small numbers.
void fill(Guarded& a, Guarded& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    a.data()[i] = static_cast<std::byte>((i * 7 + i / 5) % 100);
    b.data()[i] = static_cast<std::byte>((i * 13 + i / 3) % 60);
  }
}

/// Runs a kernel over `global T* a, global const T* b, global int* out`; the arrays, of `bytes`
/// each, end at the end of their memory, or begin where it does.
void runBetweenGuards(const Program& program, size_t groups, size_t local, size_t bytes) {
  for (const bool atEnd : {true, false}) {
    Guarded a(bytes, atEnd), b(bytes, atEnd);
    fill(a, b);
    std::vector<int> out(groups * local, -1);
    Launch(program, "k")
        .range({groups * local}, {local})
        .memory(a.data(), a.size())
        .memory(b.data(), b.size())
        .buffer(out)
        .inEveryForm([](const Outcome&) {});
  }
}

TEST(LaneBlocks, TilesOfGroupsOfOneDimension) {
  constexpr const char* kTile = R"(
    kernel void k(global T* a, global const T* b, global int* out) {
      local T s[L + L / W * P];
      ID lid = get_local_id(0);
      ID x = lid % W, y = lid / W;
      global const T* from = b + get_group_id(0) * L;
      s[y * (W + P) + x] = from[(L / W - 1 - y) * W + x];
      barrier(CLK_LOCAL_MEM_FENCE);
      T sum = s[y * (W + P)];
      for (int i = 0; i < W; ++i) sum += s[y * (W + P) + i] + s[(i % (L / W)) * (W + P) + x];
      a[get_group_id(0) * L + (L / W - 1 - y) * W + x] = sum;
      out[get_global_id(0)] = (int)(x * 1000 + y);
    })";
  size_t turn = 0;
  for (const char* type : {"float", "uchar", "float2", "float4", "double"})
    for (const size_t width : {2, 4, 8, 16, 32, 64}) {
      const char* id = kIdTypes[turn++ % 3];
      const size_t local = turn % 2 == 0 ? 128 : 192;
      runBetweenGuards(build(with(kTile, {{"ID", id},
                                          {"T", type},
                                          {"L", std::to_string(local)},
                                          {"W", std::to_string(width)},
                                          {"P", std::to_string(turn % 3)}})),
                       3, local, 3 * local * bytesOf(type));
    }
}

// Some work-items do nothing, or not the whole loop; groups are no multiples of lanes.
TEST(LaneBlocks, TilesOfWhichSomeAreLeftOut) {
  constexpr const char* kTile = R"(
    kernel void k(global float* a, global const float* b, global int* out) {
      local float s[L + L / W + 1];
      int lid = get_local_id(0);
      int x = lid % W, y = lid / W;
      s[y * (W + 1) + x] = b[get_group_id(0) * L + lid];
      barrier(CLK_LOCAL_MEM_FENCE);
      float sum = 0;
      if (GUARD) {
        for (int i = 0; i <= LIMIT; ++i) sum += s[y * (W + 1) + i % W] * s[i % (L / W) * (W + 1) + x];
        a[get_group_id(0) * L + y * W + x] = sum;
      }
      out[get_global_id(0)] = y;
    })";
  for (const char* guard : {"x < 5", "y < 2", "lid != 7", "b[lid] < 0", "y == 1 && x > 3"})
    for (const char* limit : {"7", "y", "x", "(lid & 3)"})
      for (const size_t local : {48, 60, 72})
        runBetweenGuards(
            build(with(
                kTile,
                {{"GUARD", guard}, {"LIMIT", limit}, {"L", std::to_string(local)}, {"W", "12"}})),
            2, local, 2 * local * 4);
  for (const char* guard : {"x < 5", "y < 2", "lid != 7"})
    for (const char* limit : {"7", "y", "x"})
      runBetweenGuards(
          build(with(kTile, {{"GUARD", guard}, {"LIMIT", limit}, {"L", "96"}, {"W", "16"}})), 2, 96,
          2 * 96 * 4);
}

/// An index of random operations on bits.
std::string randomIndex(std::mt19937& random) {
  const auto pick = [&](std::initializer_list<const char*> from) {
    return std::string(from.begin()[random() % from.size()]);
  };
  std::string index = pick({"lid", "lid", "(lid + 3)", "lid * 2", "lid * 3", "(lid + 64)",
                            "lid * 8", "(lid * 8 + 5)", "(n + lid)", "(255 - lid)", "(lid * n)"});
  for (int i = static_cast<int>(random() % 3); i >= 0; --i) {
    const std::string bits = pick({"1", "2", "4", "7", "8", "15", "16", "24", "31", "32", "64"});
    const std::string power = pick({"2", "4", "8", "16", "32", "64"});
    const std::string places = pick({"1", "2", "3", "4", "5"});
    const std::string operations[] = {" / " + power, " % " + power, " & " + bits,
                                      " ^ " + bits,  " | " + bits,  " >> " + places};
    index = "(" + index + operations[random() % 6] + ")";
  }
  return index;
}

TEST(LaneBlocks, RandomBitsOfIds) {
  std::mt19937 random(20261127);
  for (int round = 0; round < 12; ++round) {
    const std::string id = kIdTypes[round % 3];
    std::string body;
    for (int i = 0; i < 6; ++i) {
      const std::string index = randomIndex(random) + " + " + randomIndex(random) + " * " +
                                std::to_string(1 + random() % 20);
      body += "sum = sum * 3 + b[(" + index + ") & 1023];\n";
      body += "sum += s[(" + randomIndex(random) + " + " + randomIndex(random) + ") & 511];\n";
    }
    const auto program = build(
        "kernel void k(global const int* b, global int* out, int times) {\n"
        "  local int s[512];\n  " +
        id +
        " lid = get_local_id(0), n = times;\n"
        "  for (int i = lid; i < 512; i += get_local_size(0)) s[i] = b[i] ^ i;\n"
        "  barrier(CLK_LOCAL_MEM_FENCE);\n  int sum = 0;\n"
        "  for (int t = 0; t < times; ++t) {\n" +
        body +
        "  }\n"
        "  out[get_global_id(0)] = sum;\n}");
    std::vector<int> b(1024), out(512);
    for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<int>(i * 2654435761u);
    for (const size_t local : {128, 64, 256})
      Launch(program, "k")
          .range({2 * local}, {local})
          .buffer(b)
          .buffer(out)
          .value(3)
          .inEveryForm([](const Outcome&) {});
  }
}

// Each work-item writes rows of its own into padded rows, as transforms do between their passes.
TEST(LaneBlocks, RowsOfEachWorkItemInPaddedRows) {
  constexpr const char* kPass = R"(
    #define AT(i) (((i) / 16) * 17 + (i) % 16)
    kernel void k(global T* a, global const T* b, global int* out) {
      local T s[128 * COUNT / 16 * 17 + 17];
      uint lid = get_local_id(0);
      global const T* from = b + get_group_id(0) * 128 * COUNT;
      WRITE
      barrier(CLK_LOCAL_MEM_FENCE);
      T sum = 0;
      READ
      a[get_group_id(0) * 128 * COUNT + lid] = sum;
      out[get_global_id(0)] = lid;
    })";
  for (const char* type : {"float", "uchar", "float2", "double"})
    for (const unsigned count : {2u, 3u, 8u}) {
      std::string write, read;
      for (unsigned i = 0; i < count; ++i) {
        const std::string k = std::to_string(i), n = std::to_string(count);
        write +=
            "s[AT(lid * " + n + " + " + k + ")] = from[lid + 128 * " + k + "] + (T)" + k + ";\n";
        read += "sum = sum * (T)2 + s[AT(lid * " + n + " + " + k + ")] + s[AT(lid + 128 * " + k +
                ")];\n";
      }
      const auto program = build(
          with(kPass,
               {{"WRITE", write}, {"READ", read}, {"COUNT", std::to_string(count)}, {"T", type}}));
      runBetweenGuards(program, 2, 128, 2 * 128 * count * bytesOf(type));
    }
}

// Each work-item has several numbers side by side, of which those of a few work-items are a row of
// a tile, as in the exchanges of transforms.
TEST(LaneBlocks, SeveralNumbersOfEachWorkItemInRowsOfTiles) {
  constexpr const char* kPass = R"(
    #define AT(m, k) ((COUNT * lid) / WIDE * (4 * WIDE) + (COUNT * lid) % WIDE + WIDE * (m) + (k))
    kernel void k(global T* a, global const T* b, global int* out) {
      local T s[128 * COUNT * 4];
      ID lid = get_local_id(0);
      global const T* from = b + get_group_id(0) * 128 * COUNT * 4;
      for (int i = lid; i < 128 * COUNT * 4; i += 128) s[i] = (T)1;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (GUARD) { WRITE }
      barrier(CLK_LOCAL_MEM_FENCE);
      T sum = 0;
      READ
      a[get_group_id(0) * 128 * COUNT * 4 + lid] = sum;
      for (int i = lid; i < 128 * COUNT * 3; i += 128)
        a[(get_group_id(0) * 4 + 1) * 128 * COUNT + i] = s[i] + s[i + 128 * COUNT];
      out[get_global_id(0)] = lid;
    })";
  constexpr const char* kTypes[] = {"float", "uchar", "double", "float"};
  unsigned turn = 0;
  for (const unsigned count : {2u, 4u, 8u})
    for (const unsigned wide : {4u, 8u, 16u, 64u}) {
      if (count > wide) continue;
      std::string write, read;
      for (unsigned m = 0; m < 8 / count; ++m)
        for (unsigned k = 0; k < count; ++k) {
          const std::string at =
              "AT(" + std::to_string(m) + ", " + std::to_string((k * 3 + m) % count) + ")";
          write += "s[" + at + "] = from[lid + " + std::to_string(128 * (m * count + k)) +
                   "] + (T)" + std::to_string(k) + ";\n";
          read += "sum = sum * (T)2 + s[" + at + "];\n";
        }
      const std::string type = kTypes[turn % 4];
      const auto program = build(with(kPass, {{"ID", kIdTypes[turn % 3]},
                                              {"WRITE", write},
                                              {"READ", read},
                                              {"GUARD", turn % 5 == 1 ? "lid % 5 != 1" : "true"},
                                              {"COUNT", std::to_string(count)},
                                              {"WIDE", std::to_string(wide)},
                                              {"T", type}}));
      ++turn;
      runBetweenGuards(program, 2, 128, 2 * 128 * count * 4 * bytesOf(type));
    }
}

// Structures at places that are looked up, which end at the end of the memory.
TEST(LaneBlocks, StructuresAtPlacesThatAreLookedUp) {
  constexpr const char* kMove = R"(
    kernel void k(global const int* places, global T* a, global const T* b) {
      size_t i = get_global_id(0);
      int p = places[i];
      if (GUARD) {
        READ
        WRITE
      }
    })";
  std::mt19937 random(7);
  for (const char* type : {"float", "uchar", "long", "float2"})
    for (const unsigned count : {2u, 3u, 8u})
      for (const char* guard : {"true", "p % 3 != 0", "b[p] > 50"}) {
        if (std::string(type) == "float2" && guard[0] == 'b') continue;
        std::string read, write;
        for (unsigned k = 0; k < count; ++k) {
          const std::string at = "[p * " + std::to_string(count) + " + " + std::to_string(k) + "]";
          read += "T x" + std::to_string(k) + " = b" + at + ";\n";
          write += "a" + at + " = x" + std::to_string((k * 3 + 1) % count) + " + (T)" +
                   std::to_string(k) + ";\n";
        }
        const auto program =
            build(with(kMove, {{"READ", read}, {"WRITE", write}, {"GUARD", guard}, {"T", type}}));
        const size_t items = 77;
        std::vector<int> places(items);
        std::iota(places.begin(), places.end(), 0);
        std::shuffle(places.begin(), places.end(), random);
        const size_t bytes = items * count * bytesOf(type);
        Guarded a(bytes, true), b(bytes, true);
        fill(a, b);
        Launch(program, "k")
            .range({items}, {items})
            .buffer(places)
            .memory(a.data(), a.size())
            .memory(b.data(), b.size())
            .inEveryForm([](const Outcome&) {});
      }
}

}  // namespace
}  // namespace weft::test
