// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>

namespace weft::compiler {

/// An ELF object, in memory, of an optimised module. The module is used up by this.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> generateCode(llvm::Module& module,
                                                                 llvm::TargetMachine& machine);

}  // namespace weft::compiler
