// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/module_pool.h"

#include <utility>

namespace weft::compiler {

/// A second one is parsed while the first is worked on; more are not kept.
static constexpr size_t kKeptUnits = 2;

ModulePool::ModulePool(std::unique_ptr<IrUnit> unit) {
  MutexLock lock(mutex_);
  if (unit) units_.push_back(std::move(unit));
}

Expected<std::unique_ptr<IrUnit>, std::string> ModulePool::take(size_t leave,
                                                                std::string_view bitcode,
                                                                bool keepNames) {
  {
    MutexLock lock(mutex_);
    if (units_.size() > leave) {
      auto unit = std::move(units_.back());
      units_.pop_back();
      return unit;
    }
  }
  return IrUnit::parse(bitcode, keepNames);
}

void ModulePool::giveBack(std::unique_ptr<IrUnit> unit) {
  MutexLock lock(mutex_);
  if (units_.size() < kKeptUnits) units_.push_back(std::move(unit));
}

bool ModulePool::isEmpty() const noexcept {
  MutexLock lock(mutex_);
  return units_.empty();
}

void ModulePool::clear() noexcept {
  MutexLock lock(mutex_);
  units_.clear();
}

}  // namespace weft::compiler
