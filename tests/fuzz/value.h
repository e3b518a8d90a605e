// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "fuzz/ast.h"

/// What the operations of OpenCL C compute, written by hand after its specification and in no way
/// derived from what Weft's compiler and library do.
namespace weft::fuzz {

/// A scalar, vector or pointer: the bits of each lane, zero-extended.
struct Value {
  unsigned lanes = 1;
  std::array<uint64_t, 16> lane;  // only the first `lanes` mean anything, or are copied

  Value() { lane[0] = 0; }
  explicit Value(uint64_t bits) { lane[0] = bits; }
  Value(const Value& other) { *this = other; }
  Value& operator=(const Value& other) {
    lanes = other.lanes;
    std::copy_n(other.lane.begin(), lanes, lane.begin());
    return *this;
  }
};

inline int64_t toSignedBits(Scalar scalar, uint64_t bits) {
  const unsigned unused = 64 - bitsOf(scalar);
  return static_cast<int64_t>(bits << unused) >> unused;
}

/// The half nearest to a number, and what a half stands for. Sums, products, quotients and roots of
/// halves that are computed as doubles first are right after this second rounding too.
uint64_t halfBits(double value);
double halfValue(uint64_t bits);

/// What is written where the language leaves the result open: the program is then no test.
struct Undefined {
  const char* reason;
};

/// One lane. `isVector` matters for shifts: scalars are promoted to int first.
/// `native`: throws Undefined where the plain operator on scalars overflows.
uint64_t binary(BinaryOp op, Scalar scalar, bool isVector, bool native, uint64_t left,
                uint64_t right);
bool compare(CompareOp op, Scalar scalar, uint64_t left, uint64_t right);
uint64_t convert(Scalar to, Scalar from, Rounding rounding, bool saturate, uint64_t bits);
/// One lane of builtins whose arguments have one type; the result has too, or is an int or mask.
uint64_t builtin(Builtin function, Scalar scalar, const uint64_t* arguments);

const char* nameOf(Builtin function);

}  // namespace weft::fuzz
