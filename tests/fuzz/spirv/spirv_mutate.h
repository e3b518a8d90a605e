// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <random>
#include <span>
#include <string>

namespace weft::test {

/// A module of SPIR-V, as bytes, with one to four changes: bits flipped, words exchanged or
/// replaced by other words, ids and what stands at the edges of their range, instructions removed,
/// repeated, moved or taken from one of `others`, an end cut off. The same `random` makes the same
/// of it.
std::string mutate(std::span<const std::string> others, std::string words, std::mt19937& random);

}  // namespace weft::test
