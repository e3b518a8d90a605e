// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>

#include "families.h"

// Much arithmetic and little memory: functions of the library, chains of operations, hashes.
namespace weft::bench::generated {
namespace {

void maths(Draw& draw, Program& program) {
  const Type type = draw.chance(60) ? Type{"float", "float"} : Type{"double", "double"};
  Expressions expressions(draw, type, {true, {}});
  const size_t operations = draw.between(2, 8);
  const Expression value =
      expressions.draw({expressions.leaf("a[i]"), expressions.leaf("b[i]")}, operations);
  defineType(program, type);
  drawRestrict(draw, program);
  program.define("VALUE", value.text);
  program.text = R"(
kernel void k(global const T* RESTRICT a, global const T* RESTRICT b, global T* RESTRICT out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = VALUE;
}
)";
  const size_t count = draw.items(static_cast<double>(operations) * 16);
  rangeFor(draw, program, count);
  for (int i = 0; i < 2; ++i) program.in(type.storage, count, -1, 1);
  program.out(type.storage, count, Expressions::tolerance(value));
  program.value("int", static_cast<double>(count));
}

/// The same again and again, in some independent chains.
void chain(Draw& draw, Program& program) {
  const Type type = draw.chance(60) ? draw.realType() : draw.unsignedType();
  Expressions expressions(draw, type);
  const size_t chains = draw.between(1, 6), steps = draw.between(8, 200);
  std::string start, step, total = "v0";
  const bool maths = type.isReal() && draw.chance(20);
  Expressions others(draw, type, {maths, {}});
  const size_t operations = draw.between(1, 5);
  for (size_t c = 0; c < chains; ++c) {
    const std::string name = "v" + std::to_string(c);
    start += "C " + name + " = " + (c % 2 == 0 ? "a" : "b") + "; ";
    step += name + " = " +
            (c == 0 ? others : expressions).step({name, c % 2 == 0 ? "b" : "a"}, operations).text +
            "; ";
    if (c != 0) total += " + " + name;
  }
  defineType(program, type);
  drawRestrict(draw, program);
  program.define("START", start);
  program.define("STEP", step);
  program.define("TOTAL", total);
  program.define("STEPS", draw.chance(50) ? std::to_string(steps) : "steps");
  program.text = R"(
kernel void k(global const T* RESTRICT in, global T* RESTRICT out, int steps, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  C a = in[i], b = in[n - 1 - i];
  START
  for (int s = 0; s < STEPS; ++s) { STEP }
  out[i] = TOTAL;
}
)";
  const size_t count =
      draw.items(static_cast<double>(chains * steps * operations) * 1.5 * (maths ? 4 : 1));
  rangeFor(draw, program, count);
  program.in(type.storage, count, type.lowest(), type.bound());
  program.out(type.storage, count,
              2 * static_cast<double>(chains * (steps + 1)) * expressions.stepError());
  program.value("int", static_cast<double>(steps));
  program.value("int", static_cast<double>(count));
}

/// Rounds over some words of state, perhaps with a schedule in private memory.
void hash(Draw& draw, Program& program) {
  const Type type = draw.unsignedType();
  Expressions expressions(draw, type);
  const size_t words = draw.between(2, 8), rounds = draw.between(4, 64);
  const bool scheduled = draw.chance(50), outOfLine = draw.chance(25);
  std::string start, mixing, total = "0";
  for (size_t w = 0; w < words; ++w) {
    const std::string name = "h" + std::to_string(w);
    start +=
        "T " + name + " = x * " + expressions.literal(static_cast<double>(draw.bits() | 1)) + "; ";
    total += " ^ " + name;
    const std::string other = "h" + std::to_string((w + 1 + draw.below(words - 1)) % words);
    const Expression value = expressions.draw(
        {{name, 0, 0}, {other, 0, 0}, {w == 0 ? "m" : "h" + std::to_string((w + 1) % words), 0, 0}},
        draw.between(2, 4));
    mixing += name + " = " +
              (outOfLine && w == 0 ? "mix(" + name + ", " + other + ")" : value.text) + "; ";
  }
  program.define("T", type.storage);
  drawRestrict(draw, program);
  program.define("ROUNDS", rounds);
  program.define("START", start);
  program.define("MIX", mixing);
  program.define("TOTAL", total);
  program.define("MIXED", expressions.draw({{"a", 0, 0}, {"b", 0, 0}}, 6).text);
  program.define("SCHEDULE", scheduled
                                 ? "for (int s = 0; s < 16; ++s) w[s] = x + (T)s * (T)0x9e3779b9u;"
                                 : "w[0] = x;");
  program.define("WORD", scheduled ? "w[s & 15] = rotate(w[(s + 1) & 15], (T)7) + w[(s + 9) & 15]"
                                   : "w[0] + (T)s");
  program.text = R"(
static T mix(T a, T b) { return MIXED; }
kernel void k(global const T* RESTRICT in, global T* RESTRICT out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  T x = in[i], w[16];
  SCHEDULE
  START
  for (int s = 0; s < ROUNDS; ++s) {
    T m = WORD;
    MIX
    h0 ^= m;
  }
  out[i] = (TOTAL) + mix(h0, x);
}
)";
  const size_t count = draw.items(static_cast<double>(rounds * words) * 6);
  rangeFor(draw, program, count);
  program.in(type.storage, count, 0, 4e9);
  program.out(type.storage, count);
  program.value("int", static_cast<double>(count));
}

/// Numbers modulo others that are known when the kernel runs.
void modular(Draw& draw, Program& program) {
  const Type type = draw.unsignedType();
  const bool isLong = type.storage == "ulong";
  const size_t form = draw.below(3);  // common divisors, powers, residues
  const size_t steps = form == 0 ? 24 : draw.between(4, 32);
  const double most = isLong ? draw.chance(75) ? 0x1p31 : 0x1p62 : 0x1p16;
  const double modulus = std::floor(draw.real(1000, form == 1 && isLong ? 0x1p31 : most)) + 1;
  program.define("T", type.storage);
  drawRestrict(draw, program);
  program.define("STEPS", steps);
  program.define(
      "BODY",
      form == 0
          ? "T b = in[n - 1 - i] + 1; while (b != 0) { T rest = a % b; a = b; b = rest; } r = a"
      : form == 1
          ? "a %= m; r = 1; for (int s = 0; s < STEPS; ++s) { if ((m >> s) & 1) r = r * a % m; a "
            "= a * a % m; }"
          : "for (int s = 0; s < STEPS; ++s) { r += a / (m + (T)s) + a % (m + (T)s); a ^= r << 3; "
            "}");
  program.text = R"(
kernel void k(global const T* RESTRICT in, global T* RESTRICT out, T m, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  T a = in[i], r = 0;
  BODY;
  out[i] = r;
}
)";
  const size_t count = draw.items(static_cast<double>(steps) * 24);
  rangeFor(draw, program, count);
  program.in(type.storage, count, 0, most);
  program.out(type.storage, count);
  program.value(type.storage, modulus);
  program.value("int", static_cast<double>(count));
}

constexpr Family kFamilies[] = {
    {"maths", maths},
    {"modular", modular},
    {"chain", chain},
    {"hash", hash},
};

}  // namespace

std::span<const Family> arithmeticFamilies() { return kFamilies; }

}  // namespace weft::bench::generated
