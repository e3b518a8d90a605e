// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <numeric>

#include "families.h"

// Which memory is touched: strides, indices from memory, chains of them, tables, sparse rows,
// arrays of several dimensions.
namespace weft::bench::generated {
namespace {

/// A permutation of [0, count), shuffled within windows.
void fillPermutation(size_t count, size_t window, uint64_t seed, void* data) {
  auto* indices = static_cast<cl_uint*>(data);
  std::iota(indices, indices + count, 0);
  Random random(seed);
  for (size_t i = 0; i < count; ++i) {
    const size_t end = std::min(count, i / window * window + window);
    std::swap(indices[i], indices[i + random.bits() % (end - i)]);
  }
}

void permutation(Program& program, size_t count, size_t window) {
  const uint64_t seed = program.seed + program.arguments.size();
  program.argument(Argument::Use::In, "uint", count,
                   [=](void* data) { fillPermutation(count, window, seed, data); });
}

/// Windows for shuffles: near, within a cache, anywhere.
size_t drawWindow(Draw& draw, size_t count) {
  return std::min(count, draw.pick<size_t>({16, 256, 4096, count, count}));
}

void strided(Draw& draw, Program& program) {
  const Type type = draw.type();
  Expressions expressions(draw, type);
  const size_t read = draw.between(1, 7), written = draw.chance(60) ? 1 : draw.between(2, 5);
  std::vector<Expression> leaves;
  for (size_t i = 0; i < read && i < 4; ++i)
    leaves.push_back(expressions.leaf("((C)in[i * READ + " + std::to_string(i) + "])"));
  if (draw.chance(40)) leaves.push_back(expressions.leaf("((C)in[(n - 1 - i) * READ])"));
  if (draw.chance(25)) leaves.push_back(expressions.leaf("((C)in[(i % PERIOD) * READ])"));
  if (draw.chance(25)) leaves.push_back(expressions.leaf("((C)in[i / PERIOD])"));
  const Expression value = expressions.draw(leaves, leaves.size() + draw.below(3));
  const size_t count = draw.items(4 + 4 * static_cast<double>(leaves.size()), 1,
                                  (size_t{1} << 23) / (read + written));
  defineType(program, type);
  drawRestrict(draw, program);
  program.define("READ", read);
  program.define("WRITTEN", written);
  program.define("PERIOD", draw.between(3, 40));
  program.define("VALUE", value.text);
  program.text = R"(
kernel void k(global const T* RESTRICT in, global T* RESTRICT out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  C value = VALUE;
  for (int e = 0; e < WRITTEN; ++e) out[i * WRITTEN + e] = (T)(value + (C)e);
}
)";
  rangeFor(draw, program, count);
  program.in(type.storage, count * read, type.lowest(), type.bound());
  program.out(type.storage, count * written,
              Expressions::tolerance(value) + 8 * type.epsilon() * (value.bound + 8));
  program.value("int", static_cast<double>(count));
}

void indirect(Draw& draw, Program& program) {
  const Type type = draw.type();
  Expressions expressions(draw, type);
  const size_t form = draw.below(3);  // gathers, scatters, both
  const Expression value =
      expressions.draw({expressions.leaf(form == 1 ? "((C)in[i])" : "((C)in[from[i]])"),
                        expressions.leaf("((C)in[i])")},
                       draw.between(1, 4));
  const size_t count = draw.items(16, 1, size_t{1} << 20);
  defineType(program, type);
  drawRestrict(draw, program);
  program.define("PLACE", form == 0 ? "i" : "to[i]");
  program.define("VALUE", value.text);
  program.text = R"(
kernel void k(global const T* RESTRICT in, global T* RESTRICT out, global const uint* RESTRICT from,
              global const uint* RESTRICT to, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[PLACE] = (T)(VALUE);
}
)";
  rangeFor(draw, program, count);
  program.in(type.storage, count, type.lowest(), type.bound());
  program.out(type.storage, count, Expressions::tolerance(value));
  permutation(program, count, drawWindow(draw, count));
  permutation(program, count, drawWindow(draw, count));
  program.value("int", static_cast<double>(count));
}

void chase(Draw& draw, Program& program) {
  const size_t steps = draw.between(8, 96);
  const size_t nodes = draw.size({1024, 16384, 65536, 262144});
  const size_t count = draw.items(static_cast<double>(steps) * 16);
  program.define("STEPS", steps);
  program.define("NODES", nodes);
  program.define("STEP",
                 draw.pick({"at = next[at]", "at = next[at], sum += weight[at]",
                            "at = next[at], sum ^= weight[at] * (uint)s",
                            "if (weight[at] & 1) at = next[at]; else at = (at + 1) % NODES"}));
  drawRestrict(draw, program);
  program.text = R"(
kernel void k(global const uint* RESTRICT next, global const uint* RESTRICT weight,
              global uint* RESTRICT out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  uint at = (uint)i * 7 % NODES, sum = 0;
  for (int s = 0; s < STEPS; ++s) { STEP; }
  out[i] = at + sum;
}
)";
  rangeFor(draw, program, count);
  permutation(program, nodes, drawWindow(draw, nodes));
  program.in("uint", nodes, 0, 1e9);
  program.out("uint", count);
  program.value("int", static_cast<double>(count));
}

void table(Draw& draw, Program& program) {
  const Type type = draw.type();
  const size_t place =
      draw.below(4);  // constant data, a constant argument, a global one, local memory
  const size_t entries = place == 0   ? draw.pick<size_t>({8, 16, 64})
                         : place == 3 ? draw.size({64, 256, 1024})
                                      : draw.size({256, 4096, 65536});
  const size_t lookups = draw.between(1, 6);
  std::string values;
  for (size_t i = 0; i < 64; ++i)
    values +=
        (type.isReal() ? std::to_string(draw.real(-1, 1)) : std::to_string(draw.below(100))) + ", ";
  const size_t count = draw.items(static_cast<double>(lookups) * 8);
  defineType(program, type);
  drawRestrict(draw, program);
  program.define("ENTRIES", entries);
  program.define("LOOKUPS", lookups);
  program.define("NEXT", draw.pick({"at * 5 + 3", "at >> 3", "at ^ (at >> 5)", "at + 17"}));
  program.define(
      "BODY",
      "uint at = index[i]; C sum = 0; for (int s = 0; s < LOOKUPS; ++s) { sum = sum / 2 + "
      "(C)table[at & (ENTRIES - 1)] / 2; at = NEXT; } out[i] = (T)sum;");
  program.define("GIVEN", place == 1 ? "CONSTANT const T*" : "global const T*");
  if (place == 3) {
    const size_t local = draw.pick<size_t>({64, 128, 256});
    program.style = Style::Groups;
    program.define("L0", local);
    program.define("L1", 1);
    const size_t each = draw.pick<size_t>({4, 16});
    program.define("EACH", each);
    program.text = R"(
kernel void k(global const uint* RESTRICT index, GIVEN given, global T* RESTRICT out, int n) {
  local T table[ENTRIES];
  PHASE { for (int e = LX; e < ENTRIES; e += L0) table[e] = given[e]; }
  SYNC
  PHASE {
    for (int e = 0; e < EACH; ++e) {
      int i = (GX * EACH + e) * L0 + LX;
      if (i < n) { BODY }
    }
  }
}
)";
    program.shape = {{(count + local * each - 1) / (local * each) * local}, {local}};
  } else {
    program.define("DATA", place == 0 ? "constant T table[64] = {" + values + "};" : "");
    program.define("TABLE", place == 0 ? "given" : "table");
    program.text = R"(
DATA
kernel void k(global const uint* RESTRICT index, GIVEN TABLE, global T* RESTRICT out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  BODY
}
)";
    rangeFor(draw, program, count);
  }
  program.in("uint", count, 0, 4e9);
  program.in(type.storage, entries, type.lowest(), type.bound());
  program.out(type.storage, count, 8 * type.epsilon());
  program.value("int", static_cast<double>(count));
}

/// Rows of a sparse matrix with lengths of their own.
void sparse(Draw& draw, Program& program) {
  const Type type = draw.realType();
  const size_t longest = draw.pick<size_t>({8, 24, 64, 200});
  const bool byColumns = draw.chance(35);  // ELLPACK: padded, entry after entry of all rows
  const size_t rows = draw.items(static_cast<double>(longest) * 4, 1, (size_t{1} << 21) / longest);
  const uint64_t seed = draw.bits();
  defineType(program, type);
  drawRestrict(draw, program);
  program.define("LONGEST", longest);
  program.define("AT", byColumns ? "j * rows + i" : "start[i] + j");
  program.text = R"(
kernel void k(global const uint* RESTRICT start, global const uint* RESTRICT column,
              global const T* RESTRICT entry, global const T* RESTRICT x, global T* RESTRICT out, int rows) {
  FREE_ORDER
  int i = get_global_id(0);
  if (i >= rows) return;
  int length = start[i + 1] - start[i];
  T sum = 0;
  for (int j = 0; j < length; ++j) sum += entry[AT] * x[column[AT]];
  out[i] = sum;
}
)";
  rangeFor(draw, program, rows);
  program.argument(Argument::Use::In, "uint", rows + 1, [=](void* data) {
    Random random(seed);
    auto* starts = static_cast<cl_uint*>(data);
    starts[0] = 0;
    for (size_t i = 0; i < rows; ++i)
      starts[i + 1] = starts[i] + random.bits() % static_cast<uint32_t>(longest + 1);
  });
  program.in("uint", rows * longest, 0, static_cast<double>(rows) - 1);
  program.in(type.storage, rows * longest, -1, 1);
  program.in(type.storage, rows, -1, 1);
  program.out(type.storage, rows, 4 * static_cast<double>(longest * longest) * type.epsilon());
  program.value("int", static_cast<double>(rows));
}

/// Arrays of several dimensions in one: places from an id by division, as in transposition,
/// flipping and broadcasting.
void arrays(Draw& draw, Program& program) {
  const Type type = draw.type();
  Expressions expressions(draw, type);
  const std::string index = draw.pick({"ulong", "ulong", "long", "int", "uint"});
  const size_t rank = draw.between(2, 4);
  size_t rest = draw.items(8 + 12 * static_cast<double>(rank), 1, size_t{1} << 20), count = 1;
  std::vector<size_t> sizes(rank);
  for (size_t d = 0; d < rank; ++d) {
    sizes[d] = d + 1 == rank ? rest : std::min(rest, draw.between(2, 2 + rest / (8 * rank)));
    rest = std::max<size_t>(1, rest / sizes[d]);
    count *= sizes[d];
  }
  std::vector<size_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::string parts, place = "(INDEX)0", parameters;
  for (size_t d = 0; d < rank; ++d) {
    std::swap(order[d], order[d + draw.below(rank - d)]);
    const std::string name = std::to_string(d), size = "d" + name;
    parts += d + 1 == rank ? "x" + name + " = rest"
                           : "x" + name + " = rest % " + size + "; rest /= " + size + "; INDEX ";
    parameters += ", INDEX " + size;
  }
  const bool flips = draw.chance(30), broadcasts = draw.chance(30);
  for (size_t d = 0; d < rank; ++d) {
    const std::string name = std::to_string(order[d]), x = "x" + name, size = "d" + name;
    if (broadcasts && d == 0) continue;
    const std::string along = flips && draw.chance(50) ? "(" + size + " - 1 - " + x + ")" : x;
    place = "(" + place + ") * " + size + " + " + along;
  }
  const Expression value = expressions.draw(
      {expressions.leaf("((C)in[PLACE])"), expressions.leaf("((C)in[i])")}, draw.between(1, 3));
  defineType(program, type);
  drawRestrict(draw, program);
  program.define("INDEX", index);
  program.define("PARTS", parts);
  program.define("PLACE", place);
  program.define("VALUE", value.text);
  program.text = R"(
kernel void k(global const T* RESTRICT in, global T* RESTRICT out PARAMETERS, int n) {
  if ((int)get_global_id(0) >= n) return;
  INDEX i = (INDEX)get_global_id(0), rest = i, PARTS;
  out[i] = (T)(VALUE);
}
)";
  program.define("PARAMETERS", parameters);
  rangeFor(draw, program, count);
  program.in(type.storage, count, type.lowest(), type.bound());
  program.out(type.storage, count, Expressions::tolerance(value));
  for (const size_t size : sizes) program.value(index, static_cast<double>(size));
  program.value("int", static_cast<double>(count));
}

constexpr Family kFamilies[] = {
    {"strided", strided}, {"indirect", indirect}, {"chase", chase},
    {"table", table},     {"sparse", sparse},     {"arrays", arrays},
};

}  // namespace

std::span<const Family> accessFamilies() { return kFamilies; }

}  // namespace weft::bench::generated
