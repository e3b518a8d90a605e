// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Module.h>

namespace weft::compiler {

/// Decides which passes of a compilation run, and sees what they do: for tools and tests that look
/// for the pass that is at fault.
///
/// A kernel whose passes run up to any point, and not beyond, still has all lowering that its code
/// cannot do without, and gives the same results.
/// Threads: the ones that compile, one after the other.
class PassControl {
 public:
  virtual ~PassControl() = default;

  /// Whether to run `pass` on `where`, a function or loop of `module`. Asked before each execution
  /// of a pass that code can do without, and for three steps that are no passes:
  ///   form-kernel       what comes before it is the program's, after it the variant's. It is done
  ///                     whatever the answer; ask for fibers of one work-item where it is no.
  ///   vectorize-items   the same for fibers in lanes, and for lanes that are sub-groups, which
  ///                     cannot run before they are vectors.
  ///   code-generation   no: without optimisation, and what has no value gets one.
  virtual bool mayRun(llvm::StringRef pass, llvm::StringRef where, llvm::Module& module) = 0;

  /// What was last allowed has been done to `module`.
  virtual void ran(llvm::Module& /*module*/) {}
};

/// Names of the steps that are no passes.
inline constexpr const char* kFormStep = "form-kernel";
inline constexpr const char* kLanesStep = "vectorize-items";
inline constexpr const char* kCodeStep = "code-generation";

}  // namespace weft::compiler
