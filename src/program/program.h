// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/handle.h"
#include "base/object_mutex.h"
#include "context/context.h"
#include "weft/compiler/compiler.h"
#include "weft/support/ref.h"

namespace weft {

/// The state of a program for one device.
struct ProgramBuild {
  cl_build_status status = CL_BUILD_NONE;
  std::string options;  ///< of the last build, compile or link
  std::string log;
  Ref<compiler::Program> code;  ///< object, library or executable; null when there is none
  /// `code` as a binary, made by the first query. Shared, so that it is copied without the lock.
  /// It is a cache of what follows from `code`, hence mutable.
  mutable std::shared_ptr<const std::vector<std::byte>> binary;

  /// Whether kernels can be made: an executable that was built or linked, not merely loaded.
  bool isExecutable() const noexcept {
    return status == CL_BUILD_SUCCESS && code && code->kind() == compiler::ProgramKind::Executable;
  }
};

/// A program and its kernels' machine code; source, or binary, and one ProgramBuild per device.
///
/// Ownership: holds its context; kernels hold the program and, on their own, the code they run,
/// so a rebuild never takes it away from commands in flight.
/// Threads: all methods from any thread. Builds run outside the lock: beginBuild marks the
/// devices as being built, and whoever did so ends with finishBuild.
class Program final : public Object<Program, _cl_program, HandleTag::Program> {
 public:
  enum class Origin { Source, Il, Binary, Linked };

  /// A device's code as clCreateProgramWithBinary found it.
  struct DeviceCode {
    Device* device;
    Ref<compiler::Program> code;
  };

  static Ref<Program> fromSource(Context& context, std::string source);
  /// From a module of SPIR-V with these specialisation constants.
  static Ref<Program> fromIl(Context& context, std::string words,
                             std::vector<compiler::SpecializationConstant> constants);
  static Ref<Program> fromBinaries(Context& context, std::vector<DeviceCode> binaries);
  /// The object that clLinkProgram returns, still without code.
  static Ref<Program> forLink(Context& context, std::span<Device* const> devices);

  Context& context() const noexcept { return *context_; }
  Origin origin() const noexcept { return origin_; }
  /// Empty unless made from source.
  std::string_view source() const noexcept {
    return origin_ == Origin::Source ? std::string_view(text_) : std::string_view();
  }
  /// The module of SPIR-V; empty unless made from one.
  std::string_view il() const noexcept {
    return origin_ == Origin::Il ? std::string_view(text_) : std::string_view();
  }

  /// Sets a specialisation constant for builds to come.
  ///   CL_INVALID_PROGRAM  the program is not made from SPIR-V
  ///   CL_INVALID_SPEC_ID  it has no constant of this number
  ///   CL_INVALID_VALUE    the constant is not of this size
  Result<void> specialize(uint32_t id, std::span<const std::byte> value) WEFT_EXCLUDES(mutex_);
  /// What has been set so far, in the order of numbers.
  std::vector<compiler::SpecializationValue> specialization() const WEFT_EXCLUDES(mutex_);

  /// Devices the program is for; fixed.
  std::span<Device* const> devices() const noexcept { return devices_; }
  bool has(const Device& device) const noexcept;
  /// The device itself, or of those it is a part of the nearest, that is among devices(); null when
  /// none is. What was built for a device serves its sub-devices.
  const Device* nearest(const Device& device) const noexcept;

  /// A copy of the state for one of devices().
  ProgramBuild build(const Device& device) const WEFT_EXCLUDES(mutex_);
  /// The binary for one of devices(); null when there is none.
  Result<std::shared_ptr<const std::vector<std::byte>>> binary(const Device& device) const
      WEFT_EXCLUDES(mutex_);

  /// Devices become CL_BUILD_IN_PROGRESS; their code stays until the build is finished.
  /// CL_INVALID_OPERATION while kernels are attached or a build is under way.
  Result<void> beginBuild(std::span<Device* const> devices, std::string_view options)
      WEFT_EXCLUDES(mutex_);
  /// Ends what beginBuild began, for one device. Without `code` the build failed.
  void finishBuild(const Device& device, Ref<compiler::Program> code, std::string_view log) noexcept
      WEFT_EXCLUDES(mutex_);

  /// Devices in progress become CL_BUILD_ERROR. Pre: in the child of a fork().
  void abandonBuilds() noexcept WEFT_EXCLUDES(mutex_);

  /// The executables of all devices that have one, for a new kernel, which counts as attached
  /// until detachKernel. CL_INVALID_PROGRAM_EXECUTABLE when there is none.
  Result<std::vector<DeviceCode>> attachKernel() WEFT_EXCLUDES(mutex_);
  /// One more kernel on code that a kernel already has: a clone.
  void attachClone() noexcept WEFT_EXCLUDES(mutex_);
  void detachKernel() noexcept WEFT_EXCLUDES(mutex_);

  /// The executables of all devices that have one; CL_INVALID_PROGRAM_EXECUTABLE when there is
  /// none.
  Result<std::vector<DeviceCode>> executables() const WEFT_EXCLUDES(mutex_);

 private:
  Program(Context& context, Origin origin, std::string text, std::span<Device* const> devices);
  ~Program() override = default;

  std::vector<DeviceCode> executablesLocked() const WEFT_REQUIRES(mutex_);
  ProgramBuild& slot(const Device& device) WEFT_REQUIRES(mutex_);
  const ProgramBuild& slot(const Device& device) const WEFT_REQUIRES(mutex_);
  /// What counts for a device: a sub-device that nothing was built for has what its parent has.
  const ProgramBuild& inForce(const Device& device) const WEFT_REQUIRES(mutex_);

  const Ref<Context> context_;
  const Origin origin_;
  const std::string text_;  ///< source, or a module of SPIR-V
  const std::vector<Device*> devices_;
  mutable ObjectMutex mutex_;
  std::vector<ProgramBuild> builds_ WEFT_GUARDED_BY(mutex_);  ///< parallel to devices_
  size_t attachedKernels_ WEFT_GUARDED_BY(mutex_) = 0;
  std::vector<compiler::SpecializationConstant> constants_;  ///< fixed once the program is made
  std::map<uint32_t, uint64_t> specialization_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace weft
