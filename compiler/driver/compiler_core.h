// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/compiler_threads.h"
#include "cache/disk_cache.h"
#include "driver/code_reserve.h"
#include "driver/fork_gate.h"
#include "frontend/device_language.h"
#include "jit/jit.h"
#include "pipeline/pipeline.h"
#include "weft/compiler/compiler.h"
#include "weft/support/mutex.h"

namespace weft::compiler {

class ProgramImpl;

/// What a compiler and all of its programs share: threads, JIT session, disk cache, options.
///
/// Programs keep it alive. Everything is made on first use, so that a compiler that is never
/// asked costs nothing.
/// Threads: any; callers hold an Activity of the gate.
class CompilerCore {
 public:
  explicit CompilerCore(CompilerOptions options);
  ~CompilerCore();

  const CompilerOptions& options() const { return options_; }
  ForkGate& gate() { return gate_; }
  const DeviceLanguage& language();
  /// Null when the cache is off.
  DiskCache* cache();
  /// A digest begun with everything outside of a program that its code depends on.
  DigestBuilder beginKey(std::string_view purpose);
  PrepareOptions prepareOptions(bool optimize, PrivateMemory memory) const;
  /// Whether all code is explained.
  bool explains() const { return static_cast<bool>(options_.explain); }

  /// Runs on a compiler thread; see CompilerThreads::run.
  CompilerThreads::Outcome run(const std::function<void()>& job);
  CompilerThreads& threads();
  /// Null when there have never been any.
  CompilerThreads* threadsIfAny();

  /// Runs `job` some time on a thread of its own kind, so that builds never wait for such jobs.
  /// False, and the job is dropped, once the end has begun and when no thread can be had.
  bool postBackground(CompilerThreads::Posted job);
  /// Whether a job that has just been posted has to wait for others, or one more would have to.
  bool isBackgroundCrowded(bool withOneMore = false);
  /// The end of the process or of the compiler: drops jobs that have not begun and waits for those
  /// that run, which see it by isClosing() and, a little later, isClosed(). There will be none
  /// after that.
  void closeBackground() noexcept;
  bool isClosing() const noexcept { return closing_.load(std::memory_order_acquire); }
  bool isClosed() const noexcept;
  /// Another number in each process, from 1; jobs posted in an earlier one do not run.
  uint64_t generation() const noexcept { return generation_; }

  /// Takes code that nobody runs any more, and keeps it for programs that will ask for `key`; with
  /// none it is freed. Pre: on a compiler thread.
  void giveUp(const std::optional<Digest>& key, LoadedCode code);
  /// Code that has been given up under `key`.
  std::optional<LoadedCode> takeCode(const Digest& key) noexcept;
  /// The JIT session. Pre: on a compiler thread.
  Expected<std::shared_ptr<Jit>, std::string> jit();
  /// Leaves the session alone for good after a failure inside it; the next call makes a new one.
  void quarantineJit();

  /// Programs with a parsed module that can be parsed again.
  void add(ProgramImpl& program);
  void remove(ProgramImpl& program) noexcept;
  /// Frees parsed modules, the JIT session if no program has code in it, and idle threads.
  void unload() noexcept;

  /// After a fork in the child: threads are gone; with `busy`, what they used is replaced too.
  void replaceAfterFork(bool busy);

 private:
  CompilerThreads* backgroundIfAny();

  struct Lazy;  ///< everything made on first use

  using Clock = std::chrono::steady_clock;

  const CompilerOptions options_;
  ForkGate gate_;
  std::atomic<bool> closing_ = false;
  Clock::time_point closedAt_;  ///< written before closing_
  std::atomic<uint64_t> generation_ = 1;
  std::unique_ptr<Lazy> lazy_;
};

}  // namespace weft::compiler
