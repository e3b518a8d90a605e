// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstdint>
#include <string>

#include "platform/handle.h"
#include "platform/limits.h"

namespace weft {

class Platform;

/// What the host really has; gathered once, when the platform is first asked for.
struct DeviceFacts {
  std::string name;
  std::string vendor;
  cl_uint vendorId = 0;
  cl_uint computeUnits = 1;  ///< threads that may run, by affinity and cgroup quota
  cl_uint clockMHz = 0;
  uint64_t cacheBytes = 0;  ///< largest data cache
  cl_uint cacheLineBytes = 64;
  uint64_t globalMemory = 0;   ///< physical memory within cgroup limit and RLIMIT_AS
  uint64_t maxAllocation = 0;  ///< largest buffer
  uint64_t maxConstantBuffer = 0;
  uint64_t localMemory = 0;
  uint32_t vectorBytes = 16;  ///< widest SIMD register
  bool fma = false;           ///< fused multiply-add is one instruction
};

/// The one CPU device.
///
/// Ownership: belongs to the platform, lives as long as the process; application references
/// are counted by nobody (a root device cannot be released). Immutable but for the loader's
/// dispatch data. Threads: any.
class Device final : public Object<Device, _cl_device_id, HandleTag::Device> {
 public:
  explicit Device(Platform& platform);

  Platform& platform() const noexcept { return platform_; }
  const DeviceFacts& facts() const noexcept { return facts_; }

  uint64_t maxAllocation() const noexcept { return facts_.maxAllocation; }
  uint64_t globalMemory() const noexcept { return facts_.globalMemory; }
  uint64_t localMemory() const noexcept { return facts_.localMemory; }
  cl_uint computeUnits() const noexcept { return facts_.computeUnits; }

  static constexpr cl_device_type kType = CL_DEVICE_TYPE_CPU;
  /// Whether clGetDeviceIDs and clCreateContextFromType find it under `type`.
  static constexpr bool matches(cl_device_type type) noexcept {
    return (type & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_DEFAULT)) != 0;
  }
  /// Whether a global size need not be a multiple of the local size.
  static constexpr bool kNonUniformWorkGroups = false;
  static constexpr cl_command_queue_properties kHostQueueProperties =
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

 private:
  Platform& platform_;
  DeviceFacts facts_;
};

}  // namespace weft
