// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "frontend/build_options.h"
#include "frontend/ir_unit.h"
#include "weft/support/result.h"

namespace weft::compiler {

/// One input of a link.
struct LinkInput {
  std::string_view bitcode;
  bool takesOptions = true;  ///< false for libraries made without -enable-link-options
};

/// Makes the arithmetic of a module as loose as the options allow.
void applyMathOptions(llvm::Module& module, const BuildOptions& options);

/// Merges compiled objects and libraries into one module. The arithmetic of those that take
/// options becomes as loose as the linker options allow. Functions that are defined twice are
/// an error; the text is for the build log.
Expected<std::unique_ptr<IrUnit>, std::string> linkObjects(std::span<const LinkInput> inputs,
                                                           const BuildOptions& options);

}  // namespace weft::compiler
