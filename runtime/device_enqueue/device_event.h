// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>

#include "children/child.h"
#include "weft/support/mutex.h"

namespace weft::runtime {

class Family;

/// What a clk_event_t points to: whether a child, or what a user event stands for, is complete.
///
/// Pending -> Complete, or failed (a negative status).
/// Ownership: references of the program and of its child; the family deletes what the program has
/// not released, and user events that were released before they were set. Threads: any.
class DeviceEvent {
 public:
  enum class Kind : uint8_t { Child, User };
  DeviceEvent(Family& family, Kind kind) noexcept : family_(&family), kind_(kind) {}

  Family& family() const noexcept { return *family_; }
  Kind kind() const noexcept { return kind_; }
  void retain() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  bool isPending() const noexcept { return status_.load(std::memory_order_acquire) == kPending; }
  /// Whether that was the last.
  bool release() noexcept { return references_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  /// Adds a child that waits; false when the event is complete, and then whether it has failed.
  bool add(EventLink& link, bool& failed) noexcept WEFT_EXCLUDES(mutex_);
  /// Takes it out again, if it is there.
  bool remove(EventLink& link) noexcept WEFT_EXCLUDES(mutex_);

  /// When the child of the event began and ended, and was complete.
  struct Times {
    uint64_t begun = 0, ended = 0, complete = 0;
  };
  /// Ends it: the children that waited, linked. Null when it had ended before, too.
  EventLink* set(int32_t status, const Times& times) noexcept WEFT_EXCLUDES(mutex_);

  /// Writes two numbers to `value` once the event is complete: nanoseconds from the beginning to
  /// the end, and to completion. Of more places than there is room for before that, the last is
  /// kept.
  void capture(uint64_t* value) noexcept WEFT_EXCLUDES(mutex_);

  // Neighbours in the family's list of events.
  DeviceEvent* next = nullptr;
  DeviceEvent* previous = nullptr;

 private:
  static constexpr int32_t kPending = 1;
  static constexpr size_t kMostCaptures = 4;

  void write(uint64_t* value) const noexcept WEFT_REQUIRES(mutex_);

  Family* const family_;
  const Kind kind_;
  std::atomic<uint32_t> references_{1};
  std::atomic<int32_t> status_{kPending};  ///< written under the mutex
  Mutex mutex_;
  EventLink* waiters_ WEFT_GUARDED_BY(mutex_) = nullptr;
  Times times_ WEFT_GUARDED_BY(mutex_);
  uint64_t* captures_[kMostCaptures] WEFT_GUARDED_BY(mutex_) = {};
  size_t captureCount_ WEFT_GUARDED_BY(mutex_) = 0;
};

}  // namespace weft::runtime
