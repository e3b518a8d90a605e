// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/kernel_info_codec.h"

#include "analysis/work_formula.h"
#include "base/byte_stream.h"
#include "weft/compiler/check_launch.h"

namespace weft::compiler {
namespace {

// One list of fields serves both directions, so that they cannot differ. `Stream` is a
// ByteWriter or a ByteReader; the record is const for the former.

template <class Stream, class Argument>
void argumentFields(Stream& stream, Argument& argument) {
  stream(argument.kind);
  stream(argument.offset);
  stream(argument.size);
  stream(argument.alignment);
  stream(argument.address);
  stream(argument.access);
  stream(argument.image);
  stream(argument.isConst);
  stream(argument.isRestrict);
  stream(argument.isVolatile);
  stream(argument.name);
  stream(argument.typeName);
}

template <class Stream, class Kernel>
void kernelFields(Stream& stream, Kernel& kernel) {
  stream(kernel.name);
  stream(kernel.attributes);
  stream(kernel.hasArgumentNames);
  stream(kernel.argumentBytes);
  for (auto& size : kernel.reqdWorkGroupSize) stream(size);
  for (auto& size : kernel.workGroupSizeHint) stream(size);
  stream(kernel.raggedGroups);
  stream(kernel.subGroupSize);
  stream(kernel.reqdSubGroups);
  stream(kernel.staticLocalBytes);
  stream(kernel.privateBytes);
  stream(kernel.usesBarrier);
  stream(kernel.barrierLoops);
  stream(kernel.barrierLoopsInRows);
  stream(kernel.barrierLoopsOnTrial);
  stream(kernel.lockstepLoops);
  stream(kernel.contextBytes);
  stream(kernel.observesGroup);
  stream(kernel.rowDimension);
  stream(kernel.rowOrder);
  stream(kernel.sharedRow);
  stream(kernel.writesAcross);
  stream(kernel.usesSubGroups);
  stream(kernel.meetsInSubGroups);
  stream(kernel.subGroupLoops);
  stream(kernel.usesPrintf);
  stream(kernel.usesProgramScope);
  stream(kernel.enqueues);
  stream(kernel.denormsAreZero);
  stream(kernel.relaxedMath);
}

template <class Stream, class Step>
void stepFields(Stream& stream, Step& step) {
  stream(step.op);
  stream(step.size);
  stream(step.number);
}

template <class Stream, class Step>
void conditionFields(Stream& stream, Step& step) {
  stream(step.op);
  stream(step.size);
  stream(step.left);
  stream(step.right);
  stream(step.number);
  stream(step.last);
}

template <class Stream, class Reduction>
void reductionFields(Stream& stream, Reduction& reduction) {
  stream(reduction.argument);
  stream(reduction.operation);
  stream(reduction.bytes);
}

// The least bytes that a record takes: its numbers, and the lengths of its strings.
constexpr size_t kMinArgumentBytes = 32;
constexpr size_t kMinBarrierBytes = 12;
constexpr size_t kMinStepBytes = 10;
constexpr size_t kMinConditionBytes = 22;
constexpr size_t kMinReductionBytes = 9;
constexpr size_t kMinKernelBytes = 118;

/// Enums that a checksum cannot vouch for: the bytes may come from anyone.
bool valid(const ArgumentInfo& argument) {
  return argument.kind <= ArgumentKind::Queue && argument.address <= AddressQualifier::Local &&
         argument.access <= AccessQualifier::ReadWrite;
}

/// Launches read what such an argument points to, or its number.
bool isImageOrSampler(const ArgumentInfo& argument) {
  return (argument.kind == ArgumentKind::Image || argument.kind == ArgumentKind::Sampler) &&
         argument.size == sizeof(uint64_t);
}

/// Threads get a copy of so many elements of what such an argument points to.
bool valid(const Reduction& reduction, const std::vector<ArgumentInfo>& arguments) {
  return reduction.argument < arguments.size() &&
         arguments[reduction.argument].kind == ArgumentKind::GlobalPointer &&
         arguments[reduction.argument].size == sizeof(uint64_t) &&
         reduction.operation <= ReductionOperation::UMax &&
         (reduction.bytes == sizeof(uint32_t) || reduction.bytes == sizeof(uint64_t));
}

/// Whether every argument lies within the kernel's block.
bool valid(const KernelInfo& kernel) {
  for (const ArgumentInfo& argument : kernel.arguments) {
    const uint64_t slot = argument.kind == ArgumentKind::LocalPointer ? 8 : argument.size;
    if (!valid(argument) || uint64_t{argument.offset} + slot > kernel.argumentBytes) return false;
  }
  if (kernel.rowDimension > 2 || kernel.rowOrder > RowOrder::Columns) return false;
  if (kernel.imageArguments.size() > kMostImageArguments) return false;
  for (const uint32_t index : kernel.imageArguments)
    if (index >= kernel.arguments.size() || !isImageOrSampler(kernel.arguments[index]))
      return false;
  if (kernel.reductions.size() > kMostReductions) return false;
  for (const Reduction& reduction : kernel.reductions)
    if (!valid(reduction, kernel.arguments)) return false;
  return isValid(kernel.work, kernel.argumentBytes) &&
         isValid(kernel.exactIndices, kernel.argumentBytes);
}

}  // namespace

void encodeKernels(std::span<const KernelInfo> kernels, std::string& out) {
  ByteWriter stream(out);
  stream(uint64_t{kernels.size()});
  for (const KernelInfo& kernel : kernels) {
    kernelFields(stream, kernel);
    stream(uint64_t{kernel.arguments.size()});
    for (const ArgumentInfo& argument : kernel.arguments) argumentFields(stream, argument);
    stream(uint64_t{kernel.imageArguments.size()});
    for (const uint32_t argument : kernel.imageArguments) stream(argument);
    stream(uint64_t{kernel.reductions.size()});
    for (const Reduction& reduction : kernel.reductions) reductionFields(stream, reduction);
    stream(uint64_t{kernel.barriers.size()});
    for (const BarrierSite& site : kernel.barriers) {
      stream(site.file);
      stream(site.line);
    }
    stream(uint64_t{kernel.work.steps.size()});
    for (const WorkFormula::Step& step : kernel.work.steps) stepFields(stream, step);
    stream(uint64_t{kernel.exactIndices.steps.size()});
    for (const LaunchCondition::Step& step : kernel.exactIndices.steps)
      conditionFields(stream, step);
  }
}

std::optional<std::vector<KernelInfo>> decodeKernels(std::span<const std::byte> bytes) {
  ByteReader stream(bytes);
  std::vector<KernelInfo> kernels(stream.count(kMinKernelBytes));
  for (KernelInfo& kernel : kernels) {
    kernelFields(stream, kernel);
    kernel.arguments.resize(stream.count(kMinArgumentBytes));
    for (ArgumentInfo& argument : kernel.arguments) argumentFields(stream, argument);
    kernel.imageArguments.resize(stream.count(sizeof(uint32_t)));
    for (uint32_t& argument : kernel.imageArguments) stream(argument);
    kernel.reductions.resize(stream.count(kMinReductionBytes));
    for (Reduction& reduction : kernel.reductions) reductionFields(stream, reduction);
    kernel.barriers.resize(stream.count(kMinBarrierBytes));
    for (BarrierSite& site : kernel.barriers) {
      stream(site.file);
      stream(site.line);
    }
    kernel.work.steps.resize(stream.count(kMinStepBytes));
    for (WorkFormula::Step& step : kernel.work.steps) stepFields(stream, step);
    kernel.exactIndices.steps.resize(stream.count(kMinConditionBytes));
    for (LaunchCondition::Step& step : kernel.exactIndices.steps) conditionFields(stream, step);
    if (!stream.good() || !valid(kernel)) return std::nullopt;
  }
  if (!stream.atEnd()) return std::nullopt;
  return kernels;
}

}  // namespace weft::compiler
