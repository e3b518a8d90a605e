// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>

namespace weft::compiler {

/// Instructions of a loop and those in it.
inline uint64_t instructionsIn(const llvm::Loop& loop) {
  uint64_t count = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) count += block->sizeWithoutDebug();
  return count;
}

}  // namespace weft::compiler
