// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include <array>
#include <cstdint>

namespace weft::compiler {

/// Makes a known local size a constant, and local ids smaller.
///
/// Does:    replaces loads of the size; gives those of local ids, and of a size that is not known
///          but bounded, a range.
/// Assumes: lower-work-item has run.
/// Leaves:  loads of the sizes that are 0 in `sizes`, which are not known; ids and sizes where
///          `most`, which no group's size exceeds, is 0.
/// Reads:   `weft.local_size`, `weft.item`.
class FixLocalSizePass : public llvm::PassInfoMixin<FixLocalSizePass> {
 public:
  using Sizes = std::array<uint32_t, 3>;
  FixLocalSizePass(const Sizes& sizes, const Sizes& most) : sizes_(sizes), most_(most) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }

 private:
  Sizes sizes_, most_;
};

}  // namespace weft::compiler
