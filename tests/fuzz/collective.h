// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/ast.h"

/// What the functions that combine what the work-items of a group bring along do.
namespace weft::fuzz {

/// As OpenCL C names it.
std::string nameOf(Collective collective);

/// Whether all work-items get the same.
inline bool isShared(Collective collective) { return collective.kind == Collective::Kind::Reduce; }

/// What each work-item gets, by linear local id, of what each brings along; nothing of those that
/// have ended.
std::vector<uint64_t> combine(Collective collective, Scalar scalar,
                              const std::vector<std::optional<uint64_t>>& brought);

}  // namespace weft::fuzz
