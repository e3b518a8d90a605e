// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/object_mutex.h"

#include <array>
#include <atomic>
#include <cstddef>

namespace weft {
namespace {

/// Enough for threads not to meet; few enough for a fork, which locks them all. (ThreadSanitizer
/// follows no more than 64 locks that one thread holds.)
constexpr size_t kGates = 32;
constexpr size_t kCacheLine = 64;

struct alignas(kCacheLine) Gate {
  Mutex mutex;
};
constinit std::array<Gate, kGates> gates;
constinit std::atomic<size_t> threads{0};

/// Which gate is this thread's, and how many sections it is in.
struct Passage {
  Gate* gate = nullptr;
  size_t depth = 0;
};
constinit thread_local Passage passage;

}  // namespace

void ObjectSections::enter() noexcept {
  Passage& own = passage;
  if (own.depth++ != 0) return;
  if (own.gate == nullptr)
    own.gate = &gates[threads.fetch_add(1, std::memory_order_relaxed) % kGates];
  own.gate->mutex.lock();
}

void ObjectSections::leave() noexcept {
  Passage& own = passage;
  if (--own.depth == 0) own.gate->mutex.unlock();
}

void ObjectSections::prepareFork() noexcept {
  for (Gate& gate : gates) gate.mutex.lock();
  ++passage.depth;  // the other participants may use objects until the fork is over
}

void ObjectSections::afterForkInParent() noexcept {
  --passage.depth;
  for (Gate& gate : gates) gate.mutex.unlock();
}

void ObjectSections::afterForkInChild() noexcept { afterForkInParent(); }

}  // namespace weft
