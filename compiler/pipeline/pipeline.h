// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/program_scope.h"
#include "ir/host_target.h"
#include "prepare/inline_budget.h"
#include "weft/abi/services.h"
#include "weft/compiler/compiler.h"

/// The whole order of the kernel compiler after the front end; called by the Program and
/// Compiler implementation (compiler/driver) and by weft-opt.
///
/// Every function may be called on a compiler thread only (large stack, fatal errors contained).
namespace weft::compiler {

class PassControl;

struct PrepareOptions {
  uint64_t maxLocalBytes = 0;
  uint64_t maxGlobalVariableBytes = 0;  ///< 0: no limit
  uint64_t inlineBudget = InlineBudgetPass::kDefaultBudget;
  bool optimize = true;      ///< false: -cl-opt-disable
  bool zeroPrivate = false;  ///< private memory begins as zeros
  bool hasImages = true;     ///< the device has: no kernel can be given one otherwise
  Tier tier = Tier::Final;   ///< of variants
  std::string dumpDirectory;
  /// What code may call. A function that is neither defined nor in here is an error of the build;
  /// when empty, only names that C++ mangling shows to be of the language are.
  abi::ServiceTable services;
  /// Whether to give a variant up; asked between passes of the optimiser. May be empty.
  std::function<bool()> stop;
  /// Told the name of each phase of a variant that has ended. May be empty.
  std::function<void(const char*)> phaseEnded;
  PassControl* control = nullptr;  ///< which passes run; null: all
  bool keepLines = false;          ///< of prepareProgram: places in the source, for `explain`
  /// Told how a variant is run, what became of its loops over work-items and what cost lanes, as
  /// remarks with places, each of which ends in a newline. May be empty.
  std::function<void(const std::string&)> explain;
};

/// What is known of a program besides its code.
struct PreparedProgram {
  std::vector<KernelInfo> kernels;       ///< in order of definition
  std::vector<KernelInfo> blocks;        ///< Program::blocks()
  std::vector<KernelInfo> constructors;  ///< in the order in which they have to run
  ProgramScope programScope;
};

/// Turns a freshly linked module into program IR: for the host triple, builtin calls resolved
/// as far as the library goes, inlined within the budget, simplified, verified, `__local`
/// variables and those at program scope laid out, barriers numbered, and one KernelInfo for each
/// kernel.
///
/// Pre: target types lowered, builtins linked. Errors: undefined functions, unsupported
/// constructs, too much local memory; the text goes to the build log.
llvm::Expected<PreparedProgram> prepareProgram(llvm::Module& module, const PrepareOptions& options);

/// Machine code (an ELF relocatable object) of one kernel in one form, from program IR, which
/// is not changed. The entry symbol is variantSymbol(kernel, key).
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> compileVariant(const llvm::Module& program,
                                                                   const KernelInfo& kernel,
                                                                   const VariantKey& key,
                                                                   const PrepareOptions& options);

/// The first half of compileVariant: the variant's optimised module, before code generation.
llvm::Expected<std::unique_ptr<llvm::Module>> optimiseVariant(const llvm::Module& program,
                                                              const KernelInfo& kernel,
                                                              const VariantKey& key,
                                                              const PrepareOptions& options,
                                                              llvm::TargetMachine& machine);

std::string variantSymbol(const std::string& kernel, const VariantKey& key);

}  // namespace weft::compiler
