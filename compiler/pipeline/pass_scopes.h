// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

/// Passes that run others, or leave them out where they cannot find anything.
namespace llvm {
class Loop;
}

namespace weft::compiler {

/// Innermost loops that may be vectorised: none of their parents has been.
bool isScalarLoop(const llvm::Loop* loop);
/// Innermost loops whose straight code may be vectorised.
bool hasScalars(const llvm::Loop* loop);
/// Innermost loops that nobody has forbidden to unroll.
bool mayUnroll(const llvm::Loop* loop);

/// Runs passes on functions where they may find what they look for: in some loop that is `wanted`,
/// or outside of loops where there are none. Beside vectorised loops there is only their set-up
/// and remainders, on which the search would cost as much as anything here.
///
/// Does:    runs its passes on a function with such a loop, or with none at all.
/// Assumes: what its passes assume.
/// Leaves:  other functions as they are.
/// Reads:   what `wanted` asks of loops: llvm.loop metadata.
class WhereLoopsPass : public llvm::PassInfoMixin<WhereLoopsPass> {
 public:
  using Question = bool (*)(const llvm::Loop*);
  WhereLoopsPass(Question wanted, llvm::FunctionPassManager passes)
      : wanted_(wanted), passes_(std::move(passes)) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

 private:
  Question wanted_;
  llvm::FunctionPassManager passes_;
};

/// Runs function passes where there is something to win: not on what is hardly ever called, nor on
/// image functions for all formats, both of which the library has brought along optimised.
///
/// Does:    runs its passes on all other functions that have a body.
/// Assumes: what its passes assume.
/// Leaves:  rare functions as they are.
/// Reads:   names, attributes and types of functions.
class UnlessRarePass : public llvm::PassInfoMixin<UnlessRarePass> {
 public:
  explicit UnlessRarePass(llvm::FunctionPassManager passes) : passes_(std::move(passes)) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& modules);
  static bool isRequired() { return true; }

 private:
  llvm::FunctionPassManager passes_;
};

/// Runs passes, and others that clean up after them where they have changed anything.
///
/// Does:    runs `passes`, and then `cleanUp` unless all analyses are still preserved.
/// Assumes: what its passes assume; they tell whether they have changed anything.
/// Leaves:  what its passes leave.
/// Reads:   nothing of its own.
class AfterChangesPass : public llvm::PassInfoMixin<AfterChangesPass> {
 public:
  AfterChangesPass(llvm::FunctionPassManager passes, llvm::FunctionPassManager cleanUp)
      : passes_(std::move(passes)), cleanUp_(std::move(cleanUp)) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

 private:
  llvm::FunctionPassManager passes_;
  llvm::FunctionPassManager cleanUp_;
};

/// A pass that no PassControl leaves out.
///
/// Does:    what the pass does.
/// Assumes: what the pass assumes.
/// Leaves:  what the pass leaves.
/// Reads:   what the pass reads.
template <class PassT>
class RequiredPass : public llvm::PassInfoMixin<RequiredPass<PassT>> {
 public:
  explicit RequiredPass(PassT pass) : pass_(std::move(pass)) {}
  template <class... Arguments>
  llvm::PreservedAnalyses run(Arguments&... arguments) {
    return pass_.run(arguments...);
  }
  static bool isRequired() { return true; }

 private:
  PassT pass_;
};

}  // namespace weft::compiler
