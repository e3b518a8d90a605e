// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace weft::compiler {

/// Loop metadata of LLVM's vectoriser, which leaves loops with it alone: vectors, and their
/// remainders.
inline constexpr const char* kVectorizedLoop = "llvm.loop.isvectorized";

/// Loop metadata of ours, with a number: lane groups of a row that jam-groups should run at once.
inline constexpr const char* kGroupsAtOnce = "weft.groups_at_once";

inline bool isVectorized(const llvm::Loop& loop) {
  return llvm::getBooleanLoopAttribute(&loop, kVectorizedLoop);
}

}  // namespace weft::compiler
