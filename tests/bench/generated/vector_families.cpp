// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "families.h"

// Values of several elements: structures, vectors of the language, pixels of bytes.
namespace weft::bench::generated {
namespace {

void structure(Draw& draw, Program& program) {
  const bool reals = draw.chance(70);
  const Type type = reals ? Type{"float", "float"} : Type{"uint", "uint"};
  const size_t fields = draw.between(3, 10);
  const bool inPlace = draw.chance(60);
  const size_t vectors = draw.chance(30) ? 1 : 0;  // fields of four elements, at the end
  Expressions expressions(draw, type);
  std::string members, updates;
  std::vector<std::string> leaves;
  if (vectors != 0) members += reals ? "float4 q; " : "uint4 q; ";
  for (size_t f = 0; f < fields; ++f) {
    members += type.compute + " f" + std::to_string(f) + "; ";
    leaves.push_back("p.f" + std::to_string(f));
  }
  // Structures with vectors are padded to 16 bytes.
  const size_t padding = vectors == 0 ? 0 : (4 - fields % 4) % 4;
  for (size_t f = 0; f < padding; ++f) members += type.compute + " g" + std::to_string(f) + "; ";
  const size_t changed = draw.between(1, fields);
  for (size_t u = 0; u < changed; ++u) {
    const std::string target = "p.f" + std::to_string(draw.below(fields));
    const std::string result =
        expressions
            .step({leaves[draw.below(fields)], leaves[draw.below(fields)]}, draw.between(1, 3))
            .text;
    const std::string condition =
        draw.chance(30) ? "if (i & " + std::to_string(draw.between(1, 7)) + ") " : "";
    updates += condition + target + " = " + result + "; ";
  }
  if (vectors != 0) updates += reals ? "p.q = p.q * 0.5f + p.f0; " : "p.q = p.q * 5u + p.f0; ";
  const size_t words = fields + padding + 4 * vectors;
  const size_t count = draw.items(static_cast<double>(words * 4), 1, (size_t{1} << 22) / words);
  program.define("MEMBERS", members);
  program.define("UPDATES", updates);
  drawRestrict(draw, program);
  program.define("RESULT", inPlace ? "records" : "results");
  program.define(
      "COPY", draw.chance(75) ? "Record p = records[i]; UPDATES RESULT[i] = p;"
              : inPlace       ? "global Record* r = records + i; Record p = *r; UPDATES *r = p;"
                        : "RESULT[i] = records[i]; Record p = records[i]; UPDATES RESULT[i] = p;");
  program.text = R"(
typedef struct { MEMBERS } Record;
kernel void k(global Record* RESTRICT records, global Record* RESTRICT results, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  COPY
}
)";
  rangeFor(draw, program, count);
  const std::string element = type.compute;
  const uint64_t seed = draw.bits();
  const auto fill = [=](void* data) {
    fillRandom(element, count * words, reals ? -1 : 0, reals ? 1 : 0x1p31, seed, data);
  };
  for (const bool isResult : {false, true}) {
    Argument& argument = program.argument(
        isResult || inPlace ? Argument::Use::InOut : Argument::Use::In, "Record", count, fill);
    argument.bytes = 4 * words;
    argument.layout = reals ? "f" : "b";
    argument.tolerance = 2 * static_cast<double>(changed + 2) * expressions.stepError();
  }
  program.value("int", static_cast<double>(count));
}

void vectors(Draw& draw, Program& program) {
  const std::string type =
      draw.pick({"float2", "float4", "float4", "float8", "float16", "uint4", "uint8", "uchar4",
                 "uchar8", "uchar16", "ushort4", "ushort8", "double2", "double4"});
  const size_t digit = type.find_first_of("123456789");
  const std::string scalar = type.substr(0, digit);
  const size_t wide = std::stoul(type.substr(digit));
  const Type element{scalar, scalar};
  Expressions expressions(draw, element, {false, type});
  const std::string swizzle = wide == 2   ? draw.pick({"", ".yx"})
                              : wide == 4 ? draw.pick({"", ".wzyx", ".yzwx", ".xxzz"})
                              : wide == 8
                                  ? draw.pick({"", ".s76543210", ".s10325476"})
                                  : draw.pick({"", ".sfedcba9876543210", ".s1032547698badcfe"});
  const Expression value = expressions.draw(
      {expressions.leaf("a[i]"), expressions.leaf("b[i]" + swizzle), {"scale", 1, 0}},
      draw.between(2, 8));
  const size_t rounds = draw.chance(50) ? 1 : draw.between(2, 16);
  const bool joins = draw.chance(35);  // one scalar of each vector
  program.define("V", type);
  program.define("S", scalar);
  program.define("VALUE", value.text);
  std::string total = "r.s0";
  for (size_t e = 1; e < wide; ++e) total += std::string(" + r.s") + "0123456789abcdef"[e];
  program.define("RESULT", joins ? "(S)(" + total + ")" : "r");
  program.define("R", joins ? "S" : "V");
  program.define("ROUNDS", element.isReal() ? 1 : rounds);
  drawRestrict(draw, program);
  program.text = R"(
kernel void k(global const V* RESTRICT a, global const V* RESTRICT b, global R* RESTRICT out, S scalar, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  V scale = (V)(scalar), r = VALUE;
  for (int s = 1; s < ROUNDS; ++s) { scale = r; r += VALUE; }
  out[i] = RESULT;
}
)";
  const size_t count = draw.items(static_cast<double>(wide) * 6, 1, (size_t{1} << 22) / wide);
  rangeFor(draw, program, count);
  for (int i = 0; i < 2; ++i)
    program.in(type, count, element.isReal() ? -1 : 0, element.isReal() ? 1 : 250);
  const double join = joins ? static_cast<double>(wide) : 1;
  program.out(
      joins ? scalar : type, count,
      join * (Expressions::tolerance(value) + 2 * join * element.epsilon() * (value.bound + 1)));
  program.value(scalar, element.isReal() ? draw.real(-1, 1) : static_cast<double>(draw.below(200)));
  program.value("int", static_cast<double>(count));
}

/// Pictures of one, three or four bytes a pixel, whose places are computed as libraries do.
void bytes(Draw& draw, Program& program) {
  const size_t channels = draw.pick<size_t>({1, 3, 3, 4, 4});
  const size_t form = draw.below(4);  // two pictures, one with a threshold, mixed channels, grey
  const size_t rowsEach = draw.pick<size_t>({1, 1, 2, 4});
  const bool byPointer = channels == 4 && draw.chance(75);
  const size_t access = channels == 3 && draw.chance(60) ? 1 : 0;
  std::string load, store;
  if (channels == 1) {
    load = "int a = s[si], b = t[si];";
    store = "d[di] = (uchar)(r);";
  } else if (byPointer || access == 1) {
    const std::string v = channels == 4 ? "int4" : "int3";
    const std::string from = channels == 4 ? "convert_int4(*(global const uchar4*)(P + si))"
                                           : "convert_int3(vload3(0, P + si))";
    const auto at = [&](char p) {
      std::string text = from;
      text[text.find('P')] = p;
      return text;
    };
    load = v + " a = " + at('s') + ", b = " + at('t') + ";";
    store = channels == 4 ? "*(global uchar4*)(d + di) = convert_uchar4(r);"
                          : "vstore3(convert_uchar3(r), 0, d + di);";
  }
  const std::string value = draw.pick(
      {"min(a + b, (I)255)", "max(a - b, (I)0)", "(a * W0 + b * (256 - W0)) >> 8",
       "((a * b + 128) >> 8)", "max(a, b)", "min((a * W0) >> 6, (I)255)", "(a & b) ^ (I)W0"});
  const bool single = load.empty();
  program.define("I", channels == 1 || single ? "int" : channels == 4 ? "int4" : "int3");
  program.define("W0", draw.between(20, 220));
  program.define("W1", draw.between(20, 120));
  std::string body;
  if (form == 3 && channels > 1) {
    body = "int g = (s[si] * W1 + s[si + 1] * W0 + s[si + 2] * 30 + t[si]) >> 9; d[di / " +
           std::to_string(channels) + "] = (uchar)min(g, 255);";
  } else if (single) {
    body = form == 2 ? "float f = s[si] * 0.25f + s[si + 1] * 0.5f; d[di] = "
                       "convert_uchar_sat_rte(f); d[di + 1] = "
                       "t[si + 2]; d[di + 2] = s[si];"
                     : "";
    if (form != 2)
      for (size_t c = 0; c < channels; ++c) {
        const std::string at = "[si + " + std::to_string(c) + "]";
        body += "{ int a = s" + at + ", b = t" + at + "; int r = " + value + "; d[di + " +
                std::to_string(c) + "] = (uchar)r; } ";
      }
  } else {
    body = load + " I r = " + value + "; " + store;
  }
  program.define("BODY", body);
  program.define("ROWS", rowsEach);
  program.define("CHANNELS", channels);
  drawRestrict(draw, program);
  const size_t loop = rowsEach > 1 ? 1 : draw.chance(20) ? 2 : 0;
  program.text = loop == 2 ? R"(
kernel void k(global const uchar* RESTRICT s, int sstep, global const uchar* RESTRICT t,
              global uchar* RESTRICT d, int dstep, int offset, int rows, int columns) {
  EXACT
  int y = get_global_id(0);
  if (y >= rows) return;
  for (int x = 0; x < columns; ++x) {
    int si = mad24(y, sstep, mad24(x, CHANNELS, offset)), di = mad24(y, dstep, mul24(x, CHANNELS));
    BODY
  }
}
)"
                           : R"(
kernel void k(global const uchar* RESTRICT s, int sstep, global const uchar* RESTRICT t,
              global uchar* RESTRICT d, int dstep, int offset, int rows, int columns) {
  EXACT
  int x = get_global_id(0), first = get_global_id(1) * ROWS;
  if (x >= columns) return;
  int si = mad24(first, sstep, mad24(x, CHANNELS, offset)), di = mad24(first, dstep, mul24(x, CHANNELS));
  for (int y = first, last = min(rows, first + ROWS); y < last; ++y, si += sstep, di += dstep) { BODY }
}
)";
  const auto [w, h] = draw.plane(draw.items(static_cast<double>(channels) * 4, 1, size_t{1} << 21));
  const size_t step = (w * channels + draw.pick<size_t>({0, 16, 61}) + 3) / 4 * 4;
  const size_t offset = 4 * draw.below(3);
  if (loop == 2)
    rangeFor(draw, program, h);
  else
    rangeFor(draw, program, w, (h + rowsEach - 1) / rowsEach);
  const size_t size = step * h + offset + 64;
  program.in("uchar", size, 0, 255.99);
  program.value("int", static_cast<double>(step));
  program.in("uchar", size, 0, 255.99);
  program.out("uchar", size);
  program.value("int", static_cast<double>(step));
  program.value("int", static_cast<double>(offset));
  program.value("int", static_cast<double>(h));
  program.value("int", static_cast<double>(w));
}

constexpr Family kFamilies[] = {
    {"structure", structure},
    {"vectors", vectors},
    {"bytes", bytes},
};

}  // namespace

std::span<const Family> vectorFamilies() { return kFamilies; }

}  // namespace weft::bench::generated
