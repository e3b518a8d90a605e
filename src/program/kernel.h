// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/handle.h"
#include "program/kernel_arguments.h"
#include "program/kernel_code.h"
#include "program/local_size.h"
#include "program/planned_launch.h"
#include "program/program.h"
#include "weft/support/ref.h"

namespace weft {

/// Keeps a program from being rebuilt while it lives: one attached kernel.
/// Threads: release from any thread, once.
class KernelAttachment {
 public:
  /// Pre: the program has just counted the kernel (attachKernel or attachClone).
  explicit KernelAttachment(Program& program) noexcept : program_(&program) {}
  KernelAttachment(KernelAttachment&& other) noexcept
      : program_(other.program_.exchange(nullptr)) {}
  KernelAttachment& operator=(KernelAttachment&&) = delete;
  ~KernelAttachment() { release(); }

  void release() noexcept {
    if (Program* program = program_.exchange(nullptr)) program->detachKernel();
  }

 private:
  std::atomic<Program*> program_;
};

/// A kernel object: one function of a program's executables, with its argument values.
///
/// Ownership: holds its program, and the code it runs. Threads: all methods from any thread.
class Kernel final : public Object<Kernel, _cl_kernel, HandleTag::Kernel> {
 public:
  /// CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_NAME, or CL_INVALID_KERNEL_DEFINITION when
  /// the function's arguments differ between the devices' executables.
  static Result<Ref<Kernel>> create(Program& program, std::string_view name);
  /// All kernels of the program; see kernelNames().
  static Result<std::vector<Ref<Kernel>>> createAll(Program& program);
  Ref<Kernel> clone() const;

  Program& program() const noexcept { return *program_; }
  Context& context() const noexcept { return program_->context(); }
  /// Of the first device that has the kernel. The name and the arguments are those of all.
  const compiler::KernelInfo& info() const noexcept { return codes_.front()->info(); }
  /// What was built for the device, which may have had options of its own; else info().
  const compiler::KernelInfo& infoFor(const Device& device) const noexcept;
  KernelArguments& arguments() noexcept { return arguments_; }
  const KernelArguments& arguments() const noexcept { return arguments_; }

  using Codes = std::vector<std::unique_ptr<KernelCode>>;
  std::span<const std::unique_ptr<KernelCode>> codes() const noexcept { return codes_; }
  /// Null when the program has no executable for the device, nor for one that it is a part of.
  const KernelCode* codeFor(const Device& device) const noexcept {
    for (const auto& code : codes_)
      if (code->device == &device) return code.get();
    return codeOfWhole(device);
  }

  void applicationReleased() noexcept { attachment_.release(); }

 private:
  /// For a part of a device that there is code for.
  const KernelCode* codeOfWhole(const Device& device) const noexcept;
  Kernel(Program& program, KernelAttachment attachment, Codes codes);
  Kernel(const Kernel& other, KernelAttachment attachment, Codes codes);
  ~Kernel() override = default;

  const Ref<Program> program_;
  KernelAttachment attachment_;
  const Codes codes_;  ///< not empty
  KernelArguments arguments_;
};

/// The kernels that can be made from a program's executables, in order of definition: those whose
/// definitions are the same on all devices that have them.
std::vector<std::string> kernelNames(const std::vector<Program::DeviceCode>& executables);

/// The bounds for work-groups of `kernel` on a device that it has code for.
GroupLimits groupLimits(const Kernel& kernel, const Device& device) noexcept;

}  // namespace weft
