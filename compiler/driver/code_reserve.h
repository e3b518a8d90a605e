// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>

#include "cache/digest.h"
#include "jit/jit.h"
#include "weft/support/mutex.h"

namespace weft::compiler {

/// Machine code in memory. Whoever has it unloads it, on a compiler thread.
struct LoadedCode {
  std::shared_ptr<Jit> jit;
  Jit::Loaded loaded;
  uint64_t hash = 0;  ///< codeHash()
  size_t bytes = 0;   ///< of its object

  void unload() const { jit->unload(loaded.handle); }
};

/// Code of programs that are gone, for those that are built from the same again: programs in a
/// loop, one for each task or test, would otherwise have it linked each time. Keeps what has been
/// put there last, up to a number of bytes of objects.
///
/// Ownership: owns the code that it has. Threads: any; put() and clear() on a compiler thread.
class CodeReserve {
 public:
  explicit CodeReserve(size_t mostBytes) : mostBytes_(mostBytes) {}
  CodeReserve(const CodeReserve&) = delete;
  CodeReserve& operator=(const CodeReserve&) = delete;

  /// `key` says all that the code depends on. Pre: nothing runs in the code any more.
  void put(const Digest& key, LoadedCode code) WEFT_EXCLUDES(mutex_);
  /// What is there for `key`, which is then the caller's.
  std::optional<LoadedCode> take(const Digest& key) noexcept WEFT_EXCLUDES(mutex_);
  void clear() WEFT_EXCLUDES(mutex_);
  /// Forgets what there is without touching it: its session has failed. Pre: somebody else keeps
  /// the session for good.
  void abandon() noexcept WEFT_EXCLUDES(mutex_);

 private:
  struct Entry {
    Digest key;
    LoadedCode code;
  };

  const size_t mostBytes_;
  Mutex mutex_;
  std::list<Entry> entries_ WEFT_GUARDED_BY(mutex_);  ///< the newest first
  size_t bytes_ WEFT_GUARDED_BY(mutex_) = 0;          ///< of all of them
};

}  // namespace weft::compiler
