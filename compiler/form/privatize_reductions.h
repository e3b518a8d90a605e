// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include <string>
#include <utility>

#include "weft/compiler/kernel_info.h"

namespace weft::compiler {

/// Makes local memory of what a thread has of its own to reduce into.
///
/// Like local memory it is seen by one thread alone, which runs one group after the other, so that
/// all that is known of updates of local memory holds: they need no locks, and those of a row of
/// elements are made at once. Unlike local memory it outlives the group.
///
/// Does:    casts arguments of KernelInfo::reductions to the local address space, and all that is
///          computed from them with it; marks updates that are likely to change nothing as
///          kSettledUpdate, where elements are settled.
/// Assumes: VariantKey::reductions other than Shared.
/// Leaves:  no access to what these arguments point to in the global address space.
/// Reads:   nothing.
class PrivatizeReductionsPass : public llvm::PassInfoMixin<PrivatizeReductionsPass> {
 public:
  PrivatizeReductionsPass(KernelInfo kernel, std::string body, bool settled)
      : kernel_(std::move(kernel)), body_(std::move(body)), settled_(settled) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);

 private:
  KernelInfo kernel_;
  std::string body_;  ///< name of the kernel's function in the module
  bool settled_;      ///< ReductionElements::OwnSettled
};

}  // namespace weft::compiler
