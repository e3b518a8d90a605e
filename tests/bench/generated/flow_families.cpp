// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "families.h"

// Work-items that go different ways and take different time.
namespace weft::bench::generated {
namespace {

void sort(Draw& draw, Program& program) {
  const Type type = draw.pick<Type>(
      {{"int", "int"}, {"float", "float"}, {"uint", "uint"}, {"short", "int"}, {"uchar", "int"}});
  const size_t length = draw.between(6, 32);
  const std::string compare = draw.pick({">", "<"});
  defineType(program, type);
  drawRestrict(draw, program);
  program.define("LENGTH", length);
  program.define("AFTER(a, b)", "((a) " + compare + " (b))");
  program.define("AT", draw.chance(50) ? "i * LENGTH + j" : "j * n + i");
  program.define(
      "SORT",
      draw.pick({"for (int j = 1; j < LENGTH; ++j) { T v = p[j]; int m = j - 1; while (m >= 0 && "
                 "AFTER(p[m], v)) "
                 "{ p[m + 1] = p[m]; --m; } p[m + 1] = v; }",
                 "for (int j = 1; j < LENGTH; ++j) { T v = p[j]; int m = j; for (; m > 0; --m) { "
                 "if (!AFTER(p[m - "
                 "1], v)) break; p[m] = p[m - 1]; } p[m] = v; }",
                 "for (int s = 0; s < LENGTH; ++s) { int best = s; for (int j = s + 1; j < LENGTH; "
                 "++j) if "
                 "(AFTER(p[best], p[j])) best = j; T v = p[s]; p[s] = p[best]; p[best] = v; }",
                 "for (int gap = LENGTH / 2; gap > 0; gap /= 2) for (int j = gap; j < LENGTH; ++j) "
                 "{ T v = p[j]; int "
                 "m = j; while (m >= gap && AFTER(p[m - gap], v)) { p[m] = p[m - gap]; m -= gap; } "
                 "p[m] = v; }",
                 "int swapped = 1; for (int e = LENGTH - 1; e > 0 && swapped; --e) { swapped = 0; "
                 "for (int j = 0; j < "
                 "e; ++j) if (AFTER(p[j], p[j + 1])) { T v = p[j]; p[j] = p[j + 1]; p[j + 1] = v; "
                 "swapped = 1; } }"}));
  program.text = R"(
kernel void k(global const T* RESTRICT in, global T* RESTRICT out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  T p[LENGTH];
  for (int j = 0; j < LENGTH; ++j) p[j] = in[AT];
  SORT
  for (int j = 0; j < LENGTH; ++j) out[AT] = p[j];
}
)";
  const size_t count = draw.items(static_cast<double>(length * length) * 4);
  rangeFor(draw, program, count);
  program.in(type.storage, count * length, type.lowest(), type.bound());
  program.out(type.storage, count * length);
  program.value("int", static_cast<double>(count));
}

/// Integers that go on until they fulfil some condition.
void collatz(Draw& draw, Program& program) {
  const std::string type = draw.pick({"uint", "uint", "ulong"});
  const size_t limit = draw.between(50, 300);
  program.define("T", type);
  program.define("LIMIT", limit);
  const std::string odd = std::to_string(2 * draw.between(1, 3) + 1);
  const std::string mask = std::to_string((1 << draw.between(4, 8)) - 1);
  const size_t form = draw.below(4);
  program.define("GO_ON", form == 0   ? "v > 1"
                          : form == 1 ? "(v & " + mask + ") != 0"
                          : form == 2 ? "b != 0"
                                      : "v != 0");
  program.define("STEP", form == 0   ? "if (v & 1) v = v * " + odd + " + 1; else v >>= 1;"
                         : form == 1 ? "v ^= v << 13; v ^= v >> 7; v ^= v << 17; b += v;"
                         : form == 2 ? "T r = v % b; v = b; b = r;"
                                     : "b += v % 10; if (b & " + mask + ") v /= 10; else v >>= 3;");
  drawRestrict(draw, program);
  program.text = R"(
kernel void k(global const uint* RESTRICT in, global T* RESTRICT out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  T v = in[i], b = in[n - 1 - i] | 1;
  uint steps = 0;
  while (GO_ON && steps < LIMIT) {
    STEP
    ++steps;
  }
  out[i] = v + b + steps;
}
)";
  const size_t count = draw.items(form == 0 ? 400 : 200);
  rangeFor(draw, program, count);
  program.in("uint", count, 1, draw.pick<double>({1000, 1e6, 4e9}));
  program.out(type, count);
  program.value("int", static_cast<double>(count));
}

/// Points of the plane that leave a circle, in numbers that are rounded in one way only.
void escape(Draw& draw, Program& program) {
  const std::string type = draw.pick({"float", "float", "double", "long"});
  const size_t limit = draw.between(30, 200);
  const bool fixed = type == "long";
  program.define("T", type);
  program.define("LIMIT", limit);
  program.define("TIMES(a, b)", fixed ? "(((a) * (b)) >> 20)" : "((a) * (b))");
  program.define("NUMBER(a, b)", fixed ? "(((T)(a) << 20) / (b))" : "((T)(a) / (T)(b))");
  program.define("FOUR", fixed ? "((T)4 << 20)" : "(T)4");
  const size_t form = draw.below(4);
  program.define(
      "STEP", form == 0   ? "T t = xx - yy + cx; y = TIMES(x + x, y) + cy; x = t;"
              : form == 1 ? "T t = xx - yy + cx; y = cy - TIMES(x + x, y); x = t;"
              : form == 2
                  ? "T t = TIMES(x, xx - 3 * yy) + cx; y = TIMES(y, 3 * xx - yy) + cy; x = t;"
                  : "T t = xx - yy + cx; y = TIMES(x + x, y); y = (y < 0 ? -y : y) + cy; x = t;");
  program.define("JULIA",
                 draw.chance(30) ? "x = cx; y = cy; cx = NUMBER(-3, 8); cy = NUMBER(5, 8);" : "");
  program.define("EARLY", draw.chance(50) ? "1" : "0");
  drawRestrict(draw, program);
  program.text = R"(
kernel void k(global int* RESTRICT out, int w, int h) {
  EXACT
  int px = get_global_id(0), py = get_global_id(1);
  if (px >= w || py >= h) return;
  T cx = NUMBER(px * 3, w) - NUMBER(2, 1), cy = NUMBER(py * 3, h) - NUMBER(3, 2), x = 0, y = 0;
  JULIA
  int steps = 0;
#if EARLY
  for (; steps < LIMIT; ++steps) {
    T xx = TIMES(x, x), yy = TIMES(y, y);
    if (xx + yy > FOUR) break;
    STEP
  }
#else
  T xx = TIMES(x, x), yy = TIMES(y, y);
  while (xx + yy <= FOUR && steps < LIMIT) {
    STEP
    xx = TIMES(x, x);
    yy = TIMES(y, y);
    ++steps;
  }
#endif
  out[py * w + px] = steps;
}
)";
  // Quotients may be rounded in other ways: sizes are powers of two.
  const size_t side = draw.small() ? 16 : draw.pick<size_t>({256, 512});
  const size_t w = side * draw.pick<size_t>({1, 2});
  rangeFor(draw, program, w, side);
  program.out("int", w * side);
  for (const size_t size : {w, side}) program.value("int", static_cast<double>(size));
}

/// Searches that end where they have found something.
void earlyExit(Draw& draw, Program& program) {
  const Type type = draw.chance(50) ? Type{"uchar", "int"} : Type{"int", "int"};
  const size_t length = draw.between(16, 400);
  const size_t values = draw.between(8, 2 * length);
  defineType(program, type);
  drawRestrict(draw, program);
  program.define("LENGTH", length);
  program.define("AT", draw.chance(50) ? "i * LENGTH + j" : "j * n + i");
  const size_t form = draw.below(4);
  program.define(
      "SEARCH",
      form == 0 ? "for (j = 0; j < LENGTH; ++j) if (in[AT] == needle) break; found = j;"
      : form == 1
          ? "for (j = 0; j < LENGTH; ++j) if (in[AT] == needle) { out[i] = j * 2; return; } "
            "found = -1;"
      : form == 2
          ? "int sum = 0; j = 0; do { sum += in[AT]; ++j; } while (j < LENGTH && sum < LENGTH "
            "* 3); found = j + sum;"
          : "for (j = 0; j < LENGTH; ++j) { int v = in[AT]; if (v == needle) break; if (v & 1) "
            "continue; found += v >> 1; }");
  program.text = R"(
kernel void k(global const T* RESTRICT in, global int* RESTRICT out, int needle, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int j, found = 0;
  SEARCH
  out[i] = found;
}
)";
  const size_t count = draw.items(static_cast<double>(length) * 3, 1, (size_t{1} << 23) / length);
  rangeFor(draw, program, count);
  program.in(type.storage, count * length, 0, static_cast<double>(std::min<size_t>(values, 250)));
  program.out("int", count);
  program.value("int", 7);
  program.value("int", static_cast<double>(count));
}

/// Branches by data: a ladder of conditions or a switch, some steps of it.
void branches(Draw& draw, Program& program) {
  const Type type = draw.chance(50) ? Type{"float", "float"} : draw.unsignedType();
  Expressions expressions(draw, type);
  const size_t ways = draw.between(2, 9), steps = draw.between(1, 24);
  const bool isSwitch = draw.chance(60);
  std::string body;
  for (size_t way = 0; way < ways; ++way) {
    const std::string result = expressions.step({"v", "w"}, draw.between(1, 4)).text;
    const std::string label = std::to_string(way);
    body += isSwitch ? "case " + label + ": v = " + result + "; break; "
                     : (way == 0 ? "if" : "else if") + std::string(" (code == ") + label +
                           ") v = " + result + "; ";
  }
  defineType(program, type);
  drawRestrict(draw, program);
  program.define("WAYS", ways + 1);
  program.define("STEPS", steps);
  program.define("BODY",
                 isSwitch ? "switch (code) { " + body + "default: v = w; }" : body + "else v = w;");
  program.define("CODE", draw.chance(50) ? "codes[i * STEPS + s]" : "codes[s * n + i]");
  program.text = R"(
kernel void k(global const uchar* RESTRICT codes, global const T* RESTRICT in, global T* RESTRICT out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  C v = in[i], w = in[n - 1 - i];
  for (int s = 0; s < STEPS; ++s) {
    int code = CODE;
    BODY
  }
  out[i] = v;
}
)";
  const size_t count =
      draw.items(static_cast<double>(ways * steps * 6), 1, (size_t{1} << 23) / steps);
  rangeFor(draw, program, count);
  program.in("uchar", count * steps, 0, static_cast<double>(ways) + 0.99);
  program.in(type.storage, count, type.lowest(), type.bound());
  program.out(type.storage, count, 2 * static_cast<double>(steps) * expressions.stepError());
  program.value("int", static_cast<double>(count));
}

constexpr Family kFamilies[] = {
    {"sort", sort},         {"collatz", collatz}, {"escape", escape}, {"early-exit", earlyExit},
    {"branches", branches},
};

}  // namespace

std::span<const Family> flowFamilies() { return kFamilies; }

}  // namespace weft::bench::generated
