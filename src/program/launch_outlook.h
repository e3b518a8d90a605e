// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>

#include "weft/compiler/kernel_info.h"
#include "weft/support/nd_range.h"

namespace weft {

/// Instructions that one work-item of a launch runs, as far as `formula` tells. `arguments` is the
/// block of them; they count as unknown where it is null.
double instructionsPerItem(const compiler::WorkFormula& formula, const NDRange& range,
                           const void* arguments) noexcept;

/// How long a launch on so many slots would take in quick code.
std::chrono::nanoseconds quickTimeOf(const compiler::KernelInfo& kernel, const NDRange& range,
                                     const void* arguments, unsigned slots) noexcept;

}  // namespace weft
