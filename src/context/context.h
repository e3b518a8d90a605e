// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <atomic>
#include <span>
#include <string_view>
#include <vector>

#include "base/callback_thread.h"
#include "base/error.h"
#include "base/handle.h"
#include "base/object_mutex.h"
#include "platform/platform.h"
#include "weft/compiler/compiler.h"

namespace weft {

/// What a command ends with when its context is terminated, and calls that use the context.
inline constexpr cl_int kContextTerminated = CL_CONTEXT_TERMINATED_KHR;

/// A context over devices of the one platform.
///
/// Ownership: every object made in a context holds a Ref to it. Threads: all methods from any
/// thread; the devices and properties never change.
class Context final : public Object<Context, _cl_context, HandleTag::Context> {
 public:
  using Notify = void(CL_CALLBACK*)(const char* errorInfo, const void* privateInfo,
                                    size_t privateSize, void* userData);
  using DestructorCallback = void(CL_CALLBACK*)(cl_context context, void* userData);

  /// `properties` is a validated list, terminator included; empty when none was given.
  Context(Platform& platform, std::vector<Device*> devices,
          std::vector<cl_context_properties> properties, Notify notify, void* userData);

  Platform& platform() const noexcept { return platform_; }
  /// In the order the application gave them, without repeats.
  std::span<Device* const> devices() const noexcept { return devices_; }
  bool has(const Device& device) const noexcept;
  std::span<const cl_context_properties> properties() const noexcept { return properties_; }

  /// cl_khr_initialize_memory: what kernels find in memory that they have not written.
  compiler::PrivateMemory privateMemory() const noexcept;
  bool zeroesLocalMemory() const noexcept;

  /// Largest CL_DEVICE_MAX_MEM_ALLOC_SIZE of the devices: the bound of clCreateBuffer.
  uint64_t maxAllocation() const noexcept;

  /// cl_khr_terminate_context: whether nothing may be made or enqueued in it any more.
  bool isTerminated() const noexcept { return terminated_.load(std::memory_order_acquire); }
  ///   CL_INVALID_OPERATION       it was not created with CL_CONTEXT_TERMINATE_KHR
  ///   CL_CONTEXT_TERMINATED_KHR  it has been terminated already
  Result<void> markTerminated();

  /// The queue on the device that kernels of the context get as the default one; null when there
  /// is none. Known here by reference alone.
  Ref<RefCounted> defaultQueue(const Device& device) const noexcept WEFT_EXCLUDES(mutex_);
  /// Makes it so, in place of another. Borrowed, until forgetQueue.
  void setDefaultQueue(const Device& device, RefCounted& queue) WEFT_EXCLUDES(mutex_);
  void forgetQueue(const RefCounted& queue) noexcept WEFT_EXCLUDES(mutex_);

  /// Hands `text` to the application's pfn_notify, on the callback thread. Nothing when there
  /// is none. From any thread, with or without locks held.
  void notify(std::string_view text) noexcept;

  /// Callbacks run in reverse order, on the callback thread, when the context is destroyed.
  Result<void> addDestructorCallback(DestructorCallback callback, void* userData)
      WEFT_EXCLUDES(mutex_);

 private:
  ~Context() override = default;
  void destroy() const noexcept override;
  bool hasDestructors() const noexcept WEFT_EXCLUDES(mutex_);
  void runDestructors() noexcept WEFT_NO_TSA;

  /// The value of a property; 0 when it was not given.
  cl_bitfield property(cl_context_properties name) const noexcept;

  struct Destructor {
    DestructorCallback callback;
    void* userData;
  };

  Platform& platform_;
  CallbackThread& callbacks_;
  std::vector<Device*> devices_;
  const std::vector<Ref<Device>> heldDevices_;  ///< the same: sub-devices live by references
  std::vector<cl_context_properties> properties_;
  const cl_bitfield zeroedMemory_;  ///< value of CL_CONTEXT_MEMORY_INITIALIZE_KHR
  std::atomic<bool> terminated_{false};
  Notify notify_;
  void* userData_;
  mutable ObjectMutex mutex_;
  struct DefaultQueue {
    const Device* device;
    RefCounted* queue;
  };
  std::vector<DefaultQueue> defaultQueues_ WEFT_GUARDED_BY(mutex_);
  std::vector<Destructor> destructors_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace weft
