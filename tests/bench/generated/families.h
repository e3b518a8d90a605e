// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <vector>

#include "draw.h"

namespace weft::bench::generated {

/// Kernels of one kind. draw() gives the same program for the same draws; name and seed are set
/// before.
struct Family {
  const char* name;
  void (*draw)(Draw& draw, Program& program);
};

std::span<const Family> stencilFamilies();
std::span<const Family> reductionFamilies();
std::span<const Family> productFamilies();
std::span<const Family> accessFamilies();
std::span<const Family> flowFamilies();
std::span<const Family> vectorFamilies();
std::span<const Family> arithmeticFamilies();
std::span<const Family> groupFamilies();
std::span<const Family> atomicFamilies();

/// All of the above.
std::vector<Family> families();

/// The program of a name (family:seed). Throws std::invalid_argument when there is no such family.
Program drawProgram(const std::string& name, bool small);
/// Names of `count` programs for the seed of a report: each family in turn.
std::vector<std::string> namesFor(uint32_t seed, size_t count);

/// What families share: the types T (in memory) and C (computed in) of a program.
void defineType(Program& program, const Type& type);
/// restrict, or not.
void drawRestrict(Draw& draw, Program& program);
/// A range of one dimension for `count` items: exact where the platform chooses the local size,
/// else a multiple of that.
void rangeFor(Draw& draw, Program& program, size_t count);
/// The same for a plane.
void rangeFor(Draw& draw, Program& program, size_t columns, size_t rows);

}  // namespace weft::bench::generated
