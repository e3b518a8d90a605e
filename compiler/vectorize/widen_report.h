// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Instruction.h>

#include <map>
#include <string>

namespace weft::compiler {

/// What became of a loop's instructions, for people who want their kernels fast.
class WidenReport {
 public:
  /// `what` happened to `instruction`: one line for each kind and place in the source.
  void note(const char* what, const llvm::Instruction& instruction);
  std::string text() const;

 private:
  std::map<std::pair<std::string, unsigned>, unsigned> notes_;  ///< by kind and line
};

}  // namespace weft::compiler
