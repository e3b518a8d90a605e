// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl_ext.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "base/fork.h"
#include "memory/host_block.h"
#include "weft/khr/unified_svm.h"
#include "weft/support/mutex.h"
#include "weft/support/ref.h"

namespace weft {

class Context;
class Device;

/// What an allocation was made for: clSVMAlloc and cl_khr_unified_svm, or one of
/// cl_intel_unified_shared_memory. All are host memory, which host and devices share down to single
/// bytes and atomics.
enum class SvmKind : uint8_t { Svm, UsmHost, UsmDevice, UsmShared };

constexpr bool isUsm(SvmKind kind) noexcept { return kind != SvmKind::Svm; }

/// The list of properties of clSVMAllocWithPropertiesKHR, as it was given: each of three names once
/// at the most. Empty, without an end, where there was none.
struct SvmProperties {
  std::array<khr::cl_svm_alloc_properties, 7> values{};
  size_t count = 0;  ///< with the zero at the end
};

/// What an allocation is asked for, and what the registry tells of it.
struct SvmTraits {
  SvmKind kind = SvmKind::Svm;
  cl_mem_alloc_flags_intel usmFlags = 0;  ///< value of CL_MEM_ALLOC_FLAGS_INTEL
  Device* device = nullptr;               ///< that it is associated with; may be null

  // Of SvmKind::Svm, what cl_khr_unified_svm asks.
  cl_uint type = 0;  ///< an index of kSvmTypes
  khr::cl_svm_alloc_access_flags accessFlags = 0;
  SvmProperties properties{};
};

/// An allocation as the registry found it.
struct SvmRange {
  std::byte* base = nullptr;
  size_t size = 0;
  SvmTraits traits;

  /// Whether [pointer, pointer + bytes) lies within. Pre: `pointer` does.
  bool holds(const void* pointer, size_t bytes) const noexcept {
    return bytes <= size - static_cast<size_t>(static_cast<const std::byte*>(pointer) - base);
  }
};

/// The allocations of clSVMAlloc, of cl_khr_unified_svm and of cl_intel_unified_shared_memory, of
/// all contexts, found by any address in them. Addresses that an application uses after it has
/// freed them are unknown here, or those of a later allocation, and nothing worse.
///
/// Ownership: owns the memory; every allocation holds its context, as a memory object does, so
/// that it can be used and freed after the application has released the context.
/// Threads: all methods from any thread. One lock, under which nothing else is taken.
class SvmRegistry final : public ForkParticipant {
 public:
  static constexpr ForkOrder kForkOrder = ForkOrder::SharedMemory;
  static SvmRegistry& instance() noexcept;

  SvmRegistry();
  ~SvmRegistry();

  /// Null when there is no memory. Pre: size != 0; the device, if any, is the context's. Aligned
  /// as a HostBlock is. Throws std::bad_alloc.
  void* allocate(Context& context, size_t size, const SvmTraits& traits) WEFT_EXCLUDES(mutex_);

  /// Frees the allocation of `context` that starts at `pointer`, if it is one of USM or not, as
  /// `usm` says; else false.
  bool free(const Context& context, void* pointer, bool usm) noexcept WEFT_EXCLUDES(mutex_);

  /// The allocation of `context` that `pointer` points into.
  std::optional<SvmRange> find(const Context& context, const void* pointer) noexcept
      WEFT_EXCLUDES(mutex_);
  /// The same, if it is one of clSVMAlloc.
  std::optional<SvmRange> findSvm(const Context& context, const void* pointer) noexcept
      WEFT_EXCLUDES(mutex_);

  void prepareFork() noexcept override WEFT_NO_TSA;
  void afterForkInParent() noexcept override WEFT_NO_TSA;
  void afterForkInChild() noexcept override WEFT_NO_TSA;

 private:
  struct Allocation {
    HostBlock block;
    size_t size;
    SvmTraits traits;
    Ref<Context> context;
  };
  using Allocations = std::map<uintptr_t, Allocation>;

  Mutex mutex_;
  Allocations allocations_ WEFT_GUARDED_BY(mutex_);  ///< by their first address
};

}  // namespace weft
