// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/mutable_dispatch.h"

#include <algorithm>
#include <utility>

#include "program/kernel_step.h"

namespace weft {

MutableDispatch::MutableDispatch(CommandBuffer& buffer, Kernel& kernel, DispatchOptions options,
                                 const RangeArguments& range)
    : buffer_(buffer),
      kernel_(&kernel),
      options_(std::move(options)),
      state_{.sizes = LaunchSizes(range),
             .arguments = buffer.isMutable() ? std::make_shared<KernelArguments>(kernel.arguments())
                                             : nullptr} {}

DispatchState MutableDispatch::state() const {
  ObjectLock lock(mutex_);
  return state_;
}

void MutableDispatch::swapState(DispatchState& state) noexcept {
  ObjectLock lock(mutex_);
  std::swap(state_, state);
}

Result<Ref<const Step>> MutableDispatch::makeStep(const DispatchState& state) const {
  const KernelArguments& arguments = state.arguments ? *state.arguments : kernel_->arguments();
  return makeKernelStep(buffer_.queue(), *kernel_, arguments, state.sizes.arguments(),
                        options_.namesArguments);
}

namespace {

using khr::MutableDispatchConfig;

/// Whether every work-group has the same size.
bool isUniform(const LaunchSizes& sizes) noexcept {
  for (cl_uint d = 0; sizes.hasLocal && d < sizes.dimensions; ++d)
    if (sizes.local[d] != 0 && sizes.global[d] % sizes.local[d] != 0) return false;
  return true;
}

/// An array and its count go together.
Result<void> counted(cl_uint count, const void* array) noexcept {
  return require((count != 0) == (array != nullptr), CL_INVALID_VALUE);
}

/// What a config wants to change is among the fields that may be updated.
Result<void> onlyUpdatable(const MutableDispatchConfig& config,
                           khr::cl_mutable_dispatch_fields fields) noexcept {
  khr::cl_mutable_dispatch_fields wanted = 0;
  if (config.globalOffset != nullptr) wanted |= khr::kFieldGlobalOffset;
  if (config.globalSize != nullptr) wanted |= khr::kFieldGlobalSize;
  if (config.localSize != nullptr) wanted |= khr::kFieldLocalSize;
  if (config.argumentCount != 0 || config.svmArgumentCount != 0) wanted |= khr::kFieldArguments;
  if (config.execInfoCount != 0) wanted |= khr::kFieldExecInfo;
  return require((wanted & ~fields) == 0, CL_INVALID_OPERATION);
}

Result<void> changeSizes(const MutableDispatchConfig& config, LaunchSizes& sizes) noexcept {
  const bool wasUniform = isUniform(sizes);
  const cl_uint count = sizes.dimensions;
  if (config.globalOffset) std::copy_n(config.globalOffset, count, sizes.offset.begin());
  if (config.globalSize) std::copy_n(config.globalSize, count, sizes.global.begin());
  if (config.localSize) {
    std::copy_n(config.localSize, count, sizes.local.begin());
    sizes.hasLocal = true;
  }
  return require(isUniform(sizes) == wasUniform, CL_INVALID_OPERATION);
}

/// clUpdateMutableCommandsKHR: several configs may be for the same command, the later ones count.
class DispatchUpdate final : public CommandBufferUpdate {
 public:
  DispatchUpdate(const CommandBuffer& buffer,
                 std::span<const MutableDispatchConfig* const> configs) noexcept
      : buffer_(buffer), configs_(configs) {}

  Result<std::vector<runtime::StepPlan::Change>> prepare() override {
    touched_.clear();
    for (const MutableDispatchConfig* config : configs_) WEFT_TRY_VOID(apply(*config));
    std::vector<runtime::StepPlan::Change> changes;
    for (const Touched& touched : touched_) {
      WEFT_TRY(Ref<const Step> step, touched.dispatch->makeStep(touched.state));
      changes.push_back({touched.dispatch->place(), std::move(step)});
    }
    return changes;
  }

  void commit() noexcept override {
    for (Touched& touched : touched_) touched.dispatch->swapState(touched.state);
  }

 private:
  struct Touched {
    MutableDispatch* dispatch;
    DispatchState state;
    bool ownsArguments = false;  ///< they are a copy that nobody else sees
  };

  Touched& touch(MutableDispatch& dispatch) {
    const auto found = std::ranges::find(touched_, &dispatch, &Touched::dispatch);
    if (found != touched_.end()) return *found;
    return touched_.emplace_back(&dispatch, dispatch.state());
  }

  Result<void> apply(const MutableDispatchConfig& config) {
    MutableDispatch* const dispatch = MutableDispatch::from(config.command);
    WEFT_TRY_VOID(require(dispatch != nullptr && &dispatch->commandBuffer() == &buffer_,
                          khr::kInvalidMutableCommand));
    Touched& touched = touch(*dispatch);
    const bool sameDimensions =
        config.workDim == 0 || config.workDim == touched.state.sizes.dimensions;
    WEFT_TRY_VOID(require(sameDimensions, CL_INVALID_OPERATION));
    WEFT_TRY_VOID(onlyUpdatable(config, dispatch->options().fields));
    WEFT_TRY_VOID(counted(config.argumentCount, config.arguments));
    WEFT_TRY_VOID(counted(config.svmArgumentCount, config.svmArguments));
    WEFT_TRY_VOID(counted(config.execInfoCount, config.execInfos));
    WEFT_TRY_VOID(changeSizes(config, touched.state.sizes));
    return changeArguments(config, touched);
  }

  static Result<void> changeArguments(const MutableDispatchConfig& config, Touched& touched) {
    if (config.argumentCount + config.svmArgumentCount + config.execInfoCount == 0) return {};
    if (!std::exchange(touched.ownsArguments, true))
      touched.state.arguments = std::make_shared<KernelArguments>(*touched.state.arguments);
    KernelArguments& arguments = *touched.state.arguments;
    const Context& context = touched.dispatch->kernel().context();
    for (const auto& argument : std::span(config.arguments, config.argumentCount))
      WEFT_TRY_VOID(arguments.set(argument.index, argument.size, argument.value, context));
    for (const auto& argument : std::span(config.svmArguments, config.svmArgumentCount))
      WEFT_TRY_VOID(arguments.setAddress(argument.index, argument.value));
    for (const auto& info : std::span(config.execInfos, config.execInfoCount))
      WEFT_TRY_VOID(arguments.setExecInfo(info.name, info.size, info.value));
    return {};
  }

  const CommandBuffer& buffer_;
  const std::span<const MutableDispatchConfig* const> configs_;
  std::vector<Touched> touched_;
};

}  // namespace

Result<void> updateDispatches(CommandBuffer& buffer,
                              std::span<const MutableDispatchConfig* const> configs) {
  DispatchUpdate update(buffer, configs);
  return buffer.update(update);
}

}  // namespace weft
