// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What kernels ask of their family: children, markers, events.
#include <algorithm>
#include <cstring>
#include <new>

#include "device_enqueue/family.h"
#include "exec/slot.h"
#include "weft/support/checked.h"

namespace weft::runtime {
namespace {

// What enqueue_kernel returns.
constexpr int32_t kSuccess = 0;
constexpr int32_t kFailure = -101;
constexpr int32_t kInvalidQueue = -102;
constexpr int32_t kInvalidRange = -160;
constexpr int32_t kInvalidWaitList = -57;
constexpr int32_t kQueueFull = -161;
constexpr int32_t kInvalidArgumentSize = -51;
constexpr int32_t kNoEvent = -100;
constexpr int32_t kOutOfResources = -5;

/// Literals hold what a program captures by name; more is a mistake.
constexpr uint64_t kMostLiteralBytes = 1 << 20;
constexpr uint32_t kMostWaits = 1 << 16;
constexpr int32_t kProfilingExecTime = 1;

bool isEvent(const void* handle) noexcept {
  return handle != nullptr && reinterpret_cast<uintptr_t>(handle) != abi::kNullDeviceEvent;
}

/// Of what a child is given; 0 for a marker. Compilers say it, or the literal does.
uint64_t literalBytes(const abi::EnqueueRequest& request) noexcept {
  if (!request.block) return 0;
  if (request.blockBytes != 0) return request.blockBytes;
  const int32_t bytes = request.block->bytes;
  return bytes < static_cast<int32_t>(sizeof(abi::BlockLiteral)) ? 0 : static_cast<uint64_t>(bytes);
}

/// Where things are in a child's block of memory.
struct Layout {
  uint64_t links = sizeof(Child);
  uint64_t arguments = 0;
  uint64_t literal = 0;
  uint64_t bytes = 0;

  Layout(uint32_t waits, uint32_t argumentBytes, uint64_t literalBytes) noexcept {
    links = alignUp<uint64_t>(links, alignof(EventLink));
    arguments = alignUp<uint64_t>(links + waits * sizeof(EventLink), abi::kArgumentAlignment);
    // The literal may hold the widest vectors.
    literal = alignUp<uint64_t>(arguments + argumentBytes, abi::kArgumentAlignment);
    bytes = literalBytes == 0 ? arguments : literal + literalBytes;
  }
};

}  // namespace

int32_t Family::told(int32_t error) const noexcept {
  return error == kSuccess || options_.blocks.tellsErrors() ? error : kFailure;
}

int32_t Family::check(const abi::EnqueueRequest& request) const noexcept {
  if (!request.queue) return kInvalidQueue;
  if ((request.waitCount == 0) != (request.waits == nullptr) || request.waitCount > kMostWaits)
    return request.waitCount == 0 && request.block ? kSuccess : kInvalidWaitList;
  for (uint32_t i = 0; i < request.waitCount; ++i)
    if (!eventOf(request.waits[i])) return kInvalidWaitList;
  if (!request.block) return request.waitCount == 0 ? kInvalidWaitList : kSuccess;
  if (request.flags < abi::kEnqueueNoWait || request.flags > abi::kEnqueueWaitGroup)
    return kFailure;
  if (literalBytes(request) == 0 || literalBytes(request) > kMostLiteralBytes) return kFailure;
  return kSuccess;
}

int32_t Family::enqueue(ExecSlot& slot, const abi::EnqueueRequest& request) noexcept {
  if (const int32_t error = check(request)) return told(error);
  Child* child = nullptr;
  if (const int32_t error = make(slot, request, child)) return told(error);
  link(slot, *child, request);
  return kSuccess;
}

/// Takes room in the queue. Where there is none, children that could run anyway are run here, which
/// is as good as anywhere: whoever tries again for ever would wait for them.
bool Family::makeRoom(ExecSlot& slot, DeviceQueue& queue, uint32_t bytes) noexcept {
  ChildStore& store = slot.children();
  while (!store.takeRoom(queue, bytes)) {
    ExecSlot* inner = bytes <= queue.size() ? slot.nested() : nullptr;
    if (!inner) return false;
    Child* child = store.popNewest();
    if (!child) {
      flush(store);  // others may be ready then
      child = store.popNewest();
    }
    if (!child) return false;
    run(*child, *inner);
  }
  return true;
}

/// A child that nobody knows of yet.
int32_t Family::make(ExecSlot& slot, const abi::EnqueueRequest& request, Child*& made) noexcept {
  const compiler::KernelInfo* kernel = nullptr;
  if (request.block) {
    kernel = options_.blocks.info(request.kernel);
    if (!kernel) return kFailure;
    if (kernel->arguments.size() != request.localCount + size_t{1}) return kInvalidArgumentSize;
  }
  const Layout layout(request.waitCount, kernel ? kernel->argumentBytes : 0, literalBytes(request));
  auto blockBytes = static_cast<uint32_t>(layout.bytes);
  auto& queue = *static_cast<DeviceQueue*>(request.queue);
  const auto queueBytes = static_cast<uint32_t>(layout.bytes);
  if (!makeRoom(slot, queue, queueBytes)) return kQueueFull;
  auto* memory = static_cast<uint8_t*>(slot.children().allocate(blockBytes));
  int32_t error = memory ? kSuccess : kOutOfResources;
  DeviceEvent* event = nullptr;
  if (!error && request.event) {
    event = makeEvent(DeviceEvent::Kind::Child);
    if (!event) error = kNoEvent;
  }
  uint64_t localBytes = 0;
  BlockSource::Found found;
  if (!error && kernel) {
    std::memcpy(memory + layout.literal, request.block, literalBytes(request));
    error = bindBlock(request, *kernel, memory, localBytes, found);
  }
  if (!error) {
    auto* child = new (memory) Child(found.shape, {.arguments = memory + layout.arguments,
                                                   .programScope = found.programScope,
                                                   .localBytes = localBytes,
                                                   .zeroLocal = options_.blocks.zeroesLocalMemory(),
                                                   .node = reinterpret_cast<Child*>(memory)});
    child->blockBytes = blockBytes;
    child->queueBytes = queueBytes;
    child->queue = &queue;
    child->home = &slot.children();
    child->links = {reinterpret_cast<EventLink*>(memory + layout.links), request.waitCount};
    child->keeper = std::move(found.keeper);
    child->event = event;
    made = child;
    return kSuccess;
  }
  if (event) drop(*event);
  if (memory) slot.children().give(memory, blockBytes, slot.children());
  slot.children().giveRoom(queue, queueBytes);
  return error;
}

/// Fills the argument block in the memory of a child whose literal is in place, and finds its code.
int32_t Family::bindBlock(const abi::EnqueueRequest& request, const compiler::KernelInfo& kernel,
                          uint8_t* memory, uint64_t& localBytes,
                          BlockSource::Found& found) noexcept {
  const Layout layout(request.waitCount, kernel.argumentBytes, 1);
  uint8_t* block = memory + layout.arguments;
  const void* literal = memory + layout.literal;
  std::memcpy(block + kernel.arguments[0].offset, &literal, sizeof literal);
  localBytes = kernel.staticLocalBytes;
  const uint64_t most = request.localCount == 0 ? 0 : options_.blocks.maxLocalBytes();
  for (uint32_t i = 0; i < request.localCount; ++i) {
    const compiler::ArgumentInfo& argument = kernel.arguments[i + size_t{1}];
    const uint64_t size = request.localSizes[i];
    if (size == 0 || argument.kind != compiler::ArgumentKind::LocalPointer)
      return kInvalidArgumentSize;
    const uint64_t start = alignUp<uint64_t>(localBytes, std::max(argument.alignment, 1u));
    if (size > most || start + size > most) return kOutOfResources;
    std::memcpy(block + argument.offset, &start, sizeof start);
    localBytes = start + size;
  }
  switch (options_.blocks.find(request.kernel, *request.range, block, found)) {
    case BlockSource::Problem::None:
      return kSuccess;
    case BlockSource::Problem::InvalidRange:
      return kInvalidRange;
    case BlockSource::Problem::InvalidKernel:
      return kFailure;
    case BlockSource::Problem::OutOfResources:
      return kOutOfResources;
  }
  return kFailure;
}

/// Makes the child a part of the family.
void Family::link(ExecSlot& slot, Child& child, const abi::EnqueueRequest& request) noexcept {
  LaunchNode& parent = *slot.node();
  child.parent = &parent;
  child.family = this;
  hold(parent, slot.children());
  const bool waitsForKernel = request.block && request.flags == abi::kEnqueueWaitKernel;
  const bool waitsForGroup = request.block && request.flags == abi::kEnqueueWaitGroup;
  child.unmet.store(1 + request.waitCount + (waitsForKernel || waitsForGroup),
                    std::memory_order_relaxed);
  if (child.event) {
    child.event->retain();
    *request.event = child.event;
  }
  if (request.waitCount == 0 && !waitsForKernel && !waitsForGroup)
    return this->met(child, &slot.children());
  if (request.waitCount != 0) {
    MutexLock lock(mutex_);
    child.isWaiting = true;
    child.previous = nullptr;
    child.next = waiting_;
    if (waiting_) waiting_->previous = &child;
    waiting_ = &child;
  }
  uint32_t met = 1;
  for (uint32_t i = 0; i < request.waitCount; ++i) {
    DeviceEvent& event = *eventOf(request.waits[i]);
    EventLink& link = *new (&child.links[i]) EventLink{nullptr, &child, &event};
    bool failed = false;
    if (event.add(link, failed)) continue;
    ++met;
    link.event = nullptr;
    if (failed) child.failed.store(true, std::memory_order_relaxed);
  }
  if (waitsForGroup) {
    slot.addAfterGroup(child);
  } else if (waitsForKernel) {
    child.sibling = parent.afterEnd.load(std::memory_order_relaxed);
    while (!parent.afterEnd.compare_exchange_weak(child.sibling, &child, std::memory_order_release,
                                                  std::memory_order_relaxed)) {
    }
  }
  if (child.unmet.fetch_sub(met, std::memory_order_acq_rel) == met)
    this->met(child, &slot.children());
}

// ---- Events

DeviceEvent* Family::eventOf(const void* handle) const noexcept {
  if (!isEvent(handle)) return nullptr;
  auto* event = static_cast<DeviceEvent*>(const_cast<void*>(handle));
  return &event->family() == this ? event : nullptr;
}

DeviceEvent* Family::makeEvent(DeviceEvent::Kind kind) noexcept {
  auto* event = new (std::nothrow) DeviceEvent(*this, kind);
  if (!event) return nullptr;
  MutexLock lock(mutex_);
  event->next = events_;
  if (events_) events_->previous = event;
  events_ = event;
  return event;
}

void Family::drop(DeviceEvent& event) noexcept {
  if (!event.release() || event.isPending()) return;
  {
    MutexLock lock(mutex_);
    (event.previous ? event.previous->next : events_) = event.next;
    if (event.next) event.next->previous = event.previous;
  }
  delete &event;
}

void* Family::createUserEvent() noexcept {
  DeviceEvent* event = makeEvent(DeviceEvent::Kind::User);
  return event ? event : reinterpret_cast<void*>(abi::kNullDeviceEvent);
}

void Family::setUserEvent(ExecSlot& slot, void* handle, int32_t status) noexcept {
  DeviceEvent* event = eventOf(handle);
  if (!event || event->kind() != DeviceEvent::Kind::User || status > 0) return;
  settle(*event, status, {}, &slot.children());
}

void Family::retain(void* handle) noexcept {
  if (DeviceEvent* event = eventOf(handle)) event->retain();
}

void Family::release(void* handle) noexcept {
  if (DeviceEvent* event = eventOf(handle)) drop(*event);
}

void Family::capture(void* handle, int32_t name, void* value) noexcept {
  DeviceEvent* event = eventOf(handle);
  if (event && value && name == kProfilingExecTime && event->kind() == DeviceEvent::Kind::Child)
    event->capture(static_cast<uint64_t*>(value));
}

}  // namespace weft::runtime
