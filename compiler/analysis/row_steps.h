// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

#include "weft/compiler/kernel_info.h"

namespace weft::compiler {

/// The order for a kernel's work-items, while get_global_id is still a call.
///
/// Columns: those next to each other along dimension 0 load or store, somewhere in `function`, in
/// different rows of a matrix, at a distance that an argument decides, or that is a large constant;
/// and do little else.
/// Tiles: they do, and more besides; or a loop reads what differs along dimension 0 alone, so that
/// all rows of work-items read the same.
RowOrder rowOrderOf(llvm::Function& function);

}  // namespace weft::compiler
