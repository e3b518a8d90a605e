// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <vector>

#include "context/context.h"
#include "program/kernel_code.h"
#include "weft/runtime/device_enqueue.h"

namespace weft {

/// The code of a program's blocks on one device, for the kernels that enqueue them. Plans are made
/// when a range is first asked for, and kept as those of other kernels are.
///
/// Ownership: holds the program; borrows the context, which a command that uses this holds.
/// Threads: any.
class BlockCodes final : public RefCounted, public runtime::BlockSource {
 public:
  BlockCodes(Context& context, Device& device, const Ref<compiler::Program>& program);

  const compiler::KernelInfo* info(uint64_t kernel) const noexcept override;
  Problem find(uint64_t kernel, const abi::DeviceRange& range, const void* arguments,
               Found& found) noexcept override;
  uint32_t query(uint64_t kernel, abi::BlockQuery query,
                 const abi::DeviceRange* range) const noexcept override;
  uint64_t maxLocalBytes() const noexcept override { return device_.localMemory(); }
  bool zeroesLocalMemory() const noexcept override { return context_.zeroesLocalMemory(); }
  bool tellsErrors() const noexcept override { return tellsErrors_; }

 private:
  ~BlockCodes() override = default;
  Problem plan(const KernelCode& code, LaunchRequest& request, const void* arguments,
               Found& found) const;
  static void take(const PlannedLaunch& plan, Found& found) noexcept;

  Context& context_;
  Device& device_;
  std::vector<std::unique_ptr<KernelCode>> codes_;
  bool tellsErrors_ = false;
};

}  // namespace weft
