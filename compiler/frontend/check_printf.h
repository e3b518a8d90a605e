// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ASTConsumer.h>

#include <memory>

namespace clang {
class DiagnosticsEngine;
}

namespace weft::compiler {

/// A consumer that warns of every printf with a known format whose %s is given a pointer that is
/// not to the constant address space. OpenCL C 6.15.14.2 allows literal strings only, which are
/// there; such a call prints nothing and returns -1, and Clang's own check of formats does not
/// look at address spaces.
std::unique_ptr<clang::ASTConsumer> createPrintfChecker(clang::DiagnosticsEngine& diagnostics);

}  // namespace weft::compiler
