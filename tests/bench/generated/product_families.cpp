// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>

#include "families.h"

// Matrices: products, products with a vector, transposes, walks along columns; and all pairs.
namespace weft::bench::generated {
namespace {

Type drawnType(Draw& draw) { return draw.chance(75) ? draw.realType() : Type{"int", "int"}; }

/// Integers are small enough for products of long rows.
double inputBound(const Type& type) { return type.isReal() ? 1 : 100; }

double sumTolerance(const Type& type, size_t count, double bound = 1) {
  return 4 * static_cast<double>(count) * static_cast<double>(count) * type.epsilon() * bound;
}

void product(Draw& draw, Program& program) {
  const Type type = drawnType(draw);
  const size_t form = draw.below(4);  // an element an item, swapped ids, a row of four, four rows
  const bool turned = draw.chance(25);
  const size_t n = draw.small() ? 32 : 32 * draw.between(6, 12);
  defineType(program, type);
  drawRestrict(draw, program);
  program.define("N", n);
  program.define("B(k, j)", turned ? "b[(j) * N + (k)]" : "b[(k) * N + (j)]");
  program.define("X", static_cast<size_t>(form == 1));
  program.define("WIDE", form == 2 ? 4 : 1);
  program.define("HIGH", form == 3 ? 4 : 1);
  program.text = R"(
kernel void k(global const T* RESTRICT a, global const T* RESTRICT b, global T* RESTRICT c) {
  int j = get_global_id(X) * WIDE, i = get_global_id(1 - X) * HIGH;
  T sum[HIGH][WIDE];
  for (int p = 0; p < HIGH; ++p)
    for (int q = 0; q < WIDE; ++q) sum[p][q] = 0;
  for (int m = 0; m < N; ++m)
    for (int p = 0; p < HIGH; ++p)
      for (int q = 0; q < WIDE; ++q) sum[p][q] += a[(i + p) * N + m] * B(m, j + q);
  for (int p = 0; p < HIGH; ++p)
    for (int q = 0; q < WIDE; ++q) c[(i + p) * N + j + q] = sum[p][q];
}
)";
  program.native = R"(
  FREE_ORDER
  T const* __restrict a = p0;
  T const* __restrict b = p1;
  T* __restrict c = p2;
  for (int i = int(begin) * 4; i < int(end) * 4; i += 4)
    for (int first = 0; first < N; first += 32) {
      T sum[4][32] = {};
      for (int m = 0; m < N; ++m)
        for (int p = 0; p < 4; ++p)
#pragma omp simd
          for (int q = 0; q < 32; ++q) sum[p][q] += a[(i + p) * N + m] * B(m, first + q);
      for (int p = 0; p < 4; ++p)
        for (int q = 0; q < 32; ++q) c[(i + p) * N + first + q] = sum[p][q];
    }
)";
  program.nativeUnits = n / 4;
  const size_t columns = n / (form == 2 ? 4 : 1), rows = n / (form == 3 ? 4 : 1);
  const Sizes local = draw.pick<Sizes>({{0, 0, 0}, {8, 8, 0}, {16, 4, 0}, {8, 1, 0}, {16, 8, 0}});
  const bool fits = local[0] != 0 && columns % local[0] == 0 && rows % local[1] == 0;
  program.shape = {form == 1 ? Sizes{rows, columns} : Sizes{columns, rows},
                   fits && form != 1 ? local : Sizes{}};
  for (int i = 0; i < 2; ++i) program.in(type.storage, n * n, -inputBound(type), inputBound(type));
  program.out(type.storage, n * n, sumTolerance(type, n));
}

void tiled(Draw& draw, Program& program) {
  const Type type = drawnType(draw);
  const size_t tile = draw.pick<size_t>({8, 16, 16, 32});
  const size_t high = tile == 32 ? 4 : draw.pick<size_t>({1, 1, 2, 4});  // results of an item
  const size_t n = draw.small() ? 64 : 32 * draw.between(6, 14);
  program.style = Style::Groups;
  defineType(program, type);
  drawRestrict(draw, program);
  program.define("N", n);
  program.define("TILE", tile);
  program.define("HIGH", high);
  program.define("L0", tile);
  program.define("L1", tile / high);
  program.define("PAD", draw.pick<size_t>({0, 0, 1}));
  program.text = R"(
kernel void k(global const T* RESTRICT a, global const T* RESTRICT b, global T* RESTRICT c) {
  local T as[TILE][TILE + PAD], bs[TILE][TILE + PAD];
  PRIVATE(T, sum)[HIGH];
  PHASE { for (int p = 0; p < HIGH; ++p) ITEM(sum)[p] = 0; }
  for (int t = 0; t < N; t += TILE) {
    PHASE {
      for (int p = 0; p < HIGH; ++p) {
        int y = LY * HIGH + p;
        as[y][LX] = a[(GY * TILE + y) * N + t + LX];
        bs[y][LX] = b[(t + y) * N + GX * TILE + LX];
      }
    }
    SYNC
    PHASE {
      for (int m = 0; m < TILE; ++m)
        for (int p = 0; p < HIGH; ++p) ITEM(sum)[p] += as[LY * HIGH + p][m] * bs[m][LX];
    }
    SYNC
  }
  PHASE {
    for (int p = 0; p < HIGH; ++p)
      c[(GY * TILE + LY * HIGH + p) * N + GX * TILE + LX] = ITEM(sum)[p];
  }
}
)";
  program.native = R"(
  FREE_ORDER
  T const* __restrict a = p0;
  T const* __restrict b = p1;
  T* __restrict c = p2;
  for (int i = int(begin) * 4; i < int(end) * 4; i += 4)
    for (int first = 0; first < N; first += 32) {
      T sum[4][32] = {};
      for (int m = 0; m < N; ++m)
        for (int p = 0; p < 4; ++p)
#pragma omp simd
          for (int q = 0; q < 32; ++q) sum[p][q] += a[(i + p) * N + m] * b[m * N + first + q];
      for (int p = 0; p < 4; ++p)
        for (int q = 0; q < 32; ++q) c[(i + p) * N + first + q] = sum[p][q];
    }
)";
  program.nativeUnits = n / 4;
  program.shape = {{n, n / high}, {tile, tile / high}};
  for (int i = 0; i < 2; ++i) program.in(type.storage, n * n, -inputBound(type), inputBound(type));
  program.out(type.storage, n * n, sumTolerance(type, n));
}

/// One row of a matrix for each work-item, read by elements or by the program's own vectors.
void rowItem(Draw& draw, Program& program) {
  const std::string type =
      draw.pick({"float", "float", "float4", "float8", "double", "char16", "int", "uchar4"});
  const bool bytes = type == "char16" || type == "uchar4";
  const bool vector = type.back() >= '0' && type.back() <= '9';
  const size_t wide = type == "char16" ? 16 : type == "float8" ? 8 : vector ? 4 : 1;
  const size_t columns = draw.between(4, 64) * (wide == 1 ? 16 : 8);
  const std::string sum = type == "char16" ? "int16" : type == "uchar4" ? "int4" : type;
  program.define("M", type);
  program.define("S", sum);
  program.define("WIDE_OF(v)", bytes ? "convert_" + sum + "(v)" : "(v)");
  program.define("TOTAL(s)", wide == 16  ? "halves8((s).lo + (s).hi)"
                             : wide == 8 ? "halves8(s)"
                             : wide == 4 ? "((s).x + (s).y + (s).z + (s).w)"
                                         : "(s)");
  const std::string scalar = bytes ? "int" : type.substr(0, type.find_first_of("48"));
  program.define("E", scalar);
  if (wide >= 8)
    program.define("HALVES", "static E halves8(" + std::string(wide == 16 ? "int8" : "float8") +
                                 " s) { return s.s0 + s.s1 + s.s2 + s.s3 + s.s4 + s.s5 + s.s6 + "
                                 "s.s7; }");
  else
    program.define("HALVES", "");
  drawRestrict(draw, program);
  program.define("COLUMNS", draw.chance(50) ? std::to_string(columns) : "columns");
  program.define("VECTOR", draw.chance(30) ? "CONSTANT const M*" : "global const M*");
  program.text = R"(
HALVES
kernel void k(global const M* RESTRICT matrix, VECTOR vector, global E* RESTRICT out, int rows,
              int columns) {
  FREE_ORDER
  int i = get_global_id(0);
  if (i >= rows) return;
  S sum = 0;
  for (int j = 0; j < COLUMNS; ++j) sum += WIDE_OF(matrix[i * COLUMNS + j]) * WIDE_OF(vector[j]);
  out[i] = TOTAL(sum);
}
)";
  const size_t rows = draw.items(static_cast<double>(columns) * (wide == 1 ? 4 : 6), 1,
                                 (size_t{1} << 22) / columns);
  rangeFor(draw, program, rows);
  const double low = type == "uchar4" ? 0 : bytes || type == "int" ? -100 : -1;
  program.in(type, rows * columns, low, bytes || type == "int" ? 100 : 1);
  program.in(type, columns, low, bytes || type == "int" ? 100 : 1);
  program.out(scalar, rows, sumTolerance({scalar, scalar}, columns * wide));
  program.value("int", static_cast<double>(rows));
  program.value("int", static_cast<double>(columns));
}

/// The same, of which the program takes several elements at a time: one after the other, in a short
/// loop, or into sums of their own.
void rowSteps(Draw& draw, Program& program) {
  const std::string type = draw.pick({"float", "float", "double", "int", "short", "uchar"});
  const bool isReal = type == "float" || type == "double";
  const std::string sum = isReal ? type : "int";
  const size_t steps = draw.pick<size_t>({2, 2, 3, 4, 4, 8});
  const size_t form = draw.below(3);
  const size_t columns = steps * draw.between(8, 64) * (steps > 4 ? 1 : 2);
  const auto term = [](const std::string& at) {
    return "(E)ROW(j + " + at + ") * (E)vector[j + " + at + "];";
  };
  std::string body, sums = "E s0 = 0;", total = "s0";
  if (form == 1) body = "for (int c = 0; c < STEPS; ++c) s0 += " + term("c");
  for (size_t c = 0; form != 1 && c < steps; ++c) {
    const std::string to = "s" + std::to_string(form == 0 ? 0 : c);
    body += to + " += " + term(std::to_string(c));
    if (form == 0 || c == 0) continue;
    sums += " E " + to + " = 0;";
    total += " + " + to;
  }
  program.define("T", type);
  program.define("E", sum);
  program.define("STEPS", steps);
  program.define("SUMS", sums);
  program.define("BODY", body);
  program.define("TOTAL", total);
  program.define("COLUMNS", draw.chance(50) ? std::to_string(columns) : "columns");
  program.define("ROW(j)", draw.chance(50) ? "matrix[i * COLUMNS + j]" : "row[j]");
  drawRestrict(draw, program);
  program.text = R"(
kernel void k(global const T* RESTRICT matrix, global const T* RESTRICT vector,
              global E* RESTRICT out, int columns) {
  int i = get_global_id(0);
  global const T* row = matrix + i * COLUMNS;
  SUMS
  for (int j = 0; j < COLUMNS; j += STEPS) { BODY }
  out[i] = TOTAL;
}
)";
  const size_t rows =
      draw.items(static_cast<double>(columns) * 4, 64, (size_t{1} << 22) / columns / 64 * 64);
  program.shape = {{rows}, draw.pick<Sizes>({{}, {64}, {32}})};
  const double bound = isReal ? 1 : 100;
  program.in(type, rows * columns, type == "uchar" ? 0 : -bound, bound);
  program.in(type, columns, type == "uchar" ? 0 : -bound, bound);
  program.out(sum, rows, isReal ? sumTolerance({sum, sum}, columns) : 0);
  program.value("int", static_cast<double>(columns));
}

void transpose(Draw& draw, Program& program) {
  const std::string type =
      draw.pick({"float", "float", "double", "uchar", "short", "uint", "float4", "uchar4"});
  const size_t form = draw.below(3);  // gathers, scatters, a tile in local memory
  const size_t tile = draw.pick<size_t>({8, 16, 16, 32});
  const size_t high = draw.pick<size_t>({1, 1, 4});
  program.define("T", type);
  drawRestrict(draw, program);
  const auto [w, h] = draw.plane(draw.items(8, 1, size_t{1} << 21), 32);
  program.define("W", w);
  program.define("H", h);
  if (form == 2) {
    program.style = Style::Groups;
    program.define("TILE", tile);
    program.define("HIGH", high);
    program.define("L0", tile);
    program.define("L1", tile / high);
    program.define("PAD", draw.pick<size_t>({0, 1}));
    program.text = R"(
kernel void k(global const T* RESTRICT in, global T* RESTRICT out) {
  local T tile[TILE][TILE + PAD];
  PHASE {
    for (int y = LY; y < TILE; y += L1) tile[y][LX] = in[(GY * TILE + y) * W + GX * TILE + LX];
  }
  SYNC
  PHASE {
    for (int y = LY; y < TILE; y += L1) out[(GX * TILE + y) * H + GY * TILE + LX] = tile[LX][y];
  }
}
)";
    program.shape = {{w, h / high}, {tile, tile / high}};
  } else {
    program.define("COPY",
                   form == 0 ? "out[y * H + x] = in[x * W + y]" : "out[x * H + y] = in[y * W + x]");
    program.text = R"(
kernel void k(global const T* RESTRICT in, global T* RESTRICT out) {
  int x = get_global_id(0), y = get_global_id(1);
  COPY;
}
)";
    const Sizes local =
        draw.pick<Sizes>({{0, 0, 0}, {16, 16, 0}, {32, 4, 0}, {8, 8, 0}, {32, 1, 0}});
    program.shape = {form == 0 ? Sizes{h, w} : Sizes{w, h}, local};
  }
  program.native = R"(
  T const* __restrict in = p0;
  T* __restrict out = p1;
  for (size_t x0 = begin * 16; x0 < end * 16; x0 += 16)
    for (size_t y0 = 0; y0 < H; y0 += 16)
      for (size_t x = x0; x < x0 + 16; ++x)
        for (size_t y = y0; y < y0 + 16; ++y) out[x * H + y] = in[y * W + x];
)";
  program.nativeUnits = w / 16;
  program.in(type, w * h, 0, 120);
  program.out(type, w * h);
}

/// Ids of dimension 0 walk down columns.
void columns(Draw& draw, Program& program) {
  const Type type = draw.type();
  Expressions expressions(draw, type);
  const bool blocks = draw.chance(30);
  const Expression value = expressions.draw(
      {expressions.leaf("((C)a[row * W + column])"), expressions.leaf("((C)b[column])")},
      draw.between(1, 4));
  defineType(program, type);
  drawRestrict(draw, program);
  const auto [w, h] = draw.plane(draw.items(10, 1, size_t{1} << 21), 16);
  program.define("W", w);
  program.define("VALUE", value.text);
  if (blocks) {
    program.text = R"(
kernel void k(global const T* RESTRICT a, global const T* RESTRICT b, global T* RESTRICT out) {
  int row = get_global_id(0);
  for (int e = 0; e < W / 16; ++e) {
    int column = get_global_id(1) * (W / 16) + e;
    out[row * W + column] = (T)(VALUE);
  }
}
)";
    program.shape = {{h, 16}, {}};
  } else {
    program.text = R"(
kernel void k(global const T* RESTRICT a, global const T* RESTRICT b, global T* RESTRICT out) {
  int row = get_global_id(0), column = get_global_id(1);
  out[row * W + column] = (T)(VALUE);
}
)";
    const Sizes local = draw.pick<Sizes>({{0, 0, 0}, {16, 16, 0}, {4, 16, 0}, {16, 1, 0}});
    program.shape = {{h, w}, local};
  }
  program.innermost = 1;
  program.in(type.storage, w * h, type.lowest(), type.bound());
  program.in(type.storage, w, type.lowest(), type.bound());
  program.out(type.storage, w * h, Expressions::tolerance(value));
}

/// What each body feels of all others, from memory or in tiles of local memory.
void pairs(Draw& draw, Program& program) {
  const Type type = draw.realType();
  Expressions expressions(draw, type);
  const Expression value = expressions.draw({{"(a.x - b.x)", 2, 2 * type.epsilon()},
                                             {"(a.y - b.y)", 2, 2 * type.epsilon()},
                                             {"b.w", 1, 0}},
                                            draw.between(4, 7));
  const bool inTiles = draw.chance(60);
  const size_t local = draw.pick<size_t>({64, 128, 256});
  const size_t n = local * (draw.small() ? 2 : draw.between(8, 24) * 64 / local + 4);
  defineType(program, type);
  drawRestrict(draw, program);
  program.style = inTiles ? Style::Groups : Style::Items;
  program.define("V", type.compute + "4");
  program.define("N", n);
  program.define("L0", local);
  program.define("L1", 1);
  program.define("VALUE", value.text);
  program.text = inTiles ? R"(
static C pair(V a, V b) { return VALUE; }
kernel void k(global const V* RESTRICT bodies, global C* RESTRICT out) {
  local V tile[L0];
  PRIVATE(C, sum);
  PHASE { ITEM(sum) = 0; }
  for (int first = 0; first < N; first += L0) {
    PHASE { tile[LX] = bodies[first + LX]; }
    SYNC
    PHASE { for (int j = 0; j < L0; ++j) ITEM(sum) += pair(bodies[GX * L0 + LX], tile[j]); }
    SYNC
  }
  PHASE { out[GX * L0 + LX] = ITEM(sum); }
}
)"
                         : R"(
static C pair(V a, V b) { return VALUE; }
kernel void k(global const V* RESTRICT bodies, global C* RESTRICT out) {
  int i = get_global_id(0);
  V own = bodies[i];
  C sum = 0;
  for (int j = 0; j < N; ++j) sum += pair(own, bodies[j]);
  out[i] = sum;
}
)";
  program.native = R"(
  V const* __restrict bodies = p0;
  C* __restrict out = p1;
  for (size_t first = begin * 32; first < end * 32; first += 32) {
    C sum[32] = {}, x[32], y[32], z[32], w[32];
    for (int i = 0; i < 32; ++i) {
      V a = bodies[first + i];
      x[i] = a.x, y[i] = a.y, z[i] = a.z, w[i] = a.w;
    }
    for (int j = 0; j < N; ++j) {
      V b = bodies[j];
#pragma omp simd
      for (int i = 0; i < 32; ++i) sum[i] += pair(V{x[i], y[i], z[i], w[i]}, b);
    }
    for (int i = 0; i < 32; ++i) out[first + i] = sum[i];
  }
)";
  program.nativeUnits = n / 32;
  program.shape = {{n}, {inTiles || draw.chance(50) ? local : 0}};
  program.in(type.compute + "4", n, -1, 1);
  const double bound = value.bound + value.error;
  program.out(
      type.compute, n,
      static_cast<double>(n) * Expressions::tolerance(value) + sumTolerance(type, n, bound));
}

constexpr Family kFamilies[] = {
    {"product", product},     {"product-tiled", tiled}, {"row-an-item", rowItem},
    {"transpose", transpose}, {"columns", columns},     {"pairs", pairs},
    {"row-steps", rowSteps},
};

}  // namespace

std::span<const Family> productFamilies() { return kFamilies; }

}  // namespace weft::bench::generated
