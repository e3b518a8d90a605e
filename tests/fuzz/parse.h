// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

#include "fuzz/ast.h"

namespace weft::fuzz {

/// Reads the body of a kernel, in a small subset of OpenCL C, as a tree: declarations, assignments,
/// if, for, return, break, continue, barrier; scalars, vectors and arrays of T, which is `element`,
/// and of the types of the language. Operands of different types are converted as C does, and
/// literals to what they stand beside.
///
/// Names that need no declaration become parameters of the kernel when they are used:
///   a, b      read: an element for each work-item       o, r      written: likewise
///   c, d      read: tables of 64 and 256 elements       q         read and written: two elements
///   h         read: a row of eight elements for each
///   m         read: ints, one for each                  o2, o4    written: vectors
///   s         read: the memory of q
///   l, f      local: l two elements for each work-item, f one for the group
///   n, w, e   int arguments: a size, a divisor, 2
/// Declarations of what nothing uses are left out. fit() gives buffers their sizes.
///
/// Throws std::invalid_argument on anything else: the texts are ours.
Program parse(std::string_view body, Scalar element);

/// Gives a parsed program its range, and `n` its value.
void fit(Program& program, const Shape& shape, uint64_t n);

}  // namespace weft::fuzz
