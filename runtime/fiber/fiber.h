// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cassert>
#include <cstddef>

#include "fiber/sanitizer.h"

namespace weft::runtime {

/// A piece of memory to run on; grows down from top.
struct StackSpan {
  std::byte* bottom = nullptr;
  std::byte* top = nullptr;

  size_t bytes() const noexcept { return static_cast<size_t>(top - bottom); }
};

/// One stack and the place where it was left. All switches of the runtime go through here.
///
/// States: Empty (no context) -> Suspended (create: parked before its body) <-> Running
/// (switchTo); drop brings a suspended fiber back to Empty, whatever its frames held.
/// A fiber that stands for a thread's own stack is Running from adoptThread on.
/// Ownership: borrows its stack; frames dropped with a fiber are not unwound.
/// Threads: created, switched and dropped by one thread at a time; a fiber whose body waits in
/// a loop of ours between two pieces of work may be resumed by another thread for the next one.
/// The floating-point control state of the creator is in force in the body at first, and each
/// fiber keeps its own across switches.
class Fiber {
 public:
  /// Must never return; leaves by switchTo.
  using Body = void (*)(Fiber& self) noexcept;

  Fiber() = default;
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Pre: Empty.
  void create(StackSpan stack, Body body) noexcept;
  /// Lets this stand for the stack of the calling thread, so that fibers can come back to it.
  void adoptThread() noexcept { hooks_.adoptedThread(); }
  void drop() noexcept;
  bool suspended() const noexcept { return context_ != nullptr; }

  /// Brings what a switch to this suspended fiber reads, 64 bytes that may straddle two cache
  /// lines, into the cache. Hides most of what a ring of fibers too large for the first-level
  /// cache and TLB costs.
  void prefetch() const noexcept {
    __builtin_prefetch(context_);
    __builtin_prefetch(static_cast<std::byte*>(context_) + 64);
  }

  /// Leaves `from`, which is running, for `to`, which is suspended. Returns when something
  /// switches back to `from`.
  ///
  /// Meant to be the last thing its caller does. The book-keeping is then not code behind the
  /// switch but a function that runs on top of the target, whose return takes the place of the
  /// caller's return there: calls and returns stay paired, and the processor predicts them. Not
  /// noexcept, nor should callers be, because that would stand in the way of the tail call.
  static void switchTo(Fiber& from, Fiber& to) {
    assert(to.suspended());
    FiberHooks::leave(from.hooks_, to.hooks_);
    boost::context::detail::ontop_fcontext(to.context_, &from, &Fiber::arrive);
  }

 private:
  static void entry(boost::context::detail::transfer_t transfer) noexcept;

  /// First thing on the stack of the fiber switched to; `transfer` tells what was left for it.
  static boost::context::detail::transfer_t arrive(
      boost::context::detail::transfer_t transfer) noexcept {
    auto* left = static_cast<Fiber*>(transfer.data);
    left->context_ = transfer.fctx;
    FiberHooks::enter(left->hooks_);
    return transfer;
  }

  boost::context::detail::fcontext_t context_ = nullptr;
  Body body_ = nullptr;
  [[no_unique_address]] FiberHooks hooks_;
};

}  // namespace weft::runtime
