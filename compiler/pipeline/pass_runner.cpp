// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/pass_runner.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include "ir/address_space_alias.h"
#include "ir/separate_buffers_alias.h"
#include "pipeline/pipeline.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Only what loop idioms turn into; the service table has these three.
TargetLibraryInfoImpl libraryInfo(const Triple& triple) {
  TargetLibraryInfoImpl library(triple);
  library.disableAllFunctions();
  for (LibFunc function : {LibFunc_memcpy, LibFunc_memset, LibFunc_memmove})
    library.setAvailable(function);
  return library;
}

/// What a pass runs on, for people.
std::string placeOf(Any& unit) {
  if (const auto* function = llvm::any_cast<const Function*>(&unit))
    return (*function)->getName().str();
  if (const auto* loop = llvm::any_cast<const Loop*>(&unit)) {
    const BasicBlock& header = *(*loop)->getHeader();
    std::string text;
    raw_string_ostream stream(text);
    header.printAsOperand(stream, /*PrintType=*/false);
    return "the loop at " + text + " in " + header.getParent()->getName().str();
  }
  return "the module";
}

/// TrimItemLoopsPass as trim-item-loops.
std::string nameOfClass(StringRef name) {
  name = name.substr(name.rfind(':') + 1);
  name.consume_back("Pass");
  std::string text;
  for (const char c : name) {
    if (isUpper(c) && !text.empty()) text += '-';
    text += toLower(c);
  }
  return text;
}

}  // namespace

void registerAnalyses(PassBuilder& builder, FunctionAnalysisManager& functions) {
  functions.registerPass([] { return AddressSpaceAA(); });
  functions.registerPass([] { return SeparateBuffersAA(); });
  functions.registerPass([&builder] {
    AAManager manager = builder.buildDefaultAAPipeline();
    manager.registerFunctionAnalysis<AddressSpaceAA>();
    manager.registerFunctionAnalysis<SeparateBuffersAA>();
    return manager;
  });
  functions.registerPass(
      [] { return TargetLibraryAnalysis(libraryInfo(Triple(hostTarget().triple))); });
}

PassRunner::PassRunner(TargetMachine* machine, std::string dumpDirectory, std::string name,
                       std::function<bool()> stop, PassControl* control)
    : dumpDirectory_(std::move(dumpDirectory)),
      name_(std::move(name)),
      stop_(std::move(stop)),
      builder_(machine, PipelineTuningOptions(), std::nullopt, control ? &callbacks_ : nullptr) {
  if (stop_) registerStop();
  if (control) registerControl(*control);
  if (stop_ || control) registerInstrumentation();
  registerAnalyses(builder_, functions_);
  builder_.registerModuleAnalyses(modules_);
  builder_.registerCGSCCAnalyses(components_);
  builder_.registerFunctionAnalyses(functions_);
  builder_.registerLoopAnalyses(loops_);
  builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
}

void PassRunner::registerStop() {
  callbacks_.registerShouldRunOptionalPassCallback([this](StringRef, Any) { return !stop_(); });
}

void PassRunner::registerControl(PassControl& control) {
  callbacks_.registerShouldRunOptionalPassCallback([this, &control](StringRef pass, Any unit) {
    const StringRef known = callbacks_.getPassNameForClassName(pass);
    const std::string name = known.empty() ? nameOfClass(pass) : known.str();
    const bool runs = control.mayRun(name, placeOf(unit), *module_);
    controlled_ = runs ? pass : StringRef();
    return runs;
  });
  const auto ran = [this, &control](StringRef pass) {
    if (pass != controlled_) return;
    controlled_ = {};
    control.ran(*module_);
  };
  callbacks_.registerAfterPassCallback(
      [ran](StringRef pass, Any, const PreservedAnalyses&) { ran(pass); });
  callbacks_.registerAfterPassInvalidatedCallback(
      [ran](StringRef pass, const PreservedAnalyses&) { ran(pass); });
}

/// The first registration of an analysis counts, so this comes before the builder's own.
void PassRunner::registerInstrumentation() {
  const auto instrumentation = [this] { return PassInstrumentationAnalysis(&callbacks_); };
  modules_.registerPass(instrumentation);
  components_.registerPass(instrumentation);
  functions_.registerPass(instrumentation);
  loops_.registerPass(instrumentation);
}

llvm::Error PassRunner::run(Module& module, ModulePassManager passes, const char* phase,
                            bool verifyAfter) {
  module_ = &module;
  passes.run(module, modules_);
  dump(module, phase);
  if (stop_ && stop_()) return createStringError(inconvertibleErrorCode(), "given up\n");
  if (llvm::Error error = errors_.take()) return error;
  return verifyAfter ? verify(module, phase) : llvm::Error::success();
}

void PassRunner::dump(const Module& module, const char* phase) {
  if (dumpDirectory_.empty()) return;
  SmallString<128> path(dumpDirectory_);
  sys::path::append(path, name_ + "." + std::to_string(phases_++) + "." + phase + ".ll");
  std::error_code failed = sys::fs::create_directories(dumpDirectory_);
  if (failed) return;  // a dump that cannot be written costs only the dump
  raw_fd_ostream file(path, failed, sys::fs::OF_Text);
  if (failed) return;
  module.print(file, nullptr);
  if (file.has_error()) file.clear_error();
}

llvm::Error verify(const Module& module, const char* phase) {
  std::string text;
  raw_string_ostream stream(text);
  if (!verifyModule(module, &stream)) return llvm::Error::success();
  return createStringError(inconvertibleErrorCode(), "internal error: invalid code after %s\n%s",
                           phase, stream.str().c_str());
}

}  // namespace weft::compiler
