// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "context/context.h"

#include <algorithm>
#include <string>

#include "weft/khr/initialize_memory.h"
#include "weft/support/log.h"

namespace weft {

namespace {

std::vector<Ref<Device>> references(std::span<Device* const> devices) {
  std::vector<Ref<Device>> held;
  for (Device* device : devices) held.emplace_back(device);
  return held;
}

}  // namespace

Context::Context(Platform& platform, std::vector<Device*> devices,
                 std::vector<cl_context_properties> properties, Notify notify, void* userData)
    : platform_(platform),
      callbacks_(CallbackThread::instance()),
      devices_(std::move(devices)),
      heldDevices_(references(devices_)),
      properties_(std::move(properties)),
      zeroedMemory_(property(CL_CONTEXT_MEMORY_INITIALIZE_KHR)),
      notify_(notify),
      userData_(userData) {}

void Context::destroy() const noexcept {
  auto* self = const_cast<Context*>(this);
  bool posted = false;
  try {
    if (hasDestructors()) {
      // The last reference may go on any thread and under any lock.
      callbacks_.post([self] {
        self->runDestructors();
        delete self;
      });
      posted = true;
    }
  } catch (...) {
    self->runDestructors();  // without memory or a thread, better here than never
  }
  if (!posted) delete self;
}

bool Context::hasDestructors() const noexcept {
  ObjectLock lock(mutex_);
  return !destructors_.empty();
}

void Context::runDestructors() noexcept {
  // Nobody else holds the context any more, so there is nobody to lock out.
  for (auto row = destructors_.rbegin(); row != destructors_.rend(); ++row)
    row->callback(handle(), row->userData);
}

bool Context::has(const Device& device) const noexcept {
  return std::find(devices_.begin(), devices_.end(), &device) != devices_.end();
}

cl_bitfield Context::property(cl_context_properties name) const noexcept {
  for (size_t i = 0; i + 1 < properties_.size(); i += 2)
    if (properties_[i] == name) return static_cast<cl_bitfield>(properties_[i + 1]);
  return 0;
}

compiler::PrivateMemory Context::privateMemory() const noexcept {
  return (zeroedMemory_ & khr::CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR) != 0
             ? compiler::PrivateMemory::Zeroed
             : compiler::PrivateMemory::Unspecified;
}

bool Context::zeroesLocalMemory() const noexcept {
  return (zeroedMemory_ & khr::CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR) != 0;
}

uint64_t Context::maxAllocation() const noexcept {
  uint64_t largest = 0;
  for (const Device* device : devices_) largest = std::max(largest, device->maxAllocation());
  return largest;
}

Result<void> Context::markTerminated() {
  WEFT_TRY_VOID(require(property(CL_CONTEXT_TERMINATE_KHR) == CL_TRUE, CL_INVALID_OPERATION));
  return require(!terminated_.exchange(true), kContextTerminated);
}

Ref<RefCounted> Context::defaultQueue(const Device& device) const noexcept {
  ObjectLock lock(mutex_);
  for (const DefaultQueue& each : defaultQueues_)
    if (each.device == &device) return Ref<RefCounted>(each.queue);
  return nullptr;
}

void Context::setDefaultQueue(const Device& device, RefCounted& queue) {
  ObjectLock lock(mutex_);
  for (DefaultQueue& each : defaultQueues_)
    if (each.device == &device) {
      each.queue = &queue;
      return;
    }
  defaultQueues_.push_back({&device, &queue});
}

void Context::forgetQueue(const RefCounted& queue) noexcept {
  ObjectLock lock(mutex_);
  std::erase_if(defaultQueues_, [&](const DefaultQueue& each) { return each.queue == &queue; });
}

void Context::notify(std::string_view text) noexcept {
  log::write(log::Level::Info, text);
  if (notify_ == nullptr) return;
  try {
    callbacks_.post([self = Ref<Context>(this), message = std::string(text)] {
      self->notify_(message.c_str(), nullptr, 0, self->userData_);
    });
  } catch (...) {
    // Without memory or a thread the error code of the failed call has to be enough.
  }
}

Result<void> Context::addDestructorCallback(DestructorCallback callback, void* userData) {
  ObjectLock lock(mutex_);
  destructors_.push_back({callback, userData});
  return {};
}

}  // namespace weft
