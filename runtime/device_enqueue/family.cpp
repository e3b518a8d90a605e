// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Children that run, and who runs them. How they are made is in family_enqueue.cpp.
#include "device_enqueue/family.h"

#include <immintrin.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <utility>

#include "exec/slot.h"

namespace weft::runtime {
namespace {

/// What a launch ends with that waited for one that failed, as the host's commands do.
constexpr int32_t kWaitFailed = -14;

/// Ranges up to this many work-items are run by one thread: sharing costs as much.
constexpr uint64_t kSmallItems = 256;
/// Counts of a node that a slot takes at once when it enqueues more than one child of it.
constexpr uint32_t kCountsHeld = 32;
/// Pauses before a helper that finds nothing leaves.
constexpr unsigned kHelperSpins = 200;

uint64_t now() noexcept {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

}  // namespace

Family::Family(Executor& executor, const DescendantsOptions& options)
    : executor_(executor),
      options_(options),
      slots_(executor.slots(options.job.placement)),
      ownPartsLeft_(options.job.parts),
      helpers_(*this) {
  root_.family = this;
  helpers_.placement = options.job.placement;
  helpers_.parts = std::max(1u, slots_ - 1);
  stores_.reserve(slots_);
}

Family::~Family() {
  while (DeviceEvent* event = events_) {
    events_ = event->next;
    delete event;
  }
}

// ---- Threads that come and go

void Family::enter(ChildStore& store) noexcept {
  active_.fetch_add(1, std::memory_order_relaxed);
  store.setFamily(*this);
  MutexLock lock(mutex_);
  if (std::ranges::find(stores_, &store) == stores_.end()) stores_.push_back(&store);
}

void Family::leave(ChildStore* store) noexcept {
  if (store) store->flushRoom();
  if (active_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (root_.incomplete.load(std::memory_order_acquire) != 1) failWaiting(store);
  if (store) store->flushRoom();
  if (root_.failed.load(std::memory_order_relaxed))
    options_.job.failed(
        FailureKind::WaitFailed,
        "launches from the device waited for events that failed, or that nobody set");
  options_.host.allComplete();
}

void Family::runPart(const KernelLaunch& launch, size_t part, Slot& slot) noexcept {
  auto& mine = static_cast<ExecSlot&>(slot);
  enter(mine.children());
  if (!options_.host.isStopped()) static_cast<void>(mine.runPart(launch, part, options_.job));
  if (ownPartsLeft_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    options_.host.ownPartsEnded();
    releaseAfterEnd(root_, mine.children());
  }
  drain(mine);
  leave(&mine.children());
}

/// Runs what the slot has, and parts of what is open to all, until there is nothing.
void Family::runAll(ExecSlot& slot) noexcept {
  ChildStore& store = slot.children();
  while (true) {
    if (Child* child = store.popNewest()) {
      run(*child, slot);
    } else if (const Claim claim = claimOpen(); claim.child) {
      runClaim(claim, slot);
    } else {
      // What that completes may have others wait for it.
      flush(store);
      if (store.isEmpty()) return;
    }
  }
}

void Family::drain(ExecSlot& slot) noexcept {
  runAll(slot);
  dismissHelpers();
}

// ---- Running

void Family::run(Child& child, ExecSlot& slot) noexcept {
  const LaunchShape& shape = *child.launch.shape;
  skipEndedParents(child, slot.children());
  // Counts of its parent's may wait: that is not complete before the child is.
  if (slot.children().held.node != child.parent) flush(slot.children());
  if (child.event) child.begun = now();
  if (options_.host.isStopped()) return runEnded(child, &slot.children());
  if (shape.parts > 1 && slots_ > 1 && !slot.isNested() && shape.range.items() > kSmallItems) {
    child.partsLeft.store(shape.parts, std::memory_order_relaxed);
    open(child);
    callHelpers();
    return;
  }
  static_cast<void>(slot.runParts(child.launch, 0, shape.parts, options_.job));
  runEnded(child, &slot.children());
}

void Family::open(Child& child) noexcept {
  MutexLock lock(mutex_);
  child.nextPart = 0;
  child.next = open_;
  open_ = &child;
  openCount_.fetch_add(1, std::memory_order_relaxed);
}

Family::Claim Family::claimOpen() noexcept {
  if (openCount_.load(std::memory_order_relaxed) == 0) return {};
  MutexLock lock(mutex_);
  Child* child = open_;
  if (!child) return {};
  const Claim claim{child, child->nextPart++};
  if (child->nextPart == child->launch.shape->parts) {
    open_ = child->next;
    openCount_.fetch_sub(1, std::memory_order_relaxed);
  }
  return claim;
}

void Family::runClaim(const Claim& claim, ExecSlot& slot) noexcept {
  if (slot.children().held.node != claim.child->parent) flush(slot.children());
  if (!options_.host.isStopped())
    static_cast<void>(slot.runPart(claim.child->launch, claim.part, options_.job));
  if (claim.child->partsLeft.fetch_sub(1, std::memory_order_acq_rel) == 1)
    runEnded(*claim.child, &slot.children());
}

/// The child's own run is over, if there was one.
void Family::runEnded(Child& child, ChildStore* store) noexcept {
  if (child.event) child.ended = now();
  if (store) {
    // Its parent may not have ended before it began.
    if (child.incomplete.load(std::memory_order_relaxed) != 1) skipEndedParents(child, *store);
    store->giveRoom(*child.queue, child.queueBytes);
    releaseAfterEnd(child, *store);
  } else {
    child.queue->give(child.queueBytes);
  }
  done(&child, store);
}

/// One thing more that `parent` waits for before it is complete. Of nodes that enqueue more than
/// one child, a slot holds some counts in advance: there is one line of memory for all slots.
void Family::hold(LaunchNode& parent, ChildStore& store) noexcept {
  ChildStore::Held& held = store.held;
  if (held.node == &parent && held.count != 0) {
    --held.count;
    return;
  }
  if (held.node != &parent) {
    flush(store);
    held = {&parent, 0};
    parent.incomplete.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  parent.incomplete.fetch_add(kCountsHeld, std::memory_order_relaxed);
  held.count = kCountsHeld - 1;
}

/// A parent whose own run has ended and that has no other child left is complete when this one is:
/// it goes, and the child becomes its parent's. Of a chain of launches, however long, this leaves
/// those that are told of with events. Pre: nobody else looks at the child's parent.
void Family::skipEndedParents(Child& child, ChildStore& store) noexcept {
  // Where the parent belongs may change until its run has ended, so that is not looked at before.
  while (child.parent != &root_) {
    auto& parent = static_cast<Child&>(*child.parent);
    const bool held = store.held.node == &parent;
    // When all counts are the child's and the store's, nobody else can add to them, and its run's
    // is gone.
    const uint32_t mine = 1 + (held ? store.held.count : 0);
    if (parent.event || parent.incomplete.load(std::memory_order_acquire) != mine) return;
    if (held) store.held = {};
    if (parent.failed.load(std::memory_order_relaxed))
      parent.parent->failed.store(true, std::memory_order_relaxed);
    child.parent = parent.parent;
    destroy(parent, &store);
  }
}

/// One thing less that `node` waits for.
void Family::done(LaunchNode* node, ChildStore* store) noexcept {
  uint32_t count = 1;
  if (store && store->held.node == node) count += std::exchange(store->held, {}).count;
  giveBack(node, count, store, /*mayHold=*/true);
}

/// Goes up the tree as far as that completes others, or to a node whose counts the store holds.
void Family::giveBack(LaunchNode* node, uint32_t count, ChildStore* store, bool mayHold) noexcept {
  // When all counts are the caller's, nobody else can add to them.
  while (node->incomplete.load(std::memory_order_acquire) == count ||
         node->incomplete.fetch_sub(count, std::memory_order_acq_rel) == count) {
    auto& child = static_cast<Child&>(*node);  // the root has one for `active_`
    node = child.parent;
    count = 1;
    const bool failed = child.failed.load(std::memory_order_relaxed) || options_.host.isStopped();
    if (failed) node->failed.store(true, std::memory_order_relaxed);
    if (child.event) {
      settle(*child.event, failed ? kWaitFailed : 0, {child.begun, child.ended, now()}, store);
      drop(*child.event);
    }
    destroy(child, store);
    if (!store || !mayHold) continue;
    ChildStore::Held& held = store->held;
    if (!held.node) held = {node, 0};
    if (held.node != node) continue;
    ++held.count;
    return;
  }
}

/// Gives the counts back that the store holds. Pre: of a node of this family.
void Family::flush(ChildStore& store) noexcept {
  while (store.held.node) {
    const ChildStore::Held held = std::exchange(store.held, {});
    if (held.count != 0) giveBack(held.node, held.count, &store, /*mayHold=*/false);
  }
}

void Family::destroy(Child& child, ChildStore* store) noexcept {
  const uint32_t bytes = child.blockBytes;
  ChildStore& home = *child.home;
  child.~Child();
  if (store)
    store->give(&child, bytes, home);
  else
    ChildStore::giveBack(&child);
}

// ---- What children wait for

/// The last thing that the child waited for has come. Without a store nothing can be run any more.
void Family::met(Child& child, ChildStore* store) noexcept {
  if (child.isWaiting) {
    MutexLock lock(mutex_);
    (child.previous ? child.previous->next : waiting_) = child.next;
    if (child.next) child.next->previous = child.previous;
    child.isWaiting = false;
  }
  if (child.failed.load(std::memory_order_relaxed) || !store || !child.hasWork()) {
    if (child.event) child.begun = now();
    return runEnded(child, store);
  }
  if (store->push(child) > 1) callHelpers();
}

void Family::releaseAll(Child* children, ChildStore& store) noexcept {
  while (Child* child = children) {
    children = child->sibling;
    if (child->unmet.fetch_sub(1, std::memory_order_acq_rel) == 1) met(*child, &store);
  }
}

void Family::releaseAfterEnd(LaunchNode& node, ChildStore& store) noexcept {
  if (node.afterEnd.load(std::memory_order_relaxed) == nullptr) return;
  releaseAll(node.afterEnd.exchange(nullptr, std::memory_order_acquire), store);
}

void Family::settle(DeviceEvent& event, int32_t status, const DeviceEvent::Times& times,
                    ChildStore* store) noexcept {
  EventLink* link = event.set(status, times);
  while (link) {
    Child& child = *link->child;
    std::exchange(link, link->next)->event = nullptr;
    if (status < 0) child.failed.store(true, std::memory_order_relaxed);
    if (child.unmet.fetch_sub(1, std::memory_order_acq_rel) == 1) met(child, store);
  }
}

/// Nothing runs: what still waits does so for events that nobody will set.
void Family::failWaiting(ChildStore* store) noexcept {
  while (true) {
    Child* child = nullptr;
    {
      MutexLock lock(mutex_);
      child = waiting_;
      if (!child) break;
      waiting_ = child->next;
      if (waiting_) waiting_->previous = nullptr;
      child->isWaiting = false;
    }
    uint32_t removed = 0;
    for (EventLink& link : child->links)
      if (link.event) removed += link.event->remove(link);
    child->failed.store(true, std::memory_order_relaxed);
    if (child->unmet.fetch_sub(removed, std::memory_order_acq_rel) == removed) met(*child, store);
    if (store) flush(*store);
  }
  assert(root_.incomplete.load() == 1);
}

// ---- Helpers

void Family::callHelpers() noexcept {
  if (slots_ < 2 || helping_.load(std::memory_order_relaxed) ||
      helping_.exchange(true, std::memory_order_acq_rel))
    return;
  active_.fetch_add(1, std::memory_order_relaxed);
  isDry_.store(false, std::memory_order_relaxed);
  executor_.submit(helpers_, Urgency::Now);
}

/// When they have not come there is nothing left for them.
void Family::dismissHelpers() noexcept {
  if (!helping_.load(std::memory_order_relaxed) || !executor_.withdraw(helpers_)) return;
  helping_.store(false, std::memory_order_release);
  active_.fetch_sub(1, std::memory_order_acq_rel);  // not the last: the caller is in here
}

void Family::helpersLeft() noexcept {
  helping_.store(false, std::memory_order_release);
  leave(nullptr);
}

void Family::help(Slot& slot) noexcept {
  auto& mine = static_cast<ExecSlot&>(slot);
  enter(mine.children());
  // One waits a moment for more; the others see that it did in vain.
  for (unsigned idle = 0; idle < kHelperSpins; ++idle) {
    if (steal(mine.children()) || openCount_.load(std::memory_order_relaxed) != 0) {
      runAll(mine);
      idle = 0;
    } else if (isDry_.load(std::memory_order_relaxed)) {
      break;
    }
    _mm_pause();
  }
  isDry_.store(true, std::memory_order_relaxed);
  leave(&mine.children());
}

bool Family::steal(ChildStore& store) noexcept {
  // Stores live as long as the executor, and are only ever added.
  ChildStore* victim = nullptr;
  {
    MutexLock lock(mutex_);
    for (ChildStore* each : stores_)
      if (each != &store && !each->isEmpty()) {
        victim = each;
        break;
      }
  }
  return victim && store.stealFrom(*victim, *this) != 0;
}

}  // namespace weft::runtime
