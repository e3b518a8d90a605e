// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

// Clang's thread-safety annotations; they vanish under other compilers.
#if defined(__clang__)
#define WEFT_TSA(x) __attribute__((x))
#else
#define WEFT_TSA(x)
#endif
#define WEFT_CAPABILITY(x) WEFT_TSA(capability(x))
#define WEFT_SCOPED_CAPABILITY WEFT_TSA(scoped_lockable)
#define WEFT_GUARDED_BY(x) WEFT_TSA(guarded_by(x))
#define WEFT_PT_GUARDED_BY(x) WEFT_TSA(pt_guarded_by(x))
#define WEFT_REQUIRES(...) WEFT_TSA(requires_capability(__VA_ARGS__))
#define WEFT_EXCLUDES(...) WEFT_TSA(locks_excluded(__VA_ARGS__))
#define WEFT_ACQUIRE(...) WEFT_TSA(acquire_capability(__VA_ARGS__))
#define WEFT_RELEASE(...) WEFT_TSA(release_capability(__VA_ARGS__))
#define WEFT_TRY_ACQUIRE(...) WEFT_TSA(try_acquire_capability(__VA_ARGS__))
#define WEFT_NO_TSA WEFT_TSA(no_thread_safety_analysis)

namespace weft {

/// std::mutex that Clang's thread-safety analysis knows.
class WEFT_CAPABILITY("mutex") Mutex {
 public:
  void lock() WEFT_ACQUIRE() { mutex_.lock(); }
  void unlock() WEFT_RELEASE() { mutex_.unlock(); }
  bool tryLock() WEFT_TRY_ACQUIRE(true) { return mutex_.try_lock(); }
  std::mutex& native() { return mutex_; }

 private:
  std::mutex mutex_;
};

/// Scoped lock of a Mutex; may be released early and taken again.
class WEFT_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) WEFT_ACQUIRE(mutex) : lock_(mutex.native()) {}
  ~MutexLock() WEFT_RELEASE() = default;
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void unlock() WEFT_RELEASE() { lock_.unlock(); }
  void lock() WEFT_ACQUIRE() { lock_.lock(); }
  std::unique_lock<std::mutex>& native() { return lock_; }

 private:
  std::unique_lock<std::mutex> lock_;
};

/// Condition variable for Mutex. Every wait has a predicate.
class ConditionVariable {
 public:
  template <class Predicate>
  void wait(MutexLock& lock, Predicate predicate) WEFT_NO_TSA {
    condition_.wait(lock.native(), std::move(predicate));
  }
  template <class Rep, class Period, class Predicate>
  bool waitFor(MutexLock& lock, std::chrono::duration<Rep, Period> timeout,
               Predicate predicate) WEFT_NO_TSA {
    return condition_.wait_for(lock.native(), timeout, std::move(predicate));
  }
  void notifyOne() { condition_.notify_one(); }
  void notifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace weft
