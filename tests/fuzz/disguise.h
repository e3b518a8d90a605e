// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "fuzz/ast.h"

namespace weft::fuzz {

/// Changes the kernel of a program in ways that do not change what it does, but that the compiler
/// cannot see through, since they depend on arguments: code behind conditions that are never true,
/// statements that stand in both arms of a branch, and zeros that are added to indices. Some of the
/// conditions are equal in the whole group, others are not. The same seed gives the same changes.
void disguise(Program& program, uint64_t seed);

/// The random program of a seed; one in four is disguised.
Program randomProgram(uint64_t seed);

}  // namespace weft::fuzz
