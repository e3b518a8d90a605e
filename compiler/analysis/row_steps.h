// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

namespace weft::compiler {

/// Whether work-items that are next to each other along dimension 0 load or store, somewhere in
/// `function`, in different rows of a matrix: at a distance that an argument decides, or that is a
/// large constant; and do little else. A guess for the order in which work-items run; get_global_id
/// is still a call.
bool crossesRows(const llvm::Function& function);

}  // namespace weft::compiler
