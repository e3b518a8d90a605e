// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// The order of the locks that outlive a fork(): a thread that holds some may take those that
/// follow. A fork takes them all in this order and gives them back in the opposite one.
enum class ForkOrder : uint8_t {
  Backend,    ///< running jobs and builds report to all that follows
  Graph,      ///< posts callbacks
  Callbacks,  ///< the thread that runs the application's
  Builds,
  SharedMemory,
  Objects,  ///< all of them, whose locks are never held while another is taken
};
inline constexpr size_t kForkParticipants = static_cast<size_t>(ForkOrder::Objects) + 1;

/// Someone whose locks and threads must survive a fork().
///
/// Threads: all three run on the thread that forks.
class ForkParticipant {
 public:
  constexpr ForkParticipant() = default;
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

/// Scoped: no fork() begins, and none is under way.
class NoFork {
 public:
  NoFork() noexcept;
  ~NoFork();
  NoFork(const NoFork&) = delete;
  NoFork& operator=(const NoFork&) = delete;

  /// From here on `participant` takes part in every fork(), and so do the locks of all objects.
  void enlist(ForkParticipant& participant, ForkOrder place) noexcept;
};

}  // namespace weft
