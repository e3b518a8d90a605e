// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/Twine.h>
#include <llvm/Support/Error.h>

#include <string>

namespace weft::compiler {

/// Collects what passes find wrong in the user's program; the text ends up in the build log.
///
/// Ownership: made by whoever runs the passes, outlives them. Threads: one.
class ErrorLog {
 public:
  void add(const llvm::Twine& message) { text_ += ("error: " + message + "\n").str(); }
  bool empty() const { return text_.empty(); }
  const std::string& text() const { return text_; }
  /// Success, or everything collected so far, which is taken out.
  llvm::Error take() {
    if (text_.empty()) return llvm::Error::success();
    std::string text;
    text.swap(text_);
    return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
  }

 private:
  std::string text_;
};

}  // namespace weft::compiler
