// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <set>
#include <string>

#include "cache/disk_cache.h"
#include "driver/compiler_threads.h"
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

  /// Runs on a compiler thread; see CompilerThreads::run.
  CompilerThreads::Outcome run(const std::function<void()>& job);
  CompilerThreads& threads();
  /// Null when there have never been any.
  CompilerThreads* threadsIfAny();
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
  struct Lazy;  ///< everything made on first use

  const CompilerOptions options_;
  ForkGate gate_;
  std::unique_ptr<Lazy> lazy_;
};

}  // namespace weft::compiler
