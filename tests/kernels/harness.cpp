// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <new>
#include <utility>

#include "modes.h"
#include "support/test_day.h"
#include "weft/runtime/reduction_copies.h"
#include "weft/support/checked.h"
#include "weft/support/mutex.h"
#include "world.h"

namespace weft::test {
namespace {

constexpr std::chrono::seconds kHangLimit{120};

/// One launch as the executor sees it. The end is signalled through a block of its own, because
/// the waiter may destroy the job as soon as it has been signalled.
class LaunchJob final : public runtime::Job {
 public:
  explicit LaunchJob(const runtime::KernelLaunch& launch) : launch_(launch) {
    parts = launch.shape->parts;
  }

  void runPart(size_t part, runtime::Slot& slot) noexcept override {
    slot.runPart(launch_, part, *this);
  }
  void started() noexcept override {}
  void finished() noexcept override {
    const std::shared_ptr<End> end = end_;
    MutexLock lock(end->mutex);
    end->reached = true;
    end->condition.notifyAll();
  }
  void failed(runtime::FailureKind kind, std::string_view message) noexcept override {
    MutexLock lock(end_->mutex);
    if (end_->outcome.failure) return;
    end_->outcome.failure = kind;
    end_->outcome.message = message;
  }
  void printed(std::string_view text) noexcept override {
    MutexLock lock(end_->mutex);
    end_->outcome.printed += text;
  }

  Outcome wait() {
    const std::shared_ptr<End> end = end_;
    MutexLock lock(end->mutex);
    const bool reached = end->condition.waitFor(lock, kHangLimit, [&] { return end->reached; });
    if (!reached) {
      std::cerr << "kernel " << launch_.shape->kernel->name << " hangs\n";
      std::abort();
    }
    return std::move(end->outcome);
  }

 private:
  struct End {
    Mutex mutex;
    ConditionVariable condition;
    bool reached = false;
    Outcome outcome;
  };
  const runtime::KernelLaunch& launch_;
  std::shared_ptr<End> end_ = std::make_shared<End>();
};

/// Zeroed memory with the alignment of the argument block.
struct AlignedDelete {
  void operator()(std::byte* p) const {
    ::operator delete[](p, std::align_val_t{abi::kArgumentAlignment});
  }
};
using AlignedBlock = std::unique_ptr<std::byte[], AlignedDelete>;
AlignedBlock makeAlignedBlock(size_t size) {
  return AlignedBlock(new (std::align_val_t{abi::kArgumentAlignment}) std::byte[size]());
}

}  // namespace

Launch::Launch(Program program, std::string_view kernel)
    : program_(std::move(program)), kernel_(kernelInfo(program_, kernel)) {
  if (kernel_) index_ = static_cast<size_t>(kernel_ - program_->kernels().data());
}

Launch& Launch::range(Sizes global, Sizes local, Sizes offset) {
  constexpr uint64_t kDefaultGroup = 64;
  range_ = {};
  range_.dimensions = static_cast<uint32_t>(global.size());
  uint64_t room = kDefaultGroup;
  for (size_t d = 0; d < global.size(); ++d) {
    range_.globalSize[d] = global[d];
    uint64_t size = std::min(room, global[d]);
    while (global[d] % size != 0) --size;
    range_.localSize[d] = d < local.size() ? local[d] : size;
    range_.globalOffset[d] = d < offset.size() ? offset[d] : 0;
    room /= size;
  }
  return *this;
}

Launch& Launch::bytes(void* data, uint64_t size) {
  Argument argument;
  argument.kind = Argument::Kind::Buffer;
  argument.data = data;
  argument.bytes = size;
  arguments_.push_back(std::move(argument));
  return *this;
}

Launch& Launch::nullBuffer() { return bytes(nullptr, 0); }

Launch& Launch::raw(const void* value, size_t size) {
  Argument argument;
  const auto* first = static_cast<const std::byte*>(value);
  argument.value.assign(first, first + size);
  arguments_.push_back(std::move(argument));
  return *this;
}

Launch& Launch::local(uint64_t bytes) {
  Argument argument;
  argument.kind = Argument::Kind::Local;
  argument.bytes = bytes;
  arguments_.push_back(std::move(argument));
  return *this;
}

bool Launch::fillArguments(std::byte* block, uint64_t& localBytes) const {
  if (arguments_.size() != kernel_->arguments.size()) {
    ADD_FAILURE() << kernel_->name << " has " << kernel_->arguments.size() << " arguments, not "
                  << arguments_.size();
    return false;
  }
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const Argument& given = arguments_[i];
    const compiler::ArgumentInfo& wanted = kernel_->arguments[i];
    std::byte* slot = block + wanted.offset;
    using Kind = compiler::ArgumentKind;
    const bool isPointer = wanted.kind == Kind::GlobalPointer ||
                           wanted.kind == Kind::ConstantPointer || wanted.kind == Kind::Pipe;
    if (given.image && wanted.kind == Kind::Image) {
      std::memcpy(slot, &given.image, sizeof given.image);
    } else if (given.kind == Argument::Kind::Buffer && isPointer) {
      std::memcpy(slot, &given.device, sizeof given.device);
    } else if (given.kind == Argument::Kind::Local && wanted.kind == Kind::LocalPointer) {
      localBytes = alignUp<uint64_t>(localBytes, wanted.alignment);
      std::memcpy(slot, &localBytes, sizeof localBytes);
      localBytes += given.bytes;
    } else if (given.kind == Argument::Kind::Value && given.value.size() == wanted.size &&
               (wanted.kind == Kind::Value || wanted.kind == Kind::Sampler)) {
      std::memcpy(slot, given.value.data(), wanted.size);
    } else {
      ADD_FAILURE() << "argument " << i << " of " << kernel_->name << " is of another kind or size";
      return false;
    }
  }
  return true;
}

/// Those that the kernel sees where they are may be the same, or of any size.
bool Launch::hasSeparateBuffers() const {
  for (const Argument& each : arguments_) {
    if (!each.inPlace || each.data == nullptr) continue;
    if (each.bytes == 0) return false;
    const auto* begin = static_cast<const std::byte*>(each.data);
    for (const Argument& other : arguments_) {
      const auto* place = static_cast<const std::byte*>(other.data);
      if (&other != &each && other.inPlace && place >= begin && place < begin + each.bytes)
        return false;
    }
  }
  return true;
}

std::optional<Outcome> Launch::run(const Mode& mode) {
  const auto block = makeAlignedBlock(std::max<size_t>(kernel_->argumentBytes, 1));
  runtime::LaunchBindings bindings{
      .arguments = block.get(), .localBytes = kernel_->staticLocalBytes, .zeroLocal = zeroLocal_};
  // Kernels may rely on the alignment of their widest type, which a vector's data have not.
  std::vector<AlignedBlock> memory;
  for (Argument& argument : arguments_) {
    if (argument.inPlace) argument.device = argument.data;
    if (argument.data == nullptr || argument.inPlace) continue;
    argument.device = memory.emplace_back(makeAlignedBlock(argument.bytes)).get();
    std::memcpy(argument.device, argument.data, argument.bytes);
  }
  if (!fillArguments(block.get(), bindings.localBytes)) return std::nullopt;
  auto shape = findCode(program_, *kernel_, mode, range_, block.get(), hasSeparateBuffers());
  if (!shape) {
    ADD_FAILURE() << "no machine code for " << kernel_->name << ":\n" << shape.error().log;
    return std::nullopt;
  }
  if (kernel_->usesProgramScope) {
    const auto variables = program_->programScope();
    if (!variables) {
      ADD_FAILURE() << "no variables at program scope:\n" << variables.error().log;
      return std::nullopt;
    }
    bindings.programScope = *variables;
  }

  runtime::Executor& executor = World::instance().executor(mode.workers);
  executor.slice(*shape);
  std::unique_ptr<runtime::ReductionCopies> copies;
  if (!mode.sharedReductions && !kernel_->reductions.empty()) {
    runtime::ReductionSizes sizes{};
    for (size_t i = 0; i < kernel_->reductions.size(); ++i)
      sizes[i] = arguments_[kernel_->reductions[i].argument].bytes;
    copies = runtime::ReductionCopies::create(*kernel_, block.get(), sizes, executor.slots());
    bindings.arguments = copies->arguments();
    bindings.argumentStride = copies->stride();
  }
  const runtime::KernelLaunch launch(*shape, bindings);
  LaunchJob job(launch);
  executor.submit(job, runtime::Urgency::Now);
  if (mode.workers == 1) executor.help(job);
  Outcome outcome = job.wait();
  if (copies) copies->merge();
  outcome.mode = mode;
  for (const Argument& argument : arguments_)
    if (argument.data && !argument.inPlace)
      std::memcpy(argument.data, argument.device, argument.bytes);
  return outcome;
}

/// What is printed goes elsewhere there, how a launch fails is told in another way, the device
/// has no groups that are smaller than others, and pipes are objects of their own. Samplers that
/// repeat coordinates without normalising them cannot be made, nor images of all formats.
bool Launch::hasProduct() const {
  constexpr uint64_t kNormalized = 1, kAddress = 14, kRepeat = 6;
  for (size_t i = 0; i < kernel_->arguments.size(); ++i) {
    const compiler::ArgumentInfo& info = kernel_->arguments[i];
    if (info.kind == compiler::ArgumentKind::Pipe) return false;
    if (const abi::Image* image = arguments_[i].image;
        image && !product::makesImages(*image, info.image, info.access))
      return false;
    if (info.kind != compiler::ArgumentKind::Sampler) continue;
    uint64_t number = 0;
    std::memcpy(&number, arguments_[i].value.data(), sizeof number);
    if ((number & kNormalized) == 0 && (number & kAddress) >= kRepeat) return false;
  }
  for (size_t d = 0; d < range_.globalSize.size(); ++d)
    if (range_.globalSize[d] % range_.localSize[d] != 0 && !kernel_->raggedGroups) return false;
  return !zeroLocal_ && !expectsFailure_ && !kernel_->usesPrintf && inputOf(program_) != nullptr;
}

std::optional<Outcome> Launch::runProduct(bool inFinalCode) {
  product::Program* program = World::instance().product(program_);
  if (!program) return std::nullopt;
  using Given = product::Program::Argument;
  std::vector<Given> given;
  std::vector<AlignedBlock> memory;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    Argument& argument = arguments_[i];
    const compiler::ArgumentInfo& info = kernel_->arguments[i];
    if (argument.kind == Argument::Kind::Value) {
      const bool isSampler = info.kind == compiler::ArgumentKind::Sampler;
      given.push_back({isSampler ? Given::Kind::Sampler : Given::Kind::Value, argument.value.data(),
                       argument.value.size()});
    } else if (argument.image) {
      given.push_back({.kind = Given::Kind::Image,
                       .image = argument.image,
                       .type = info.image,
                       .access = info.access});
    } else if (argument.kind == Argument::Kind::Local) {
      given.push_back({Given::Kind::Local, nullptr, argument.bytes});
    } else {
      argument.device = argument.data;
      if (argument.data && !argument.inPlace) {
        argument.device = memory.emplace_back(makeAlignedBlock(argument.bytes)).get();
        std::memcpy(argument.device, argument.data, argument.bytes);
      }
      given.push_back({Given::Kind::Memory, argument.device, argument.bytes});
    }
  }
  if (inFinalCode && !product::awaitFinal(*program, kernel_->name))
    ADD_FAILURE() << kernel_->name << " never has final code";
  const std::string error = program->run(kernel_->name, range_, given);
  if (!error.empty()) {
    ADD_FAILURE() << kernel_->name << ": " << error;
    return std::nullopt;
  }
  Outcome outcome;
  outcome.mode.product = true;
  for (const Argument& argument : arguments_)
    if (argument.data && !argument.inPlace)
      std::memcpy(argument.data, argument.device, argument.bytes);
  return outcome;
}

void Launch::checkAgainstFirst(bool isFirst) {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    Argument& argument = arguments_[i];
    if (argument.kind != Argument::Kind::Buffer || argument.bytes == 0) continue;
    const auto* now = static_cast<const std::byte*>(argument.data);
    if (isFirst) {
      argument.first.assign(now, now + argument.bytes);
      continue;
    }
    const auto different = std::mismatch(argument.first.begin(), argument.first.end(), now).first;
    EXPECT_TRUE(different == argument.first.end())
        << "argument " << i << " of " << kernel_->name
        << " differs from the first form's result at byte " << different - argument.first.begin();
  }
}

/// Gives buffers back what they held before the first run.
void Launch::restore() {
  for (Argument& argument : arguments_) {
    if (argument.kind != Argument::Kind::Buffer || argument.bytes == 0) continue;
    auto* data = static_cast<std::byte*>(argument.data);
    if (argument.before.empty())
      argument.before.assign(data, data + argument.bytes);
    else
      std::memcpy(data, argument.before.data(), argument.bytes);
  }
}

/// The first may run in quick code; trials of other widths take some more.
static int productLaunches() {
  const char* const text = std::getenv("WEFT_TEST_LAUNCHES");
  return text ? std::atoi(text) : 2;
}

void Launch::in(const Mode& mode, const std::function<void(const Outcome&)>& check) {
  if (!kernel_) return;
  SCOPED_TRACE(kernel_->name + ": " + mode.name());
  if (mode.product && !hasProduct()) return;
  const int launches = mode.product ? productLaunches() : 1;
  for (int i = 0; i < launches; ++i) {
    restore();
    const std::optional<Outcome> outcome = mode.product ? runProduct(i != 0) : run(mode);
    if (!outcome) return;
    EXPECT_EQ(outcome->failure.has_value(), expectsFailure_) << outcome->message;
    check(*outcome);
  }
}

/// Whether the turn of `mode` has come for a program. Each mode takes as long to compile, so that
/// of the forms in one lane and in the compiler's lanes half run each day, and of what else there
/// is of a form a quarter; of all that a quarter again where forms take turns.
static bool isOfToday(const Mode& mode, const Program& program, bool formsTakeTurns) {
  const bool isVariation =
      mode.divergent || mode.wholeRows || mode.rowDimension || mode.plainIndices || mode.anyBuffers;
  Mode code = mode;
  code.workers = 1;
  const BuildInput* const input = inputOf(program);
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  const std::string what = test.name() + code.name() + (input ? input->source : "");
  return isOfDay(std::hash<std::string>{}(what), (isVariation ? 4 : 2) * (formsTakeTurns ? 4 : 1));
}

void Launch::inEveryForm(const std::function<void(const Outcome&)>& check) {
  if (!kernel_) return;
  const std::vector<Mode> all = modes();
  bool isFirst = true;
  for (const Mode& mode : all) {
    if (mode.product && !hasProduct()) continue;
    // The reference and what the library chooses are never left out.
    const bool takesTurns = !isFirst && !mode.product && &mode != &all.back();
    if (takesTurns && !isOfToday(mode, program_, formsTakeTurns_)) continue;
    in(mode, check);
    if (comparesForms_ && !expectsFailure_) {
      SCOPED_TRACE(mode.name());
      checkAgainstFirst(isFirst);
    }
    isFirst = false;
  }
}

}  // namespace weft::test
