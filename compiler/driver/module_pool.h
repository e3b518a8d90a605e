// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "frontend/ir_unit.h"
#include "weft/compiler/compiler.h"
#include "weft/support/mutex.h"

namespace weft::compiler {

/// Modules of one program that nobody works on; each in a context of its own, so that work goes on
/// in parallel.
///
/// Ownership: owns them; who takes one owns it until it is given back. Threads: any; clear() and
/// what takes a module, on compiler threads.
class ModulePool {
 public:
  /// `unit` may be null.
  explicit ModulePool(std::unique_ptr<IrUnit> unit);
  ModulePool(const ModulePool&) = delete;
  ModulePool& operator=(const ModulePool&) = delete;

  /// One of those that are here, of which `leave` stay; else a new one of `bitcode`, as
  /// IrUnit::parse makes it.
  Expected<std::unique_ptr<IrUnit>, std::string> take(size_t leave, std::string_view bitcode,
                                                      bool keepNames);
  /// More than a few are not kept.
  void giveBack(std::unique_ptr<IrUnit> unit);
  bool isEmpty() const noexcept;
  void clear() noexcept;

 private:
  mutable Mutex mutex_;
  std::vector<std::unique_ptr<IrUnit>> units_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace weft::compiler
