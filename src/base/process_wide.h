// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <new>

#include "base/fork.h"

namespace weft {

/// The one T of the process, made in place by the first call of get() and never destroyed, since
/// threads and handles may outlive static destructors. No fork() happens while it is made; a
/// ForkParticipant takes part in all that follow, at T::kForkOrder.
///
/// Threads: any. The first call of get() is made without a lock that a fork takes, and not by
/// `make` of another.
template <class T>
class ProcessWide {
 public:
  constexpr ProcessWide() = default;

  template <class Make>
  T& get(const Make& make) {
    if (T* ready = object_.load(std::memory_order_acquire)) [[likely]]
      return *ready;
    NoFork noFork;
    T* object = object_.load(std::memory_order_relaxed);
    if (object == nullptr) {
      object = ::new (storage_) T(make());
      if constexpr (std::derived_from<T, ForkParticipant>) noFork.enlist(*object, T::kForkOrder);
      object_.store(object, std::memory_order_release);
    }
    return *object;
  }
  T& get() {
    return get([] { return T(); });
  }

 private:
  std::atomic<T*> object_{nullptr};
  alignas(T) std::byte storage_[sizeof(T)]{};
};

}  // namespace weft
