// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_parts.h"

#include "base/handle.h"
#include "weft/compiler/binary_tag.h"
#include "weft/compiler/il_support.h"
#include "weft/runtime/cpus.h"

namespace weft {

const void* const kDispatchTable = nullptr;

namespace test {

FakeParts& fakeParts() {
  static FakeParts* const parts = new FakeParts;
  return *parts;
}

namespace {

void record(const char* call) { fakeParts().forkCalls.emplace_back(call); }

class FakeExecutor final : public runtime::Executor {
 public:
  std::unique_ptr<runtime::WorkerSet> createWorkerSet(std::span<const unsigned> slots,
                                                      std::span<const unsigned> cpus) override {
    fakeParts().setSlots.assign(slots.begin(), slots.end());
    fakeParts().setCpus.assign(cpus.begin(), cpus.end());
    return std::make_unique<runtime::WorkerSet>(static_cast<unsigned>(slots.size()));
  }
  void slice(runtime::LaunchShape&, const runtime::Placement&) const noexcept override {}
  void submit(runtime::Job&, runtime::Urgency) noexcept override {}
  void kick() noexcept override {}
  bool help(runtime::Job&) noexcept override { return false; }
  bool withdraw(runtime::Job&) noexcept override { return false; }
  unsigned slots() const noexcept override { return 1; }
  abi::ServiceTable services() const noexcept override {
    static const abi::ServiceSymbol kServices[] = {{kFakeService, nullptr}};
    return kServices;
  }
  void prepareFork() noexcept override { record("executor prepare"); }
  void afterForkInParent() noexcept override { record("executor parent"); }
  void afterForkInChild() noexcept override { record("executor child"); }
};

class FakeCompiler final : public compiler::Compiler {
 public:
  template <class T>
  static compiler::Result<T> none() {
    return fail(compiler::Error{compiler::ErrorKind::Internal, "fake\n"});
  }
  compiler::Result<compiler::BuildOutput> build(std::string_view, std::string_view,
                                                compiler::PrivateMemory) override {
    return none<compiler::BuildOutput>();
  }
  compiler::Result<compiler::BuildOutput> compile(
      std::string_view, std::string_view, std::span<const compiler::EmbeddedHeader>) override {
    return none<compiler::BuildOutput>();
  }
  compiler::Result<compiler::BuildOutput> buildIl(const compiler::IlModule&, std::string_view,
                                                  compiler::PrivateMemory) override {
    return none<compiler::BuildOutput>();
  }
  compiler::Result<compiler::BuildOutput> compileIl(const compiler::IlModule&,
                                                    std::string_view) override {
    return none<compiler::BuildOutput>();
  }
  compiler::Result<std::vector<compiler::SpecializationConstant>> describeIl(
      std::string_view) override {
    return none<std::vector<compiler::SpecializationConstant>>();
  }
  compiler::Result<compiler::BuildOutput> link(std::span<const Ref<compiler::Program>>,
                                               std::string_view, compiler::PrivateMemory) override {
    return none<compiler::BuildOutput>();
  }
  compiler::Result<Ref<compiler::Program>> load(std::span<const std::byte>) override {
    return none<Ref<compiler::Program>>();
  }
  compiler::Result<void> checkOptions(std::string_view, bool) override { return {}; }
  void post(Job) override {}
  void finishPosted() noexcept override {}
  void unload() noexcept override {}
  void prepareFork() noexcept override { record("compiler prepare"); }
  void afterForkInParent() noexcept override { record("compiler parent"); }
  void afterForkInChild() noexcept override { record("compiler child"); }
};

}  // namespace
}  // namespace test

namespace runtime {

std::unique_ptr<Executor> createExecutor(const ExecutorOptions& options) {
  ++test::fakeParts().executors;
  test::fakeParts().executorOptions = options;
  return std::make_unique<test::FakeExecutor>();
}

unsigned availableCpus() noexcept { return 3; }
std::vector<unsigned> allowedCpus() { return {0, 1, 2}; }

}  // namespace runtime

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
  ++test::fakeParts().compilers;
  test::fakeParts().compilerOptions = std::move(options);
  return std::make_unique<test::FakeCompiler>();
}

}  // namespace compiler
}  // namespace weft
