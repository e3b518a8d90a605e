// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/containment.h"
#include "weft/support/result.h"

namespace weft::compiler {

/// A module together with the context it lives in and what LLVM reports about it.
///
/// LLVM's own way to report an error in a context without a handler is to print and exit; here
/// the text is collected. Destroyed during unwinding, a unit leaks (see Quarantined).
/// Threads: one at a time; compiler threads only.
class IrUnit {
 public:
  /// `keepNames`: of values, which only readers of dumps have a use for, and which cost every
  /// phase.
  explicit IrUnit(bool keepNames = false);
  ~IrUnit();

  /// Reads bitcode that we wrote ourselves and whose checksum has been checked.
  static Expected<std::unique_ptr<IrUnit>, std::string> parse(std::string_view bitcode,
                                                              bool keepNames = false);
  std::string bitcode() const;

  llvm::LLVMContext& context() { return *context_; }
  llvm::Module& module() { return *module_; }
  const llvm::Module& module() const { return *module_; }
  bool hasModule() const { return module_ != nullptr; }
  void setModule(std::unique_ptr<llvm::Module> module) { module_.reset(module.release()); }

  /// Texts reported since the last call, one line each.
  std::string takeDiagnostics();

 private:
  struct Messages;
  std::shared_ptr<Messages> messages_;
  Quarantined<llvm::LLVMContext> context_;
  Quarantined<llvm::Module> module_;
};

}  // namespace weft::compiler
