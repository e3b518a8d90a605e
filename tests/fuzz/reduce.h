// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>

#include "fuzz/ast.h"

namespace weft::fuzz {

/// Makes a program smaller while `fails` holds for it: drops statements, replaces compound ones by
/// what they contain and expressions by parts of themselves or constants, and shrinks the range.
/// What it tries depends on the answers alone.
void reduce(Program& program, const std::function<bool()>& fails);

}  // namespace weft::fuzz
