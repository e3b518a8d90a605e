// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace weft {

/// Someone whose locks and threads must survive a fork(). Platform, which owns them all, calls them
/// in order.
///
/// Threads: all three run on the thread that forks.
class ForkParticipant {
 public:
  ForkParticipant() = default;
  ForkParticipant(const ForkParticipant&) = delete;
  ForkParticipant& operator=(const ForkParticipant&) = delete;

  /// Takes what must not be half-changed in the child; waits for a bounded time only.
  virtual void prepareFork() noexcept = 0;
  virtual void afterForkInParent() noexcept = 0;
  /// The only thread left is the caller; locks that prepareFork could not take are re-made.
  virtual void afterForkInChild() noexcept = 0;

 protected:
  ~ForkParticipant() = default;
};

}  // namespace weft
