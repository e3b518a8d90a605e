// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "weft/runtime/device_enqueue.h"
#include "weft/runtime/launch.h"
#include "weft/support/ref.h"

namespace weft::runtime {

struct Child;
class ChildStore;
class DeviceEvent;

/// A family (device_enqueue/family.h) as slots and stores know it.
class FamilyBase {
 public:
  /// The work-group that enqueued these children has ended.
  virtual void groupEnded(Child* children, ChildStore& store) noexcept = 0;

 protected:
  ~FamilyBase() = default;
};

struct LaunchNode {
  LaunchNode* parent = nullptr;  ///< null for the host's command; nearest that is still here
  FamilyBase* family = nullptr;
  std::atomic<uint32_t> incomplete{1};    ///< its own run, and its children
  std::atomic<Child*> afterEnd{nullptr};  ///< children that begin when its own run has ended
  std::atomic<bool> failed{false};        ///< it was not run, or one of its children has failed
};

/// A child in the list of an event that it waits for.
struct EventLink {
  EventLink* next = nullptr;
  Child* child = nullptr;
  DeviceEvent* event = nullptr;  ///< null once it is complete
};

/// A launch that a kernel has enqueued, or a marker.
///
/// Waiting (for events, or the end of its parent's run or work-group) -> Ready (in a ChildStore) ->
/// Running -> Ended -> Complete (its children are too), when it is given back. What waited for an
/// event that failed, or has nothing to run, goes to Ended at once.
/// One block of memory: this, its event links, its arguments, its block literal.
struct Child final : LaunchNode {
  Child() = default;
  explicit Child(const LaunchShape* shape, const LaunchBindings& bindings) noexcept
      : launch(shape ? KernelLaunch(*shape, bindings) : KernelLaunch()) {}

  Child* next = nullptr;  ///< in whatever list it is
  Child* previous = nullptr;
  Child* sibling = nullptr;        ///< in the list of those that wait for a kernel or a work-group
  std::atomic<uint32_t> unmet{1};  ///< what it waits for, and the call that enqueues it
  bool isWaiting = false;          ///< in the family's list of those that wait for events
  uint32_t blockBytes = 0;
  uint32_t queueBytes = 0;
  DeviceQueue* queue = nullptr;
  ChildStore* home = nullptr;     ///< whose memory it is
  DeviceEvent* event = nullptr;   ///< referenced; null when nobody asked for it
  uint64_t begun = 0, ended = 0;  ///< in nanoseconds, for the event
  size_t nextPart = 0;            ///< guarded by the family's mutex, where workers share it
  std::atomic<size_t> partsLeft{0};
  std::span<EventLink> links;
  Ref<const RefCounted> keeper;  ///< of the shape, where nothing else is
  KernelLaunch launch;

  /// Whether there is something to run.
  bool hasWork() const noexcept { return launch.shape != nullptr; }
};

}  // namespace weft::runtime
