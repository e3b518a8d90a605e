// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/handle.h"
#include "platform/limits.h"
#include "platform/partition.h"
#include "platform/topology.h"
#include "weft/runtime/executor.h"

namespace weft {

class Platform;

/// What the host really has; gathered once, when the platform is first asked for.
struct DeviceFacts {
  std::string name;
  std::string vendor;
  cl_uint vendorId = 0;
  cl_uint computeUnits = 1;    ///< threads that may run, by affinity and cgroup quota
  std::vector<unsigned> cpus;  ///< where they may; empty when the system does not tell
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

/// The one CPU device, or a part of it: compute units, which are slots of the executor.
///
/// Ownership: the root device belongs to the platform and lives as long as the process;
/// application references to it are counted by nobody (it cannot be released). A sub-device is
/// held by the application, by contexts and by its own sub-devices, and holds its parent.
/// Immutable but for the loader's dispatch data and what is made on first use. Threads: any.
class Device final : public Object<Device, _cl_device_id, HandleTag::Device> {
 public:
  /// The root device.
  explicit Device(Platform& platform);
  /// A sub-device.
  Device(Device& parent, DevicePart part);

  bool isRoot() const noexcept { return !parent_; }
  /// Null for the root device.
  Device* parent() const noexcept { return parent_.get(); }
  Platform& platform() const noexcept { return platform_; }
  const DeviceFacts& facts() const noexcept { return facts_; }

  uint64_t maxAllocation() const noexcept { return facts_.maxAllocation; }
  uint64_t globalMemory() const noexcept { return facts_.globalMemory; }
  uint64_t localMemory() const noexcept { return facts_.localMemory; }
  cl_uint computeUnits() const noexcept { return facts_.computeUnits; }

  /// The compute units with their places on the host. Reads the host's files on first use; so do
  /// the two below.
  std::vector<ComputeUnit> units() const;
  /// CL_DEVICE_PARTITION_AFFINITY_DOMAIN.
  cl_device_affinity_domain affinityDomains() const { return weft::affinityDomains(units()); }
  /// The makings of sub-devices; see weft::partition.
  Result<std::vector<DevicePart>> partition(const PartitionRequest& request) const;
  /// CL_DEVICE_PARTITION_TYPE; empty for the root device.
  std::span<const cl_device_partition_property> partitionType() const noexcept {
    return part_.list;
  }

  /// What the device's commands run on: null for all slots. Made on first use, which may throw.
  runtime::WorkerSet* workers(runtime::Executor& executor) const;
  /// The same for queues that ask for little power: half of the compute units.
  runtime::WorkerSet* fewerWorkers(runtime::Executor& executor) const;

  static constexpr cl_device_type kType = CL_DEVICE_TYPE_CPU;
  /// Whether clGetDeviceIDs and clCreateContextFromType find it under `type`.
  static constexpr bool matches(cl_device_type type) noexcept {
    return (type & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_DEFAULT)) != 0;
  }
  /// Whether a global size need not be a multiple of the local size.
  static constexpr bool kNonUniformWorkGroups = true;
  static constexpr cl_command_queue_properties kHostQueueProperties =
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  /// Of queues on the device.
  static constexpr cl_command_queue_properties kDeviceQueueProperties = kHostQueueProperties;

 private:
  ~Device() override;

  const Device& root() const noexcept { return parent_ ? parent_->root() : *this; }
  /// Of the CPUs that the device may use.
  std::vector<host::CpuPlace> places() const;
  const std::vector<host::CpuPlace>& hostPlaces() const;

  Platform& platform_;
  const Ref<Device> parent_;
  DeviceFacts facts_;
  const DevicePart part_;  ///< empty for the root device, which has all slots

  mutable std::atomic<const std::vector<host::CpuPlace>*> hostPlaces_{nullptr};  ///< of the root
  mutable std::atomic<runtime::WorkerSet*> workers_{nullptr};
  mutable std::atomic<runtime::WorkerSet*> fewerWorkers_{nullptr};
};

}  // namespace weft
