// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/AliasAnalysis.h>

namespace weft::compiler {

/// Answers alias queries from the address spaces of OpenCL: global, local, constant and private
/// memory are disjoint; generic pointers may point to any of them but constant memory.
///
/// Does:    NoAlias for pointers of different named address spaces; constant memory is
///          never written.
/// Assumes: no pointer is cast between two named address spaces (the language forbids it; our
///          own lowering loads local pointers as local pointers).
/// Leaves:  nothing changed.
/// Reads:   pointer types only, so it is never invalidated.
class AddressSpaceAAResult : public llvm::AAResultBase {
 public:
  llvm::AliasResult alias(const llvm::MemoryLocation& a, const llvm::MemoryLocation& b,
                          llvm::AAQueryInfo& query, const llvm::Instruction* context);
  llvm::ModRefInfo getModRefInfoMask(const llvm::MemoryLocation& location, llvm::AAQueryInfo& query,
                                     bool ignoreLocals);
  bool invalidate(llvm::Function&, const llvm::PreservedAnalyses&,
                  llvm::FunctionAnalysisManager::Invalidator&) {
    return false;
  }
};

class AddressSpaceAA : public llvm::AnalysisInfoMixin<AddressSpaceAA> {
 public:
  using Result = AddressSpaceAAResult;
  Result run(llvm::Function&, llvm::FunctionAnalysisManager&) { return Result(); }

 private:
  friend llvm::AnalysisInfoMixin<AddressSpaceAA>;
  static llvm::AnalysisKey Key;
};

}  // namespace weft::compiler
