// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "weft/compiler/compiler.h"
#include "weft/runtime/launch.h"

namespace weft {

/// Instructions that one work-item of the launch runs, as far as `formula` tells. Arguments count
/// as unknown where launch.arguments is null.
double instructionsPerItem(const compiler::WorkFormula& formula,
                           const runtime::KernelLaunch& launch) noexcept;

/// What is known before it begins of a launch on so many slots.
compiler::LaunchOutlook outlookOf(const compiler::KernelInfo& kernel,
                                  const runtime::KernelLaunch& launch, unsigned slots) noexcept;

}  // namespace weft
