// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cl_intel_subgroups and its relatives: shuffles along two values, and blocks of memory and images.
#include <cstring>

#include "pictures.h"
#include "sub_groups.h"

namespace weft::test::sub_groups {
namespace {

TEST(IntelSubGroups, ShuffleAlongTwoValues) {
  for (const uint32_t size : kSizes)
    for (const Shape& shape : kShapes) {
      const auto program = buildC30(kernelOf(size, "global const int* in, global int* out", R"(
        uint members = get_sub_group_size(), size = get_max_sub_group_size();
        int x = in[i], y = ~x;
        uint down = id + 3, up = id - 5;
        int3 v = intel_sub_group_shuffle_down((int3)(x, y, 7), (int3)(y, x, 8), 3);
        int below = intel_sub_group_shuffle_up(y, x, 5);
        bool isDown = down < members || (down >= size && down - size < members);
        bool isUp = id >= 5 ? true : up + size < members;
        out += 4 * i;
        out[0] = isDown ? v.x : 0;
        out[1] = isDown ? v.y + v.z : 0;
        out[2] = isUp ? below : 0;
        out[3] = intel_sub_group_shuffle(x, members - 1) +
                 ((id ^ 1) < members ? intel_sub_group_shuffle_xor((uchar2)(x), 1).y : 0);)"));
      std::vector<int> in = randomNumbers<int>(itemsOf(shape.global));
      for (int& x : in) x &= 0xffffff;
      std::vector<int> out(4 * in.size()), expected(out.size());
      forSubGroups(shape, size, [&](uint64_t first, uint64_t members) {
        const int* x = &in[first];
        for (uint64_t k = 0; k < members; ++k) {
          int* r = &expected[4 * (first + k)];
          const uint64_t down = k + 3, up = k + size - 5;
          if (down < members) {
            r[0] = x[down];
            r[1] = ~x[down] + 7;
          } else if (down >= size && down - size < members) {
            r[0] = ~x[down - size];
            r[1] = x[down - size] + 8;
          }
          if (k >= 5)
            r[2] = x[k - 5];
          else if (up < members)
            r[2] = ~x[up];
          r[3] = x[members - 1] + ((k ^ 1) < members ? (x[k ^ 1] & 255) : 0);
        }
      });
      expectInEveryForm(program, shape, in, out, expected, size);
    }
}

struct Block {
  const char* type;
  const char* suffix;
  size_t bytes;
  std::vector<int> counts;
};
const Block kBlocks[] = {
    {"uint", "", 4, {1, 2, 4, 8}}, {"uint", "_ui", 4, {8}},     {"uchar", "_uc", 1, {1, 16}},
    {"ushort", "_us", 2, {4, 16}}, {"ulong", "_ul", 8, {1, 8}},
};

/// `suffix` and `type` for so many components.
std::string counted(const char* name, int count) {
  return name + (count > 1 ? std::to_string(count) : "");
}

std::string definitions(const Block& block, int count) {
  const std::string suffix = counted(block.suffix, count);
  return std::string("#define E ") + block.type + "\n#define T " + counted(block.type, count) +
         "\n#define N " + std::to_string(count) + "\n#define READ intel_sub_group_block_read" +
         suffix + "\n#define WRITE intel_sub_group_block_write" + suffix + "\n";
}

/// Each sub-group has room for all values of a whole one; absent work-items leave theirs alone.
TEST(IntelSubGroups, BlocksOfMemory) {
  const Shape shape{{100}, {50}};
  for (const Block& block : kBlocks)
    for (const int count : block.counts) {
      const uint32_t size = count == 4 ? 32 : 16;
      SCOPED_TRACE(counted(block.type, count) + block.suffix);
      const auto program = buildC30(kernelOf(size, "global const uchar* in, global uchar* out", R"(
          local E room[N * 64 * 7];
          size_t own = get_sub_group_id() * get_max_sub_group_size() * N;
          size_t place = get_group_id(0) * get_num_sub_groups() * get_max_sub_group_size() * N + own;
          T x = READ((global const E*)in + place);
          WRITE(room + own, x);
          T y = READ(room + own);
          WRITE((global E*)out + place, y + (T)1);)",
                                             definitions(block, count)));
      const size_t groups = 2, subGroups = (50 + size - 1) / size;
      const size_t values = groups * subGroups * size * static_cast<size_t>(count);
      std::vector<uint8_t> in(values * block.bytes), out(in.size()), expected(out.size());
      for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint8_t>(i * 37 + i / 251);
      for (size_t v = 0; v < values; ++v) {
        const size_t sub = v / (size * static_cast<size_t>(count));
        const size_t item = v % size,
                     members = sub % subGroups + 1 < subGroups ? size : 50 - (subGroups - 1) * size;
        if (item >= members) continue;
        uint64_t value = 0;
        std::memcpy(&value, &in[v * block.bytes], block.bytes);
        ++value;
        std::memcpy(&expected[v * block.bytes], &value, block.bytes);
      }
      expectInEveryForm(program, shape, in, out, expected, size);
    }
}

/// What is read beyond an edge is the pixel there, what is written is nothing.
TEST(IntelSubGroups, BlocksOfImages) {
  constexpr PixelFormat kFormats[] = {{CL_UNORM_INT8, CL_R},
                                      {CL_HALF_FLOAT, CL_R},
                                      {CL_UNSIGNED_INT8, CL_RGBA},
                                      {CL_FLOAT, CL_RGBA}};
  constexpr std::array<int32_t, 2> kPlaces[] = {{0, 0},
                                                {16, 1},
                                                {-8, -2},
                                                {80, 3},
                                                {200, 9},
                                                {INT32_MAX - 3, INT32_MAX},
                                                {INT32_MIN, INT32_MIN}};
  constexpr uint32_t kItems = 16;
  std::mt19937 random(5);
  size_t number = 0;
  for (const Block& block : kBlocks)
    for (const int count : {1, 4}) {
      const PixelFormat& format = kFormats[number++ % std::size(kFormats)];
      SCOPED_TRACE(format.name() + counted(block.type, count) + block.suffix);
      Picture from(format, {100 / format.elementBytes(), 5, 1});
      Picture to(format, {100 / format.elementBytes(), 5, 1});
      from.fillAny(random);
      const auto program = buildC30(
          kernelOf(kItems,
                   "read_only image2d_t from, write_only image2d_t to, global const int2* at, "
                   "global uchar* out",
                   R"(
          T x = READ(from, at[group]);
          WRITE(to, at[group], x);
          vstoreN(x, i, (global E*)out);)",
                   definitions(block, count) + (count == 1 ? "#define vstoreN(x, i, p) (p)[i] = x\n"
                                                           : "#define vstoreN vstore4\n")));
      std::vector<std::array<int32_t, 2>> at(std::begin(kPlaces), std::end(kPlaces));
      const size_t perItem = block.bytes * static_cast<size_t>(count);
      std::vector<uint8_t> out(at.size() * kItems * perItem), expected(out.size());
      std::vector<std::byte> wanted(to.size());
      const int64_t width = 100 / format.elementBytes(), bytes = format.elementBytes();
      for (size_t g = 0; g < at.size(); ++g)
        for (int64_t item = 0; item < kItems; ++item)
          for (int64_t row = 0; row < count; ++row)
            for (int64_t b = 0; b < static_cast<int64_t>(block.bytes); ++b) {
              const int64_t x = at[g][0] + item * static_cast<int64_t>(block.bytes) + b;
              const int64_t y = at[g][1] + row;
              const int64_t pixel = std::clamp<int64_t>(x >= 0 ? x / bytes : -1, 0, width - 1);
              const int64_t within = ((x % bytes) + bytes) % bytes;
              const int64_t line = std::clamp<int64_t>(y, 0, 4);
              const std::byte* source =
                  from.at(static_cast<uint32_t>(pixel), static_cast<uint32_t>(line), 0) + within;
              const size_t place = (g * kItems + static_cast<size_t>(item)) * perItem +
                                   static_cast<size_t>(row) * block.bytes + static_cast<size_t>(b);
              expected[place] = static_cast<uint8_t>(*source);
              if (x >= 0 && x < width * bytes && y >= 0 && y < 5)
                wanted[static_cast<size_t>(
                    to.at(static_cast<uint32_t>(x / bytes), static_cast<uint32_t>(y), 0) + within -
                    to.data())] = *source;
            }
      Launch launch(program, "k");
      launch.range({at.size() * kItems}, {kItems});
      give(give(launch, from), to).buffer(at).buffer(out);
      launch.inEveryForm([&](const Outcome&) {
        EXPECT_EQ(out, expected);
        EXPECT_EQ(std::memcmp(to.data(), wanted.data(), wanted.size()), 0);
      });
    }
}

TEST(IntelSubGroups, SmallTypesHaveOtherNames) {
  const auto program = buildC30(kernelOf(16, "global const int* in, global int* out", R"(
      char x = (char)in[i];
      ushort4 v = (ushort4)(in[i]);
      out[4 * i] = intel_sub_group_reduce_max(x);
      out[4 * i + 1] = intel_sub_group_scan_inclusive_add((ushort)in[i]);
      out[4 * i + 2] = intel_sub_group_broadcast(v, 3).w;
      out[4 * i + 3] = intel_sub_group_scan_exclusive_min(x);)"));
  std::vector<int> in = randomNumbers<int>(64), out(4 * in.size()), expected(out.size());
  for (size_t first = 0; first < in.size(); first += 16) {
    int8_t most = INT8_MIN, least = INT8_MAX;
    uint16_t sum = 0;
    for (size_t k = 0; k < 16; ++k) most = std::max(most, static_cast<int8_t>(in[first + k]));
    for (size_t k = 0; k < 16; ++k) {
      sum = static_cast<uint16_t>(sum + in[first + k]);
      int* r = &expected[4 * (first + k)];
      r[0] = most;
      r[1] = sum;
      r[2] = static_cast<uint16_t>(in[first + 3]);
      r[3] = least;
      least = std::min(least, static_cast<int8_t>(in[first + k]));
    }
  }
  expectInEveryForm(program, {{64}, {32}}, in, out, expected, 16);
}

/// From OpenCL C 1.2 on. Programs may name them in headers and macros.
TEST(IntelSubGroups, AreFoundByTheirNames) {
  for (const char* options : {"", "-cl-std=CL3.0", "-cl-std=CLC++2021"})
    EXPECT_TRUE(
        build("#ifndef cl_intel_subgroups\n#error\n#endif\n"
              "kernel void k(global uint* a) { a[0] = intel_sub_group_block_read(a); }",
              options))
        << options;
  EXPECT_TRUE(build("kernel void k(global uint* a) { a[0] = READ(a); }",
                    "-DREAD=intel_sub_group_block_read"));
}

}  // namespace
}  // namespace weft::test::sub_groups
