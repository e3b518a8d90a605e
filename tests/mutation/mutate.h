// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace weft::mutation {

using Random = std::mt19937_64;

/// A source cut into tokens, each with the white space and comments in front of it.
std::vector<std::string> tokensOf(const std::string& source);

/// `source` with some tokens and bytes removed, repeated, exchanged or replaced: by others of its
/// own, by some of `other`'s, and by what compilers stumble over. The same for the same `random`.
std::string mutate(const std::string& source, const std::string& other, Random& random);

}  // namespace weft::mutation
