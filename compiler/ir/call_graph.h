// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <optional>
#include <string>

namespace weft::compiler {

/// Who calls whom in one module. OpenCL C has no function pointers, so direct calls are all.
///
/// Ownership: borrows the module; describes it as it was at construction. Threads: one.
class CallGraph {
 public:
  using Functions = llvm::SmallVector<llvm::Function*, 8>;

  explicit CallGraph(llvm::Module& module);

  /// Functions called by `function`, declarations too, each once.
  llvm::ArrayRef<llvm::Function*> callees(const llvm::Function* function) const;
  /// Every definition after the definitions it calls. Pre: no recursion, or order is arbitrary
  /// within a cycle.
  const Functions& bottomUp() const { return bottomUp_; }
  /// The functions of a call cycle in calling order; empty when there is none.
  const Functions& cycle() const { return cycle_; }
  /// `root` and everything it may reach, declarations too.
  llvm::SetVector<llvm::Function*> reachable(llvm::Function* root) const;
  /// The definitions that satisfy `seed` or may reach a function that does.
  llvm::DenseSet<const llvm::Function*> reaching(
      llvm::function_ref<bool(const llvm::Function&)> seed) const;

 private:
  llvm::DenseMap<const llvm::Function*, Functions> callees_;
  Functions bottomUp_;
  Functions cycle_;
};

}  // namespace weft::compiler
