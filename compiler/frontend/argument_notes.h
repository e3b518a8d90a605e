// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ASTConsumer.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "weft/compiler/kernel_info.h"

namespace weft::compiler {

/// What the types of kernels' parameters say that LLVM's do not: kinds of objects, how what a local
/// pointer points to is aligned, and types of images.
class ArgumentNotes {
 public:
  struct Note {
    ArgumentKind kind = ArgumentKind::Value;
    uint32_t alignment = 1;  ///< of what a pointer points to
    ImageType image = ImageType::None;
  };

  /// A consumer that takes notes of every kernel that is defined. The notes outlive it.
  static std::unique_ptr<clang::ASTConsumer> collector(ArgumentNotes& notes);
  /// Leaves: metadata `weft.arguments` (names.h) at each kernel.
  void attach(llvm::Module& module) const;

  void add(const std::string& kernel, std::vector<Note> notes) {
    notes_[kernel] = std::move(notes);
  }

 private:
  std::map<std::string, std::vector<Note>> notes_;
};

}  // namespace weft::compiler
