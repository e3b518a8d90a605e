// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/object_mutex.h"
#include "memory/memory.h"
#include "weft/abi/work_group.h"
#include "weft/support/ref.h"

namespace weft {

/// The arguments of one command: the block that compiled code reads, and the objects that must live
/// as long. Threads: its owner's; read by all workers once the command is enqueued.
class ArgumentSnapshot {
 public:
  ArgumentSnapshot(size_t blockBytes, size_t pointers)
      : block_(new(std::align_val_t{abi::kArgumentAlignment})
                   std::byte[std::max<size_t>(blockBytes, 1)]) {
    held_.reserve(pointers);
  }

  std::byte* block() const noexcept { return block_.get(); }
  /// Takes a reference. Pre: at most `pointers` of the constructor.
  void hold(RefCounted& object) { held_.emplace_back(&object); }
  void drop() noexcept { held_.clear(); }

 private:
  friend class SnapshotPool;
  struct Delete {
    void operator()(std::byte* bytes) const noexcept {
      ::operator delete[](bytes, std::align_val_t{abi::kArgumentAlignment});
    }
  };
  std::unique_ptr<std::byte[], Delete> block_;
  std::vector<Ref<RefCounted>> held_;
  ArgumentSnapshot* next_ = nullptr;  ///< in the pool's list
};

/// Snapshots of one kernel that are not in use, so that launches allocate nothing once there
/// have been as many in flight before.
///
/// Ownership: shared by the kernel and its commands in flight. Threads: any.
class SnapshotPool final : public RefCounted {
 public:
  /// `blockBytes` and `pointers` are the kernel's: every snapshot is made for them.
  SnapshotPool(size_t blockBytes, size_t pointers) noexcept
      : blockBytes_(blockBytes), pointers_(pointers) {}

  /// Throws std::bad_alloc.
  ArgumentSnapshot* take() WEFT_EXCLUDES(mutex_) {
    {
      ObjectLock lock(mutex_);
      if (free_ != nullptr) return std::exchange(free_, free_->next_);
    }
    return new ArgumentSnapshot(blockBytes_, pointers_);
  }
  void give(ArgumentSnapshot* snapshot) noexcept WEFT_EXCLUDES(mutex_) {
    snapshot->drop();  // may free memory objects, so not under the lock
    ObjectLock lock(mutex_);
    snapshot->next_ = std::exchange(free_, snapshot);
  }

 private:
  ~SnapshotPool() override {
    while (free_ != nullptr) delete std::exchange(free_, free_->next_);
  }

  const size_t blockBytes_;
  const size_t pointers_;
  ObjectMutex mutex_;
  ArgumentSnapshot* free_ WEFT_GUARDED_BY(mutex_) = nullptr;
};

/// A snapshot on loan from its pool.
class LoanedSnapshot {
 public:
  LoanedSnapshot() = default;
  explicit LoanedSnapshot(const Ref<SnapshotPool>& pool) : pool_(pool), snapshot_(pool->take()) {}
  LoanedSnapshot(LoanedSnapshot&& other) noexcept
      : pool_(std::move(other.pool_)), snapshot_(std::exchange(other.snapshot_, nullptr)) {}
  LoanedSnapshot& operator=(LoanedSnapshot other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(snapshot_, other.snapshot_);
    return *this;
  }
  ~LoanedSnapshot() { reset(); }

  ArgumentSnapshot* operator->() const noexcept { return snapshot_; }
  void reset() noexcept {
    if (snapshot_ != nullptr) pool_->give(std::exchange(snapshot_, nullptr));
    pool_ = nullptr;
  }

 private:
  Ref<SnapshotPool> pool_;
  ArgumentSnapshot* snapshot_ = nullptr;
};

}  // namespace weft
