// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "weft/support/mutex.h"

namespace weft::compiler {

/// Counts the calls that are inside the compiler, so that fork() can wait until there are none
/// and keep new ones out meanwhile.
///
/// `owner` of an activity is whatever object the call holds locked; after a fork that could not
/// wait for it, the child has to replace it.
/// Threads: any. No thread may enter twice.
class ForkGate {
 public:
  /// One call's stay; entered in the constructor, left in the destructor.
  class Activity {
   public:
    Activity(ForkGate& gate, void* owner) : gate_(gate), owner_(owner) { gate.enter(owner); }
    ~Activity() { gate_.leave(owner_); }
    Activity(const Activity&) = delete;
    Activity& operator=(const Activity&) = delete;

   private:
    ForkGate& gate_;
    void* owner_;
  };

  ForkGate() : changed_(std::make_unique<ConditionVariable>()) {}

  /// Closes the gate and waits at most `limit` for the calls inside to leave.
  void close(std::chrono::milliseconds limit) WEFT_NO_TSA;
  /// Whether somebody waits for the calls inside: who can begin anew later should leave.
  bool isClosing() const noexcept { return closing_.load(std::memory_order_relaxed); }
  /// Opens it again, in the parent.
  void open() WEFT_NO_TSA;
  /// Opens it in the child, where the other threads are gone; returns the owners of the calls
  /// that were cut off.
  std::vector<void*> openInChild() WEFT_NO_TSA;

 private:
  void enter(void* owner);
  void leave(void* owner);

  Mutex mutex_;  ///< held from close() to open()
  /// Replaced in the child: a condition variable that threads of the parent waited on cannot
  /// be used there.
  std::unique_ptr<ConditionVariable> changed_;
  std::vector<void*> inside_ WEFT_GUARDED_BY(mutex_);
  bool closed_ WEFT_GUARDED_BY(mutex_) = false;
  std::atomic<bool> closing_ = false;  ///< as closed_
};

}  // namespace weft::compiler
