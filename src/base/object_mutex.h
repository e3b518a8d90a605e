// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/fork.h"
#include "weft/support/mutex.h"

namespace weft {

/// The sections under the locks of all objects of one kind or another, of which an application may
/// have thousands: fork() waits until no thread is in one, and keeps new ones out, so that the
/// child finds every object whole and unlocked.
///
/// Each thread enters through one of a few gates, which are locks of the whole process. Threads,
/// not objects, share a gate: two threads that use different objects rarely meet, and one that
/// holds several objects' locks passes its gate once, so that there is no order to get wrong.
class ObjectSections final : public ForkParticipant {
 public:
  static void enter() noexcept WEFT_NO_TSA;
  static void leave() noexcept WEFT_NO_TSA;

  void prepareFork() noexcept override WEFT_NO_TSA;
  void afterForkInParent() noexcept override WEFT_NO_TSA;
  void afterForkInChild() noexcept override WEFT_NO_TSA;
};

/// The lock of an object that applications create.
///
/// What is done under it ends soon whatever other threads do: no other kind of lock is taken, no
/// reference given up that may be the last, nothing waited for.
class WEFT_CAPABILITY("mutex") ObjectMutex {
 public:
  void lock() WEFT_ACQUIRE() WEFT_NO_TSA {
    ObjectSections::enter();
    mutex_.lock();
  }
  void unlock() WEFT_RELEASE() WEFT_NO_TSA {
    mutex_.unlock();
    ObjectSections::leave();
  }

 private:
  Mutex mutex_;
};

/// Scoped lock of an ObjectMutex.
class WEFT_SCOPED_CAPABILITY ObjectLock {
 public:
  explicit ObjectLock(ObjectMutex& mutex) WEFT_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~ObjectLock() WEFT_RELEASE() { mutex_.unlock(); }
  ObjectLock(const ObjectLock&) = delete;
  ObjectLock& operator=(const ObjectLock&) = delete;

 private:
  ObjectMutex& mutex_;
};

}  // namespace weft
