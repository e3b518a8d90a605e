// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_compiler.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <new>
#include <sstream>
#include <thread>
#include <utility>

#include "base/handle.h"
#include "weft/compiler/binary_tag.h"
#include "weft/compiler/il_support.h"
#include "weft/support/mutex.h"

namespace weft {

// Defined by icd/ in the real library.
const void* const kDispatchTable = nullptr;

namespace fake {
namespace {

using compiler::ErrorKind;
using compiler::ProgramKind;

struct State {
  Mutex mutex;
  ConditionVariable gateMoved;
  std::map<std::string, KernelDefinition> kernels WEFT_GUARDED_BY(mutex);
  bool gateOpen WEFT_GUARDED_BY(mutex) = false;
  int waiting WEFT_GUARDED_BY(mutex) = 0;
  std::atomic<int> variantCalls{0};
  std::atomic<int> runs{0};
  std::atomic<bool> failVariants{false};
  std::optional<compiler::Form> failedForm WEFT_GUARDED_BY(mutex);
  ErrorKind formError WEFT_GUARDED_BY(mutex) = ErrorKind::Internal;
  bool failImages WEFT_GUARDED_BY(mutex) = false;
  bool provisional WEFT_GUARDED_BY(mutex) = false;
  compiler::LaunchOutlook lastOutlook WEFT_GUARDED_BY(mutex);
  std::vector<std::function<void()>> unimproved WEFT_GUARDED_BY(mutex);
  std::atomic<bool> failPosts{false};
};

State& state() {
  static State instance;
  return instance;
}

compiler::Error error(ErrorKind kind, std::string log) { return {kind, std::move(log)}; }

class FakeProgram final : public compiler::Program {
 public:
  FakeProgram(ProgramKind kind, std::string words, std::vector<KernelDefinition> kernels,
              std::string_view options, compiler::PrivateMemory memory)
      : kind_(kind),
        words_(std::move(words)),
        definitions_(std::move(kernels)),
        options_(options),
        memory_(memory) {
    for (const KernelDefinition& definition : definitions_) infos_.push_back(definition.info);
  }

  ProgramKind kind() const noexcept override { return kind_; }
  std::span<const compiler::KernelInfo> kernels() const noexcept override { return infos_; }
  std::string_view options() const noexcept override { return options_; }
  compiler::PrivateMemory privateMemory() const noexcept override { return memory_; }
  const std::string& words() const { return words_; }

  compiler::Result<std::vector<std::byte>> serialize() const override {
    std::string text = "FAKE" + std::string(1, static_cast<char>('0' + int(kind_))) +
                       std::string(1, static_cast<char>('0' + int(memory_))) + options_ + '\n' +
                       words_;
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    return std::vector<std::byte>(bytes, bytes + text.size());
  }

  compiler::Result<const compiler::Variant*> variant(
      size_t kernel, const compiler::VariantKey& key,
      const compiler::LaunchOutlook& outlook) override {
    state().variantCalls.fetch_add(1);
    if (state().failVariants.load()) return fail(error(ErrorKind::Internal, "no variant\n"));
    MutexLock stateLock(state().mutex);
    state().lastOutlook = outlook;
    if (state().failedForm == key.form) return fail(error(state().formError, "no such form\n"));
    if (state().failImages && key.images != compiler::ImageClasses{})
      return fail(error(ErrorKind::TooMany, "too many images\n"));
    MutexLock lock(mutex_);
    const auto same = [&](const auto& v) { return v.first == kernel && v.second.key == key; };
    auto found = std::ranges::find_if(variants_, same);
    if (found == variants_.end()) {
      add(kernel, key);
      found = std::prev(variants_.end());
      if (state().provisional) {
        compiler::Variant& quick = found->second;
        quick.groupEntry = [](const abi::Group*) {};
        quick.itemEntry = [](abi::WorkItem*) {};
        quick.provisional = true;
        state().unimproved.push_back([this, kernel, &quick] { improve(kernel, quick); });
      }
    }
    const abi::MachineCode* better = found->second.better.load();
    return better ? static_cast<const compiler::Variant*>(better) : &found->second;
  }

 private:
  compiler::Variant& add(size_t kernel, const compiler::VariantKey& key) WEFT_REQUIRES(mutex_) {
    auto& [index, variant] = variants_.emplace_back();
    index = kernel;
    variant.key = key;
    variant.groupEntry = definitions_[kernel].group;
    variant.itemEntry = definitions_[kernel].item;
    variant.frameBytes = 1024;
    return variant;
  }
  void improve(size_t kernel, compiler::Variant& quick) {
    MutexLock lock(mutex_);
    quick.better.store(&add(kernel, quick.key), std::memory_order_release);
  }

  const ProgramKind kind_;
  const std::string words_;
  const std::vector<KernelDefinition> definitions_;
  const std::string options_;
  const compiler::PrivateMemory memory_;
  std::vector<compiler::KernelInfo> infos_;
  Mutex mutex_;
  std::deque<std::pair<size_t, compiler::Variant>> variants_ WEFT_GUARDED_BY(mutex_);
};

void waitAtGate() {
  State& s = state();
  MutexLock lock(s.mutex);
  ++s.waiting;
  s.gateMoved.wait(lock, [&]() WEFT_NO_TSA { return s.gateOpen; });
  --s.waiting;
}

ErrorKind kindNamed(std::string_view name) {
  if (name == "options") return ErrorKind::InvalidOptions;
  if (name == "source") return ErrorKind::SourceError;
  if (name == "binary") return ErrorKind::InvalidBinary;
  if (name == "memory") return ErrorKind::OutOfMemory;
  return ErrorKind::Internal;
}

compiler::Result<compiler::BuildOutput> run(
    std::string_view source, ProgramKind kind, std::span<const compiler::EmbeddedHeader> headers,
    std::string_view options,
    compiler::PrivateMemory memory = compiler::PrivateMemory::Unspecified) {
  state().runs.fetch_add(1);
  std::istringstream words{std::string(source)};
  std::vector<KernelDefinition> kernels;
  std::string log;
  for (std::string word; words >> word;) {
    if (word == "wait") {
      waitAtGate();
    } else if (word == "throw") {
      throw std::bad_alloc();
    } else if (word == "warn") {
      log += "warning: as asked for\n";
    } else if (word.starts_with("error:")) {
      return fail(error(kindNamed(word.substr(6)), "error: " + word.substr(6) + "\n"));
    } else if (word.starts_with("need:")) {
      const auto named = [&](const auto& header) { return header.includeName == word.substr(5); };
      if (std::ranges::none_of(headers, named))
        return fail(error(ErrorKind::SourceError, "error: no such header\n"));
    } else if (word.starts_with("kernel:") && kind == ProgramKind::Executable) {
      State& s = state();
      MutexLock lock(s.mutex);
      const auto found = s.kernels.find(word.substr(7));
      if (found == s.kernels.end())
        return fail(error(ErrorKind::SourceError, "error: unknown kernel\n"));
      kernels.push_back(found->second);
    }
  }
  return compiler::BuildOutput{
      makeRef<FakeProgram>(kind, std::string(source), std::move(kernels), options, memory),
      std::move(log)};
}

class FakeCompiler final : public compiler::Compiler {
 public:
  compiler::Result<compiler::BuildOutput> build(std::string_view source, std::string_view options,
                                                compiler::PrivateMemory memory) override {
    return run(source, ProgramKind::Executable, {}, options, memory);
  }
  compiler::Result<compiler::BuildOutput> compile(
      std::string_view source, std::string_view options,
      std::span<const compiler::EmbeddedHeader> headers) override {
    return run(source, ProgramKind::CompiledObject, headers, options);
  }
  compiler::Result<compiler::BuildOutput> buildIl(const compiler::IlModule&, std::string_view,
                                                  compiler::PrivateMemory) override {
    return fail(error(ErrorKind::SourceError, "no IL here\n"));
  }
  compiler::Result<compiler::BuildOutput> compileIl(const compiler::IlModule&,
                                                    std::string_view) override {
    return fail(error(ErrorKind::SourceError, "no IL here\n"));
  }
  compiler::Result<std::vector<compiler::SpecializationConstant>> describeIl(
      std::string_view) override {
    return fail(error(ErrorKind::SourceError, "no IL here\n"));
  }
  compiler::Result<compiler::BuildOutput> link(std::span<const Ref<compiler::Program>> inputs,
                                               std::string_view options,
                                               compiler::PrivateMemory memory) override {
    std::string words;
    for (const Ref<compiler::Program>& input : inputs)
      words += static_cast<const FakeProgram&>(*input).words() + " ";
    const bool library = options.find("-create-library") != std::string_view::npos;
    return run(words, library ? ProgramKind::Library : ProgramKind::Executable, {}, options,
               memory);
  }
  compiler::Result<Ref<compiler::Program>> load(std::span<const std::byte> binary) override {
    const std::string_view text(reinterpret_cast<const char*>(binary.data()), binary.size());
    const size_t line = text.find('\n');
    if (!text.starts_with("FAKE") || line == std::string_view::npos || line < 6)
      return fail(error(ErrorKind::InvalidBinary, "not ours\n"));
    auto output =
        run(text.substr(line + 1), static_cast<ProgramKind>(text[4] - '0'), {},
            text.substr(6, line - 6), static_cast<compiler::PrivateMemory>(text[5] - '0'));
    if (!output) return fail(output.error());
    return output->program;
  }
  compiler::Result<void> checkOptions(std::string_view options, bool linking) override {
    if (options.find("-bad") == std::string_view::npos) return {};
    return fail(error(ErrorKind::InvalidOptions, "bad option\n"));
  }
  void post(Job job) override {
    if (state().failPosts.load()) throw std::bad_alloc();
    std::thread(std::move(job)).detach();
  }
  void finishPosted() noexcept override {}
  void unload() noexcept override {}
  void prepareFork() noexcept override {}
  void afterForkInParent() noexcept override {}
  void afterForkInChild() noexcept override {}
};

}  // namespace

void define(KernelDefinition definition) {
  State& s = state();
  MutexLock lock(s.mutex);
  const std::string name = definition.info.name;
  s.kernels.insert_or_assign(name, std::move(definition));
}

void undefineAll() {
  State& s = state();
  MutexLock lock(s.mutex);
  s.kernels.clear();
}

void openGate() {
  State& s = state();
  MutexLock lock(s.mutex);
  s.gateOpen = true;
  s.gateMoved.notifyAll();
}

void closeGate() {
  State& s = state();
  MutexLock lock(s.mutex);
  s.gateOpen = false;
}

int waiting() {
  State& s = state();
  MutexLock lock(s.mutex);
  return s.waiting;
}

int variantCalls() { return state().variantCalls.load(); }
compiler::LaunchOutlook lastOutlook() {
  MutexLock lock(state().mutex);
  return state().lastOutlook;
}

void failVariants(bool fail) { state().failVariants.store(fail); }
void failForm(std::optional<compiler::Form> form, compiler::ErrorKind kind) {
  State& s = state();
  MutexLock lock(s.mutex);
  s.failedForm = form;
  s.formError = kind;
}
void failImages(bool fail) {
  State& s = state();
  MutexLock lock(s.mutex);
  s.failImages = fail;
}
void makeProvisional(bool provisional) {
  State& s = state();
  MutexLock lock(s.mutex);
  s.provisional = provisional;
  s.unimproved.clear();
}
void improve() {
  std::vector<std::function<void()>> waiting;
  {
    State& s = state();
    MutexLock lock(s.mutex);
    waiting.swap(s.unimproved);
  }
  for (const auto& work : waiting) work();
}
void failPosts(bool fail) { state().failPosts.store(fail); }
int runs() { return state().runs.load(); }

}  // namespace fake

namespace compiler {
const std::string& binaryTag(CpuLevel) {
  static const std::string tag = "fake";
  return tag;
}
const IlSupport& ilSupport() noexcept {
  static constexpr IlSupport kNone;
  return kNone;
}
std::unique_ptr<Compiler> createCompiler(CompilerOptions options) {
  return std::make_unique<fake::FakeCompiler>();
}
}  // namespace compiler

}  // namespace weft
