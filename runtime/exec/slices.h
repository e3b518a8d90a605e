// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "weft/runtime/launch.h"

namespace weft::runtime {

/// Slices the boxes of a shape for `slots` slots, and fills its ABI block.
///
/// There are several parts for each slot, so that uneven work balances, yet not so many that taking
/// a part costs more than running it.
void sliceLaunch(LaunchShape& shape, unsigned slots) noexcept;

}  // namespace weft::runtime
