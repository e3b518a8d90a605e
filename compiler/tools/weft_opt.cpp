// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// weft-opt: runs named passes of the kernel compiler on a .ll file.
///
///   weft-opt --passes=retarget,verify in.ll -S
///   weft-opt --prepare in.ll -S                    the whole prepareProgram
///   weft-opt --prepare --kernel-info in.ll         what it says of the kernels
///   weft-opt --prepare --variant=flat --kernel=k in.ll -S   the optimised variant
///   weft-opt --prepare --variant=flat --kernel=k --explain in.ll   remarks on it
///   weft-opt --prepare --variant=fibers --kernel=k --object in.ll -o k.o
///   weft-opt --first-wrong --variant=flat --width=0 --kernel=k --global=1024 --local-size=64
///            --args=4096,4096,100 k.cl             which pass changes the kernel's results; also
///            k.spv

#include <llvm/IR/LLVMContext.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/InitLLVM.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/ToolOutputFile.h>

#include "analysis/kernel_analysis.h"
#include "form/extract_kernel.h"
#include "pipeline/pass_order.h"
#include "pipeline/pass_runner.h"
#include "pipeline/pipeline.h"
#include "tools/kernel_trial.h"
#include "weft/compiler/check_launch.h"

using namespace llvm;
using namespace weft::compiler;

static cl::opt<std::string> inputName(cl::Positional, cl::desc("<input>"), cl::init("-"));
static cl::opt<std::string> outputName("o", cl::desc("Output file"), cl::init("-"));
static cl::opt<std::string> passNames(
    "passes", cl::desc("Passes to run, in order; on one kernel if --kernel names it"));
static cl::opt<bool> printPipeline(
    "print-pipeline", cl::desc("Print the order of a program's passes, or of a variant's"));
static cl::opt<bool> listPasses("list-passes", cl::desc("Print the names that --passes knows"));
static cl::opt<bool> quickTier("quick", cl::desc("Of the variant: code that is soon there"));
static cl::opt<bool> textOutput("S", cl::desc("Write IR (always text)"));
static cl::opt<bool> prepare("prepare", cl::desc("Run prepareProgram"));
static cl::opt<bool> noOptimise("no-opt", cl::desc("As with -cl-opt-disable"));
static cl::opt<bool> kernelInfo("kernel-info", cl::desc("Print what is known of the kernels"));
static cl::opt<std::string> variantForm("variant", cl::desc("flat, group, fibers or loops"));
static cl::opt<std::string> kernelName("kernel", cl::desc("Kernel of the variant"));
static cl::opt<bool> explain("explain", cl::desc("Print what becomes of the variant instead"));
static cl::opt<bool> objectOutput("object", cl::desc("Write the variant's object file"));
static cl::list<unsigned> localSize("local-size", cl::CommaSeparated,
                                    cl::desc("Work-group size, to specialise on or to run"));
static cl::opt<bool> smaller("smaller-groups", cl::desc("Groups may be smaller than that"));
static cl::opt<unsigned> subGroupSize("sub-group-size", cl::desc("Work-items of a sub-group"),
                                      cl::init(0));
static cl::opt<unsigned> rowDimension("row-dimension",
                                      cl::desc("The dimension that rows of work-items are along"));
static cl::opt<unsigned> width("width", cl::desc("Work-items in the lanes of an iteration"),
                               cl::init(1));
static cl::opt<bool> divergent("divergent", cl::desc("Barrier loops: items go by themselves"));
static cl::opt<bool> privateReductions("private-reductions",
                                       cl::desc("Threads reduce into elements of their own"));
static cl::opt<bool> settledReductions("settled-reductions",
                                       cl::desc("The same, and few updates change them"));
static cl::opt<bool> anyBuffers("any-buffers", cl::desc("For launches whose buffers may overlap"));
static cl::opt<bool> plainIndices("plain", cl::desc("For launches whose 32-bit indices may wrap"));
static cl::list<unsigned> images("images", cl::CommaSeparated,
                                 cl::desc("Classes of the arguments that are images or samplers"));
static cl::opt<uint64_t> maxLocalBytes("max-local", cl::desc("Bytes of local memory"),
                                       cl::init(65536));
static cl::opt<uint64_t> inlineBudget("inline-budget", cl::desc("Instructions per kernel"),
                                      cl::init(0));
static const cl::OptionEnumValue kLevels[] = {
    clEnumValN(CpuLevel::Host, "host", "all of this one's"),
    clEnumValN(CpuLevel::V1, "x86-64", "SSE2"), clEnumValN(CpuLevel::V2, "x86-64-v2", "SSE4.2"),
    clEnumValN(CpuLevel::V3, "x86-64-v3", "AVX2"),
    clEnumValN(CpuLevel::V4, "x86-64-v4", "AVX-512")};
static cl::opt<CpuLevel> cpu("cpu", cl::desc("Features to make code for, the host's or not"),
                             cl::values(kLevels[0], kLevels[1], kLevels[2], kLevels[3],
                                        kLevels[4]));
static cl::opt<std::string> dumpDirectory("dump-directory", cl::desc("Dump each phase here"));
static cl::opt<bool> firstWrong(
    "first-wrong", cl::desc("Run a kernel (.cl or .ll) with more and more passes, and name the one "
                            "that changes its results; the code before and after it is dumped"));
static cl::opt<std::string> buildOptions("build-options", cl::desc("Of the .cl file"));
static cl::list<uint64_t> globalSize("global", cl::CommaSeparated, cl::desc("Work-items to run"));
static cl::list<uint64_t> offset("offset", cl::CommaSeparated, cl::desc("Of their global ids"));
static cl::list<std::string> arguments(
    "args", cl::CommaSeparated,
    cl::desc("Of the kernel, one each: bytes of a buffer with random contents or of local memory, "
             "@FILE with a buffer's contents, =N for the buffer of argument N, or a number"));
static cl::opt<uint64_t> seed("seed", cl::desc("Of random contents"), cl::init(1));

namespace {

int failWith(llvm::Error error) {
  errs() << toString(std::move(error));
  return 1;
}

int failWith(const Twine& text) {
  errs() << "error: " << text << "\n";
  return 1;
}

void print(raw_ostream& out, const WorkFormula::Step& step) {
  static constexpr const char* kNames[] = {
      "", "argument@", "global-size-", "local-size-", "groups-", "+", "*", "/", "max", "min"};
  out << ' ' << kNames[static_cast<unsigned>(step.op)];
  if (step.op < WorkFormula::Op::Add) out << step.number;
}

void print(raw_ostream& out, const LaunchCondition& condition) {
  static constexpr const char* kNames[] = {
      "range",        "argument@", "global-id-",  "global-offset-",
      "global-size-", "local-id-", "local-size-", "enqueued-size-",
      "group-id-",    "groups-",   "linear-id-",  "local-linear-id-",
      "add",          "subtract",  "multiply",    "smaller",
      "larger",       "hull",      "quotient",    "remainder",
      "counter",      "below",     "at-most",     "above",
      "at-least",     "u-below",   "u-at-most",   "u-above",
      "u-at-least",   "equal",     "not-equal",   "wrapped",
      "promised",     "unsigned",  "fits",        "is-positive"};
  size_t index = 0;
  for (const LaunchCondition::Step& step : condition.steps) {
    out << "  exact #" << index++ << " " << kNames[static_cast<unsigned>(step.op)];
    if (step.op == LaunchCondition::Op::Range)
      out << " " << step.number << " to " << step.last;
    else if (launch_condition::isLeaf(step.op))
      out << step.number;
    else
      out << " #" << step.left;
    if (!launch_condition::isLeaf(step.op) && !launch_condition::isUnary(step.op))
      out << " #" << step.right;
    out << "\n";
  }
}

void print(raw_ostream& out, const KernelInfo& kernel) {
  static constexpr const char* kOrders[] = {"rows", "tiles", "columns"};
  out << "kernel " << kernel.name << " block=" << kernel.argumentBytes
      << " local=" << kernel.staticLocalBytes << " private=" << kernel.privateBytes
      << " barrier=" << kernel.usesBarrier << " group=" << kernel.observesGroup
      << " sub_groups=" << kernel.usesSubGroups << " meets=" << kernel.meetsInSubGroups
      << " printf=" << kernel.usesPrintf << " program_scope=" << kernel.usesProgramScope
      << " ftz=" << kernel.denormsAreZero << " loops=" << kernel.barrierLoops
      << " rows=" << kernel.barrierLoopsInRows << " on_trial=" << kernel.barrierLoopsOnTrial
      << " lockstep=" << kernel.lockstepLoops << " context=" << kernel.contextBytes
      << " along=" << kernel.rowDimension
      << " order=" << kOrders[static_cast<unsigned>(kernel.rowOrder)]
      << " shared=" << kernel.sharedRow << " across=" << kernel.writesAcross << " attributes=\""
      << kernel.attributes << "\"\n";
  for (const ArgumentInfo& argument : kernel.arguments)
    out << "  argument kind=" << unsigned(argument.kind) << " offset=" << argument.offset
        << " size=" << argument.size << " align=" << argument.alignment
        << " address=" << unsigned(argument.address) << " access=" << unsigned(argument.access)
        << " const=" << argument.isConst << " restrict=" << argument.isRestrict
        << " volatile=" << argument.isVolatile << " name=\"" << argument.name << "\" type=\""
        << argument.typeName << "\"\n";
  for (const uint32_t argument : kernel.imageArguments)
    out << "  decides on code: argument " << argument << "\n";
  for (const Reduction& reduction : kernel.reductions)
    out << "  reduces into argument " << reduction.argument
        << ": operation=" << unsigned(reduction.operation) << " bytes=" << reduction.bytes << "\n";
  out << "  work";
  for (const WorkFormula::Step& step : kernel.work.steps) print(out, step);
  out << "\n";
  print(out, kernel.exactIndices);
  for (const BarrierSite& site : kernel.barriers)
    out << "  barrier " << site.file << ":" << site.line << "\n";
}

/// As the library reads it: all tests can be run for another level than they would be.
CpuLevel levelOfEnvironment() {
  const std::optional<std::string> name = sys::Process::GetEnv("WEFT_CPU");
  for (const cl::OptionEnumValue& level : kLevels)
    if (name && level.Name == *name) return static_cast<CpuLevel>(level.Value);
  return CpuLevel::Host;
}

std::optional<Form> parseForm(StringRef name) {
  if (name == "flat") return Form::Flat;
  if (name == "group") return Form::GroupLoop;
  if (name == "fibers") return Form::Fibers;
  if (name == "loops") return Form::BarrierLoops;
  return std::nullopt;
}

/// The key that the options name; the flat form where they name none.
std::optional<VariantKey> keyOfOptions() {
  const auto form = variantForm.empty() ? Form::Flat : parseForm(variantForm);
  if (!form) return std::nullopt;
  VariantKey key{*form, width, subGroupSize};
  for (size_t d = 0; d < localSize.size() && d < 3; ++d) key.localSize[d] = localSize[d];
  key.exactIndices = width != 1 && !plainIndices;
  key.separateBuffers = width != 1 && !anyBuffers;
  key.smallerGroups = smaller;
  key.divergent = divergent;
  key.rowDimension = rowDimension;
  if (privateReductions) key.reductions = ReductionElements::Own;
  if (settledReductions) key.reductions = ReductionElements::OwnSettled;
  for (size_t i = 0; i < images.size() && i < key.images.size(); ++i)
    key.images[i] = static_cast<uint16_t>(images[i]);
  return key;
}

/// On the whole program, or on the code of one kernel where its form is named.
llvm::Error runNamedPasses(std::unique_ptr<Module>& module, ArrayRef<KernelInfo> kernels,
                           const PrepareOptions& options, TargetMachine* machine) {
  PassRunner runner(machine, "", "weft-opt");
  const auto key = keyOfOptions();
  if (!key) return createStringError("unknown form");
  const auto* kernel = find_if(kernels, [&](const KernelInfo& k) { return k.name == kernelName; });
  const bool isVariant = kernel != kernels.end();
  const KernelInfo none;
  if (isVariant) module = extractKernel(*module, *module->getFunction(kernel->name));
  const PassFacts facts{.options = options,
                        .errors = runner.errors(),
                        .kernel = isVariant ? &*kernel : &none,
                        .key = *key,
                        .symbol = variantSymbol(kernelName, *key)};
  registerPasses(runner.builder(), facts);
  ModulePassManager passes;
  if (llvm::Error error = runner.builder().parsePassPipeline(passes, passNames)) return error;
  return runner.run(*module, std::move(passes), "passes", /*verify=*/true);
}

int printPasses(const PrepareOptions& options) {
  const auto key = keyOfOptions();
  if (!key) return failWith("unknown form");
  ErrorLog errors;
  printOrder(outs(), variantForm.empty() ? Part::Program : Part::Variant,
             {.options = options, .errors = errors, .key = *key});
  return 0;
}

int nameFirstWrong() {
  auto form = parseForm(variantForm);
  if (!form) return failWith("unknown form");
  KernelTrial trial;
  trial.file = inputName;
  trial.buildOptions = buildOptions;
  trial.kernel = kernelName;
  trial.cpu = cpu.getNumOccurrences() != 0 ? cpu : levelOfEnvironment();
  trial.seed = seed;
  trial.arguments = arguments;
  trial.overrides.form = form;
  trial.overrides.width = width;
  trial.overrides.plainIndices = plainIndices;
  trial.overrides.anyBuffers = anyBuffers;
  for (size_t d = 0; d < 3; ++d) {
    if (d < globalSize.size()) {
      trial.range.dimensions = static_cast<uint32_t>(d + 1);
      trial.range.globalSize[d] = globalSize[d];
      trial.range.localSize[d] = d < localSize.size() ? localSize[d] : 1;
    }
    if (d < offset.size()) trial.range.globalOffset[d] = offset[d];
  }
  for (size_t d = 0; d < 3; ++d)
    if (trial.range.globalSize[d] == 0 || trial.range.localSize[d] == 0)
      return failWith("--global and --local-size have to be sizes");
  const auto found = findFirstWrong(trial, dumpDirectory);
  if (!found) return failWith(found.error());
  outs() << found->text();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "passes of the Weft kernel compiler\n");
  if (firstWrong) return nameFirstWrong();
  assumeHost(cpu.getNumOccurrences() != 0 ? cpu : levelOfEnvironment());
  PrepareOptions options;
  options.maxLocalBytes = maxLocalBytes;
  options.optimize = !noOptimise;
  if (inlineBudget != 0) options.inlineBudget = inlineBudget;
  options.tier = quickTier ? Tier::Quick : Tier::Final;
  options.dumpDirectory = dumpDirectory;
  options.keepLines = explain;
  if (listPasses) {
    for (const StringRef name : namesOfPasses()) outs() << name << "\n";
    return 0;
  }
  if (printPipeline) return printPasses(options);
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIRFile(inputName, diagnostic, context);
  if (!module) {
    diagnostic.print(argv[0], errs());
    return 1;
  }
  std::error_code failed;
  ToolOutputFile output(outputName, failed, sys::fs::OF_None);
  if (failed) return failWith(failed.message());
  auto machine = createTargetMachine(CodeGenOptLevel::Default);

  std::vector<KernelInfo> kernels;
  if (explain) options.explain = [&](const std::string& text) { output.os() << text; };
  if (prepare) {
    auto prepared = prepareProgram(*module, options);
    if (!prepared) return failWith(prepared.takeError());
    kernels = std::move(prepared->kernels);
  } else if (kernelInfo) {
    kernels = analyseKernels(*module);
  }
  if (!passNames.empty())
    if (llvm::Error error = runNamedPasses(module, kernels, options, machine.get()))
      return failWith(std::move(error));

  if (kernelInfo) {
    for (const KernelInfo& kernel : kernels) print(output.os(), kernel);
  } else if (!variantForm.empty() && passNames.empty()) {
    const auto key = keyOfOptions();
    if (!key) return failWith("unknown form");
    auto kernel = find_if(kernels, [&](const KernelInfo& k) { return k.name == kernelName; });
    if (kernel == kernels.end()) return failWith("no such kernel");
    if (objectOutput) {
      auto object = compileVariant(*module, *kernel, *key, options);
      if (!object) return failWith(object.takeError());
      output.os() << (*object)->getBuffer();
    } else {
      auto variant = optimiseVariant(*module, *kernel, *key, options, *machine);
      if (!variant) return failWith(variant.takeError());
      if (!explain) output.os() << **variant;
    }
  } else {
    output.os() << *module;
  }
  output.keep();
  return 0;
}
