// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/Error.h>
#include <llvm/Target/TargetMachine.h>

#include <functional>
#include <string>

#include "ir/error_log.h"
#include "pipeline/pass_control.h"

namespace weft::compiler {

/// The analysis managers of one compilation, wired up once, and the running of phases on them.
///
/// Ownership: borrows the target machine. Threads: one.
class PassRunner {
 public:
  /// `dumpDirectory` empty: no dumps. `name` starts the names of dump files. `stop`, when not
  /// empty, is asked before each pass whether to give up. `control` may be null.
  PassRunner(llvm::TargetMachine* machine, std::string dumpDirectory, std::string name,
             std::function<bool()> stop = {}, PassControl* control = nullptr);

  /// Runs one phase. Fails with what its passes reported, when it was to give up, or, when
  /// `verify`, with what LLVM's verifier finds wrong afterwards.
  llvm::Error run(llvm::Module& module, llvm::ModulePassManager passes, const char* phase,
                  bool verify = kVerifyEachPhase);

  ErrorLog& errors() { return errors_; }
  llvm::PassBuilder& builder() { return builder_; }

#ifdef NDEBUG
  static constexpr bool kVerifyEachPhase = false;
#else
  static constexpr bool kVerifyEachPhase = true;
#endif

 private:
  void registerStop();
  void registerControl(PassControl& control);
  void registerInstrumentation();
  void dump(const llvm::Module& module, const char* phase);

  std::string dumpDirectory_;
  std::string name_;
  unsigned phases_ = 0;
  std::function<bool()> stop_;
  llvm::PassInstrumentationCallbacks callbacks_;  ///< empty unless there is a stop_ or a control
  llvm::StringRef controlled_;                    ///< class of the pass that a control let run
  llvm::Module* module_ = nullptr;                ///< of the phase that runs
  ErrorLog errors_;
  llvm::PassBuilder builder_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
};

/// LLVM's verifier as an error with its text.
llvm::Error verify(const llvm::Module& module, const char* phase);

/// Registers what our pipelines change in LLVM's analyses: alias analysis by address space, and
/// a library of C functions that is all but empty, since names in a kernel are the user's.
void registerAnalyses(llvm::PassBuilder& builder, llvm::FunctionAnalysisManager& functions);

}  // namespace weft::compiler
