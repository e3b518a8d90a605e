// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/pipeline.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/InstIterator.h>

#include "analysis/barrier_regions.h"
#include "analysis/exact_indices.h"
#include "analysis/image_arguments.h"
#include "analysis/kernel_analysis.h"
#include "analysis/reduction_arguments.h"
#include "finish/codegen.h"
#include "form/extract_kernel.h"
#include "form/form_kernel.h"
#include "form/lockstep_loops.h"
#include "ir/image_formats.h"
#include "ir/names.h"
#include "lanes/explanation.h"
#include "pipeline/pass_control.h"
#include "pipeline/pass_order.h"
#include "pipeline/pass_runner.h"
#include "prepare/number_barriers.h"

namespace weft::compiler {
namespace {

using namespace llvm;

std::string formText(const VariantKey& key) {
  std::string size;
  for (uint32_t d : key.localSize) size += (size.empty() ? "" : " x ") + std::to_string(d);
  const bool anySize = key.localSize == std::array<uint32_t, 3>{};
  const std::string groups =
      anySize ? "" : (key.smallerGroups ? ", work-groups of up to " : ", work-groups of ") + size;
  const std::string rows =
      key.rowDimension == 0 ? "" : ", rows along dimension " + std::to_string(key.rowDimension);
  switch (key.form) {
    case Form::Flat:
      return "flat form" + rows;
    case Form::GroupLoop:
      return "group-loop form" + rows + groups;
    case Form::Fibers:
      return "fibers";
    case Form::BarrierLoops:
      return "barrier-loops form" + groups;
  }
  return "";
}

/// Which images and samplers the code is for.
std::vector<std::string> imageTexts(const KernelInfo& kernel, const VariantKey& key) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < kernel.imageArguments.size(); ++i) {
    const uint32_t index = kernel.imageArguments[i];
    const uint64_t known = key.images[i];
    const bool isSampler = kernel.arguments[index].kind == ArgumentKind::Sampler;
    std::string text = "argument " + std::to_string(index) + " is ";
    text += isSampler ? "a sampler: " : "an image: ";
    if (known == 0)
      text += "any, which takes a call for each work-item";
    else
      text += isSampler ? samplerName(known - 1) : imageFormatName(known);
    texts.push_back(std::move(text));
  }
  return texts;
}

/// Says why it is not known that whole groups meet the barriers of `body`; false where it is.
bool explainObjection(Function& body, const KernelInfo& kernel, const char* prefix,
                      Explanation& explanation) {
  const auto regions = BarrierRegions::find(body, body.getEntryBlock());
  if (regions) return false;
  const BarrierObjection& objection = regions.error();
  std::string text = prefix + objection.why;
  if (objection.barrier) text += ", which is" + Explanation::at(*objection.barrier);
  if (kernel.barrierLoopsInRows) text += "; work-groups of a single row would not";
  if (objection.where)
    explanation.note(text, *objection.where);
  else
    explanation.note(text, DiagnosticLocation());
  return true;
}

/// How the kernel is run, and why not in a better way. Pre: `module` is extractKernel's.
void explainForm(Module& module, const KernelInfo& kernel, const VariantKey& key, bool optimises,
                 Explanation& explanation) {
  Function& body = *module.getFunction(bodyName(kernel.name));
  for (const std::string& text : imageTexts(kernel, key))
    explanation.note(text, DiagnosticLocation());
  if (key.form != Form::Fibers) {
    const char* why = !optimises ? ", not vectorised: optimisation is off"
                      : key.width == 1
                          ? ", not vectorised: one lane is asked for, or ids may be too "
                            "large for the arithmetic of lanes"
                          : "";
    explanation.begin(kernel.name, formText(key) + why, body);
    if (key.form == Form::BarrierLoops && kernel.lockstepLoops)
      explanation.note(
          "lockstep: rows of work-items read the same in a long loop, which groups go through "
          "together",
          DiagnosticLocation());
    if (key.form == Form::BarrierLoops && kernel.barrierLoopsOnTrial)
      explainObjection(body, kernel,
                       "asked, unless the size of work-groups settles it: ", explanation);
    return;
  }
  const char* why = !optimises       ? ", not vectorised: optimisation is off"
                    : key.width == 1 ? ", not vectorised: work-items run one by one"
                                     : "";
  explanation.begin(kernel.name, formText(key) + why, body);
  if (kernel.usesBarrier && !explainObjection(body, kernel, "fibers: ", explanation))
    explanation.note(
        "fibers: all barriers are met by whole groups, but the groups keep too much between "
        "barriers, or fibers are forced",
        DiagnosticLocation());
}

}  // namespace

/// Code generation reaches variables of a frame by offsets of 31 bits, and overflows unnoticed.
static constexpr uint64_t kMaxFrameBytes = uint64_t{1} << 30;

/// What no launch of a kernel could have.
static void checkKernel(const KernelInfo& kernel, const PrepareOptions& options, ErrorLog& errors) {
  const auto takes = [&](ArgumentKind kind) {
    return any_of(kernel.arguments, [&](const ArgumentInfo& info) { return info.kind == kind; });
  };
  if (!options.hasImages && (takes(ArgumentKind::Image) || takes(ArgumentKind::Sampler)))
    errors.add("kernel '" + kernel.name + "' takes " +
               (takes(ArgumentKind::Image) ? "an image" : "a sampler") +
               ", but the device has neither images nor samplers (CL_DEVICE_IMAGE_SUPPORT is "
               "CL_FALSE)");
  if (kernel.privateBytes > kMaxFrameBytes)
    errors.add("kernel '" + kernel.name + "' needs " + Twine(kernel.privateBytes) +
               " bytes of private memory, but only " + Twine(kMaxFrameBytes) + " are available");
}

llvm::Expected<PreparedProgram> prepareProgram(Module& module, const PrepareOptions& options) {
  PassRunner runner(nullptr, options.dumpDirectory, "program", {}, options.control);
  ErrorLog& errors = runner.errors();
  const PassFacts facts{.options = options, .errors = errors};
  if (llvm::Error error = runner.run(module, passesOf(Phase::Adopt, facts), "adopt")) return error;
  if (llvm::Error error = runner.run(module, passesOf(Phase::Inline, facts), "inline"))
    return error;
  PreparedProgram program{analyseKernels(module), analyseBlocks(module),
                          analyseConstructors(module), describeProgramScope(module, errors)};
  for (const KernelInfo& kernel : program.kernels) checkKernel(kernel, options, errors);
  for (const KernelInfo& block : program.blocks) checkKernel(block, options, errors);
  if (options.optimize)
    for (KernelInfo& kernel : program.kernels) {
      Function& function = *module.getFunction(kernel.name);
      kernel.exactIndices = markExactIndices(function, kernel.arguments, kernel.rowDimension);
      kernel.imageArguments = imageArgumentsOf(function, kernel.arguments);
      kernel.reductions = reductionsOf(function, kernel.arguments);
    }
  for (const KernelInfo& constructor : program.constructors)
    if (constructor.usesBarrier || constructor.usesPrintf || constructor.staticLocalBytes != 0)
      errors.add("initialisers at program scope cannot synchronise, print or use local memory");
  if (llvm::Error error =
          runner.run(module, passesOf(Phase::Lower, facts), "lower", /*verify=*/true))
    return error;
  analyseBarriers(module, program.kernels);
  analyseBarriers(module, program.blocks);
  if (options.optimize) {
    analyseLockstep(module, program.kernels);
    analyseSubGroups(module, program.kernels);
    analyseSubGroups(module, program.blocks);
  }
  return program;
}

static constexpr std::pair<Phase, const char*> kVariantPhases[] = {{Phase::Form, "form"},
                                                                   {Phase::Quick, "quick"},
                                                                   {Phase::Lanes, "vectorize"},
                                                                   {Phase::Optimise, "optimise"}};

/// Tells the size of lane groups by another name of the entry.
static void nameLanes(Module& module, const std::string& symbol) {
  Function& entry = *module.getFunction(symbol);
  const Attribute lanes = entry.getFnAttribute(names::kLanesAttribute);
  GlobalAlias::create(symbol + names::kLanesSuffix + lanes.getValueAsString(), &entry);
}

llvm::Expected<std::unique_ptr<Module>> optimiseVariant(const Module& program,
                                                        const KernelInfo& kernel,
                                                        const VariantKey& key,
                                                        const PrepareOptions& options,
                                                        TargetMachine& machine) {
  const Function* body = program.getFunction(kernel.name);
  if (!body || body->isDeclaration())
    return createStringError(inconvertibleErrorCode(), "error: no kernel '%s'\n",
                             kernel.name.c_str());
  std::unique_ptr<Module> module = extractKernel(program, *body);
  const std::string symbol = variantSymbol(kernel.name, key);

  const bool quick = options.tier == Tier::Quick;
  PassRunner runner(&machine, options.dumpDirectory, quick ? symbol + ".quick" : symbol,
                    options.stop, options.control);
  std::optional<Explanation> explanation;
  if (options.explain && !quick) {
    explanation.emplace();
    explainForm(*module, kernel, key, options.optimize, *explanation);
  }
  const PassFacts facts{.options = options,
                        .errors = runner.errors(),
                        .kernel = &kernel,
                        .key = key,
                        .symbol = symbol,
                        .explanation = explanation ? &*explanation : nullptr};
  if (options.control) {
    const bool needsLanes = key.form == Form::Fibers || kernel.meetsInSubGroups;
    options.control->mayRun(needsLanes && facts.hasLanes() ? kLanesStep : kFormStep, symbol,
                            *module);
  }
  std::optional<VectorizerRemarks> remarks;
  for (const auto& [phase, name] : kVariantPhases) {
    if (!hasPhase(phase, facts)) continue;
    if (phase == Phase::Optimise && explanation)
      remarks.emplace(module->getContext(), *explanation);
    // Lanes are verified always: a variant that is refused is replaced by one that needs none.
    const bool verify = PassRunner::kVerifyEachPhase || phase == Phase::Lanes;
    if (llvm::Error error = runner.run(*module, passesOf(phase, facts), name, verify)) return error;
    if (options.phaseEnded) options.phaseEnded(name);
  }
  const VariantKey formed = facts.formedKey();
  if (formed.form == Form::Fibers && formed.width != 1) nameLanes(*module, symbol);
  if (explanation) options.explain(explanation->text());
  if (!module->debug_compile_units().empty()) stripLines(*module);
  return module;
}

/// What lanes and inlining have made of variables is as far from the stack pointer too.
static llvm::Error checkFrames(const Module& module, const KernelInfo& kernel) {
  for (const Function& function : module) {
    uint64_t bytes = 0;
    for (const Instruction& instruction : instructions(function))
      if (const auto* variable = dyn_cast<AllocaInst>(&instruction))
        if (const auto size = variable->getAllocationSize(module.getDataLayout()))
          bytes += std::min<uint64_t>(*size, 2 * kMaxFrameBytes);
    if (bytes > kMaxFrameBytes)
      return createStringError(inconvertibleErrorCode(),
                               "error: kernel '%s' needs more than 1 GiB of private memory\n",
                               kernel.name.c_str());
  }
  return llvm::Error::success();
}

/// Gives what has no value one that nobody expects: code generation without optimisation would
/// often happen to choose the one that hides a mistake.
static void fillUndefined(Module& module) {
  const auto fill = [](Type& type) -> Constant* {
    Type* scalar = type.getScalarType();
    if (scalar->isPointerTy()) return Constant::getNullValue(&type);
    if (!scalar->isIntegerTy() && !scalar->isIEEELikeFPTy()) return nullptr;
    const APInt bits = APInt::getSplat(scalar->getPrimitiveSizeInBits(), APInt(8, 0xa5));
    return scalar->isIntegerTy() ? ConstantInt::get(&type, bits)
                                 : ConstantFP::get(&type, APFloat(scalar->getFltSemantics(), bits));
  };
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      for (Use& operand : instruction.operands())
        if (isa<UndefValue>(operand))
          if (Constant* value = fill(*operand->getType())) operand.set(value);
}

/// Leaves code generation with what each instruction allows.
static void dropRelaxations(Module& module) {
  for (Function& function : module)
    for (const char* name : {"unsafe-fp-math", "no-infs-fp-math", "no-nans-fp-math",
                             "no-signed-zeros-fp-math", "approx-func-fp-math"})
      function.removeFnAttr(name);
}

llvm::Expected<std::unique_ptr<MemoryBuffer>> compileVariant(const Module& program,
                                                             const KernelInfo& kernel,
                                                             const VariantKey& key,
                                                             const PrepareOptions& options) {
  const bool optimise = options.optimize && options.tier == Tier::Final;
  llvm::TargetMachine* machine =
      threadTargetMachine(optimise ? CodeGenOptLevel::Default : CodeGenOptLevel::None);
  if (!machine)
    return createStringError(inconvertibleErrorCode(), "internal error: no code generator\n");
  auto module = optimiseVariant(program, kernel, key, options, *machine);
  if (!module) return module.takeError();
  if (llvm::Error error = checkFrames(**module, kernel)) return error;
  if (optimise && options.control &&
      !options.control->mayRun(kCodeStep, variantSymbol(kernel.name, key), **module)) {
    machine = threadTargetMachine(CodeGenOptLevel::None);
    dropRelaxations(**module);
    fillUndefined(**module);
  }
  auto object = generateCode(**module, *machine);
  if (options.phaseEnded) options.phaseEnded("code");
  return object;
}

std::string variantSymbol(const std::string& kernel, const VariantKey& key) {
  const char* form = "";
  switch (key.form) {
    case Form::Flat:
      form = ".flat";
      break;
    case Form::GroupLoop:
      form = ".group";
      break;
    case Form::Fibers:
      form = ".fibers";
      break;
    case Form::BarrierLoops:
      form = ".loops";
      break;
  }
  std::string symbol =
      kernel + form + ".w" + std::to_string(key.width) + ".s" + std::to_string(key.subGroupSize);
  if (key.localSize != std::array<uint32_t, 3>{})
    for (uint32_t size : key.localSize) symbol += ".l" + std::to_string(size);
  if (key.smallerGroups) symbol += ".smaller";
  if (key.divergent) symbol += ".divergent";
  if (key.rowDimension != 0) symbol += ".d" + std::to_string(key.rowDimension);
  if (key.wholeRows) symbol += ".whole";
  if (key.width != 1 && !key.exactIndices) symbol += ".plain";
  if (key.separateBuffers) symbol += ".separate";
  if (key.reductions == ReductionElements::Own) symbol += ".private";
  if (key.reductions == ReductionElements::OwnSettled) symbol += ".settled";
  if (key.images != ImageClasses{}) {
    symbol += ".i";
    for (const uint16_t image : key.images) symbol += utohexstr(image) + "_";
    symbol.erase(symbol.find_last_not_of("0_") + 1);
  }
  return symbol;
}

}  // namespace weft::compiler
