// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include <string>

namespace weft::compiler {

/// Says of the indices that markExactIndices has marked that they do not wrap, where the launches
/// are such, and takes the marks away.
///
/// Does:    marked arithmetic and truncations get `nsw`; marked zero extensions become sign
///          extensions; what marked phis are increased by is cut to numbers that are not negative.
/// Assumes: the kernel is launched where KernelInfo::exactIndices holds, if `holds`.
/// Leaves:  no names::kExact, in any function; names::kHasRoom where launches are such.
/// Reads:   names::kExact, names::kHasRoom.
class AssumeExactPass : public llvm::PassInfoMixin<AssumeExactPass> {
 public:
  /// Marks in other functions than `kernel`'s are from launches of their own.
  AssumeExactPass(std::string kernel, bool holds) : kernel_(std::move(kernel)), holds_(holds) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }

 private:
  std::string kernel_;
  bool holds_;
};

}  // namespace weft::compiler
