// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "families.h"

// Each result from its neighbours: on lines, planes and volumes, from memory and from local tiles.
namespace weft::bench::generated {
namespace {

enum class Edges { Padded, Clamped, Zero, Kept };

/// A sum of weights or some other expression of the neighbours `taps`.
Expression overTaps(Draw& draw, Expressions& expressions, const std::vector<Expression>& taps) {
  if (taps.size() > 6 || draw.chance(50)) {
    const Expression sum = expressions.weighted(taps);
    if (draw.chance(50)) return sum;
    return expressions.draw({sum, taps[0]}, draw.between(1, 3));
  }
  return expressions.draw(taps, taps.size() + draw.below(3));
}

void line(Draw& draw, Program& program) {
  const Type type = draw.type();
  const int radius = static_cast<int>(draw.between(1, 5));
  const auto edges = draw.pick({Edges::Padded, Edges::Clamped, Edges::Zero});
  Expressions expressions(draw, type);
  std::vector<Expression> taps;
  for (int k = -radius; k <= radius; ++k) {
    if (k != 0 && draw.chance(20)) continue;
    taps.push_back(expressions.leaf("at(in, i + " + std::to_string(k) + ", n)"));
  }
  const Expression value = overTaps(draw, expressions, taps);
  defineType(program, type);
  drawRestrict(draw, program);
  program.define("RADIUS", static_cast<size_t>(radius));
  program.define("VALUE", value.text);
  program.define("AT", edges == Edges::Padded    ? "in[i + RADIUS]"
                       : edges == Edges::Clamped ? "in[clamp(i, 0, n - 1)]"
                                                 : "(i >= 0 && i < n ? in[i] : (T)0)");
  program.text = R"(
static C at(global const T* in, int i, int n) { return (C)AT; }
kernel void k(global const T* RESTRICT in, global T* RESTRICT out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[i] = (T)(VALUE);
}
)";
  const size_t count = draw.items(static_cast<double>(4 + 2 * taps.size()));
  rangeFor(draw, program, count);
  program.in(type.storage, count + 2 * static_cast<size_t>(radius), type.lowest(), type.bound());
  program.out(type.storage, count, Expressions::tolerance(value));
  program.value("int", static_cast<double>(count));
}

void plane(Draw& draw, Program& program) {
  const Type type = draw.type();
  const int radius = static_cast<int>(draw.between(1, 3));
  const auto edges = draw.pick({Edges::Padded, Edges::Clamped, Edges::Kept});
  const unsigned share = static_cast<unsigned>(draw.pick<size_t>({30, 60, 100}));
  Expressions expressions(draw, type);
  std::vector<Expression> taps{expressions.leaf("AT(0, 0)")};
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      if ((dx != 0 || dy != 0) && draw.chance(share))
        taps.push_back(
            expressions.leaf("AT(" + std::to_string(dx) + ", " + std::to_string(dy) + ")"));
  const Expression value = overTaps(draw, expressions, taps);
  const bool swapped = draw.chance(15);
  defineType(program, type);
  drawRestrict(draw, program);
  program.define("RADIUS", static_cast<size_t>(radius));
  program.define("X", static_cast<size_t>(swapped));
  program.define("VALUE", value.text);
  program.define("AT(dx, dy)",
                 edges == Edges::Padded ? "((C)in[(y + (dy) + RADIUS) * step + x + (dx) + RADIUS])"
                 : edges == Edges::Clamped
                     ? "((C)in[clamp(y + (dy), 0, h - 1) * step + clamp(x + (dx), 0, w - 1)])"
                     : "((C)in[(y + (dy)) * step + x + (dx)])");
  program.define("KEEP", edges == Edges::Kept
                             ? "if (x < RADIUS || y < RADIUS || x >= w - RADIUS || "
                               "y >= h - RADIUS) { out[y * w + x] = "
                               "in[y * step + x]; return; }"
                             : "");
  program.text = R"(
kernel void k(global const T* RESTRICT in, global T* RESTRICT out, int w, int h, int step) {
  int x = get_global_id(X), y = get_global_id(1 - X);
  if (x >= w || y >= h) return;
  KEEP
  out[y * w + x] = (T)(VALUE);
}
)";
  const auto [w, h] = draw.plane(draw.items(static_cast<double>(4 + 2 * taps.size())));
  const size_t step = w + 2 * static_cast<size_t>(radius) + draw.pick<size_t>({0, 0, 7, 64});
  if (swapped)
    rangeFor(draw, program, h, w);
  else
    rangeFor(draw, program, w, h);
  program.innermost = swapped ? 1 : 0;
  program.in(type.storage, step * (h + 2 * static_cast<size_t>(radius)), type.lowest(),
             type.bound());
  program.out(type.storage, w * h, Expressions::tolerance(value));
  for (const size_t size : {w, h, step}) program.value("int", static_cast<double>(size));
}

void volume(Draw& draw, Program& program) {
  const Type type = draw.chance(75) ? draw.realType() : draw.integerType();
  const bool cube = draw.chance(25);
  Expressions expressions(draw, type);
  std::vector<Expression> taps{expressions.leaf("AT(0, 0, 0)")};
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const int distance = dx * dx + dy * dy + dz * dz;
        if (distance == 1 || (cube && distance > 1 && draw.chance(60)))
          taps.push_back(expressions.leaf("AT(" + std::to_string(dx) + ", " + std::to_string(dy) +
                                          ", " + std::to_string(dz) + ")"));
      }
  const Expression value = overTaps(draw, expressions, taps);
  const bool inner = draw.chance(50);  // the third dimension is a loop of the kernel
  defineType(program, type);
  drawRestrict(draw, program);
  program.define("VALUE", value.text);
  program.define("AT(dx, dy, dz)", "((C)in[((z + (dz)) * h + y + (dy)) * w + x + (dx)])");
  program.define("EACH_Z", inner ? "for (int z = 0; z < d; ++z)" : "int z = get_global_id(2);");
  program.text = R"(
kernel void k(global const T* RESTRICT in, global T* RESTRICT out, int w, int h, int d) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  EACH_Z {
    if (x == 0 || y == 0 || z == 0 || x == w - 1 || y == h - 1 || z == d - 1)
      out[(z * h + y) * w + x] = (T)0;
    else
      out[(z * h + y) * w + x] = (T)(VALUE);
  }
}
)";
  const size_t depth = draw.between(4, 40);
  const auto [w, h] = draw.plane(
      draw.items(static_cast<double>((4 + 2 * taps.size()) * depth), 1, (size_t{1} << 22) / depth));
  rangeFor(draw, program, w, h);
  if (!inner) {
    program.shape.global[2] = depth;
    if (program.shape.local[0] != 0) program.shape.local[2] = 1;
  }
  program.in(type.storage, w * h * depth, type.lowest(), type.bound());
  program.out(type.storage, w * h * depth, Expressions::tolerance(value));
  for (const size_t size : {w, h, depth}) program.value("int", static_cast<double>(size));
}

void tile(Draw& draw, Program& program) {
  const Type type = draw.type();
  const int radius = static_cast<int>(draw.between(1, 3));
  const auto local = draw.pick<std::pair<size_t, size_t>>({{16, 16}, {32, 8}, {8, 8}, {64, 4}});
  Expressions expressions(draw, type);
  std::vector<Expression> taps{expressions.leaf("AT(0, 0)")};
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      if ((dx != 0 || dy != 0) && draw.chance(50))
        taps.push_back(
            expressions.leaf("AT(" + std::to_string(dx) + ", " + std::to_string(dy) + ")"));
  const Expression value = overTaps(draw, expressions, taps);
  program.style = Style::Groups;
  defineType(program, type);
  drawRestrict(draw, program);
  program.define("R", static_cast<size_t>(radius));
  program.define("L0", local.first);
  program.define("L1", local.second);
  program.define("VALUE", value.text);
  program.define("AT(dx, dy)", "((C)tile[LY + R + (dy)][LX + R + (dx)])");
  program.text = R"(
kernel void k(global const T* RESTRICT in, global T* RESTRICT out, int w, int h) {
  local T tile[L1 + 2 * R][L0 + 2 * R];
  PHASE {
    for (int j = LY; j < L1 + 2 * R; j += L1)
      for (int i = LX; i < L0 + 2 * R; i += L0) {
        int x = clamp(GX * L0 + i - R, 0, w - 1), y = clamp(GY * L1 + j - R, 0, h - 1);
        tile[j][i] = in[y * w + x];
      }
  }
  SYNC
  PHASE {
    int x = GX * L0 + LX, y = GY * L1 + LY;
    if (x < w && y < h) out[y * w + x] = (T)(VALUE);
  }
}
)";
  // Plain C++ needs no tile; what is inside needs no clamps.
  program.define("NEAR(dx, dy)",
                 "((C)in[clamp(y + (dy), 0, h - 1) * w + clamp(x + (dx), 0, w - 1)])");
  program.native = R"(
  T const* __restrict in = p0;
  T* __restrict out = p1;
  const int w = p2, h = p3;
#undef AT
#define AT(dx, dy) ((C)in[(y + (dy)) * w + x + (dx)])
  for (int y = int(begin); y < int(end); ++y)
    if (y >= R && y < h - R)
      for (int x = R; x < w - R; ++x) out[y * w + x] = (T)(VALUE);
#undef AT
#define AT NEAR
  for (int y = int(begin); y < int(end); ++y)
    for (int x = 0; x < w; ++x) {
      if (y >= R && y < h - R && x == R && w > 2 * R) x = w - R;
      out[y * w + x] = (T)(VALUE);
    }
)";
  const auto [w, h] = draw.plane(draw.items(static_cast<double>(8 + 2 * taps.size())), 4);
  const auto padded = [](size_t size, size_t by) { return (size + by - 1) / by * by; };
  program.shape = {{padded(w, local.first), padded(h, local.second)}, {local.first, local.second}};
  program.nativeUnits = h;
  program.in(type.storage, w * h, type.lowest(), type.bound());
  program.out(type.storage, w * h, Expressions::tolerance(value));
  for (const size_t size : {w, h}) program.value("int", static_cast<double>(size));
}

constexpr Family kFamilies[] = {
    {"stencil-line", line},
    {"stencil-plane", plane},
    {"stencil-volume", volume},
    {"stencil-tile", tile},
};

}  // namespace

std::span<const Family> stencilFamilies() { return kFamilies; }

}  // namespace weft::bench::generated
