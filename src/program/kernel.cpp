// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/kernel.h"

#include <algorithm>
#include <new>

#include "program/block_codes.h"

namespace weft {
namespace {

/// Whether arguments for one kernel suit the other. Names are only known where they were asked for.
bool sameDefinition(const compiler::KernelInfo& a, const compiler::KernelInfo& b) {
  return std::ranges::equal(a.arguments, b.arguments, [](const auto& x, const auto& y) {
    return x.kind == y.kind && x.offset == y.offset && x.size == y.size &&
           x.alignment == y.alignment && x.address == y.address && x.access == y.access &&
           x.image == y.image && x.isConst == y.isConst && x.isVolatile == y.isVolatile;
  });
}

/// Executables may differ in their static local memory. Local arguments are placed behind the
/// largest, so that their places do for every device.
uint64_t staticLocalBytes(const Kernel::Codes& codes) noexcept {
  uint64_t most = 0;
  for (const auto& code : codes) most = std::max(most, code->info().staticLocalBytes);
  return most;
}

/// Gives kernels that enqueue others the code of those.
Kernel::Codes withBlocks(Context& context, Kernel::Codes codes) {
  for (const auto& code : codes)
    if (code->info().enqueues)
      code->blocks = makeRef<BlockCodes>(context, *code->device, code->program);
  return codes;
}

/// The function `name` in each executable that has it.
Result<Kernel::Codes> findKernel(const std::vector<Program::DeviceCode>& executables,
                                 std::string_view name) {
  Kernel::Codes codes;
  for (const Program::DeviceCode& executable : executables) {
    const auto kernels = executable.code->kernels();
    const auto found = std::ranges::find(kernels, name, &compiler::KernelInfo::name);
    if (found == kernels.end()) continue;
    codes.push_back(std::make_unique<KernelCode>(executable.device, executable.code,
                                                 static_cast<size_t>(found - kernels.begin())));
  }
  if (codes.empty()) return clError(CL_INVALID_KERNEL_NAME);
  for (const auto& code : codes)
    if (!sameDefinition(code->info(), codes.front()->info()))
      return clError(CL_INVALID_KERNEL_DEFINITION);
  return codes;
}

}  // namespace

Kernel::Kernel(Program& program, KernelAttachment attachment, Codes codes)
    : program_(&program),
      attachment_(std::move(attachment)),
      codes_(withBlocks(program.context(), std::move(codes))),
      arguments_(codes_.front()->info(), staticLocalBytes(codes_)) {}

Kernel::Kernel(const Kernel& other, KernelAttachment attachment, Codes codes)
    : program_(other.program_),
      attachment_(std::move(attachment)),
      codes_(withBlocks(other.context(), std::move(codes))),
      arguments_(other.arguments_) {}

Result<Ref<Kernel>> Kernel::create(Program& program, std::string_view name) {
  WEFT_TRY(const auto executables, program.attachKernel());
  KernelAttachment attachment(program);
  WEFT_TRY(Codes codes, findKernel(executables, name));
  return Ref<Kernel>::adopt(new Kernel(program, std::move(attachment), std::move(codes)));
}

Result<std::vector<Ref<Kernel>>> Kernel::createAll(Program& program) {
  WEFT_TRY(const auto executables, program.executables());
  std::vector<Ref<Kernel>> kernels;
  for (const std::string& name : kernelNames(executables)) {
    WEFT_TRY(Ref<Kernel> kernel, create(program, name));
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

Ref<Kernel> Kernel::clone() const {
  Codes codes;
  for (const auto& code : codes_)
    codes.push_back(std::make_unique<KernelCode>(code->device, code->program, code->index));
  program_->attachClone();
  KernelAttachment attachment(*program_);
  return Ref<Kernel>::adopt(new Kernel(*this, std::move(attachment), std::move(codes)));
}

const KernelCode* Kernel::codeOfWhole(const Device& device) const noexcept {
  const Device* const builtFor = program_->nearest(device);
  return builtFor == nullptr || builtFor == &device ? nullptr : codeFor(*builtFor);
}

const compiler::KernelInfo& Kernel::infoFor(const Device& device) const noexcept {
  const KernelCode* const code = codeFor(device);
  return code != nullptr ? code->info() : info();
}

std::vector<std::string> kernelNames(const std::vector<Program::DeviceCode>& executables) {
  std::vector<std::string> names;
  for (const Program::DeviceCode& executable : executables)
    for (const compiler::KernelInfo& kernel : executable.code->kernels())
      if (std::ranges::find(names, kernel.name) == names.end() &&
          findKernel(executables, kernel.name))
        names.push_back(kernel.name);
  return names;
}

GroupLimits groupLimits(const Kernel& kernel, const Device& device) noexcept {
  return groupLimits(kernel.infoFor(device), device);
}

}  // namespace weft
