// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local memory: reductions, scans, transposes; static variables, arguments and both together.
#include <array>
#include <numeric>

#include "harness.h"

namespace weft::test {
namespace {

std::vector<uint32_t> numbers(size_t count) {
  std::vector<uint32_t> values(count);
  uint32_t state = 12345;
  for (uint32_t& value : values) value = (state = state * 1664525 + 1013904223) >> 16;
  return values;
}

TEST(LocalMemory, TreeReduction) {
  const auto program = build(R"(
    kernel void k(global const uint* in, global uint* out, local uint* l) {
      size_t i = get_local_id(0);
      l[i] = in[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (size_t s = get_local_size(0) / 2; s > 0; s /= 2) {
        if (i < s) l[i] += l[i + s];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (i == 0) out[get_group_id(0)] = l[0];
    })");
  for (const uint64_t group : {1, 2, 16, 256, 1024}) {
    auto in = numbers(4096);
    std::vector<uint32_t> out(in.size() / group), expected(out.size());
    for (size_t g = 0; g < out.size(); ++g)
      expected[g] = std::accumulate(&in[g * group], &in[g * group] + group, 0u);
    Launch(program, "k")
        .range({in.size()}, {group})
        .buffer(in)
        .buffer(out)
        .local(group * 4)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
}

/// Members of neighbours, by the work-item's own index and by others', in rows of rows, and of
/// structures in structures; one array is copied as it is.
TEST(LocalMemory, ArraysOfStructures) {
  const auto program = build(R"(
    typedef struct { uint a; ushort b; uint c[2]; struct { uchar d; uint e; } inner; } S;
    kernel void k(global const uint* in, global uint* out) {
      local S s[3][40]; local S whole[40]; local uint plain[40];
      uint i = get_local_id(0), n = get_local_size(0), x = in[get_global_id(0)];
      s[1][i].a = x; s[1][i].b = x * 3; s[1][i].c[0] = x + 1; s[1][i].c[1] = x + 2;
      s[2][i].inner.d = x; s[2][i].inner.e = x * 5; s[0][i].a = 0;
      whole[i].a = x; whole[i].b = 1; whole[i].c[0] = whole[i].c[1] = i; plain[i] = 7 * x;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (x & 1) { s[0][n - 1 - i].a += s[1][(i + 1) % n].a; s[1][i].c[i & 1] ^= 5; }
      atomic_add(&s[2][i / 2].inner.e, s[1][i].b);
      S copy = whole[(i + 3) % n];
      barrier(CLK_LOCAL_MEM_FENCE);
      s[1][0].b = 9;
      out[get_global_id(0)] = s[0][i].a + s[1][i].c[0] * 3 + s[1][n - 1 - i].c[1] +
          s[2][i].inner.d + s[2][i].inner.e + copy.a + copy.c[1] + plain[(i + 5) % n] + s[1][0].b;
    })");
  for (const uint64_t group : {1, 16, 40}) {
    auto in = numbers(80);
    for (uint32_t& x : in) x &= 0xfff;
    std::vector<uint32_t> out(in.size()), expected(in.size());
    for (size_t first = 0; first < in.size(); first += group) {
      const uint32_t* x = &in[first];
      std::vector<uint32_t> sums(group), e(group);
      std::vector<std::array<uint32_t, 2>> c(group);
      for (size_t i = 0; i < group; ++i) {
        c[i] = {x[i] + 1, x[i] + 2};
        e[i] = x[i] * 5;
      }
      for (size_t i = 0; i < group; ++i) {
        if (x[i] % 2 != 0) {
          sums[group - 1 - i] += x[(i + 1) % group];
          c[i][i % 2] ^= 5;
        }
        e[i / 2] += static_cast<uint16_t>(x[i] * 3);
      }
      for (size_t i = 0; i < group; ++i)
        expected[first + i] = sums[i] + c[i][0] * 3 + c[group - 1 - i][1] + (x[i] & 0xff) + e[i] +
                              x[(i + 3) % group] + (i + 3) % group + 7 * x[(i + 5) % group] + 9;
    }
    Launch(program, "k")
        .range({in.size()}, {group})
        .buffer(in)
        .buffer(out)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected) << group; });
  }
}

/// Members that a structure aligns better than their own type does.
TEST(LocalMemory, MembersOfAlignedStructures) {
  const auto program = build(R"(
    typedef struct { float4 v; float s; uchar b; } S;
    kernel void k(global const uint* in, global uint* out) {
      local S s[37]; local uint odd[33]; local uchar few[3];
      uint i = get_local_id(0), n = get_local_size(0), x = in[get_global_id(0)] & 255;
      s[i].v = (float4)(x); s[i].s = x + 1; s[i].b = x; odd[i] = x * 3; few[i % 3] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      uint j = (i + 1) % n;
      out[get_global_id(0)] = (uint)(s[j].s + s[i].v.z) * 2 + s[i].b + odd[j] + few[i % 3] + (uint)s[i].s;
    })");
  for (const uint64_t group : {4, 16, 32}) {
    auto in = numbers(96);
    std::vector<uint32_t> out(in.size()), expected(in.size());
    for (size_t i = 0; i < in.size(); ++i) {
      const uint32_t x = in[i] & 255, next = in[i / group * group + (i + 1) % group] & 255;
      expected[i] = (next + 1 + x) * 2 + x + next * 3 + x + 1;
    }
    Launch(program, "k")
        .range({in.size()}, {group})
        .buffer(in)
        .buffer(out)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected) << group; });
  }
}

/// Tiles that a group fills in one turn, in several, or whose rows are not all its own; what the
/// loops leave behind is wanted, too.
TEST(LocalMemory, TilesFilledInAnyNumberOfTurns) {
  const auto program = build(R"(
    kernel void k(global const uint* in, global uint* out, int width) {
      local uint tile[16][16];
      int x = get_local_id(0), y = get_local_id(1), i, j = -1;
      int column = get_group_id(0) * 16, row = get_group_id(1) * 16;
      for (i = y; i < 16; i += get_local_size(1))
        for (j = x; j < 16; j += get_local_size(0)) tile[i][j] = in[(row + i) * width + column + j];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int r = y; r < 16; r += get_local_size(1))
        for (int c = x; c < 16; c += get_local_size(0))
          out[(column + r) * 32 + row + c] = tile[c][r] + (i - y) * 1000 + (j - x) * 100000;
    })");
  constexpr uint64_t kWidth = 48, kHeight = 32;
  for (const auto& [width, height] :
       {std::pair<uint64_t, uint64_t>{16, 16}, {16, 4}, {8, 16}, {4, 8}}) {
    auto in = numbers(kWidth * kHeight);
    for (uint32_t& value : in) value %= 1000;
    std::vector<uint32_t> out(in.size()), expected(in.size());
    for (uint64_t x = 0; x < kWidth; ++x)
      for (uint64_t y = 0; y < kHeight; ++y)
        expected[x * kHeight + y] = in[y * kWidth + x] + 16 * 1000 + 16 * 100000;
    Launch(program, "k")
        .range({kWidth / 16 * width, kHeight / 16 * height}, {width, height})
        .buffer(in)
        .buffer(out)
        .value(static_cast<int>(kWidth))
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected) << width << " " << height; });
  }
}

/// The same in a volatile array, of which each row of work-items adds up its own part, and with
/// what a work-item reads back that it has just written.
TEST(LocalMemory, VolatileTreeReduction) {
  const auto program = build(R"(
    kernel void k(global const uint* in, global uint* out, local volatile uint* l, int row) {
      int i = get_local_id(0), id = i & (row - 1);
      l[i] = 0;
      if (in[0] != 1) {
        l[i] = in[get_global_id(0)];
        l[i] += 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int s = row / 2; s > 0; s /= 2) {
          if (id < s) l[i] += l[i + s];
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        uint sum = 0;
        for (int k = 0; k <= i / row; ++k) sum += l[k * row];
        out[get_global_id(0)] = sum;
      }
    })");
  for (const auto [group, row] : {std::pair{8, 4}, {128, 16}, {256, 64}}) {
    auto in = numbers(1024);
    std::vector<uint32_t> out(in.size()), expected(in.size());
    for (size_t i = 0; i < in.size(); ++i) {
      const size_t first = i / group * group;
      const size_t end = i / row * row + row;
      expected[i] = std::accumulate(&in[first], &in[0] + end, static_cast<uint32_t>(end - first));
    }
    Launch(program, "k")
        .range({in.size()}, {static_cast<uint64_t>(group)})
        .buffer(in)
        .buffer(out)
        .local(static_cast<size_t>(group) * 4)
        .value(row)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
}

/// Work-items that wait for another one's volatile store, which OpenCL does not promise to end: it
/// does where they run in order.
TEST(LocalMemory, WaitsForAVolatileStore) {
  const auto program = build(R"(
    kernel void k(global const int* in, global int* out) {
      local volatile int flag;
      int i = get_local_id(0);
      if (i == 0) flag = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i != 0) {
        while (flag == 0);
        out[get_global_id(0)] = flag + i;
      } else {
        flag = in[0];
        out[get_global_id(0)] = 7;
      }
    })");
  std::vector<int> in{5}, out(256), expected(256);
  for (int i = 0; i < 256; ++i) expected[i] = i % 64 == 0 ? 7 : 5 + i % 64;
  Launch(program, "k").range({256}, {64}).buffer(in).buffer(out).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
}

TEST(LocalMemory, InclusiveScanWithStaticArray) {
  const auto program = build(R"(
    kernel __attribute__((reqd_work_group_size(128, 1, 1)))
    void k(global const uint* in, global uint* out) {
      local uint buffer[2][128];
      size_t i = get_local_id(0);
      int from = 0;
      buffer[0][i] = in[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (size_t s = 1; s < 128; s *= 2) {
        buffer[1 - from][i] = buffer[from][i] + (i >= s ? buffer[from][i - s] : 0);
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[get_global_id(0)] = buffer[from][i];
    })");
  const compiler::KernelInfo* info = kernelInfo(program, "k");
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->staticLocalBytes, 2 * 128 * 4u);
  EXPECT_EQ(info->reqdWorkGroupSize, (std::array<uint32_t, 3>{128, 1, 1}));
  auto in = numbers(1024);
  std::vector<uint32_t> out(in.size()), expected(in.size());
  for (size_t g = 0; g < in.size(); g += 128) std::partial_sum(&in[g], &in[g] + 128, &expected[g]);
  Launch(program, "k")
      .range({in.size()}, {128})
      .buffer(in)
      .buffer(out)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

TEST(LocalMemory, TiledTransposeInTwoDimensions) {
  const auto program = build(R"(
    #define T 8
    kernel void k(global const uint* in, global uint* out, uint width, uint height) {
      local uint tile[T][T + 1];
      size_t x = get_local_id(0), y = get_local_id(1);
      tile[y][x] = in[get_global_id(1) * width + get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      size_t ox = get_group_id(1) * T + x, oy = get_group_id(0) * T + y;
      out[oy * height + ox] = tile[x][y];
    })");
  constexpr uint32_t kWidth = 40, kHeight = 24;
  auto in = numbers(kWidth * kHeight);
  std::vector<uint32_t> out(in.size()), expected(in.size());
  for (uint32_t y = 0; y < kHeight; ++y)
    for (uint32_t x = 0; x < kWidth; ++x) expected[x * kHeight + y] = in[y * kWidth + x];
  Launch(program, "k")
      .range({kWidth, kHeight}, {8, 8})
      .buffer(in)
      .buffer(out)
      .value(kWidth)
      .value(kHeight)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

TEST(LocalMemory, StaticVariablesAndSeveralArguments) {
  const auto program = build(R"(
    typedef struct { char c; double d; } Pair;
    kernel void k(global int* out, local char* a, local double4* b, local Pair* c, local short* d) {
      local char odd[3];
      local long wide;
      size_t i = get_local_id(0), n = get_local_size(0);
      a[i] = (char)i;
      b[i] = (double4)(i, i + 1, i + 2, i + 3);
      c[i].c = (char)(i + 1);
      c[i].d = i * 0.5;
      d[i] = (short)(i * 3);
      if (i == 0) { odd[0] = 1; odd[1] = 2; odd[2] = 3; wide = 0x123456789aL; }
      barrier(CLK_LOCAL_MEM_FENCE);
      size_t j = n - 1 - i;
      out[get_global_id(0)] = a[j] + (int)b[j].w + c[j].c + (int)(c[j].d * 2) + d[j] +
                              odd[i % 3] + (wide == 0x123456789aL ? 1000 : 0) +
                              (((size_t)b & 31) == 0 ? 0 : 100000);
    })");
  constexpr uint64_t kGroup = 16;
  std::vector<int> out(4 * kGroup), expected(out.size());
  for (size_t g = 0; g < out.size(); ++g) {
    const int i = static_cast<int>(g % kGroup), j = static_cast<int>(kGroup) - 1 - i;
    expected[g] = j + (j + 3) + (j + 1) + j + 3 * j + (i % 3 + 1) + 1000;
  }
  Launch(program, "k")
      .range({out.size()}, {kGroup})
      .buffer(out)
      .local(kGroup)
      .local(kGroup * 32)
      .local(kGroup * 16)
      .local(kGroup * 2)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

TEST(LocalMemory, BelongsToOneGroup) {
  const auto program = build(R"(
    kernel void k(global int* out) {
      local int shared;
      if (get_local_id(0) == 0) shared = (int)get_group_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int t = 0; t < 20; ++t) {
        int now = shared;
        barrier(CLK_LOCAL_MEM_FENCE);
        if ((int)get_local_id(0) == t % (int)get_local_size(0)) shared = now + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[get_global_id(0)] = shared;
    })");
  constexpr uint64_t kGroup = 8;
  std::vector<int> out(256 * kGroup), expected(out.size());
  for (size_t g = 0; g < out.size(); ++g) expected[g] = static_cast<int>(g / kGroup) + 20;
  Launch(program, "k").range({out.size()}, {kGroup}).buffer(out).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
}

// Without a barrier a group runs as a loop; local memory is then scratch of single work-items.
TEST(LocalMemory, AsScratchWithoutABarrier) {
  const auto program = build(R"(
    kernel void k(global const uint* in, global uint* out, local uint* scratch) {
      local uint* mine = scratch + get_local_id(0) * 4;
      for (int j = 0; j < 4; ++j) mine[j] = in[get_global_id(0)] >> j;
      uint sum = 0;
      for (int j = 0; j < 4; ++j) sum += mine[j];
      out[get_global_id(0)] = sum;
    })");
  const compiler::KernelInfo* info = kernelInfo(program, "k");
  ASSERT_NE(info, nullptr);
  EXPECT_FALSE(info->usesBarrier);
  EXPECT_TRUE(info->observesGroup);
  auto in = numbers(512);
  std::vector<uint32_t> out(in.size()), expected(in.size());
  for (size_t i = 0; i < in.size(); ++i)
    for (int j = 0; j < 4; ++j) expected[i] += in[i] >> j;
  Launch(program, "k")
      .range({in.size()}, {32})
      .buffer(in)
      .buffer(out)
      .local(32 * 16)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

TEST(LocalMemory, MatrixProductInTiles) {
  const auto program = build(R"(
    #define T 16
    kernel void k(global const float* a, global const float* b, global float* c, int n) {
      local float ta[T][T], tb[T][T];
      int x = get_global_id(0), y = get_global_id(1);
      int lx = get_local_id(0), ly = get_local_id(1);
      float sum = 0;
      for (int t = 0; t < n; t += T) {
        ta[ly][lx] = a[y * n + t + lx];
        tb[ly][lx] = b[(t + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < T; ++j) sum += ta[ly][j] * tb[j][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      c[y * n + x] = sum;
    })");
  constexpr int kN = 64;
  std::vector<float> a(kN * kN), b(kN * kN), c(kN * kN), expected(kN * kN);
  for (int i = 0; i < kN * kN; ++i) {  // small integers: every order of summation is exact
    a[i] = static_cast<float>(i % 7 - 3);
    b[i] = static_cast<float>(i % 5 - 2);
  }
  for (int y = 0; y < kN; ++y)
    for (int x = 0; x < kN; ++x)
      for (int j = 0; j < kN; ++j) expected[y * kN + x] += a[y * kN + j] * b[j * kN + x];
  Launch(program, "k")
      .range({kN, kN}, {16, 16})
      .buffer(a)
      .buffer(b)
      .buffer(c)
      .value(kN)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(c, expected); });
}

TEST(LocalMemory, AsyncCopies) {
  const auto program = build(R"(
    kernel void k(global const int* in, global int* out, local int* l) {
      size_t n = get_local_size(0), i = get_local_id(0), base = get_group_id(0) * n;
      event_t e = async_work_group_copy(l, in + base, n, 0);
      wait_group_events(1, &e);
      int value = l[n - 1 - i];
      barrier(CLK_LOCAL_MEM_FENCE);
      l[i] = value * 2;
      barrier(CLK_LOCAL_MEM_FENCE);
      e = async_work_group_copy(out + base, l, n, 0);
      wait_group_events(1, &e);
    })");
  constexpr uint64_t kGroup = 32;
  std::vector<int> in(8 * kGroup), out(in.size()), expected(in.size());
  std::iota(in.begin(), in.end(), 0);
  for (size_t g = 0; g < in.size(); ++g)
    expected[g] = 2 * in[g / kGroup * kGroup + kGroup - 1 - g % kGroup];
  Launch(program, "k")
      .range({in.size()}, {kGroup})
      .buffer(in)
      .buffer(out)
      .local(kGroup * 4)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

}  // namespace
}  // namespace weft::test
