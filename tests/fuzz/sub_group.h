// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/ast.h"

/// What work-items of a sub-group do together.
namespace weft::fuzz {

/// How many expressions a call takes.
unsigned argumentsOf(SubGroupCall::Kind kind);

/// The call as OpenCL C has it, of the texts of its arguments.
std::string callOf(const SubGroupCall& call, const std::vector<std::string>& arguments);

/// What one work-item brings along: the bits of its arguments.
struct Brought {
  uint64_t value = 0, argument = 0;
};

/// What each item of a sub-group gets, by its place in it; nothing of those that take no part.
std::vector<uint64_t> meet(const SubGroupCall& call, Scalar scalar,
                           const std::vector<std::optional<Brought>>& brought);

}  // namespace weft::fuzz
