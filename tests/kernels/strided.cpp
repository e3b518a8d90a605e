// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of structures: what is read and written between the fields, and nothing beyond them.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "guarded.h"
#include "harness.h"

namespace weft::test {
namespace {

/// Runs `kernel void k(global ELEMENT* a, global const ELEMENT* b, global int* out)` over numbers
/// of items that leave every kind of rest. Both arrays end at the end of their memory, and the
/// forms are compared by the harness; `skipped` are bytes at the end that no item touches.
void runBetweenGuards(const std::string& source, size_t elementBytes, size_t skipped = 0) {
  const auto program = build(source);
  for (const size_t items : {1, 7, 16, 33, 128, 200}) {
    for (const bool atEnd : {true, false}) {
      const size_t bytes = items * elementBytes - skipped;
      Guarded a(bytes, atEnd), b(bytes, atEnd);
      for (size_t i = 0; i < bytes; ++i) {
        a.data()[i] = static_cast<std::byte>((i * 7 + i / 5) % 100);
        b.data()[i] = static_cast<std::byte>((i * 13 + i / 3) % 90);
      }
      std::vector<int> out(items, -1);
      Launch(program, "k")
          .range({items}, {items})
          .memory(a.data(), a.size())
          .memory(b.data(), b.size())
          .buffer(out)
          .inEveryForm([](const Outcome&) {});
    }
  }
}

std::string kernelOf(const std::string& types, const std::string& element,
                     const std::string& body) {
  return types + " kernel void k(global " + element + "* a, global const " + element +
         "* b, global int* out) { size_t i = get_global_id(0); " + body + "}";
}

TEST(Strided, ReadEverySecondToSixteenth) {
  for (const int stride : {2, 3, 4, 5, 6, 7, 8, 12, 16}) {
    const std::string step = std::to_string(stride);
    for (const int at : {0, 1, stride - 1})
      runBetweenGuards(kernelOf("", "int",
                                "out[i] = b[i * " + step + " + " + std::to_string(at) +
                                    "]; a[i * " + step + " + " + std::to_string(at) + "] += 5;"),
                       4 * static_cast<size_t>(stride), 4 * static_cast<size_t>(stride - 1 - at));
  }
}

TEST(Strided, TakeAndGiveAllFields) {
  for (const char* type : {"uchar", "short", "int", "float", "long"}) {
    const size_t size = type[0] == 'u' ? 1 : type[0] == 's' ? 2 : type[0] == 'l' ? 8 : 4;
    for (const int count : {2, 3, 4, 6, 8}) {
      std::string sum = "0", write;
      for (int k = 0; k < count; ++k) {
        const std::string at = "[i * " + std::to_string(count) + " + " + std::to_string(k) + "]";
        sum += " + (int)(b" + at + " * " + std::to_string(k + 1) + ")";
        write += "a" + at + " = (" + type + ")(i + " + std::to_string(k) + "); ";
      }
      runBetweenGuards(kernelOf("", type, "out[i] = " + sum + "; " + write),
                       size * static_cast<size_t>(count));
    }
  }
}

constexpr const char* kParticle =
    "typedef struct { float x, y, z; int kind; float vx, vy, vz; uchar colour[4]; } particle;";

TEST(Strided, MoveStructuresOfMixedFields) {
  runBetweenGuards(kernelOf(kParticle, "particle",
                            "a[i].x += b[i].vx; a[i].y += b[i].vy; a[i].z += a[i].vz * 0.5f;"
                            "a[i].kind = b[i].kind + 1; a[i].colour[2] ^= b[i].colour[1];"
                            "out[i] = a[i].kind + b[i].colour[3];"),
                   32);
}

TEST(Strided, LeaveGapsAlone) {
  runBetweenGuards(kernelOf(kParticle, "particle",
                            "particle p = b[i]; a[i].x = p.y; a[i].vz = p.z; a[i].kind = 3;"
                            "a[i].colour[0] = 1; out[i] = p.kind;"),
                   32);
}

TEST(Strided, TouchOnlyTheStructuresOfActiveItems) {
  runBetweenGuards(kernelOf(kParticle, "particle",
                            "out[i] = 0; if (b[i].kind % 3 == 1) { a[i].x = b[i].z + b[i].vx;"
                            " a[i].vy = b[i].y; out[i] = (int)a[i].z; }"
                            "for (int k = 0; k < b[i].colour[0] % 5; ++k) {"
                            " a[i].vx += b[i].vz; out[i] += b[i].colour[k & 3]; }"),
                   32);
}

TEST(Strided, StayBehindTheEndUnderMasks) {
  // Twice as many items as there are structures.
  const auto program = build(kernelOf(
      kParticle, "particle",
      "if (i < 37) { a[i].vx = b[i].x * b[i].y; a[i].kind = b[i].kind; out[i] = a[i].kind; }"));
  for (const bool atEnd : {true, false}) {
    Guarded a(37 * 32, atEnd), b(37 * 32, atEnd);
    std::memset(b.data(), 17, b.size());
    std::vector<int> out(74, -1);
    Launch(program, "k")
        .range({74}, {37})
        .memory(a.data(), a.size())
        .memory(b.data(), b.size())
        .buffer(out)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out[36], 0x11111111); });
  }
}

TEST(Strided, MoveVectorsInStructures) {
  runBetweenGuards(
      kernelOf("typedef struct { float4 p; float3 v; float m; int2 id; long l; } body;", "body",
               "a[i].p.xyz = b[i].p.xyz + b[i].v * b[i].p.w; a[i].v.x = b[i].v.z; a[i].v.z = "
               "b[i].v.y; a[i].m = b[i].m;"
               "a[i].id = b[i].id.yx; a[i].l = b[i].l; out[i] = (int)a[i].p.y;"),
      64);
  runBetweenGuards(kernelOf("", "float",
                            "float3 v = vload3(i, b); vstore3(v.zyx + vload3(i, a), i, a);"
                            "out[i] = (int)v.y;"),
                   12);
  runBetweenGuards(
      kernelOf("", "float16", "float16 v = b[i]; a[i].s048c = v.s1357; out[i] = (int)v.se;"), 64);
}

// What the second statement reads the first one may have written.
TEST(Strided, SeeWhatTheyHaveWritten) {
  const auto program = build(
      "kernel void k(global int* a, global int* b) { size_t i = get_global_id(0);"
      " a[i * 4] = b[i * 4 + 1]; a[i * 4 + 1] = b[i * 4 + 2] + b[i * 4]; a[i * 4] += 3;"
      " b[i * 4 + 3] = a[i * 4 + 1]; a[i * 4 + 2] = b[i * 4 + 3] * 2; a[i * 4 + 2] -= a[i * 4]; }");
  std::vector<int> memory(4 * 100);
  for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<int>(i * 31 % 57);
  std::vector<int> wanted = memory;
  for (size_t i = 0; i < 100; ++i) {
    int* a = wanted.data() + i * 4;
    a[0] = a[1];
    a[1] = a[2] + a[0];
    a[0] += 3;
    a[3] = a[1];
    a[2] = a[3] * 2;
    a[2] -= a[0];
  }
  Guarded both(memory.size() * 4, true);
  std::memcpy(both.data(), memory.data(), both.size());
  Launch(program, "k")
      .range({100}, {50})
      .memory(both.data(), both.size())
      .memory(both.data(), both.size())
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(std::memcmp(both.data(), wanted.data(), both.size()), 0);
      });
}

// Work-items read and write their own structure by two pointers that are one field apart.
TEST(Strided, SeeWhatTheyHaveWrittenOneFieldOff) {
  const auto program = build(
      "kernel void k(global int* a, int shift) { size_t i = get_global_id(0); global int* b = a + "
      "shift;"
      " b[i * 8] = a[i * 8 + 1]; a[i * 8 + 2] = b[i * 8 + 1] + 1; b[i * 8 + 2] = a[i * 8 + 4];"
      " a[i * 8 + 5] = b[i * 8 + 3] + b[i * 8 + 1]; }");
  std::vector<int> memory(8 * 100);
  for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<int>(i * 31 % 57);
  std::vector<int> wanted = memory;
  for (size_t i = 0; i < 100; ++i) {
    int* a = wanted.data() + i * 8;
    int* b = a + 1;
    b[0] = a[1];
    a[2] = b[1] + 1;
    b[2] = a[4];
    a[5] = b[3] + b[1];
  }
  Launch(program, "k").range({100}, {50}).buffer(memory).value(1).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(memory, wanted);
  });
}

// Rows of colliding sizes are run in narrow tiles.
TEST(Strided, CrossRowsInTiles) {
  const auto program = build(
      "kernel void k(global int* to, int width, int height, global int* from) {"
      " int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);"
      " to[(z * width + x) * height + y] = x * 10000 + from[y * width + x] + z; }");
  const auto* info = kernelInfo(program, "k");
  ASSERT_TRUE(info);
  EXPECT_EQ(info->rowOrder, compiler::RowOrder::Columns);
  constexpr int kWidth = 39, kHeight = 1024 + 5;
  std::vector<int> to(static_cast<size_t>(kWidth * kHeight * 2), -1);
  std::vector<int> from;
  for (int y = 0; y < kHeight; ++y) from.insert(from.end(), kWidth, y * 3);
  Launch(program, "k")
      .range({37, 1024, 2}, {}, {1, 3, 0})
      .buffer(to)
      .value(kWidth)
      .value(kHeight)
      .buffer(from)
      .inEveryForm([&](const Outcome&) {
        for (int z = 0; z < 2; ++z)
          for (int x = 0; x < kWidth; ++x)
            for (int y = 0; y < kHeight; ++y) {
              const bool inside = x >= 1 && x < 38 && y >= 3 && y < 1027;
              ASSERT_EQ(to[static_cast<size_t>((z * kWidth + x) * kHeight + y)],
                        inside ? x * 10000 + y * 3 + z : -1);
            }
      });
}

TEST(Strided, GoThroughPiecesInLoops) {
  // Of their own, in order: what an iteration writes a later one may read.
  struct Piece {
    const char* type;
    size_t bytes, count;
  };
  for (const auto& [type, bytes, count] :
       {Piece{"uchar", 1, 3}, Piece{"int", 4, 2}, Piece{"double", 8, 3}, Piece{"short", 2, 7}}) {
    const std::string n = std::to_string(count);
    const std::string place = "[i * " + n + " + d]";
    const std::string loop = "for (int d = 0; d < " + n + "; ++d) ";
    SCOPED_TRACE(std::string(type) + " " + n);
    runBetweenGuards(
        kernelOf("", type,
                 loop + "a" + place + " = b" + place + " * 3 + d;\n" + "if (i % 5 != 2) " + loop +
                     "if (b" + place + " > 40) a" + place + " = d;\nint sum = 0;\n" + loop + "{ a" +
                     place + " += a[i * " + n + " + " + n + " - 1 - d]; sum = sum * 3 + (int)b" +
                     place + "; } out[i] = sum;"),
        bytes * count);
  }
}

TEST(Strided, KnowTheOrderOfRows) {
  WEFT_NEEDS_SOURCE("an estimate of the code as Clang writes it");
  using compiler::RowOrder;
  const auto program = build(
      "kernel void along(global int* a, int n) { a[get_global_id(1) * n + get_global_id(0)] = 1; }"
      "kernel void structures(global int* a) { a[get_global_id(0) * 16] = 1; }"
      "kernel void columns(global int* a) { a[get_global_id(0) * 100] = 1; }"
      "kernel void computes(global int* a, int n) { int v = 0; for (int k = 0; k < n; ++k) v ^= k "
      "* v;"
      " a[get_global_id(0) * n] = v; }"
      "kernel void reads(global int* a, global int* n) {"
      " a[get_global_id(0) * n[0] + n[get_global_id(1)]] = 1; }"
      "kernel void factor(global int* a) { a[100 * get_global_id(0)] = 1; }"
      "kernel void gathers(global int* a) { a[0] = a[a[get_global_id(0)]]; }"
      "kernel void multiply(global int* a, global int* b, int n) {"
      " int x = get_global_id(0), y = get_global_id(1), v = 0;"
      " for (int k = 0; k < n; ++k) v += a[y * n + k] * a[k * n + x];"
      " b[y * n + x] = v; }"
      "kernel void filter(global int* a, constant int* weights, global int* b, int n, int side) {"
      " int x = get_global_id(0), y = get_global_id(1), v = 0;"
      " for (int k = 0; k < side; ++k) v += weights[k] * a[(y + k) * n + x];"
      " b[y * n + x] = v; }"
      "kernel void adds(global int* a, global int* b, int n) {"
      " int x = get_global_id(0), y = get_global_id(1);"
      " for (int k = 0; k < n; ++k) b[y * n + x] += a[y * n + k] * a[k * n + x]; }"
      "kernel void writes(global int* a, global int* b, int n) {"
      " int x = get_global_id(0), y = get_global_id(1);"
      " for (int k = 0; k < n; ++k) b[(y + k) * n + x] += a[y * n + k] * a[k * n + x]; }");
  const auto orderOf = [&](const char* name) { return kernelInfo(program, name)->rowOrder; };
  EXPECT_EQ(orderOf("along"), RowOrder::Rows);
  EXPECT_EQ(orderOf("structures"), RowOrder::Rows);
  EXPECT_EQ(orderOf("columns"), RowOrder::Columns);
  EXPECT_EQ(orderOf("computes"), RowOrder::Tiles);
  EXPECT_EQ(orderOf("reads"), RowOrder::Columns);
  EXPECT_EQ(orderOf("factor"), RowOrder::Columns);
  EXPECT_EQ(orderOf("gathers"), RowOrder::Rows);
  EXPECT_EQ(orderOf("multiply"), RowOrder::Tiles);
  EXPECT_EQ(orderOf("filter"), RowOrder::Rows);
  const auto sharesRows = [&](const char* name) {
    return kernelInfo(program, name)->sharedRow > 0;
  };
  EXPECT_TRUE(sharesRows("multiply"));
  EXPECT_TRUE(sharesRows("adds"));
  for (const char* name : {"along", "computes", "gathers", "filter", "writes"})
    EXPECT_FALSE(sharesRows(name)) << name;
}

TEST(Strided, KnowWhatIsWrittenAcross) {
  WEFT_NEEDS_SOURCE("an estimate of the code as Clang writes it");
  const auto program = build(
      "kernel void copies(global int* a, global int* b, int n) {"
      " int x = get_global_id(0), y = get_global_id(1); b[y * n + x] = a[y * n + x]; }"
      "kernel void transposes(global int* a, global int* b, int n) {"
      " int x = get_global_id(0), y = get_global_id(1); b[x * n + y] = a[y * n + x]; }"
      "kernel void shares(global int* a, global int* b, int n) {"
      " local int tile[16][17]; int x = get_local_id(0), y = get_local_id(1);"
      " int left = get_group_id(0) * 16, top = get_group_id(1) * 16;"
      " tile[y][x] = a[(top + y) * n + left + x]; barrier(CLK_LOCAL_MEM_FENCE);"
      " b[(left + y) * n + top + x] = tile[x][y]; }"
      "kernel void tiles(global int* a, global int* b, int n) {"
      " int x = get_local_id(0), y = get_local_id(1);"
      " int left = get_group_id(0) * 16, top = get_group_id(1) * 16;"
      " b[(top + y) * n + left + x] = a[(left + y) * n + top + x]; }"
      "kernel void scatters(global int* a, global int* b, global int* to) {"
      " b[to[get_global_id(0)]] = a[get_global_id(0)]; }"
      "kernel void gathers(global int* a, global int* b, global int* from) {"
      " b[get_global_id(0)] = a[from[get_global_id(0)]]; }"
      "kernel void counts(global int* a, global int* b) { atomic_inc(&b[a[get_global_id(0)]]); }"
      "kernel void sorts(global int* a, global int* b) {"
      " local int place[256]; place[a[get_global_id(0)] & 255] = 1;"
      " barrier(CLK_LOCAL_MEM_FENCE); b[get_global_id(0)] = place[get_local_id(0)]; }"
      "kernel void along(global int* a, global int* b, int n) {"
      " int row = get_global_id(0), x = get_global_id(1); b[row * n + x] = a[row * n + x]; }"
      "kernel void pieces(global int* a, global int* b, int n) {"
      " int row = get_global_id(0);"
      " for (int i = 0; i < 90; ++i) {"
      "  int x = get_global_id(1) * 90 + i; b[row * n + x] = a[row * n + x]; } }");
  for (const char* name : {"transposes", "shares", "scatters"})
    EXPECT_TRUE(kernelInfo(program, name)->writesAcross) << name;
  for (const char* name : {"copies", "tiles", "gathers", "counts", "sorts", "along", "pieces"})
    EXPECT_FALSE(kernelInfo(program, name)->writesAcross) << name;
}

// Lanes are along the dimension in which neighbours lie side by side, in ranges with offsets, of
// sizes that fill no lanes, and by groups.
TEST(Strided, RunRowsAlongOtherDimensions) {
  const auto program = build(
      "int at(int3 id, int3 size) { return (id.x * size.z + id.z) * size.y + id.y; }"
      "kernel void flat(global int* to, int3 size, global const int* from) {"
      " int3 id = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));"
      " if (id.y < size.y - 2) to[at(id, size)] = from[at(id, size)] * 3 + id.x * 100 + id.z; }"
      "kernel void grouped(global int* to, int3 size, global const int* from) {"
      " int3 id = (int3)(get_group_id(0) * get_local_size(0) + get_local_id(0) +"
      "   get_global_offset(0), get_global_id(1), get_global_id(2));"
      " if (id.y < size.y - 2) to[at(id, size)] = from[at(id, size)] * 3 + id.x * 100 + id.z; }");
  for (const char* name : {"flat", "grouped"}) {
    const auto* info = kernelInfo(program, name);
    ASSERT_TRUE(info);
    EXPECT_EQ(info->rowDimension, 1u);
    EXPECT_EQ(info->rowOrder, compiler::RowOrder::Rows);
    for (const Sizes& local : {Sizes{1, 1, 1}, Sizes{2, 8, 1}, Sizes{1, 40, 3}}) {
      const std::array<int, 4> size{14 + 3, 80 + 5, 6 + 1, 0};
      const auto items = static_cast<size_t>(size[0] * size[1] * size[2]);
      std::vector<int> from(items), to(items, -1);
      std::iota(from.begin(), from.end(), 7);
      Launch(program, name)
          .range({14, 80, 6}, local, {3, 5, 1})
          .buffer(to)
          .value(size)
          .buffer(from)
          .inEveryForm([&](const Outcome&) {
            for (int x = 0; x < size[0]; ++x)
              for (int z = 0; z < size[2]; ++z)
                for (int y = 0; y < size[1]; ++y) {
                  const auto place = static_cast<size_t>((x * size[2] + z) * size[1] + y);
                  const bool isIn = x >= 3 && y >= 5 && y < size[1] - 2 && z >= 1;
                  ASSERT_EQ(to[place], isIn ? from[place] * 3 + x * 100 + z : -1)
                      << x << " " << y << " " << z;
                }
          });
    }
  }
}

// Structures of several types are read and written whole, changed in between, under masks as well.
TEST(Strided, CopyStructuresWhole) {
  const auto program = build(
      "typedef struct { uchar kind, level; short weight; float at; int n[2]; double sum; } Part;"
      "kernel void k(global Part* a, global const Part* b) {"
      " int i = get_global_id(0); Part p = b[i]; Part q = b[i + 1];"
      " p.level += q.kind; p.n[1] -= i; p.sum += q.at;"
      " if (p.kind & 1) { a[i] = p; return; }"
      " q.weight = p.weight; Part r = q; r.kind ^= 3; a[i] = r; }");
  struct Part {
    uint8_t kind, level;
    int16_t weight;
    float at;
    int n[2];
    double sum;
  };
  constexpr size_t kParts = 75;
  std::vector<Part> b(kParts + 1), a(kParts), expected(kParts);
  for (size_t i = 0; i < b.size(); ++i) {
    const int x = static_cast<int>(i * i % 97);
    b[i] = {static_cast<uint8_t>(x),
            static_cast<uint8_t>(200 + x),
            static_cast<int16_t>(x * -300),
            static_cast<float>(x) / 4,
            {x << 20, -x},
            x * 1.5};
  }
  for (size_t i = 0; i < kParts; ++i) {
    Part p = b[i], q = b[i + 1];
    p.level = static_cast<uint8_t>(p.level + q.kind);
    p.n[1] -= static_cast<int>(i);
    p.sum += q.at;
    q.weight = p.weight;
    expected[i] = (p.kind & 1) != 0 ? p : q;
    if ((p.kind & 1) == 0) expected[i].kind ^= 3;
  }
  Launch(program, "k").range(kParts).buffer(a).buffer(b).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(std::memcmp(a.data(), expected.data(), kParts * sizeof(Part)), 0);
  });
}

TEST(Strided, KnowTheDimensionOfRows) {
  const auto program = build(
      "kernel void rows(global int* a, int n) { a[get_global_id(1) * n + get_global_id(0)] = 1; }"
      "kernel void columns(global int* a, int n) {"
      " a[get_global_id(0) * n + get_global_id(1)] = 1; }"
      "kernel void deep(global int* a, int n) {"
      " a[(get_global_id(0) * n + get_global_id(1)) * n + get_global_id(2)] = 1; }"
      "kernel void transpose(global int* a, global int* b, int n) { int x = get_global_id(0),"
      " y = get_global_id(1); b[x * n + y] = a[y * n + x]; }"
      "kernel void multiply(global int* a, global int* b, global int* c, int n) {"
      " int row = get_global_id(0), column = get_global_id(1), sum = 0;"
      " for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];"
      " c[row * n + column] = sum; }"
      "kernel void oneDimension(global int* a, int n) { a[get_global_id(0) * n] = 1; }"
      "kernel void counts(global int* a, global int* b, int n) {"
      " atomic_inc(&a[get_global_id(0) * n]); b[get_global_id(0) * n + get_global_id(1)] = 1; }"
      "kernel void looksUp(global int* a, global int* b, int n) {"
      " a[get_global_id(0) * n + b[get_global_id(1)]] = 1; }"
      "kernel void eliminate(global int* m, global int* a, global int* b, int n) {"
      " int row = get_global_id(0), column = get_global_id(1);"
      " if (row < n && column < n) { a[row * n + column] -= m[row] * a[column];"
      " if (column == 0) b[row] -= m[row] * b[0]; } }"
      "kernel void lines(global int* a, int n) { a[get_global_id(0)] = n; }"
      "kernel void clamped(global const int* a, global int* b, int n) {"
      " int row = get_global_id(0), column = get_global_id(1);"
      " b[row * n + column] = a[clamp(row - 1, 0, n - 1) * n + clamp(column + 1, 0, n - 1)]"
      " + a[row * n + (column + 1) % n] + a[row * n + (column > 3 ? column - 3 : 0)]; }");
  const auto dimensionOf = [&](const char* name) {
    return kernelInfo(program, name)->rowDimension;
  };
  EXPECT_EQ(dimensionOf("rows"), 0u);
  EXPECT_EQ(dimensionOf("columns"), 1u);
  EXPECT_EQ(dimensionOf("deep"), 2u);
  EXPECT_EQ(dimensionOf("transpose"), 0u) << "as good as the other";
  EXPECT_EQ(dimensionOf("multiply"), 1u);
  EXPECT_EQ(dimensionOf("oneDimension"), 0u);
  EXPECT_EQ(dimensionOf("counts"), 0u) << "lanes would meet in one place";
  EXPECT_EQ(dimensionOf("looksUp"), 0u);
  EXPECT_EQ(dimensionOf("eliminate"), 1u) << "one of a row's work-items writes besides";
  EXPECT_EQ(dimensionOf("lines"), 0u) << "the other dimension has nothing to do";
  EXPECT_EQ(dimensionOf("clamped"), 1u) << "borders are few";
}

TEST(Strided, CountInUnsignedIndices) {
  runBetweenGuards(kernelOf("", "int",
                            "uint u = (uint)i * 3u; out[i] = b[u] + b[u + 2u] * 3 - b[u + 1u];"
                            "int s = (int)i * 3 - 1; a[s + 1] = out[i]; a[s + 3] = 4;"),
                   12);
}

}  // namespace
}  // namespace weft::test
