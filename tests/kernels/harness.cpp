// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <tuple>
#include <utility>

#include "support/cpu_level.h"
#include "support/product.h"
#include "support/spirv_tools.h"
#include "weft/support/checked.h"
#include "weft/support/mutex.h"

namespace weft::test {
namespace {

constexpr uint64_t kMaxLocalBytes = 64 * 1024;
constexpr uint64_t kMaxGlobalVariableBytes = 1 << 20;
constexpr uint64_t kMaxWorkGroupSize = 4096;
constexpr uint32_t kSubGroupSize = 16;
constexpr unsigned kManyWorkers = 4;

/// What is tried of each form: scalars; narrow lanes in code for rows and groups of any size; the
/// compiler's lanes for indices that wrap, and along each dimension; and last what the library
/// chooses. Kernels with images run in code for any of them first.
constexpr Mode kTries[] = {{.width = 1, .anyImages = true},
                           {.width = 1},
                           {.width = 4, .wholeRows = false, .fixedSize = false},
                           {.width = 0, .anyImages = true},
                           {.width = 0, .plainIndices = true},
                           {.width = 0, .rowDimension = 0},
                           {.width = 0, .rowDimension = 1},
                           {.width = 0, .rowDimension = 2},
                           {.width = 0}};
constexpr uint32_t kEveryWidth[] = {1, 0, 2, 4, 8, 16, 32, 64};  // 0: as the compiler likes
/// What is tried of each width.
constexpr Mode kVariations[] = {{},
                                {.plainIndices = true},
                                {.rowDimension = 1},
                                {.wholeRows = false, .fixedSize = false},
                                {.anyImages = true}};
constexpr compiler::Form kForms[] = {compiler::Form::Fibers, compiler::Form::BarrierLoops,
                                     compiler::Form::GroupLoop, compiler::Form::Flat};
constexpr std::chrono::seconds kHangLimit{120};

const char* formName(compiler::Form form) {
  switch (form) {
    case compiler::Form::Flat:
      return "flat";
    case compiler::Form::GroupLoop:
      return "group loop";
    case compiler::Form::Fibers:
      return "fibers";
    case compiler::Form::BarrierLoops:
      return "barrier loops";
  }
  return "?";
}

/// Compiler and executors of the whole test program; built on first use, ended with it.
class World {
 public:
  static World& instance() {
    static World world;
    return world;
  }

  runtime::Executor& executor(unsigned workers) {
    std::unique_ptr<runtime::Executor>& executor = executors_[workers];
    if (!executor) {
      executor = runtime::createExecutor({.workers = workers,
                                          .cpus = {},
                                          .maxLocalBytes = kMaxLocalBytes,
                                          .maxWorkGroupSize = kMaxWorkGroupSize});
    }
    return *executor;
  }

  compiler::Compiler& compiler(Inlining inlining = Inlining::Usual) {
    std::unique_ptr<compiler::Compiler>& made = compilers_[static_cast<size_t>(inlining)];
    if (!made) {
      compiler::CompilerOptions options;
      if (inlining == Inlining::Least) options.inlineBudget = 1;
      options.services = executor(1).services();
      options.subGroupSize = kSubGroupSize;
      options.maxLocalBytes = kMaxLocalBytes;
      options.cacheEnabled = false;
      if (const char* folder = std::getenv("WEFT_TEST_DUMP_IR")) options.dumpDirectory = folder;
      options.cpu = cpuLevelOfEnvironment();
      options.passes = passes_;
      if (std::getenv("WEFT_TEST_QUICK")) options.tiers = compiler::Tiers::Quick;
      options.maxGlobalVariableBytes = kMaxGlobalVariableBytes;
      options.extensions = {"cl_ext_cxx_for_opencl",
                            "cl_ext_float_atomics",
                            "cl_khr_3d_image_writes",
                            "cl_khr_async_work_group_copy_fence",
                            "cl_khr_byte_addressable_store",
                            "cl_khr_depth_images",
                            "cl_khr_expect_assume",
                            "cl_khr_extended_async_copies",
                            "cl_khr_extended_bit_ops",
                            "cl_khr_fp16",
                            "cl_khr_fp64",
                            "cl_khr_global_int32_base_atomics",
                            "cl_khr_global_int32_extended_atomics",
                            "cl_khr_int64_base_atomics",
                            "cl_khr_int64_extended_atomics",
                            "cl_khr_integer_dot_product",
                            "cl_khr_kernel_clock",
                            "cl_khr_local_int32_base_atomics",
                            "cl_khr_local_int32_extended_atomics",
                            "cl_khr_mipmap_image",
                            "cl_khr_mipmap_image_writes",
                            "cl_khr_srgb_image_writes",
                            "cl_intel_required_subgroup_size",
                            "cl_intel_subgroup_local_block_io",
                            "cl_intel_subgroups",
                            "cl_intel_subgroups_char",
                            "cl_intel_subgroups_long",
                            "cl_intel_subgroups_short",
                            "cl_khr_subgroup_ballot",
                            "cl_khr_subgroup_clustered_reduce",
                            "cl_khr_subgroup_extended_types",
                            "cl_khr_subgroup_non_uniform_arithmetic",
                            "cl_khr_subgroup_non_uniform_vote",
                            "cl_khr_subgroup_rotate",
                            "cl_khr_subgroup_shuffle",
                            "cl_khr_subgroup_shuffle_relative",
                            "cl_khr_work_group_uniform_arithmetic"};
      options.features = {"__opencl_c_3d_image_writes",
                          "__opencl_c_atomic_order_acq_rel",
                          "__opencl_c_atomic_order_seq_cst",
                          "__opencl_c_atomic_scope_all_devices",
                          "__opencl_c_atomic_scope_device",
                          "__opencl_c_ext_fp16_global_atomic_add",
                          "__opencl_c_ext_fp16_global_atomic_load_store",
                          "__opencl_c_ext_fp16_global_atomic_min_max",
                          "__opencl_c_ext_fp16_local_atomic_add",
                          "__opencl_c_ext_fp16_local_atomic_load_store",
                          "__opencl_c_ext_fp16_local_atomic_min_max",
                          "__opencl_c_ext_fp32_global_atomic_add",
                          "__opencl_c_ext_fp32_global_atomic_min_max",
                          "__opencl_c_ext_fp32_local_atomic_add",
                          "__opencl_c_ext_fp32_local_atomic_min_max",
                          "__opencl_c_ext_fp64_global_atomic_add",
                          "__opencl_c_ext_fp64_global_atomic_min_max",
                          "__opencl_c_ext_fp64_local_atomic_add",
                          "__opencl_c_ext_fp64_local_atomic_min_max",
                          "__opencl_c_fp64",
                          "__opencl_c_generic_address_space",
                          "__opencl_c_images",
                          "__opencl_c_int64",
                          "__opencl_c_integer_dot_product_input_4x8bit",
                          "__opencl_c_integer_dot_product_input_4x8bit_packed",
                          "__opencl_c_kernel_clock_scope_device",
                          "__opencl_c_kernel_clock_scope_sub_group",
                          "__opencl_c_kernel_clock_scope_work_group",
                          "__opencl_c_pipes",
                          "__opencl_c_program_scope_global_variables",
                          "__opencl_c_read_write_images",
                          "__opencl_c_subgroups",
                          "__opencl_c_work_group_collective_functions"};
      made = compiler::createCompiler(std::move(options));
    }
    return *made;
  }

  void control(compiler::PassControl& passes) { passes_ = &passes; }

  Program build(std::string_view source, std::string_view options, Inlining inlining) {
    auto key = std::tuple(std::string(source), std::string(options), inlining);
    if (auto known = programs_.find(key); known != programs_.end()) return known->second;
    auto built = buildFrom(source, options, inlining);
    if (!built) {
      ADD_FAILURE() << "build failed:\n" << built.error().log;
      return nullptr;
    }
    return programs_.emplace(std::move(key), std::move(built->program)).first->second;
  }

  /// From source, or with WEFT_TEST_SPIRV in the environment from what other compilers make of it.
  compiler::Result<compiler::BuildOutput> buildFrom(std::string_view source,
                                                    std::string_view options, Inlining inlining) {
    if (std::getenv("WEFT_TEST_SPIRV")) {
      const auto words = translate(source, options);
      std::cout << (words ? "[ SPIR-V   ]\n" : "[ source   ] not translated\n");
      if (words) return compiler(inlining).buildIl({*words, {}}, options);
    }
    return compiler(inlining).build(source, options);
  }

  const BuildInput* inputOf(const Program& program) {
    const auto known = std::ranges::find_if(
        programs_, [&](const auto& entry) { return entry.second.get() == program.get(); });
    if (known == programs_.end()) return nullptr;
    const auto& [source, options, inlining] = known->first;
    return &inputs_.try_emplace(program.get(), source, options).first->second;
  }

  /// The same program as the public API builds it; null when it does not.
  product::Program* product(const Program& program) {
    std::shared_ptr<product::Program>& made = products_[program.get()];
    if (made) return made.get();
    const BuildInput* input = inputOf(program);
    std::string log;
    made = product::Program::build(input->source, input->options, log);
    if (!made) ADD_FAILURE() << "the library does not build it:\n" << log;
    return made.get();
  }

 private:
  // Programs go first, then the compiler, then the executors whose services it calls.
  std::map<unsigned, std::unique_ptr<runtime::Executor>> executors_;
  std::array<std::unique_ptr<compiler::Compiler>, 2> compilers_;  ///< by Inlining
  compiler::PassControl* passes_ = nullptr;
  std::map<std::tuple<std::string, std::string, Inlining>, Program> programs_;
  std::map<const compiler::Program*, BuildInput> inputs_;
  std::map<const compiler::Program*, std::shared_ptr<product::Program>> products_;
};

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

/// The plans of the library. Without `arguments` for such as suit the kernel best.
compiler::PlanLadder plansOf(const compiler::KernelInfo& kernel, const NDRange& range,
                             const void* arguments, const compiler::Overrides& overrides,
                             unsigned workers) {
  compiler::LaunchFacts facts{
      .range = range,
      .slots = workers,
      .subGroupSize = kSubGroupSize,
      .exactIndices = !arguments || compiler::hasExactIndices(kernel, range, arguments)};
  if (arguments)
    facts.images = compiler::imageClassesOf(kernel, arguments);
  else
    std::fill_n(facts.images.begin(), kernel.imageArguments.size(), uint16_t{1});
  return {kernel, facts, overrides};
}

/// Adds the boxes of a plan to a shape, with their code.
compiler::Result<void> addBoxes(const Program& program, size_t index,
                                const compiler::LaunchPlan& plan, runtime::LaunchShape& shape) {
  shape.boxCount = 0;
  shape.subGroupSize = plan.key().subGroupSize;
  for (const compiler::PlannedBox& box : plan.boxes()) {
    WEFT_TRY(const compiler::Variant* variant, program->variant(index, box.key));
    shape.boxes[shape.boxCount++] = {
        .begin = box.begin, .end = box.end, .slicing = box.slicing, .code = variant};
  }
  return {};
}

/// Of sizes and images that a kernel is specialised on there are few, and some sizes have no
/// barrier loops: then a launch has what the library falls back to. What the compiler fails at is
/// an error here, and not there.
compiler::Result<runtime::LaunchShape> findCode(const Program& program,
                                                const compiler::KernelInfo& kernel,
                                                const Mode& mode, const NDRange& range,
                                                const void* arguments) {
  using compiler::ErrorKind;
  const auto index = static_cast<size_t>(&kernel - program->kernels().data());
  runtime::LaunchShape shape;
  shape.kernel = &kernel;
  shape.range = range;
  auto plans = plansOf(kernel, range, arguments, mode.overrides(), mode.workers);
  auto found = addBoxes(program, index, plans.wanted(), shape);
  const ErrorKind refusal = found ? ErrorKind::Internal : found.error().kind;
  const auto isRefused = [&] {
    return !found &&
           (found.error().kind == ErrorKind::TooMany || found.error().kind == ErrorKind::Unsuited);
  };
  while (isRefused()) {
    const auto plan = plans.next(refusal);
    if (!plan) break;
    found = addBoxes(program, index, *plan, shape);
  }
  if (!found) return fail(std::move(found).error());
  return shape;
}

/// Collects ways to run a kernel over a range that differ in their code or their workers.
class ModeList {
 public:
  ModeList(const compiler::KernelInfo& kernel, const NDRange& range)
      : kernel_(kernel), range_(range) {}

  /// Unless there is no such code, or it is that of a mode before.
  void add(const Mode& mode) {
    const compiler::LaunchPlan plan =
        plansOf(kernel_, range_, nullptr, mode.overrides(), mode.workers).wanted();
    if (plan.key().form != mode.form) return;
    Seen seen{mode.workers, {}};
    for (const compiler::PlannedBox& box : plan.boxes()) seen.second.push_back(box.key);
    if (std::ranges::find(seen_, seen) != seen_.end()) return;
    seen_.push_back(std::move(seen));
    modes.push_back(mode);
  }

  std::vector<Mode> modes;

 private:
  using Seen = std::pair<unsigned, std::vector<compiler::VariantKey>>;
  const compiler::KernelInfo& kernel_;
  const NDRange& range_;
  std::vector<Seen> seen_;
};

}  // namespace

compiler::Overrides Mode::overrides() const {
  return {.form = form,
          .width = width,
          .rowDimension = rowDimension,
          .wholeRows = wholeRows,
          .fixedSize = fixedSize,
          .plainIndices = plainIndices,
          .anyImages = anyImages};
}

std::string Mode::name() const {
  if (product) return "public API";
  std::string text = std::string(formName(form)) + ", width " + std::to_string(width) + ", " +
                     std::to_string(workers) + " workers";
  const auto say = [&](std::optional<bool> what, const char* yes, const char* no) {
    if (what) text += *what ? yes : no;
  };
  if (rowDimension) text += ", rows along dimension " + std::to_string(*rowDimension);
  say(wholeRows, ", whole rows", ", rows of any size");
  say(fixedSize, ", groups of one size", ", groups of any size");
  if (plainIndices) text += ", plain indices";
  if (anyImages) text += ", any images";
  return text;
}

std::vector<Mode> legalModes(const compiler::KernelInfo& kernel, const NDRange& range) {
  ModeList list(kernel, range);
  for (const compiler::Form form : kForms)
    for (Mode mode : kTries) {
      mode.form = form;
      for (const unsigned workers : {1u, kManyWorkers}) {
        mode.workers = workers;
        list.add(mode);
      }
    }
  static const std::string product = [] {
    const char* text = std::getenv("WEFT_TEST_PRODUCT");
    return std::string(text ? text : "");
  }();
  if (product == "only") list.modes.resize(1);
  if (!product.empty()) list.modes.push_back({.product = true});
  return list.modes;
}

std::vector<Mode> candidateModes(const compiler::KernelInfo& kernel, const NDRange& range) {
  ModeList list(kernel, range);
  for (const compiler::Form form : kForms)
    for (const unsigned workers : {1u, kManyWorkers})
      for (const uint32_t width : kEveryWidth)
        for (Mode mode : kVariations) {
          mode.form = form;
          mode.workers = workers;
          mode.width = width;
          list.add(mode);
        }
  return list.modes;
}

bool isOffered(const Program& program, const compiler::KernelInfo& kernel, const Mode& mode,
               const NDRange& range) {
  const auto code = findCode(program, kernel, mode, range, nullptr);
  return code || !code.error().log.contains("is not supported");
}

bool buildsFromSource() { return std::getenv("WEFT_TEST_SPIRV") == nullptr; }

Program build(std::string_view source, std::string_view options, Inlining inlining) {
  return World::instance().build(source, options, inlining);
}

Program buildIl(const compiler::IlModule& il, std::string_view options) {
  auto built = World::instance().compiler().buildIl(il, options);
  if (built) return std::move(built->program);
  ADD_FAILURE() << "build failed:\n" << built.error().log;
  return nullptr;
}

compiler::Result<compiler::BuildOutput> tryBuild(std::string_view source, std::string_view options,
                                                 Inlining inlining) {
  return World::instance().compiler(inlining).build(source, options);
}

void controlPasses(compiler::PassControl& control) { World::instance().control(control); }

compiler::Compiler& compilerUnderTest() { return World::instance().compiler(); }

const BuildInput* inputOf(const Program& program) { return World::instance().inputOf(program); }

const compiler::KernelInfo* kernelInfo(const Program& program, std::string_view kernel) {
  if (!program) return nullptr;
  for (const compiler::KernelInfo& info : program->kernels())
    if (info.name == kernel) return &info;
  ADD_FAILURE() << "the program has no kernel " << kernel;
  return nullptr;
}

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
  auto shape = findCode(program_, *kernel_, mode, range_, block.get());
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
  const runtime::KernelLaunch launch(*shape, bindings);
  LaunchJob job(launch);
  executor.submit(job, runtime::Urgency::Now);
  if (mode.workers == 1) executor.help(job);
  Outcome outcome = job.wait();
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

void Launch::inEveryForm(const std::function<void(const Outcome&)>& check) {
  if (!kernel_) return;
  bool isFirst = true;
  for (const Mode& mode : modes()) {
    if (mode.product && !hasProduct()) continue;
    in(mode, check);
    if (comparesForms_ && !expectsFailure_) {
      SCOPED_TRACE(mode.name());
      checkAgainstFirst(isFirst);
    }
    isFirst = false;
  }
}

}  // namespace weft::test
