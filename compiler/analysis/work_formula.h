// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Module.h>

#include <span>

#include "ir/call_graph.h"
#include "weft/compiler/kernel_info.h"

namespace weft::compiler {

/// Estimates the work of kernels: how many instructions a work-item runs, loops included.
///
/// Pre: work-items still ask for their ids by calls (add-work-item-parameter comes later).
/// Ownership: borrows module and graph. Threads: one.
class WorkAnalysis {
 public:
  WorkAnalysis(llvm::Module& module, const CallGraph& graph);

  /// `arguments` are the kernel's.
  WorkFormula formulaOf(llvm::Function& kernel, std::span<const ArgumentInfo> arguments) const;

 private:
  /// Instructions of one call; trip counts that depend on the call count as unknown.
  llvm::DenseMap<const llvm::Function*, int64_t> costs_;
};

/// Whether every operation of the formula finds its operands, and every argument lies in a block of
/// so many bytes: what comes from a file may be anything.
bool isValid(const WorkFormula& formula, uint64_t argumentBytes);

}  // namespace weft::compiler
