// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>

#include "families.h"

// Groups that work together in local memory, with barriers in loops and conditions.
namespace weft::bench::generated {
namespace {

void inGroups(Draw& draw, Program& program, size_t local) {
  program.style = Style::Groups;
  program.define("L0", local);
  program.define("L1", 1);
  drawRestrict(draw, program);
}

void bitonic(Draw& draw, Program& program) {
  const std::string type = draw.pick({"int", "uint", "float", "ulong"});
  const size_t local = draw.pick<size_t>({32, 64, 128, 256});
  const size_t each = draw.pick<size_t>({1, 2, 2});
  const size_t keys = local * each;
  inGroups(draw, program, local);
  program.define("T", type);
  program.define("KEYS", keys);
  program.define("AFTER(a, b)", draw.chance(50) ? "((a) > (b))" : "((a) < (b))");
  // A pair for each work-item, or an element, of whose pairs half of the work-items care.
  program.define(
      "EXCHANGE",
      each == 2
          ? "int i = 2 * LX - (LX & (s - 1)), j = i + s; int up = (i & size) == 0; T a = key[i], "
            "b = key[j]; if (AFTER(a, b) == up) { key[i] = b; key[j] = a; }"
          : "int i = LX, j = i ^ s; if (j > i) { int up = (i & size) == 0; T a = key[i], b = "
            "key[j]; "
            "if (AFTER(a, b) == up) { key[i] = b; key[j] = a; } }");
  program.text = R"(
kernel void k(global const T* RESTRICT in, global T* RESTRICT out) {
  local T key[KEYS];
  PHASE { for (int e = LX; e < KEYS; e += L0) key[e] = in[GX * KEYS + e]; }
  SYNC
  for (int size = 2; size <= KEYS; size *= 2)
    for (int s = size / 2; s > 0; s /= 2) {
      PHASE { EXCHANGE }
      SYNC
    }
  PHASE { for (int e = LX; e < KEYS; e += L0) out[GX * KEYS + e] = key[e]; }
}
)";
  const double stages = std::log2(keys) * (std::log2(keys) + 1) / 2;
  const size_t groups = draw.items(static_cast<double>(keys) * stages * 3);
  program.shape = {{groups * local}, {local}};
  program.in(type, groups * keys, type == "ulong" || type == "uint" ? 0 : -1000, 1000);
  program.out(type, groups * keys);
}

/// Butterflies over powers of two with twiddle factors, as in FFTs; integers without factors.
void butterfly(Draw& draw, Program& program) {
  const Type type = draw.chance(75) ? draw.realType() : Type{"uint", "uint"};
  const size_t local = draw.pick<size_t>({32, 64, 128, 256});
  const size_t size = 2 * local;
  const size_t form = type.isReal() ? draw.below(2) : 2;  // factors from a table, from sin and cos
  const size_t stages = static_cast<size_t>(std::log2(size));
  inGroups(draw, program, local);
  defineType(program, type);
  program.define("SIZE", size);
  program.define("TURN", form == 0   ? "T c = turn[2 * at], d = turn[2 * at + 1];"
                         : form == 1 ? "T c = cos((T)at * (T)0.0245), d = sin((T)at * (T)0.0245);"
                                     : "T c = 1, d = 0;");
  program.define("HALF", type.isReal() ? "(T)0.5 *" : "");
  program.text = R"(
kernel void k(global const T* RESTRICT in, global const T* RESTRICT turn, global T* RESTRICT out) {
  local T re[SIZE], im[SIZE];
  PHASE {
    for (int e = LX; e < SIZE; e += L0) {
      re[e] = in[(GX * SIZE + e) * 2];
      im[e] = in[(GX * SIZE + e) * 2 + 1];
    }
  }
  SYNC
  for (int s = 1; s < SIZE; s *= 2) {
    PHASE {
      int at = LX & (s - 1), i = 2 * LX - at, j = i + s;
      TURN
      T x = re[j] * c - im[j] * d, y = re[j] * d + im[j] * c, u = re[i], v = im[i];
      re[i] = HALF (u + x);
      im[i] = HALF (v + y);
      re[j] = HALF (u - x);
      im[j] = HALF (v - y);
    }
    SYNC
  }
  PHASE {
    for (int e = LX; e < SIZE; e += L0) {
      out[(GX * SIZE + e) * 2] = re[e];
      out[(GX * SIZE + e) * 2 + 1] = im[e];
    }
  }
}
)";
  const size_t groups = draw.items(static_cast<double>(size * stages) * 6);
  program.shape = {{groups * local}, {local}};
  program.in(type.storage, groups * size * 2, type.lowest(), type.bound());
  const uint64_t seed = draw.bits();
  const std::string element = type.storage;
  program.argument(Argument::Use::In, type.storage, 2 * size,
                   [=](void* data) { fillRandom(element, 2 * size, -0.7, 0.7, seed, data); });
  // Factors are at most 1 long, so that halves of sums do not grow, nor do their errors.
  program.out(type.storage, groups * size * 2, 64 * static_cast<double>(stages) * type.epsilon());
}

/// Steps of exchanges within the group: neighbours, distances, mirrors, in nests of uniform loops
/// and conditions that arguments and the group's number decide.
void exchange(Draw& draw, Program& program) {
  const Type type = draw.chance(60) ? draw.realType() : draw.unsignedType();
  Expressions expressions(draw, type);
  const size_t local = draw.pick<size_t>({16, 32, 64, 128, 256});
  const size_t steps = draw.between(2, 24), nests = draw.between(1, 3);
  const auto place = [&] {
    return draw.pick({"(LX + s + 1) % L0", "L0 - 1 - LX", "LX ^ (1 << (s & 3))",
                      "(LX * 5 + 3) % L0", "(LX + L0 - 1) % L0", "LX / 2"});
  };
  std::string body;
  const auto phase = [&] {
    const std::string value = expressions.step({"a", "b"}, draw.between(1, 4)).text;
    body += "PHASE { C a = here[LX], b = here[" + place() + "]; there[LX] = " + value +
            "; } SYNC SWAP ";
  };
  bool nested = false;
  for (size_t nest = 0; nest < nests; ++nest) {
    const size_t form = draw.below(4);
    if (form == 1) body += "if ((GX + s) % 3 != 0) { ";
    if (form == 2) body += "if (s < steps / 2) { ";
    if (form == 3) body += "for (int t = 0; t < 1 + s % 3; ++t) { ";
    nested |= form == 3;
    phase();
    if (form != 0) body += "} ";
  }
  inGroups(draw, program, local);
  defineType(program, type);
  program.define("SWAP", "{ local C* other = here; here = there; there = other; }");
  program.define("BODY", body);
  program.text = R"(
kernel void k(global const T* RESTRICT in, global C* RESTRICT out, int steps) {
  local C first[L0], second[L0];
  local C* here = first;
  local C* there = second;
  PHASE { first[LX] = in[GX * L0 + LX]; }
  SYNC
  for (int s = 0; s < steps; ++s) { BODY }
  PHASE { out[GX * L0 + LX] = here[LX]; }
}
)";
  const size_t phases = steps * nests * (nested ? 2 : 1);
  const size_t groups = draw.items(static_cast<double>(local * phases) * 6);
  program.shape = {{groups * local}, {local}};
  program.in(type.storage, groups * local, type.lowest(), type.bound());
  program.out(type.compute, groups * local,
              2 * static_cast<double>(steps * nests * 3) * expressions.stepError());
  program.value("int", static_cast<double>(steps));
}

/// Tiles of rows in groups of one dimension, which the work-items find by quotients and remainders
/// of their ids: each goes along its row and down its column.
void tileLine(Draw& draw, Program& program) {
  const Type type = draw.chance(60) ? draw.realType() : draw.unsignedType();
  Expressions expressions(draw, type);
  const size_t width = draw.pick<size_t>({4, 8, 16, 16, 32});
  const size_t rows = draw.pick<size_t>({4, 8, 16});
  const size_t local = width * rows;
  inGroups(draw, program, local);
  defineType(program, type);
  program.define("W", width);
  program.define("R", rows);
  program.define("PITCH", width + draw.below(3));
  program.define("ID", draw.pick({"LX", "(unsigned)LX", "(size_t)LX"}));
  program.define("X", draw.pick({"(ID % W)", "(ID & (W - 1))"}));
  program.define("Y", "(ID / W)");
  program.define("FROM", draw.pick({"(R - 1 - Y) * W + X", "Y * W + (W - 1 - X)", "Y * W + X"}));
  program.define("TO", draw.pick({"Y * W + X", "X * R + Y", "(R - 1 - Y) * W + X"}));
  program.define("STEP", expressions.step({"sum", "a", "b"}, draw.between(1, 3)).text);
  program.text = R"(
kernel void k(global const T* RESTRICT in, global C* RESTRICT out) {
  local C tile[R * PITCH];
  PHASE { tile[Y * PITCH + X] = in[GX * L0 + FROM]; }
  SYNC
  PHASE {
    C sum = tile[Y * PITCH];
    for (int i = 0; i < W; ++i) {
      C a = tile[Y * PITCH + i], b = tile[i % R * PITCH + X];
      sum = STEP;
    }
    out[GX * L0 + TO] = sum;
  }
}
)";
  const size_t groups = draw.items(static_cast<double>(local * width) * 4);
  program.shape = {{groups * local}, {local}};
  program.in(type.storage, groups * local, type.lowest(), type.bound());
  program.out(type.compute, groups * local,
              2 * static_cast<double>(width * 3) * expressions.stepError());
}

/// Passes of several numbers a work-item through rows that are padded against conflicts of banks,
/// as transforms and scans have them.
void padded(Draw& draw, Program& program) {
  const Type type = draw.chance(60) ? draw.realType() : draw.unsignedType();
  Expressions expressions(draw, type);
  const size_t local = draw.pick<size_t>({32, 64, 128, 256});
  const size_t each = draw.pick<size_t>({1, 2, 4, 8});
  const size_t passes = draw.between(1, 6);
  const std::string row = std::to_string(draw.pick<size_t>({8, 16, 32}));
  inGroups(draw, program, local);
  defineType(program, type);
  program.define("PAD(i)", draw.chance(50)
                               ? "((i) / " + row + " * (" + row + " + 1) + (i) % " + row + ")"
                               : "((i) + (i) / " + row + ")");
  program.define("SIZE", local * each + local * each / 8 + 1);
  program.define("ID", draw.pick({"LX", "(unsigned)LX"}));
  program.define("SWAP", "{ local C* other = here; here = there; there = other; }");
  std::string first, pass, last;
  for (size_t k = 0; k < each; ++k) {
    const std::string far = "PAD(ID + " + std::to_string(k * local) + ")";
    const std::string own = "PAD(ID * " + std::to_string(each) + " + " + std::to_string(k) + ")";
    const std::string item =
        "[GX * " + std::to_string(local * each) + " + " + std::to_string(k * local) + " + LX]";
    const std::string a = "a" + std::to_string(k), b = "a" + std::to_string((k + 1) % each);
    first += "here[" + far + "] = in" + item + "; ";
    pass.insert(0, "C " + a + " = here[" + far + "]; ");
    pass += "there[" + own + "] = " + expressions.step({a, b}, draw.between(1, 3)).text + "; ";
    last += "out" + item + " = here[" + far + "]; ";
  }
  program.define("FIRST", first);
  program.define("PASS", pass);
  program.define("LAST", last);
  program.text = R"(
kernel void k(global const T* RESTRICT in, global C* RESTRICT out, int passes) {
  local C one[SIZE], two[SIZE];
  local C* here = one;
  local C* there = two;
  PHASE { FIRST }
  SYNC
  for (int p = 0; p < passes; ++p) { PHASE { PASS } SYNC SWAP }
  PHASE { LAST }
}
)";
  const size_t groups = draw.items(static_cast<double>(local * each * (passes + 2)) * 6);
  program.shape = {{groups * local}, {local}};
  program.in(type.storage, groups * local * each, type.lowest(), type.bound());
  program.out(type.compute, groups * local * each,
              2 * static_cast<double>(passes * 3) * expressions.stepError());
  program.value("int", static_cast<double>(passes));
}

constexpr Family kFamilies[] = {
    {"bitonic", bitonic},    {"butterfly", butterfly}, {"exchange", exchange},
    {"tile-line", tileLine}, {"padded", padded},
};

}  // namespace

std::span<const Family> groupFamilies() { return kFamilies; }

}  // namespace weft::bench::generated
