// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

#include <span>

#include "weft/compiler/kernel_info.h"

namespace weft::compiler {

/// Finds the indices of a kernel that step from work-item to work-item and that nothing in its code
/// keeps from wrapping in 32 bits: unsigned ones, and those that are computed in 64 bits and cut.
///
/// Gives what has to be so of a launch for none of them to wrap, and marks (names::kExact) what
/// then never wraps: additions, subtractions, products, shifts and truncations, as signed numbers,
/// and zero extensions, of which it says that they are of no negative number. A marked phi is one
/// whose steps are not negative. Indices that may wrap in every launch, for all that can be told,
/// are left out, and so are those into local memory, which is too small for it to matter. Where
/// sums begin that go round a loop they are kept well away from wrapping (names::kHasRoom).
///
/// Work-items are next to each other along `rowDimension`, and in launches that are too short for
/// that along the first dimension: indices that step along either are found.
///
/// Pre: work-items still ask for their ids by calls (add-work-item-parameter comes later), and are
/// below 2^31. `kernel` is launched, not called.
LaunchCondition markExactIndices(llvm::Function& kernel, std::span<const ArgumentInfo> arguments,
                                 unsigned rowDimension);

}  // namespace weft::compiler
