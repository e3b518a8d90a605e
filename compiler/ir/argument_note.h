// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Argument.h>
#include <llvm/IR/Function.h>

#include <optional>

#include "weft/compiler/kernel_info.h"

namespace weft::compiler {

/// What the type of a kernel's parameter says in its language, and LLVM's type does not. Each front
/// end writes it as metadata `weft.arguments` (names.h); names and type names, which are only told,
/// stand in Clang's own metadata.
struct ArgumentNote {
  ArgumentKind kind = ArgumentKind::Value;  ///< Value too where LLVM's type tells the kind
  uint32_t alignment = 1;                   ///< of what a pointer points to
  ImageType image = ImageType::None;
  AccessQualifier access = AccessQualifier::None;  ///< of images and pipes
  bool isConst = false;                            ///< so are isVolatile: what a pointer points to
  bool isRestrict = false;
  bool isVolatile = false;
};

/// Pre: one note for each parameter.
void setArgumentNotes(llvm::Function& kernel, llvm::ArrayRef<ArgumentNote> notes);

/// Nothing where no front end has left a note, or one that cannot be true.
std::optional<ArgumentNote> argumentNote(const llvm::Argument& argument);

}  // namespace weft::compiler
