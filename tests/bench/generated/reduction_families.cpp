// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>

#include "families.h"

// Many values to one: by a work-item, by a group in local memory, and their partial results.
namespace weft::bench::generated {
namespace {

struct Operation {
  std::string text;   ///< of a and b
  std::string start;  ///< changes nothing
  bool sums = false;
};

Operation operationFor(Draw& draw, const Type& type) {
  const auto lowest = [&] {
    return type.isReal() ? "(C)-1000" : type.isSigned() ? "-2000000000" : "(C)0";
  };
  if (type.isReal()) {
    if (draw.chance(65)) return {"((a) + (b))", "(C)0", true};
    return {"fmax(a, b)", lowest(), false};
  }
  switch (draw.below(4)) {
    case 0:
      return {"max(a, b)", lowest(), false};
    case 1:
      return {"((a) ^ (b))", "(C)0", false};
    default:
      return {"((a) + (b))", "(C)0", true};
  }
}

/// Bound of the error of a reduction of `count` values.
double toleranceOf(const Type& type, const Operation& operation, const Expression& value,
                   double count) {
  if (!operation.sums) return Expressions::tolerance(value);
  return count * (Expressions::tolerance(value) + 2 * count * type.epsilon() * value.bound);
}

/// An expression of an input. Sums of what is signed stay below 2^30.
Expression valueFor(Draw& draw, const Type& type, const Operation& operation, const char* input) {
  Expressions expressions(draw, type);
  Expression value = expressions.draw({expressions.leaf(input)}, draw.below(3));
  if (type.isSigned() && operation.sums) value.text = "((" + value.text + ") & 0x1fff)";
  return value;
}

Type drawnType(Draw& draw) { return draw.chance(60) ? draw.realType() : draw.type(); }

void byItem(Draw& draw, Program& program) {
  const Type type = drawnType(draw);
  const Operation operation = operationFor(draw, type);
  const size_t each = draw.between(16, 1024);
  const Expression value = valueFor(draw, type, operation, "((C)in[AT])");
  const size_t items = draw.items(static_cast<double>(each) * 4, 1, (size_t{1} << 23) / each);
  const size_t layout = draw.below(3);
  defineType(program, type);
  drawRestrict(draw, program);
  program.define("EACH", each);
  program.define("START", operation.start);
  program.define("JOIN(a, b)", operation.text);
  program.define("VALUE", value.text);
  // Of rows, of columns, or of rows from an end that differs.
  program.define("AT", layout == 0 ? "i * EACH + j" : layout == 1 ? "j * n + i" : "i * EACH + j");
  program.define("COUNT", layout == 2 ? "(EACH / 2 + i % (EACH / 2))" : "EACH");
  program.text = R"(
kernel void k(global const T* RESTRICT in, global C* RESTRICT out, int n) {
  FREE_ORDER
  int i = get_global_id(0);
  if (i >= n) return;
  C sum = START;
  for (int j = 0; j < COUNT; ++j) sum = JOIN(sum, VALUE);
  out[i] = sum;
}
)";
  if (layout == 1)
    program.native = R"(
  FREE_ORDER
  T const* __restrict in = p0;
  C* __restrict out = p1;
  const int n = p2;
  for (int first = int(begin); first < int(end); first += 512) {
    const int last = first + 512 < int(end) ? first + 512 : int(end);
    for (int i = first; i < last; ++i) out[i] = START;
    for (int j = 0; j < EACH; ++j)
#pragma omp simd
      for (int i = first; i < last; ++i) out[i] = JOIN(out[i], VALUE);
  }
)";
  if (layout == 1) program.nativeUnits = items;
  rangeFor(draw, program, items);
  program.in(type.storage, items * each, type.lowest(), type.bound());
  program.out(type.compute, items, toleranceOf(type, operation, value, static_cast<double>(each)));
  program.value("int", static_cast<double>(items));
}

void byGroup(Draw& draw, Program& program) {
  const Type type = drawnType(draw);
  const Operation operation = operationFor(draw, type);
  const size_t local = draw.pick<size_t>({32, 64, 128, 256, 256, 512});
  const size_t each = draw.pick<size_t>({1, 2, 4, 8, 16, 64});
  const Expression value = valueFor(draw, type, operation, "((C)in[AT])");
  const size_t groups = draw.items(static_cast<double>(local * (4 * each + 16)));
  defineType(program, type);
  drawRestrict(draw, program);
  program.style = Style::Groups;
  program.define("L0", local);
  program.define("L1", 1);
  program.define("EACH", each);
  program.define("START", operation.start);
  program.define("JOIN(a, b)", operation.text);
  program.define("VALUE", value.text);
  program.define("AT", draw.chance(70) ? "(GX * EACH + j) * L0 + LX" : "(GX * L0 + LX) * EACH + j");
  const std::string step = draw.pick(
      {"for (int s = L0 / 2; s > 0; s >>= 1) { PHASE { if (LX < s) part[LX] = JOIN(part[LX], "
       "part[LX + s]); } SYNC }",
       "for (int s = 1; s < L0; s *= 2) { PHASE { if (LX % (2 * s) == 0) part[LX] = JOIN(part[LX], "
       "part[LX + s]); } SYNC }",
       "for (int s = 1; s < L0; s *= 2) { PHASE { int i = 2 * s * LX; if (i < L0) part[i] = "
       "JOIN(part[i], part[i + s]); } SYNC }",
       "PHASE { if (LX < 8) for (int i = LX + 8; i < L0; i += 8) part[LX] = JOIN(part[LX], "
       "part[i]); "
       "} SYNC PHASE { if (LX == 0) for (int i = 1; i < 8; ++i) part[0] = JOIN(part[0], part[i]); "
       "} "
       "SYNC"});
  program.define("REDUCE", step);
  program.text = R"(
kernel void k(global const T* RESTRICT in, global C* RESTRICT out) {
  local C part[L0];
  PHASE {
    C sum = START;
    for (int j = 0; j < EACH; ++j) sum = JOIN(sum, VALUE);
    part[LX] = sum;
  }
  SYNC
  REDUCE
  PHASE { if (LX == 0) out[GX] = part[0]; }
}
)";
  program.native = R"(
  FREE_ORDER
#undef AT
#define AT group * (L0 * EACH) + j
  T const* __restrict in = p0;
  C* __restrict out = p1;
  for (size_t group = begin; group < end; ++group) {
    C sum = START;
#pragma clang loop vectorize(enable)
    for (int j = 0; j < L0 * EACH; ++j) sum = JOIN(sum, VALUE);
    out[group] = sum;
  }
)";
  program.nativeUnits = groups;
  program.shape = {{groups * local}, {local}};
  const size_t count = groups * local * each;
  program.in(type.storage, count, type.lowest(), type.bound());
  program.out(type.compute, groups,
              toleranceOf(type, operation, value, static_cast<double>(local * each)));
}

void scan(Draw& draw, Program& program) {
  const Type type = drawnType(draw);
  const Operation operation = operationFor(draw, type);
  const size_t local = draw.pick<size_t>({32, 64, 128, 256, 512});
  const Expression value = valueFor(draw, type, operation, "((C)in[GX * L0 + LX])");
  const size_t groups = draw.items(static_cast<double>(local) * (4 + 3 * std::log2(local)));
  const bool sweeps = draw.chance(40);
  defineType(program, type);
  drawRestrict(draw, program);
  program.style = Style::Groups;
  program.define("L0", local);
  program.define("L1", 1);
  program.define("START", operation.start);
  program.define("JOIN(a, b)", operation.text);
  program.define("VALUE", value.text);
  program.text = sweeps ? R"(
kernel void k(global const T* RESTRICT in, global C* RESTRICT out) {
  local C part[L0];
  PHASE { part[LX] = VALUE; }
  SYNC
  for (int s = 1; s < L0; s *= 2) {
    PHASE {
      int i = (LX + 1) * 2 * s - 1;
      if (i < L0) part[i] = JOIN(part[i], part[i - s]);
    }
    SYNC
  }
  for (int s = L0 / 4; s > 0; s /= 2) {
    PHASE {
      int i = (LX + 1) * 2 * s - 1;
      if (i + s < L0) part[i + s] = JOIN(part[i + s], part[i]);
    }
    SYNC
  }
  PHASE { out[GX * L0 + LX] = part[LX]; }
}
)"
                        : R"(
kernel void k(global const T* RESTRICT in, global C* RESTRICT out) {
  local C first[L0], second[L0];
  local C* from = first;
  local C* to = second;
  PHASE { first[LX] = VALUE; }
  SYNC
  for (int s = 1; s < L0; s *= 2) {
    PHASE { to[LX] = LX >= s ? JOIN(from[LX], from[LX - s]) : from[LX]; }
    SYNC
    local C* other = from;
    from = to;
    to = other;
  }
  PHASE { out[GX * L0 + LX] = from[LX]; }
}
)";
  program.native = R"(
  T const* __restrict in = p0;
  C* __restrict out = p1;
  for (size_t GX = begin; GX < end; ++GX) {
    C sum = START;
    for (int LX = 0; LX < L0; ++LX) out[GX * L0 + LX] = sum = JOIN(sum, VALUE);
  }
)";
  program.nativeUnits = groups;
  program.shape = {{groups * local}, {local}};
  program.in(type.storage, groups * local, type.lowest(), type.bound());
  program.out(type.compute, groups * local,
              toleranceOf(type, operation, value, static_cast<double>(local)));
}

constexpr Family kFamilies[] = {
    {"reduce-item", byItem},
    {"reduce-group", byGroup},
    {"scan", scan},
};

}  // namespace

std::span<const Family> reductionFamilies() { return kFamilies; }

}  // namespace weft::bench::generated
