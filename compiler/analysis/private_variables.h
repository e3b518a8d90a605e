// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <string>

#include "analysis/lane_shapes.h"

namespace weft::compiler {

/// The variables that every iteration of `loop` has for itself, and how they are to lie in memory
/// when iterations become lanes: element by element in turn where all accesses are to whole
/// elements, one copy after the other where they are not.
PrivateLayouts findPrivateVariables(llvm::Function& function, const llvm::Loop& loop);

}  // namespace weft::compiler
