// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "families.h"

#include <cstdio>
#include <stdexcept>

namespace weft::bench::generated {

std::vector<Family> families() {
  std::vector<Family> all;
  for (const std::span<const Family> some :
       {stencilFamilies(), reductionFamilies(), productFamilies(), accessFamilies(), flowFamilies(),
        vectorFamilies(), arithmeticFamilies(), groupFamilies(), atomicFamilies()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

Program drawProgram(const std::string& name, bool small) {
  const size_t colon = name.find(':');
  for (const Family& family : families()) {
    if (colon == std::string::npos || name.substr(0, colon) != family.name) continue;
    Program program;
    program.family = family.name;
    program.seed = static_cast<uint32_t>(std::stoul(name.substr(colon + 1), nullptr, 16));
    Draw draw(program.seed, small);
    family.draw(draw, program);
    return program;
  }
  throw std::invalid_argument("no generated kernel " + name);
}

std::vector<std::string> namesFor(uint32_t seed, size_t count) {
  const std::vector<Family> all = families();
  Random random(seed * 0x2545f4914f6cdd1du + 7);
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) {
    char text[64];
    std::snprintf(text, sizeof text, "%s:%08x", all[i % all.size()].name, random.bits());
    names.emplace_back(text);
  }
  return names;
}

void defineType(Program& program, const Type& type) {
  program.define("T", type.storage);
  program.define("C", type.compute);
}

void drawRestrict(Draw& draw, Program& program) {
  program.kernelDefines.emplace_back("RESTRICT", draw.chance(50) ? "restrict" : "");
}

void rangeFor(Draw& draw, Program& program, size_t count) {
  const size_t local = draw.pick<size_t>({0, 0, 32, 64, 64, 128, 256});
  program.shape = {{local == 0 ? count : (count + local - 1) / local * local}, {local}};
}

void rangeFor(Draw& draw, Program& program, size_t columns, size_t rows) {
  const size_t choice = draw.below(6);
  const Sizes local = choice == 0   ? Sizes{16, 16}
                      : choice == 1 ? Sizes{32, 8}
                      : choice == 2 ? Sizes{64, 1}
                      : choice == 3 ? Sizes{8, 8}
                                    : Sizes{};
  const auto padded = [](size_t size, size_t by) {
    return by == 0 ? size : (size + by - 1) / by * by;
  };
  program.shape = {{padded(columns, local[0]), padded(rows, local[1])}, local};
}

}  // namespace weft::bench::generated
