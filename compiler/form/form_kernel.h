// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include <string>

#include "ir/error_log.h"
#include "weft/compiler/compiler.h"

namespace weft::compiler {

/// Builds the entry function of the ABI around a kernel's body.
///
/// flat:   a loop over rows with a loop along dimension 0 in it, over the box [globalBase, boxEnd).
/// group:  the same loops over the local ids of one work-group.
/// fibers: one work-item, no loop; at other widths than 1 a loop over as many work-items of the
///         row as vectorize-items will take into lanes; kLaneCount is the placeholder for that trip
///         count.
/// barrier loops: such loops around each region between barriers; see form_barrier_loops.h.
///
/// In the loop forms the work-item is a variable of the entry function. The body is inlined; its
/// own variables then stand in the entry block, and the innermost loop is marked as parallel:
/// work-items are independent of each other in global, local and constant memory, while a
/// variable that every iteration of the loop shares keeps its dependences.
///
/// Does:    adds the entry; inlines and drops the body.
/// Assumes: all lowering passes have run, and fix-local-size with the size of the variant; a body
///          in the flat or group form reaches no barrier.
/// Leaves:  one external function, the entry.
/// Reads:   `weft-kernel`.
class FormKernelPass : public llvm::PassInfoMixin<FormKernelPass> {
 public:
  FormKernelPass(const KernelInfo& kernel, VariantKey key, std::string body, std::string symbol,
                 ErrorLog& errors)
      : kernel_(kernel),
        key_(key),
        body_(std::move(body)),
        symbol_(std::move(symbol)),
        errors_(&errors) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

 private:
  KernelInfo kernel_;
  VariantKey key_;
  std::string body_;    ///< name of the kernel's function in the module
  std::string symbol_;  ///< name of the entry to make
  ErrorLog* errors_;
};

}  // namespace weft::compiler
