// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "memory/memory.h"
#include "queue/transfer.h"
#include "weft/runtime/step.h"
#include "weft/support/ref.h"

namespace weft {

using runtime::Step;  // of a command buffer: one command in the form in which it is replayed

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
