// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include <array>
#include <cstdint>

namespace weft::compiler {

/// Makes a known local size a constant.
///
/// Does:    replaces loads of it.
/// Assumes: lower-work-item has run.
/// Leaves:  loads of the sizes that are 0 in `sizes`, which are not known.
/// Reads:   `weft.local_size`.
class FixLocalSizePass : public llvm::PassInfoMixin<FixLocalSizePass> {
 public:
  explicit FixLocalSizePass(std::array<uint32_t, 3> sizes) : sizes_(sizes) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }

 private:
  std::array<uint32_t, 3> sizes_;
};

}  // namespace weft::compiler
