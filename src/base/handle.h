// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "weft/support/ref.h"

/// What an application's handle points to, and every cast between handles and objects.
namespace weft {

enum class HandleTag : uint32_t {
  Dead = 0xdeadc1c1,
  Platform = 0x57460001,
  Device,
  Context,
  Queue,
  Memory,
  Sampler,
  Program,
  Kernel,
  Event,
  Semaphore,
  CommandBuffer,
  MutableCommand,
};

/// First words of every object: loaders read `dispatch` (cl_khr_icd).
struct Handle {
  const void* dispatch;
  HandleTag tag;
};
static_assert(offsetof(Handle, dispatch) == 0);

/// The ICD dispatch table; defined in icd/.
extern const void* const kDispatchTable;

}  // namespace weft

struct _cl_platform_id : weft::Handle {};
struct _cl_device_id : weft::Handle {};
struct _cl_context : weft::Handle {};
struct _cl_command_queue : weft::Handle {};
struct _cl_mem : weft::Handle {};
struct _cl_sampler : weft::Handle {};
struct _cl_program : weft::Handle {};
struct _cl_kernel : weft::Handle {};
struct _cl_event : weft::Handle {};
struct _cl_command_buffer_khr : weft::Handle {};
struct _cl_mutable_command_khr : weft::Handle {};
struct _cl_semaphore_khr : weft::Handle {};

namespace weft {

/// Base of every API object. Two counts: the application's, and the internal one of RefCounted;
/// while the application holds references, they hold one internal reference together.
///
/// Derived names its handle struct and tag. The handle is a base subobject, so its address
/// differs from the object's: convert with handle() and from() only.
template <class Derived, class ClHandle, HandleTag kTag>
class Object : public ClHandle, public RefCounted {
 public:
  using HandleType = ClHandle*;

  Object() noexcept {
    this->dispatch = kDispatchTable;
    this->tag = kTag;
  }

  ClHandle* handle() noexcept { return static_cast<ClHandle*>(this); }
  const ClHandle* handle() const noexcept { return static_cast<const ClHandle*>(this); }

  /// The object behind a handle, or null when it is null or of another type.
  static Derived* from(const ClHandle* handle) noexcept {
    if (handle == nullptr || handle->tag != kTag) return nullptr;
    return static_cast<Derived*>(const_cast<ClHandle*>(handle));
  }

  /// Gives the object to the application with one application reference.
  static ClHandle* publish(Ref<Derived> object) noexcept {
    object->applicationRefs_.store(1, std::memory_order_relaxed);
    return object.detach()->handle();
  }

  /// Also from zero: a callback may retain the object it is given after the application has
  /// released it, while an internal reference still holds it.
  void retainApplication() noexcept {
    if (applicationRefs_.fetch_add(1, std::memory_order_acq_rel) == 0) this->retainInternal();
  }
  /// False when there was no application reference left to release.
  bool releaseApplication() noexcept {
    uint32_t refs = applicationRefs_.load(std::memory_order_relaxed);
    do {
      if (refs == 0) return false;
    } while (!applicationRefs_.compare_exchange_weak(refs, refs - 1, std::memory_order_acq_rel));
    if (refs == 1) {
      static_cast<Derived*>(this)->applicationReleased();
      this->releaseInternal();
    }
    return true;
  }
  uint32_t applicationRefs() const noexcept {
    return applicationRefs_.load(std::memory_order_relaxed);
  }

  /// Hook: the application's last reference is gone. Hidden by Derived where it matters.
  void applicationReleased() noexcept {}

 protected:
  ~Object() override { this->tag = HandleTag::Dead; }

 private:
  std::atomic<uint32_t> applicationRefs_{0};
};

}  // namespace weft
