// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

#include "frontend/spirv/reader.h"

namespace weft::compiler::spirv {

/// Takes in what sets for debuggers say of files and names of functions, wherever they stand.
void readDebugNotes(Reader& reader);

/// Gives the instructions of a function the places in the source that OpLine says, or DebugLine of
/// NonSemantic.Shader.DebugInfo.100, for messages about barriers. Functions without have none.
class Lines {
 public:
  Lines(Reader& reader, uint32_t function, std::span<const Instruction> body, llvm::Function& made);

  /// What is made from now on has the place that `i` says, if it says one, or that it ends.
  void read(const Instruction& i, llvm::IRBuilder<>& builder);
  /// What is made from now on is of no known line.
  void end(llvm::IRBuilder<>& builder);

 private:
  struct Place {
    uint32_t file;  ///< a string's id
    uint32_t line, column;
  };
  std::optional<Place> placeOf(const Instruction& i) const;
  uint32_t number(uint32_t id) const;

  Reader& reader_;
  llvm::DISubprogram* function_ = nullptr;
};

}  // namespace weft::compiler::spirv
