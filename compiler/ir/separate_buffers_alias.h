// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/AliasAnalysis.h>

#include "weft/compiler/kernel_info.h"

namespace weft::compiler {

/// Has the entry of a variant say which of its arguments point to buffers that do not overlap, in
/// all its launches: VariantKey::separateBuffers.
void markSeparateBuffers(llvm::Function& entry, const KernelInfo& kernel);

/// Answers alias queries from what launches have been asked: pointers that come from different
/// arguments do not meet in memory, as if the program had said `restrict` of all.
///
/// Unlike `restrict`, and the scopes that the inliner makes of it, this holds for the whole
/// function, all its work-items, and on both sides of barriers: it says nothing of what the other
/// work-items do, but only where buffers are.
///
/// Does:    NoAlias for pointers whose underlying objects are loads of different pointers from the
///          argument block, where markSeparateBuffers names both.
/// Assumes: arguments are loaded as AbiAccess loads them; a pointer stays within its buffer.
/// Leaves:  nothing changed; pointers from anywhere else.
/// Reads:   `weft-separate-buffers`, which never changes, so it is never invalidated.
class SeparateBuffersAAResult : public llvm::AAResultBase {
 public:
  explicit SeparateBuffersAAResult(llvm::SmallVector<uint64_t> offsets)
      : offsets_(std::move(offsets)) {}
  llvm::AliasResult alias(const llvm::MemoryLocation& a, const llvm::MemoryLocation& b,
                          llvm::AAQueryInfo& query, const llvm::Instruction* context);
  bool invalidate(llvm::Function&, const llvm::PreservedAnalyses&,
                  llvm::FunctionAnalysisManager::Invalidator&) {
    return false;
  }

 private:
  bool collect(const llvm::Value& pointer, llvm::SmallVectorImpl<uint64_t>& buffers) const;

  llvm::SmallVector<uint64_t> offsets_;  ///< in the argument block
};

class SeparateBuffersAA : public llvm::AnalysisInfoMixin<SeparateBuffersAA> {
 public:
  using Result = SeparateBuffersAAResult;
  Result run(llvm::Function& function, llvm::FunctionAnalysisManager&);

 private:
  friend llvm::AnalysisInfoMixin<SeparateBuffersAA>;
  static llvm::AnalysisKey Key;
};

}  // namespace weft::compiler
