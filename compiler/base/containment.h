// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <utility>

namespace weft::compiler {

/// Thrown where the compiler cannot go on: a fatal error of LLVM, or a limit of ours. Unwinds
/// through frames of LLVM and Clang, which skip their destructors, to the one boundary in
/// CompilerThreads; whatever it passes is left as it was and never used again.
class FatalCompilerError : public std::exception {
 public:
  enum class Reason { Internal, Limit };
  FatalCompilerError(Reason reason, std::string text) : reason_(reason), text_(std::move(text)) {}
  Reason reason() const noexcept { return reason_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Reason reason_;
  std::string text_;
};

/// Makes LLVM's fatal errors throw FatalCompilerError. Once for each process; later calls do
/// nothing. Our LLVM is private to the library, so no other user of LLVM is affected.
void installFatalErrorHandlers();

/// Leaks what it owns while an exception unwinds: objects of LLVM that a fatal error has left
/// half-changed must not be destroyed.
struct QuarantineDelete {
  template <class T>
  void operator()(T* object) const noexcept {
    if (std::uncaught_exceptions() == 0) delete object;
  }
};
template <class T>
using Quarantined = std::unique_ptr<T, QuarantineDelete>;

}  // namespace weft::compiler
