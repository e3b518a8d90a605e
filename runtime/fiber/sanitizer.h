// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

// Which sanitizer this is compiled with; Clang and GCC say so differently.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEFT_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define WEFT_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(WEFT_ASAN)
#define WEFT_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__) && !defined(WEFT_TSAN)
#define WEFT_TSAN 1
#endif
#ifndef WEFT_ASAN
#define WEFT_ASAN 0
#endif
#ifndef WEFT_TSAN
#define WEFT_TSAN 0
#endif

#if WEFT_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if WEFT_TSAN
#include <sanitizer/tsan_interface.h>
#endif

// The first instructions on a new stack run before the sanitizer has been told of the stack.
#if defined(__clang__)
#define WEFT_UNINSTRUMENTED __attribute__((disable_sanitizer_instrumentation, noinline))
#else
#define WEFT_UNINSTRUMENTED __attribute__((no_sanitize_address, no_sanitize_thread, noinline))
#endif

namespace weft::runtime {

/// What the sanitizers want to know of a fiber. Empty, and its calls nothing, in other builds.
class FiberHooks {
 public:
  void created(void* bottom, size_t bytes) noexcept {
#if WEFT_ASAN
    bottom_ = bottom;
    bytes_ = bytes;
    // Frames of a dropped fiber may have left red zones on this stack.
    __asan_unpoison_memory_region(bottom, bytes);
#endif
#if WEFT_TSAN
    if (!tsan_) tsan_ = __tsan_create_fiber(0);
#endif
  }

  void adoptedThread() noexcept {
#if WEFT_TSAN
    tsan_ = __tsan_get_current_fiber();
#endif
  }

  void dropped() noexcept {
#if WEFT_TSAN
    if (tsan_) __tsan_destroy_fiber(tsan_);
    tsan_ = nullptr;
#endif
  }

  /// Right before leaving `from` for `to`.
  static void leave(FiberHooks& from, FiberHooks& to) noexcept {
#if WEFT_ASAN
    from.target_ = &to;
    __sanitizer_start_switch_fiber(&from.fakeStack_, to.bottom_, to.bytes_);
#endif
#if WEFT_TSAN
    __tsan_switch_to_fiber(to.tsan_, 0);
#endif
  }

  /// On the target's stack, right after leaving `left` for it.
  static void enter(FiberHooks& left) noexcept {
#if WEFT_ASAN
    // The only way to learn the bounds of a thread's own stack; for fibers they are the same.
    __sanitizer_finish_switch_fiber(left.target_->fakeStack_, &left.bottom_, &left.bytes_);
#endif
  }

 private:
#if WEFT_ASAN
  FiberHooks* target_ = nullptr;  ///< what the fiber was last left for
  void* fakeStack_ = nullptr;
  const void* bottom_ = nullptr;
  size_t bytes_ = 0;
#endif
#if WEFT_TSAN
  void* tsan_ = nullptr;
#endif
};

/// Names a fiber to the sanitizers. Empty in other builds.
class FiberIdentity {
 public:
#if WEFT_ASAN || WEFT_TSAN
  FiberIdentity() = default;
  explicit FiberIdentity(FiberHooks& hooks) noexcept : hooks_(&hooks) {}
  static void leave(FiberIdentity from, FiberIdentity to) noexcept {
    FiberHooks::leave(*from.hooks_, *to.hooks_);
  }
  static void enter(FiberIdentity left) noexcept { FiberHooks::enter(*left.hooks_); }

 private:
  FiberHooks* hooks_ = nullptr;
#else
  FiberIdentity() = default;
  explicit FiberIdentity(FiberHooks&) noexcept {}
  static void leave(FiberIdentity, FiberIdentity) noexcept {}
  static void enter(FiberIdentity) noexcept {}
#endif
};

}  // namespace weft::runtime
