// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

#include <memory>
#include <string>

namespace weft::compiler {

/// A new module, in the same context, with copies of one kernel and of all it reaches; the rest
/// of the program is not cloned. Everything copied is internal. The kernel is named
/// `<name>.body`, so that no name of the user's reaches the object file.
///
/// Pre: `kernel` is a definition of `program`.
std::unique_ptr<llvm::Module> extractKernel(const llvm::Module& program,
                                            const llvm::Function& kernel);

/// Name of the kernel's copy in an extracted module.
std::string bodyName(llvm::StringRef kernel);

}  // namespace weft::compiler
