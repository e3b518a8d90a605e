// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/ast.h"

/// All programs up to a bound in a few small grammars, by number: small_programs.cpp has them.
namespace weft::fuzz {

/// How many there are. Some numbers stand for a text that another one has too.
uint64_t smallProgramCount();

/// The family that a program belongs to, as it is named in reports.
std::string smallProgramFamily(uint64_t number);

/// Program `number`, of those from 0 on. Call fit() before it runs.
Program smallProgram(uint64_t number);

/// The ranges that each small program runs in.
struct SmallRange {
  Shape shape;
  uint64_t n;  ///< its argument: below, at or above the number of work-items
};
std::vector<SmallRange> smallRanges(uint64_t number);

/// Whether an earlier program has the same text. The first call takes a second.
bool isRepeated(uint64_t number);

}  // namespace weft::fuzz
