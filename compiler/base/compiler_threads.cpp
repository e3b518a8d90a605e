// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/compiler_threads.h"

#include <alloca.h>
#include <clang/Basic/Stack.h>

#include <algorithm>
#include <cfenv>
#include <cstdint>
#include <new>

#include "base/containment.h"
#include "base/large_stack.h"

namespace weft::compiler {
namespace {

#if defined(__SANITIZE_ADDRESS__)
#define WEFT_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEFT_ADDRESS_SANITIZER 1
#endif
#endif

// Reserved, not committed: a page costs memory when it is first touched.
#if defined(WEFT_ADDRESS_SANITIZER)
// The sanitizer does not clean up after an exception on a stack of more than 64 MiB.
constexpr size_t kStackSizes[] = {size_t{60} << 20, size_t{16} << 20};
#else
constexpr size_t kStackSizes[] = {size_t{256} << 20, size_t{64} << 20, size_t{16} << 20};
#endif
constexpr size_t kStackMargin = size_t{64} << 10;

thread_local uintptr_t stackEnd = 0;
thread_local size_t stackSize = 0;
/// Whether a job within the posted one has failed badly.
thread_local bool threadDamaged = false;

/// Clang moves to a thread of its own when it believes an 8 MiB stack to be nearly used up,
/// and there our exceptions could not unwind to the boundary. It measures from the first frame
/// it is given, so it is given one at the other end of the stack.
[[gnu::noinline, gnu::no_sanitize_address]] void hideStackBottomFromClang() {
  const size_t left = CompilerThreads::stackLeft();
  if (left < 2 * kStackMargin) return;
  auto* far = static_cast<volatile char*>(alloca(left - kStackMargin));
  far[0] = 0;
  clang::noteBottomOfStack();
}

/// LLVM folds some functions of constants with the host's own arithmetic. A thread begins with the
/// floating-point environment of the one that makes it, whatever an application has set, or the
/// executor for a kernel that flushes denormals.
class DefaultFloat {
 public:
  DefaultFloat() noexcept {
    std::fegetenv(&own_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloat() { std::fesetenv(&own_); }
  DefaultFloat(const DefaultFloat&) = delete;
  DefaultFloat& operator=(const DefaultFloat&) = delete;

 private:
  std::fenv_t own_;
};

}  // namespace

struct CompilerThreads::Job {
  const std::function<void()>* function = nullptr;
  Outcome outcome;
  bool done = false;
  ConditionVariable finished;
};

CompilerThreads::CompilerThreads(size_t maxThreads) : maxThreads_(std::max<size_t>(1, maxThreads)) {
  installFatalErrorHandlers();
}

CompilerThreads::~CompilerThreads() {
  std::vector<std::unique_ptr<Worker>> workers;
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    workers = std::move(workers_);
    wake_.notifyAll();
  }
  for (auto& worker : workers) pthread_join(worker->thread, nullptr);
}

size_t CompilerThreads::stackLeft() noexcept {
  if (stackEnd == 0) return SIZE_MAX;
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return here > stackEnd ? here - stackEnd : 0;
}

size_t CompilerThreads::stackBytes() noexcept { return stackSize; }

CompilerThreads::Outcome CompilerThreads::run(const std::function<void()>& function) {
  Job job;
  job.function = &function;
  if (stackSize != 0) {
    runJob(job);
    threadDamaged |= job.outcome.quarantine;
    return std::move(job.outcome);
  }
  MutexLock lock(mutex_);
  if (!haveWorker()) {
    lock.unlock();
    if (!runHere(job))
      return {fail(Error{ErrorKind::OutOfMemory, "no compiler thread could be started\n"})};
    return std::move(job.outcome);
  }
  pending_.push_back({.job = &job, .posted = {}});
  wake_.notifyOne();
  job.finished.wait(lock, [&] { return job.done; });
  return std::move(job.outcome);
}

/// Where the process may have no more threads. After a job that fails badly LLVM's thread-local
/// state stays as it is: the thread is not ours to end.
bool CompilerThreads::runHere(Job& job) {
  return callOnLargeStack(kStackSizes, [&](size_t bytes) {
    enterStack(bytes);
    const DefaultFloat environment;
    runJob(job);
    stackSize = 0;
    stackEnd = 0;
  });
}

void CompilerThreads::enterStack(size_t bytes) {
  stackSize = bytes;
  // The guard page and, on a thread's stack, the thread's own data are within the size.
  stackEnd = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) - stackSize + kStackMargin;
  hideStackBottomFromClang();
}

bool CompilerThreads::post(Posted& job) {
  MutexLock lock(mutex_);
  if (!haveWorker()) return false;
  pending_.push_back({.job = nullptr, .posted = std::move(job)});
  wake_.notifyOne();
  return true;
}

bool CompilerThreads::isCrowded(bool withOneMore) {
  MutexLock lock(mutex_);
  return postedRunning_ + pending_.size() + (withOneMore ? 1 : 0) > maxThreads_;
}

void CompilerThreads::finishPosted() {
  if (stackSize != 0) return;   // a posted job ends the process: it cannot wait for itself
  std::vector<Posted> dropped;  // destroyed after the lock
  MutexLock lock(mutex_);
  for (Task& task : pending_)
    if (task.posted) dropped.push_back(std::move(task.posted));
  std::erase_if(pending_, [](const Task& task) { return task.job == nullptr; });
  settled_.wait(lock, [this]() WEFT_NO_TSA { return postedRunning_ == 0; });
}

void CompilerThreads::endIdle() {
  MutexLock lock(mutex_);
  retiring_ = idle_;
  wake_.notifyAll();
  settled_.wait(lock, [this]() WEFT_NO_TSA { return retiring_ == 0; });
  reapEnded();
}

/// Makes sure that somebody will take one more task.
bool CompilerThreads::haveWorker() {
  reapEnded();
  if (idle_ - retiring_ > pending_.size() || workers_.size() >= maxThreads_) return true;
  return startWorker() || !workers_.empty();
}

bool CompilerThreads::startWorker() {
  auto worker = std::make_unique<Worker>();
  worker->owner = this;
  for (size_t bytes : kStackSizes) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    worker->stackBytes = bytes;
    const int status = pthread_create(&worker->thread, &attributes, threadMain, worker.get());
    pthread_attr_destroy(&attributes);
    if (status != 0) continue;
    workers_.push_back(std::move(worker));
    return true;
  }
  return false;
}

void CompilerThreads::reapEnded() {
  std::erase_if(workers_, [](const std::unique_ptr<Worker>& worker) {
    if (!worker->ended) return false;
    pthread_join(worker->thread, nullptr);
    return true;
  });
}

void* CompilerThreads::threadMain(void* argument) {
  auto& worker = *static_cast<Worker*>(argument);
  pthread_setname_np(pthread_self(), "weft-compile");
  enterStack(worker.stackBytes);
  const DefaultFloat environment;
  worker.owner->serve(worker);
  return nullptr;
}

void CompilerThreads::serve(Worker& worker) {
  MutexLock lock(mutex_);
  while (true) {
    ++idle_;
    wake_.wait(lock, [&]() WEFT_REQUIRES(mutex_) {
      return stopping_ || retiring_ != 0 || !pending_.empty();
    });
    --idle_;
    if (retires(worker)) return;
    Task task = std::move(pending_.front());
    pending_.pop_front();
    postedRunning_ += task.job == nullptr;
    lock.unlock();
    bool damaged = false;
    if (task.job) {
      runJob(*task.job);
      lock.lock();
      // The job is the waiter's: not to be touched once it is marked done and unlocked.
      damaged = task.job->outcome.quarantine;
      task.job->done = true;
      task.job->finished.notifyOne();
    } else {
      runPosted(std::move(task.posted));
      lock.lock();
      damaged = threadDamaged;
      --postedRunning_;
      settled_.notifyAll();
    }
    if (damaged) {
      worker.ended = true;
      return;
    }
  }
}

/// Whether the thread is to end instead of taking a task. An idle thread that was to end and has
/// found a task takes that.
bool CompilerThreads::retires(Worker& worker) {
  if (!pending_.empty()) {
    if (retiring_ > idle_) {
      retiring_ = idle_;
      settled_.notifyAll();
    }
    return false;
  }
  if (retiring_ != 0) {
    --retiring_;
    worker.ended = true;
    settled_.notifyAll();
  }
  return true;
}

void CompilerThreads::runPosted(Posted job) noexcept {
  try {
    job();
  } catch (...) {
    threadDamaged = true;  // unwound from where nobody contained it
  }
}

void CompilerThreads::runJob(Job& job) noexcept {
  try {
    (*job.function)();
  } catch (const FatalCompilerError& error) {
    const bool limit = error.reason() == FatalCompilerError::Reason::Limit;
    job.outcome.quarantine = true;
    job.outcome.result = fail(Error{limit ? ErrorKind::SourceError : ErrorKind::Internal,
                                    std::string(error.what()) + "\n"});
  } catch (const std::bad_alloc&) {
    job.outcome.quarantine = true;
    job.outcome.result = fail(Error{ErrorKind::OutOfMemory, "out of memory\n"});
  } catch (const std::exception& error) {
    job.outcome.quarantine = true;
    job.outcome.result = fail(Error{ErrorKind::Internal, std::string(error.what()) + "\n"});
  }
}

}  // namespace weft::compiler
