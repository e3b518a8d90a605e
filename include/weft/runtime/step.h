// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "weft/runtime/executor.h"
#include "weft/support/ref.h"

namespace weft::runtime {

/// Work in parts that is checked and prepared, and may run any number of times.
///
/// Ownership: holds what it needs to run. Threads: immutable but for what is learned of its cost,
/// so that any number of runs run it at the same time.
class Step : public RefCounted {
 public:
  /// Parts of its work that may run at the same time; 0 when there is nothing to run.
  size_t parts() const noexcept { return parts_; }
  bool takesRuns() const noexcept { return takesRuns_; }  ///< as Job::takesRuns
  /// Whether everything has been set that it needs to run.
  bool isComplete() const noexcept { return complete_; }

  /// Runs the parts [first, last) on the calling thread. Failures and output go to `job`.
  virtual void run(size_t first, size_t last, Slot& slot, Job& job) const noexcept = 0;

  /// Nanoseconds that all parts together took at last; 0 when that is not known.
  uint32_t cost() const noexcept { return cost_.load(std::memory_order_relaxed); }
  void setCost(uint32_t nanoseconds) const noexcept {
    cost_.store(nanoseconds, std::memory_order_relaxed);
  }

 protected:
  explicit Step(size_t parts) noexcept : parts_(parts) {}
  ~Step() override = default;

  size_t parts_;
  bool takesRuns_ = false;
  bool complete_ = true;

 private:
  mutable std::atomic<uint32_t> cost_{0};
};

}  // namespace weft::runtime
