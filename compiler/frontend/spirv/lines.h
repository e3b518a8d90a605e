// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "frontend/spirv/reader.h"

namespace weft::compiler::spirv {

/// Gives the instructions of a function the places in the source that OpLine says, for messages
/// about barriers. Functions without OpLine have none.
class Lines {
 public:
  Lines(Reader& reader, std::span<const Instruction> body, llvm::Function& function);

  /// What is made from now on has the place of `line`, an OpLine; of no known line when null.
  void at(const Instruction* line, llvm::IRBuilder<>& builder);

 private:
  Reader& reader_;
  llvm::DISubprogram* function_ = nullptr;
};

}  // namespace weft::compiler::spirv
