// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace weft::compiler {

/// Calls `function` on the calling thread, but on a large stack of the process's, whose size it is
/// told: for when no thread of its own can be had. One call at a time; others wait. `sizes` are
/// tried in their order. False, and nothing is called, when there is no memory for any.
///
/// The stack is at one place for good, since Clang remembers for each thread where its stack
/// begins. Pre: not within another such call; `function` lets no exception out.
bool callOnLargeStack(std::span<const size_t> sizes, const std::function<void(size_t)>& function);

}  // namespace weft::compiler
