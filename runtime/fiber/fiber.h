// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "fiber/sanitizer.h"

namespace weft::runtime {

/// A piece of memory to run on; grows down from top.
struct StackSpan {
  std::byte* bottom = nullptr;
  std::byte* top = nullptr;

  size_t bytes() const noexcept { return static_cast<size_t>(top - bottom); }
};

/// Where a fiber was left. Eight bytes in ordinary builds, so that many of them are next to each
/// other in a ring.
struct FiberContext {
  boost::context::detail::fcontext_t stack = nullptr;
  [[no_unique_address]] FiberIdentity identity;

  /// Brings what a switch to here reads, 64 bytes that may straddle two cache lines, into the
  /// cache. Hides most of what a ring of fibers too large for the first-level cache and TLB
  /// costs. Any value does no harm.
  void prefetch() const noexcept {
    __builtin_prefetch(stack);
    // As a number: the pointer may be null, or of a stack that is gone.
    __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(stack) + 64));
  }
};

/// One stack and what runs on it. All switches of the runtime go through here.
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

  /// Where the fiber was left, when it was left by way of this context and not another one.
  FiberContext& context() noexcept { return context_; }
  FiberIdentity identity() noexcept { return FiberIdentity(hooks_); }
  bool suspended() const noexcept { return context_.stack != nullptr; }

  /// Leaves the running fiber, whose identity is `running`, for the one that was left at `to`;
  /// `left` then says where. Returns when something switches to what `left` says.
  ///
  /// Meant to be the last thing its caller does. The book-keeping is then not code behind the
  /// switch but a function that runs on top of the target, whose return takes the place of the
  /// caller's return there: calls and returns stay paired, and the processor predicts them. Not
  /// noexcept, nor should callers be, because that would stand in the way of the tail call.
  static void switchTo(FiberContext& left, FiberContext to, FiberIdentity& running) {
    assert(to.stack != nullptr);
    FiberIdentity::leave(running, to.identity);
    left.identity = running;
    running = to.identity;
    boost::context::detail::ontop_fcontext(to.stack, &left, &Fiber::arrive);
  }
  /// The same between two fibers as such.
  static void switchTo(Fiber& from, Fiber& to) {
    FiberIdentity running = from.identity();
    switchTo(from.context_, to.context_, running);
  }

 private:
  static void entry(boost::context::detail::transfer_t transfer) noexcept;

  /// First thing on the stack of the fiber switched to; `transfer` tells what was left for it.
  static boost::context::detail::transfer_t arrive(
      boost::context::detail::transfer_t transfer) noexcept {
    auto* left = static_cast<FiberContext*>(transfer.data);
    left->stack = transfer.fctx;
    FiberIdentity::enter(left->identity);
    return transfer;
  }

  FiberContext context_;
  Body body_ = nullptr;
  [[no_unique_address]] FiberHooks hooks_;
};

}  // namespace weft::runtime
