// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "program/program.h"
#include "weft/compiler/compiler.h"
#include "weft/support/ref.h"

namespace weft {

/// A build, compile or link of a program under way, from the moment its devices are marked as in
/// progress to the last device's result. Devices that it leaves without a result become
/// CL_BUILD_ERROR, so that an exception cannot leave a program in progress for ever.
///
/// Ownership: holds the program. Threads: one at a time.
class ActiveBuild {
 public:
  /// CL_INVALID_OPERATION while kernels are attached or a build of one of the devices is under way.
  static Result<std::unique_ptr<ActiveBuild>> begin(Program& program,
                                                    std::span<Device* const> devices,
                                                    std::string_view options);
  ActiveBuild(const ActiveBuild&) = delete;
  ActiveBuild& operator=(const ActiveBuild&) = delete;
  ~ActiveBuild();

  Program& program() const noexcept { return *program_; }
  /// Devices that still wait for their result.
  std::span<Device* const> pending() const noexcept { return std::span(devices_).subspan(next_); }
  /// Ends the build of the first of them. Without `code` it failed.
  void finishNext(Ref<compiler::Program> code, std::string_view log) noexcept;

 private:
  friend class BuildRegistry;
  ActiveBuild(Program& program, std::span<Device* const> devices);

  const Ref<Program> program_;
  const std::vector<Device*> devices_;
  size_t next_ = 0;
  bool begun_ = false;
  // In the registry's list.
  ActiveBuild* previousBuild_ = nullptr;
  ActiveBuild* nextBuild_ = nullptr;
};

}  // namespace weft
