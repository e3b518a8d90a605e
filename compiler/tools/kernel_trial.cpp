// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/kernel_trial.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <sys/mman.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <new>
#include <random>

#include "driver/program_binary.h"
#include "frontend/builtins_linker.h"
#include "pipeline/pipeline.h"
#include "weft/runtime/executor.h"
#include "weft/support/checked.h"

namespace weft::compiler {
namespace {

/// Whether the text of an argument asks for the buffer of another one.
bool isOfAnother(const std::string& text) { return text.starts_with('='); }

constexpr uint64_t kPage = 4096;
constexpr uint64_t kMaxLocalBytes = 64 << 10;
constexpr uint32_t kSubGroupSize = 16;

/// Memory that child processes share, between two pages that cannot be touched.
class GuardedMemory {
 public:
  explicit GuardedMemory(uint64_t bytes)
      : bytes_(bytes), mapped_(alignUp(bytes, kPage) + 2 * kPage) {
    void* all = mmap(nullptr, mapped_, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<std::byte*>(all);
    if (mprotect(base_ + kPage, mapped_ - 2 * kPage, PROT_READ | PROT_WRITE) != 0)
      throw std::bad_alloc();
  }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  ~GuardedMemory() { munmap(base_, mapped_); }

  std::span<std::byte> bytes() const { return {base_ + mapped_ - kPage - bytes_, bytes_}; }

 private:
  uint64_t bytes_;
  uint64_t mapped_;
  std::byte* base_ = nullptr;
};

/// The launch as the executor sees it.
class LaunchJob final : public runtime::Job {
 public:
  explicit LaunchJob(const runtime::KernelLaunch& launch) : launch_(launch) {
    parts = launch.shape->parts;
  }
  void runPart(size_t part, runtime::Slot& slot) noexcept override {
    slot.runPart(launch_, part, *this);
  }
  void started() noexcept override {}
  void finished() noexcept override { isFinished_.store(true, std::memory_order_release); }
  void failed(runtime::FailureKind, std::string_view message) noexcept override {
    std::cerr << message << "\n";
    hasFailed_ = true;
  }
  void printed(std::string_view text) noexcept override { std::cerr << text; }

  /// Pre: submitted to an executor of one worker. True when it did not fail.
  bool wait(runtime::Executor& executor) {
    executor.help(*this);
    while (!isFinished_.load(std::memory_order_acquire)) sched_yield();
    return !hasFailed_;
  }

 private:
  const runtime::KernelLaunch& launch_;
  std::atomic<bool> isFinished_ = false;
  std::atomic<bool> hasFailed_ = false;
};

/// Runs the kernel in child processes, on memory that outlives them.
class Trials {
 public:
  explicit Trials(const KernelTrial& kernel) : kernel_(kernel) {
    constexpr uint64_t kMostBuffers = 64;
    for (size_t i = 0; i < kernel.arguments.size() && i < kMostBuffers; ++i) {
      uint64_t bytes = 0;
      const std::string& text = kernel.arguments[i];
      if (text.starts_with('@')) {
        auto file = llvm::MemoryBuffer::getFile(text.substr(1), false, false);
        if (file) bytes = (*file)->getBufferSize();
      } else {
        std::from_chars(text.data(), text.data() + text.size(), bytes);
      }
      constexpr uint64_t kMostBytes = uint64_t{1} << 30;
      memory_.push_back(std::make_unique<GuardedMemory>(std::min(bytes, kMostBytes)));
      wanted_.push_back(std::make_unique<GuardedMemory>(std::min(bytes, kMostBytes)));
    }
  }

  /// With the results that are wanted: the first trial that is told to sets them.
  Trial run(const TrialOptions& trial, bool setsWanted) {
    std::unique_ptr<runtime::Executor> executor = runtime::createExecutor(
        {.workers = 1, .cpus = {}, .maxLocalBytes = kMaxLocalBytes, .maxWorkGroupSize = 4096});
    Ref<Program> program = build(trial.control, executor->services());
    if (!program) return Trial::NoCode;
    const std::span<const KernelInfo> kernels = program->kernels();
    const auto info = std::ranges::find_if(kernels, [&](const KernelInfo& k) {
      return kernel_.kernel.empty() || k.name == kernel_.kernel;
    });
    if (info == kernels.end()) return complain("no such kernel");
    const Block block = makeBlock(*info);
    const LaunchFacts facts{
        .range = kernel_.range,
        .slots = 1,
        .subGroupSize = kSubGroupSize,
        .exactIndices = hasExactIndices(*info, kernel_.range, block.bytes.get()),
        .separateBuffers = std::ranges::none_of(kernel_.arguments, isOfAnother)};
    const LaunchPlan plan =
        choose(*info, facts,
               trial.isFormed ? kernel_.overrides : Overrides{.form = Form::Fibers, .width = 1});
    if (trial.isFormed && kernel_.overrides.form && plan.key().form != *kernel_.overrides.form)
      return complain("the kernel has no such form in this range");
    runtime::LaunchShape shape;
    shape.kernel = &*info;
    shape.range = kernel_.range;
    shape.subGroupSize = plan.key().subGroupSize;
    for (const PlannedBox& box : plan.boxes()) {
      const auto variant = program->variant(static_cast<size_t>(info - kernels.begin()), box.key);
      if (!variant) return complain(variant.error().log);
      shape.boxes[shape.boxCount++] = {
          .begin = box.begin, .end = box.end, .slicing = box.slicing, .code = *variant};
    }
    for (size_t i = 0; i < memory_.size(); ++i) fill(i, *info);
    if (!launch(*executor, *program, shape, block)) return Trial::Wrong;
    bool isRight = true;
    for (size_t i = 0; i < memory_.size(); ++i) {
      const auto now = memory_[i]->bytes(), wanted = wanted_[i]->bytes();
      if (setsWanted) std::ranges::copy(now, wanted.begin());
      isRight &= std::ranges::equal(now, wanted);
    }
    return isRight ? Trial::Right : Trial::Wrong;
  }

 private:
  static Trial complain(const std::string& text) {
    std::cerr << text << (text.ends_with('\n') ? "" : "\n");
    return Trial::NoCode;
  }

  Ref<Program> build(PassControl& control, const abi::ServiceTable& services) {
    CompilerOptions options;
    options.services = services;
    options.subGroupSize = kSubGroupSize;
    options.maxLocalBytes = kMaxLocalBytes;
    options.cacheEnabled = false;
    options.cpu = kernel_.cpu;
    options.passes = &control;
    options.extensions = {"cl_khr_fp16",
                          "cl_khr_fp64",
                          "cl_khr_byte_addressable_store",
                          "cl_khr_int64_base_atomics",
                          "cl_khr_global_int32_base_atomics",
                          "cl_khr_local_int32_base_atomics",
                          "cl_khr_work_group_uniform_arithmetic"};
    options.features = {"__opencl_c_fp64", "__opencl_c_int64", "__opencl_c_generic_address_space",
                        "__opencl_c_program_scope_global_variables",
                        "__opencl_c_work_group_collective_functions"};
    compiler_ = createCompiler(options);
    if (kernel_.file.ends_with(".ll")) return load(control, services);
    auto source = llvm::MemoryBuffer::getFile(kernel_.file);
    if (!source) {
      complain(kernel_.file + ": " + source.getError().message());
      return nullptr;
    }
    const std::string_view text = (*source)->getBuffer();
    auto built = kernel_.file.ends_with(".spv")
                     ? compiler_->buildIl({.words = text, .constants = {}}, kernel_.buildOptions)
                     : compiler_->build(text, kernel_.buildOptions + " -cl-kernel-arg-info");
    if (built) return std::move(built->program);
    complain(built.error().log);
    return nullptr;
  }

  /// A program of what the front end wrote.
  Ref<Program> load(PassControl& control, const abi::ServiceTable& services) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic diagnostic;
    const auto module = llvm::parseIRFile(kernel_.file, diagnostic, context);
    if (!module) {
      complain(kernel_.file + ": " + diagnostic.getMessage().str());
      return nullptr;
    }
    if (const auto linked = linkBuiltins(*module); !linked) {
      complain(linked.error());
      return nullptr;
    }
    PrepareOptions options;
    options.maxLocalBytes = kMaxLocalBytes;
    options.services = services;
    options.control = &control;
    auto prepared = prepareProgram(*module, options);
    if (!prepared) {
      complain(llvm::toString(prepared.takeError()));
      return nullptr;
    }
    std::string bitcode;
    llvm::raw_string_ostream stream(bitcode);
    llvm::WriteBitcodeToFile(*module, stream);
    ProgramImage image;
    image.kind = ProgramKind::Executable;
    image.kernels = std::move(prepared->kernels);
    image.blocks = std::move(prepared->blocks);
    image.constructors = std::move(prepared->constructors);
    image.programScope = std::move(prepared->programScope);
    image.bitcode = bitcode;
    identify(image);
    const std::string binary = encodeProgram(image, hostTarget().tag);
    auto loaded = compiler_->load(std::as_bytes(std::span(binary)));
    if (loaded) return std::move(*loaded);
    complain(loaded.error().log);
    return nullptr;
  }

  /// Random bytes, or numbers that can be reckoned with where the elements are floats.
  void fill(size_t index, const KernelInfo& info) {
    const std::span<std::byte> to = memory_[index]->bytes();
    if (const std::string& text = kernel_.arguments[index]; text.starts_with('@')) {
      auto file = llvm::MemoryBuffer::getFile(text.substr(1), false, false);
      if (file) std::memcpy(to.data(), (*file)->getBufferStart(), to.size());
      return;
    }
    std::mt19937_64 random(kernel_.seed * 1000 + index);
    const std::string_view type =
        index < info.arguments.size() ? info.arguments[index].typeName : std::string_view();
    const auto store = [&](auto value) {
      for (size_t at = 0; at + sizeof value <= to.size(); at += sizeof value) {
        value = static_cast<decltype(value)>(static_cast<int>(random() % 512) - 256) / 16;
        std::memcpy(to.data() + at, &value, sizeof value);
      }
    };
    if (type.starts_with("float")) return store(0.0f);
    if (type.starts_with("double")) return store(0.0);
    for (std::byte& byte : to) byte = static_cast<std::byte>(random());
  }

  /// The bytes of argument `index`, a number, as its type has them.
  static void encode(const std::string& text, const ArgumentInfo& info, std::byte* slot) {
    const std::string_view type = info.typeName;
    if (type == "float" || type == "double") {
      const double value = std::strtod(text.c_str(), nullptr);
      const auto narrow = static_cast<float>(value);
      std::memcpy(slot, type == "float" ? static_cast<const void*>(&narrow) : &value, info.size);
      return;
    }
    const int64_t value = std::strtoll(text.c_str(), nullptr, 0);
    std::memcpy(slot, &value, std::min<size_t>(info.size, sizeof value));
  }

  struct Block {
    std::unique_ptr<void, decltype(&std::free)> bytes;
    uint64_t localBytes;  ///< that a group needs
  };

  /// The argument block.
  Block makeBlock(const KernelInfo& info) const {
    const size_t blockBytes =
        alignUp<size_t>(std::max<size_t>(info.argumentBytes, 1), size_t{abi::kArgumentAlignment});
    Block block{{std::aligned_alloc(abi::kArgumentAlignment, blockBytes), &std::free},
                info.staticLocalBytes};
    std::memset(block.bytes.get(), 0, blockBytes);
    for (size_t i = 0; i < info.arguments.size(); ++i) {
      const ArgumentInfo& argument = info.arguments[i];
      std::byte* slot = static_cast<std::byte*>(block.bytes.get()) + argument.offset;
      const std::string text = i < kernel_.arguments.size() ? kernel_.arguments[i] : "0";
      if (argument.kind == ArgumentKind::Value) {
        encode(text, argument, slot);
      } else if (argument.kind == ArgumentKind::LocalPointer) {
        block.localBytes = alignUp<uint64_t>(block.localBytes, argument.alignment);
        std::memcpy(slot, &block.localBytes, sizeof block.localBytes);
        block.localBytes += memory_[i]->bytes().size();
      } else {
        size_t from = i;
        if (isOfAnother(text)) from = std::strtoull(text.c_str() + 1, nullptr, 10);
        const void* data = from < memory_.size() ? memory_[from]->bytes().data() : nullptr;
        std::memcpy(slot, &data, sizeof data);
      }
    }
    return block;
  }

  bool launch(runtime::Executor& executor, Program& program, runtime::LaunchShape& shape,
              const Block& block) {
    runtime::LaunchBindings bindings{.arguments = block.bytes.get(),
                                     .localBytes = block.localBytes};
    if (shape.kernel->usesProgramScope) {
      auto variables = program.programScope();
      if (!variables) return false;
      bindings.programScope = *variables;
    }
    executor.slice(shape);
    const runtime::KernelLaunch launch(shape, bindings);
    LaunchJob job(launch);
    executor.submit(job, runtime::Urgency::Now);
    return job.wait(executor);
  }

  const KernelTrial& kernel_;
  std::unique_ptr<Compiler> compiler_;
  std::vector<std::unique_ptr<GuardedMemory>> memory_;  ///< by argument
  std::vector<std::unique_ptr<GuardedMemory>> wanted_;
};

}  // namespace

std::expected<FirstWrong, std::string> findFirstWrong(const KernelTrial& kernel,
                                                      const std::string& folder) {
  Trials trials(kernel);
  SearchOptions options;
  options.folder = folder;
  options.run = [&](const TrialOptions& trial) { return trials.run(trial, /*setsWanted=*/true); };
  if (runWithoutPasses(options) != Trial::Right)
    return std::unexpected("the kernel fails without any pass that can be left out");
  options.run = [&](const TrialOptions& trial) { return trials.run(trial, /*setsWanted=*/false); };
  return findFirstWrong(options);
}

}  // namespace weft::compiler
