// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/memory.h"
#include "queue/transfer.h"
#include "weft/runtime/executor.h"
#include "weft/support/ref.h"

namespace weft {

/// One command of a command buffer in the form in which it is replayed: checked and prepared.
///
/// Ownership: holds what it needs to run. Threads: immutable but for what is learned of its cost,
/// so that any number of replays run it at the same time.
class Step : public RefCounted {
 public:
  /// Parts of its work that may run at the same time; 0 when there is nothing to run.
  size_t parts() const noexcept { return parts_; }
  /// Whether everything has been set that it needs to run.
  bool isComplete() const noexcept { return complete_; }

  /// Runs the parts [first, last) on the calling thread. Failures and output go to `job`.
  virtual void run(size_t first, size_t last, runtime::Slot& slot,
                   runtime::Job& job) const noexcept = 0;

  /// Nanoseconds that all parts together took at last; 0 when that is not known.
  uint32_t cost() const noexcept { return cost_.load(std::memory_order_relaxed); }
  void setCost(uint32_t nanoseconds) const noexcept {
    cost_.store(nanoseconds, std::memory_order_relaxed);
  }

 protected:
  explicit Step(size_t parts) noexcept : parts_(parts) {}
  ~Step() override = default;

  size_t parts_;
  bool complete_ = true;

 private:
  mutable std::atomic<uint32_t> cost_{0};
};

/// A barrier: nothing to run, but a place in the order.
class EmptyStep final : public Step {
 public:
  EmptyStep() noexcept : Step(0) {}
  void run(size_t, size_t, runtime::Slot&, runtime::Job&) const noexcept override {}

 private:
  ~EmptyStep() override = default;
};

/// A copy or fill, with the memory objects it keeps alive.
class TransferStep final : public Step {
 public:
  /// `threads` as for Transfer::parts; `first` and `second` may be null.
  TransferStep(const Transfer& transfer, unsigned threads, Memory* first, Memory* second) noexcept
      : Step(transfer.parts(threads)), transfer_(transfer), first_(first), second_(second) {}

  void run(size_t first, size_t last, runtime::Slot&, runtime::Job&) const noexcept override {
    if (last - first == parts_) {
      transfer_.run(0, 1);
      return;
    }
    for (size_t part = first; part < last; ++part) transfer_.run(part, parts_);
  }

 private:
  ~TransferStep() override = default;

  const Transfer transfer_;
  const Ref<Memory> first_;
  const Ref<Memory> second_;
};

}  // namespace weft
