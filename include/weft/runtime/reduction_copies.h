// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "weft/compiler/kernel_info.h"

namespace weft::runtime {

/// Bytes behind each pointer of KernelInfo::reductions, in their order.
using ReductionSizes = std::array<uint64_t, compiler::kMostReductions>;

/// For one launch: what each slot of the executor has of its own to reduce into, and an argument
/// block for each that points there. It begins as neutral elements.
///
/// Ownership: its memory; borrows the kernel and the memory that it is merged into.
/// Threads: made by one; merge() by one, once no slot runs the launch any more.
class ReductionCopies {
 public:
  /// Null where there is no memory for it. `arguments` is the block that the launch would have
  /// otherwise; it is not read later on. Pre: it points to so many bytes of memory.
  static std::unique_ptr<ReductionCopies> create(const compiler::KernelInfo& kernel,
                                                 const void* arguments, const ReductionSizes& sizes,
                                                 unsigned slots);

  /// For LaunchBindings: the block of slot 0, and how far it is from there to the next one's.
  const void* arguments() const noexcept { return blocks_; }
  uint64_t stride() const noexcept { return stride_; }

  /// Reduces what the slots have into what the launch's own block points to. Others may do so at
  /// the same time.
  void merge() const noexcept;

 private:
  struct Free {
    void operator()(std::byte* memory) const noexcept { std::free(memory); }
  };
  struct Place {
    std::byte* target = nullptr;
    uint64_t offset = 0;  ///< of a slot's copy, from its block
    uint64_t bytes = 0;   ///< of whole elements
  };

  explicit ReductionCopies(const compiler::KernelInfo& kernel) noexcept : kernel_(kernel) {}
  void fill(const void* arguments) noexcept;

  const compiler::KernelInfo& kernel_;
  std::array<Place, compiler::kMostReductions> places_{};  ///< parallel to the reductions
  uint64_t stride_ = 0;
  unsigned slots_ = 0;
  std::unique_ptr<std::byte, Free> memory_;
  std::byte* blocks_ = nullptr;  ///< in it, aligned as argument blocks are
};

}  // namespace weft::runtime
