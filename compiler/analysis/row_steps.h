// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

#include "weft/compiler/kernel_info.h"

namespace weft::compiler {

/// How a kernel's work-items are best run through: a guess, from its code.
struct RowGuess {
  /// The dimension along which neighbours load and store what lies side by side, or is the same:
  /// 0, unless that costs a multiple of what another one does.
  uint32_t dimension = 0;
  /// Columns: neighbours along `dimension` load or store, somewhere, in different rows of a matrix,
  /// at a distance that an argument decides, or that is a large constant; and do little else.
  /// Tiles: they do, and more besides; or a loop reads what differs along `dimension` alone, so
  /// that all rows of work-items read the same.
  RowOrder order = RowOrder::Rows;
  /// Whether such a loop writes nothing that others see, until it ends.
  bool areShared = false;
};

/// Of a kernel in which get_global_id is still a call.
RowGuess guessRows(llvm::Function& function);

/// KernelInfo::writesAcross of such a kernel, whose rows are along `dimension`.
bool writesAcross(const llvm::Function& function, unsigned dimension);

}  // namespace weft::compiler
