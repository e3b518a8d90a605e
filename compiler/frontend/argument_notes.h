// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ASTConsumer.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ir/argument_note.h"

namespace weft::compiler {

/// What the types of the parameters of kernels say in OpenCL C.
class ArgumentNotes {
 public:
  /// A consumer that takes notes of every kernel that is defined. The notes outlive it.
  static std::unique_ptr<clang::ASTConsumer> collector(ArgumentNotes& notes);
  /// Leaves: metadata `weft.arguments` (names.h) at each kernel.
  void attach(llvm::Module& module) const;

 private:
  class Collector;

  std::map<std::string, std::vector<ArgumentNote>> notes_;
};

}  // namespace weft::compiler
