// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/argument_snapshot.h"

#include <algorithm>

namespace weft {

ArgumentSnapshot::ArgumentSnapshot(size_t blockBytes, size_t pointers)
    : block_(new(std::align_val_t{abi::kArgumentAlignment})
                 std::byte[std::max<size_t>(blockBytes, 1)]) {
  held_.reserve(pointers);
}

SnapshotPool::~SnapshotPool() {
  while (free_ != nullptr) delete std::exchange(free_, free_->next_);
}

ArgumentSnapshot* SnapshotPool::take() {
  {
    ObjectLock lock(mutex_);
    if (free_ != nullptr) return std::exchange(free_, free_->next_);
  }
  return new ArgumentSnapshot(blockBytes_, pointers_);
}

void SnapshotPool::give(ArgumentSnapshot* snapshot) noexcept {
  snapshot->drop();  // may free memory objects, so not under the lock
  ObjectLock lock(mutex_);
  snapshot->next_ = std::exchange(free_, snapshot);
}

}  // namespace weft
