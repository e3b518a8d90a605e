// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "fuzz/ast.h"
#include "fuzz/memory.h"

namespace weft::fuzz {

/// The buffers of a program before it runs, by variable.
std::vector<Bytes> initialBuffers(const Program& program);

/// Runs a program one work-item after the other, its groups in lockstep where statements contain
/// barriers. Returns why it is no test (undefined behaviour, or too much work); empty when
/// `buffers` holds what every correct implementation leaves there.
std::string interpret(const Program& program, std::vector<Bytes>& buffers);

}  // namespace weft::fuzz
