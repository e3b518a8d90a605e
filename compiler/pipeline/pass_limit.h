// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "pipeline/pass_control.h"

namespace weft::compiler {

/// Runs a compilation up to one of its passes, and writes the code before and after some of them.
class PassLimit final : public PassControl {
 public:
  struct Options {
    uint64_t passes = UINT64_MAX;  ///< as many run
    /// Told of each pass, whether or not it runs. May be empty.
    std::function<void(llvm::StringRef pass, llvm::StringRef where)> asked;
    /// Where before.ll and after.ll go: the code before the first and after the last pass of these.
    /// Empty: nowhere.
    std::string folder;
    uint64_t firstWritten = 0, lastWritten = 0;
  };
  explicit PassLimit(Options options) : options_(std::move(options)) {}

  bool mayRun(llvm::StringRef pass, llvm::StringRef where, llvm::Module& module) override;
  void ran(llvm::Module& module) override;

 private:
  void write(const char* file, const llvm::Module& module) const;

  Options options_;
  uint64_t asked_ = 0;
  bool writesNext_ = false;  ///< what was done last has not been written yet
};

}  // namespace weft::compiler
