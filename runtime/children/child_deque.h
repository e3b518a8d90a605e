// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace weft::runtime {

struct Child;
class FamilyBase;

/// Ready children of one slot: a work-stealing deque (Chase and Lev, 2005) of bounded size. The
/// owner adds and takes at the bottom, without a lock; others take at the top.
///
/// All are of one family: the owner names another only when there are none.
/// Threads: push(), pop(), setFamily() by the owner, the rest by any.
class ChildDeque {
 public:
  void setFamily(const FamilyBase& family) noexcept {
    family_.store(&family, std::memory_order_release);
  }

  /// False when there is no room.
  bool push(Child& child) noexcept {
    const int64_t bottom = bottom_.load(std::memory_order_relaxed);
    if (bottom - knownTop_ >= kRoom) knownTop_ = top_.load(std::memory_order_acquire);
    if (bottom - knownTop_ >= kRoom) return false;
    if (!places_) places_.reset(new (std::nothrow) Places{});
    if (!places_) return false;
    place(bottom).store(&child, std::memory_order_relaxed);
    bottom_.store(bottom + 1, std::memory_order_release);
    return true;
  }

  /// The newest; null when there is none.
  Child* pop() noexcept {
    const int64_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
    if (top_.load(std::memory_order_relaxed) > bottom) return nullptr;  // the top only grows
    // A thief sees that the place is taken, or is seen to have taken it.
    bottom_.exchange(bottom, std::memory_order_seq_cst);
    int64_t top = top_.load(std::memory_order_seq_cst);
    knownTop_ = top;
    Child* child = nullptr;
    if (top <= bottom) child = place(bottom).load(std::memory_order_relaxed);
    if (top < bottom) return child;
    if (child && !top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst))
      child = nullptr;
    bottom_.store(bottom + 1, std::memory_order_release);
    return child;
  }

  /// The oldest; null when there is none, it is of another family, or somebody else was faster.
  Child* steal(const FamilyBase& family) noexcept {
    int64_t top = top_.load(std::memory_order_seq_cst);
    if (top >= bottom_.load(std::memory_order_seq_cst)) return nullptr;
    Child* child = place(top).load(std::memory_order_relaxed);
    // Where the family has changed since, so has the top.
    if (family_.load(std::memory_order_acquire) != &family) return nullptr;
    return top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst) ? child : nullptr;
  }

  /// The same for the owner, or more, without asking others.
  size_t sizeAtMost() const noexcept {
    return static_cast<size_t>(bottom_.load(std::memory_order_relaxed) - knownTop_);
  }
  /// How many there were a moment ago.
  size_t size() const noexcept {
    const int64_t top = top_.load(std::memory_order_relaxed);
    const int64_t bottom = bottom_.load(std::memory_order_relaxed);
    return bottom > top ? static_cast<size_t>(bottom - top) : 0;
  }

 private:
  /// More than a queue of the preferred size has room for.
  static constexpr int64_t kRoom = 4096;
  using Places = std::array<std::atomic<Child*>, kRoom>;

  std::atomic<Child*>& place(int64_t index) noexcept {
    return (*places_)[static_cast<size_t>(index) % kRoom];
  }

  // What thieves write is in a line of its own.
  alignas(64) std::atomic<int64_t> top_{0};
  alignas(64) std::atomic<int64_t> bottom_{0};
  std::atomic<const FamilyBase*> family_{nullptr};
  int64_t knownTop_ = 0;            ///< the owner's: it is there at least
  std::unique_ptr<Places> places_;  ///< made before the bottom first moves
};

}  // namespace weft::runtime
