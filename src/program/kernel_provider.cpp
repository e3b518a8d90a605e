// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/kernel_provider.h"

#include <string>

#include "config/config.h"
#include "platform/limits.h"
#include "weft/support/log.h"

namespace weft {
namespace {

using compiler::Form;

/// Widest SIMD width that the compiler makes variants of.
constexpr uint32_t kMaxWidth = 1;

/// Most that one group may keep between its barriers: what is no longer in the second-level cache
/// costs more than switching fibers does.
constexpr uint64_t kMaxContextBytes = uint64_t{512} << 10;

bool suitsBarrierLoops(const compiler::KernelInfo& kernel, const runtime::NDRange& range) noexcept {
  if (!kernel.barrierLoops) return false;
  for (uint32_t d = 0; d < 3; ++d)
    if (range.globalSize[d] % range.localSize[d] != 0) return false;  // a variant has one size
  return kernel.contextBytes == 0 ||
         range.itemsPerGroup() <= kMaxContextBytes / kernel.contextBytes;
}

Form bestForm(const compiler::KernelInfo& kernel, const runtime::NDRange& range) noexcept {
  if (kernel.usesBarrier)
    return suitsBarrierLoops(kernel, range) ? Form::BarrierLoops : Form::Fibers;
  return kernel.observesGroup ? Form::GroupLoop : Form::Flat;
}

std::string_view nameOf(Form form) noexcept {
  switch (form) {
    case Form::Flat:
      return "flat";
    case Form::GroupLoop:
      return "group-loop";
    case Form::Fibers:
      return "fibers";
    case Form::BarrierLoops:
      return "barrier-loops";
  }
  return "unknown";
}

runtime::EntryKind entryKindOf(Form form) noexcept {
  switch (form) {
    case Form::Flat:
      return runtime::EntryKind::Flat;
    case Form::GroupLoop:
    case Form::BarrierLoops:
      return runtime::EntryKind::Group;
    case Form::Fibers:
      return runtime::EntryKind::Fibers;
  }
  return runtime::EntryKind::Fibers;
}

void logOverride(const FormPolicy& policy, const compiler::KernelInfo& kernel,
                 const compiler::VariantKey& key) {
  const bool form = policy.form && *policy.form != key.form;
  const bool width = policy.width != 0 && policy.width != key.width;
  if (!form && !width) return;
  std::string line = "kernel " + kernel.name + " runs as ";
  line += nameOf(key.form);
  line += " at width " + std::to_string(key.width) + ", not as asked for";
  log::write(log::Level::Warning, line);
}

}  // namespace

bool isLegalForm(const compiler::KernelInfo& kernel, const runtime::NDRange& range,
                 Form form) noexcept {
  switch (form) {
    case Form::Flat:
      return !kernel.usesBarrier && !kernel.observesGroup;
    case Form::GroupLoop:
      return !kernel.usesBarrier;
    case Form::Fibers:
      return true;
    case Form::BarrierLoops:
      return suitsBarrierLoops(kernel, range);
  }
  return false;
}

void applyVariant(const compiler::Variant& variant, runtime::KernelLaunch& launch) noexcept {
  launch.entryKind = entryKindOf(variant.key.form);
  launch.groupEntry = variant.groupEntry;
  launch.itemEntry = variant.itemEntry;
  launch.width = variant.key.width;
  launch.subGroupSize = variant.key.subGroupSize;
  launch.frameBytes = variant.frameBytes;
}

compiler::VariantKey HostKernelProvider::choose(const compiler::KernelInfo& kernel,
                                                const runtime::NDRange& range) const noexcept {
  compiler::VariantKey key;
  key.form = bestForm(kernel, range);
  // Of two right forms for a kernel without a barrier, the group loop is the nearest to anything
  // that could be asked for.
  if (policy_.form && isLegalForm(kernel, range, *policy_.form)) {
    key.form = *policy_.form;
  } else if (policy_.form && !kernel.usesBarrier) {
    key.form = Form::GroupLoop;
  }
  if (key.form == Form::BarrierLoops)
    for (size_t d = 0; d < key.localSize.size(); ++d)
      key.localSize[d] = static_cast<uint32_t>(range.localSize[d]);
  key.width = policy_.width == 0 || policy_.width > kMaxWidth ? kMaxWidth : policy_.width;
  key.subGroupSize = kernel.subGroupSize != 0 ? kernel.subGroupSize : policy_.subGroupSize;
  return key;
}

compiler::Result<void> HostKernelProvider::provide(compiler::Program& program, size_t kernel,
                                                   runtime::KernelLaunch& launch) {
  const compiler::KernelInfo& info = program.kernels()[kernel];
  const compiler::VariantKey key = choose(info, launch.range);
  logOverride(policy_, info, key);
  WEFT_TRY(const compiler::Variant* variant, program.variant(kernel, key));
  applyVariant(*variant, launch);
  return {};
}

std::unique_ptr<runtime::KernelProvider> createKernelProvider(Platform& /*platform*/) {
  return std::make_unique<HostKernelProvider>(FormPolicy{
      .form = config().form, .width = config().width, .subGroupSize = limits::kSubGroupSize});
}

}  // namespace weft
