// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/containment.h"

#include <llvm/Support/ErrorHandling.h>

#include <mutex>
#include <new>

namespace weft::compiler {

void installFatalErrorHandlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_fatal_error_handler(
        [](void*, const char* reason, bool) {
          throw FatalCompilerError(FatalCompilerError::Reason::Internal, reason);
        },
        nullptr);
    llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { throw std::bad_alloc(); },
                                          nullptr);
  });
}

}  // namespace weft::compiler
