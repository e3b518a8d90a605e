// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>

#include "weft/support/mutex.h"

namespace weft {

/// The one object of its kind, made by the first call of get() and never destroyed. A local static
/// would do the same; but its guard is code of a libstdc++ that is linked into the library, which
/// ThreadSanitizer does not see, so that it takes the first use on each thread for a race.
///
/// Threads: any. get() may not be called by `make`.
template <class T>
class Once {
 public:
  constexpr Once() = default;

  template <class Make>
  T& get(const Make& make) {
    if (T* ready = object_.load(std::memory_order_acquire)) [[likely]]
      return *ready;
    MutexLock lock(mutex_);
    T* object = object_.load(std::memory_order_relaxed);
    if (object == nullptr) {
      object = make();
      object_.store(object, std::memory_order_release);
    }
    return *object;
  }

 private:
  std::atomic<T*> object_{nullptr};
  Mutex mutex_;
};

}  // namespace weft
