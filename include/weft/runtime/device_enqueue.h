// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "weft/abi/device_enqueue.h"
#include "weft/compiler/kernel_info.h"
#include "weft/runtime/launch.h"
#include "weft/support/nd_range.h"
#include "weft/support/ref.h"

/// Kernels that kernels enqueue, as the host API sees them (docs/decisions/0021).
namespace weft::runtime {

class Job;
class Slot;

/// What a queue_t points to: room for launches that have not begun.
///
/// Ownership: the host's queue object. Threads: any.
class DeviceQueue {
 public:
  explicit DeviceQueue(uint64_t bytes) noexcept
      : size_(bytes), free_(static_cast<int64_t>(bytes)) {}
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;

  uint64_t size() const noexcept { return size_; }
  /// False, and nothing is taken, when there is not so much room.
  bool take(uint64_t bytes) noexcept {
    const auto amount = static_cast<int64_t>(bytes);
    if (free_.load(std::memory_order_relaxed) < amount) return false;
    if (free_.fetch_sub(amount, std::memory_order_relaxed) >= amount) return true;
    give(bytes);
    return false;
  }
  void give(uint64_t bytes) noexcept {
    free_.fetch_add(static_cast<int64_t>(bytes), std::memory_order_relaxed);
  }

 private:
  const uint64_t size_;
  std::atomic<int64_t> free_;
};

/// Where the code of a program's block kernels comes from.
/// Threads: any, also while kernels run; may take as long as a compilation.
class BlockSource {
 public:
  enum class Problem : uint8_t { None, InvalidKernel, InvalidRange, OutOfResources };
  struct Found {
    const LaunchShape* shape = nullptr;  ///< null for an empty range
    Ref<const RefCounted> keeper;  ///< of the shape; null where it stays as long as the source
    void* programScope = nullptr;
  };

  /// Facts about a block's kernel; null when there is no such one.
  virtual const compiler::KernelInfo* info(uint64_t kernel) const noexcept = 0;
  /// Code of a block's kernel for a range, sliced. The argument block is as for other kernels: the
  /// first argument is the literal's address, the others are in local memory.
  virtual Problem find(uint64_t kernel, const abi::DeviceRange& range, const void* arguments,
                       Found& found) noexcept = 0;
  virtual uint32_t query(uint64_t kernel, abi::BlockQuery query,
                         const abi::DeviceRange* range) const noexcept = 0;
  /// Of a group.
  virtual uint64_t maxLocalBytes() const noexcept = 0;
  virtual bool zeroesLocalMemory() const noexcept = 0;
  /// Whether errors are told in detail: the program was built with -g.
  virtual bool tellsErrors() const noexcept = 0;

 protected:
  ~BlockSource() = default;
};

/// One launch and the launches that it has enqueued: the host's command, or a child of it.
struct LaunchNode;

/// A command of a kernel that enqueues others, with all of them.
///
/// The command's own parts are run through this. It has ended when they have, and is complete when
/// everything that they and their descendants have enqueued is complete too.
/// Ownership: the command's; borrows host, blocks and job. Threads: any.
class Descendants {
 public:
  /// The command. Threads: any; each of the last two once, in this order.
  class Host {
   public:
    /// Whether what has not begun is to be dropped: the command has failed.
    virtual bool isStopped() const noexcept = 0;
    /// The command's own work-groups have ended.
    virtual void ownPartsEnded() noexcept = 0;
    /// Everything is complete; the last that is done with this.
    virtual void allComplete() noexcept = 0;

   protected:
    ~Host() = default;
  };

  virtual ~Descendants() = default;
  /// For LaunchBindings::node of the command's launch.
  virtual LaunchNode* node() noexcept = 0;
  /// Runs a part of the command's launch, and whatever it and others of its descendants have left
  /// to do that nobody else does.
  virtual void runPart(const KernelLaunch& launch, size_t part, Slot& slot) noexcept = 0;
  /// The pool is done with the command's job.
  virtual void jobFinished() noexcept = 0;
};

/// What a command brings along for its descendants.
struct DescendantsOptions {
  Job& job;  ///< the command: told of failures and output, and how many parts there are
  Descendants::Host& host;
  BlockSource& blocks;
  DeviceQueue* defaultQueue = nullptr;
};

}  // namespace weft::runtime
