// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/pipeline.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

#include "analysis/barrier_regions.h"
#include "analysis/kernel_analysis.h"
#include "passes/add_work_item_parameter.h"
#include "passes/check_calls.h"
#include "passes/check_symbols.h"
#include "passes/estimates.h"
#include "passes/expose_private.h"
#include "passes/extract_kernel.h"
#include "passes/fix_local_size.h"
#include "passes/form_kernel.h"
#include "passes/forward_item.h"
#include "passes/inline_budget.h"
#include "passes/inline_library.h"
#include "passes/isolate_barriers.h"
#include "passes/lay_out_local.h"
#include "passes/lay_out_program_scope.h"
#include "passes/loop_groups.h"
#include "passes/lower_local.h"
#include "passes/lower_printf.h"
#include "passes/lower_program_scope.h"
#include "passes/lower_segment.h"
#include "passes/lower_sync.h"
#include "passes/lower_work_item.h"
#include "passes/names.h"
#include "passes/narrow_integers.h"
#include "passes/narrow_sums.h"
#include "passes/number_barriers.h"
#include "passes/rare_calls.h"
#include "passes/relax_convergence.h"
#include "passes/relax_local_atomics.h"
#include "passes/retarget.h"
#include "passes/settle_masked_loads.h"
#include "passes/split_irreducible.h"
#include "passes/total_division.h"
#include "passes/trim_item_loops.h"
#include "passes/unroll_group_loops.h"
#include "passes/vectorize_items.h"
#include "passes/widen_half.h"
#include "passes/zero_private.h"
#include "pipeline/codegen.h"
#include "pipeline/optimise.h"
#include "pipeline/pass_control.h"
#include "pipeline/pass_runner.h"
#include "vectorize/explanation.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Cheap clean-up of what the front end wrote; each call to it is paid for by smaller code later.
template <class Add>
void addSimplifications(Add add) {
  add(SROAPass(SROAOptions::ModifyCFG));
  add(EarlyCSEPass());
  add(SimplifyCFGPass());
}
FunctionPassManager simplifyFunction() {
  FunctionPassManager passes;
  addSimplifications([&](auto pass) { passes.addPass(std::move(pass)); });
  return passes;
}

/// Host target, total division, and zeros in private memory where they are asked for.
ModulePassManager adoptPhase(const PrepareOptions& options, ErrorLog& errors) {
  ModulePassManager passes;
  const HostTarget& host = hostTarget();
  passes.addPass(RetargetPass(host.triple, host.dataLayout));
  // Before anything that knows LLVM's rule for division by zero.
  passes.addPass(createModuleToFunctionPassAdaptor(TotalDivisionPass()));
  if (options.zeroPrivate) passes.addPass(createModuleToFunctionPassAdaptor(ZeroPrivatePass()));
  passes.addPass(CheckCallsPass(errors));
  passes.addPass(MarkEstimatesPass());
  return passes;
}

ModulePassManager inlinePhase(const PrepareOptions& options, ErrorLog& errors) {
  ModulePassManager passes;
  passes.addPass(InlineLibraryPass());
  // Before the user's functions are copied: one source barrier, one id.
  passes.addPass(NumberBarriersPass(options.keepLines));
  passes.addPass(RelaxConvergencePass());
  if (options.optimize) {
    // Sizes are only comparable once the front end's memory traffic is gone.
    passes.addPass(createModuleToFunctionPassAdaptor(simplifyFunction()));
    passes.addPass(InlineBudgetPass());
    FunctionPassManager simplify = simplifyFunction();
    simplify.addPass(InferAddressSpacesPass(names::kGeneric));
    simplify.addPass(ADCEPass());
    simplify.addPass(ExposePrivatePass());
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(simplify)));
  }
  passes.addPass(LayOutLocalPass(options.maxLocalBytes, errors));
  passes.addPass(LayOutProgramScopePass(options.maxGlobalVariableBytes, errors));
  return passes;
}

/// A pass that no PassControl leaves out.
template <class PassT>
class RequiredPass : public PassInfoMixin<RequiredPass<PassT>> {
 public:
  explicit RequiredPass(PassT pass) : pass_(std::move(pass)) {}
  template <class... Arguments>
  PreservedAnalyses run(Arguments&... arguments) {
    return pass_.run(arguments...);
  }
  static bool isRequired() { return true; }

 private:
  PassT pass_;
};

/// Work-items into lanes.
FunctionPassManager vectorizeFunction(const VariantKey& key, Explanation* explanation) {
  FunctionPassManager passes;
  // A fiber's loop over lanes cannot run: what it takes to have lanes is not left out.
  const auto add = [&passes, isNeeded = key.form == Form::Fibers]<class PassT>(PassT pass) {
    if (isNeeded)
      passes.addPass(RequiredPass(std::move(pass)));
    else
      passes.addPass(std::move(pass));
  };
  addSimplifications(add);
  add(ForwardItemPass());
  passes.addPass(NarrowSumsPass());
  passes.addPass(NarrowIntegersPass());
  add(LowerSwitchPass());
  add(SplitIrreduciblePass());
  add(LoopSimplifyPass());
  passes.addPass(TrimItemLoopsPass());
  LoopPassManager rotate;
  if (key.form == Form::Fibers) {
    add(LCSSAPass());
    rotate.addPass(RequiredPass(LoopRotatePass()));
  } else {
    rotate.addPass(LoopRotatePass());
  }
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(rotate)));
  add(LoopSimplifyPass());
  add(LCSSAPass());
  add(VectorizeItemsPass({.width = key.width,
                          .reach = key.farIndices ? IndexReach::Far : IndexReach::Near,
                          .rowItems = key.localSize[0],
                          .wholeRows = key.wholeRows},
                         explanation));
  return passes;
}

/// Entries run groups one after the other, as loop-groups makes them do, which may be left out.
void addGroupLoops(ModulePassManager& passes, const PassControl* control) {
  passes.addPass(LoopGroupsPass());
  if (control) passes.addPass(RequiredPass(LoopGroupsPass(LoopGroupsPass::How::Calls)));
}

ModulePassManager lowerPhase(const PrepareOptions& options, ErrorLog& errors) {
  ModulePassManager passes;
  passes.addPass(AddWorkItemParameterPass(errors));
  passes.addPass(LowerWorkItemPass());
  passes.addPass(LowerSegmentPass());
  passes.addPass(LowerLocalPass());
  passes.addPass(LowerProgramScopePass());
  passes.addPass(LowerPrintfPass());
  // Before InstCombine, which merges fences without merging what they order.
  passes.addPass(LowerSyncPass());
  passes.addPass(createModuleToFunctionPassAdaptor(IsolateBarriersPass()));
  passes.addPass(CheckSymbolsPass(options.services, errors));
  return passes;
}

std::string formText(const VariantKey& key) {
  std::string size;
  for (uint32_t d : key.localSize) size += (size.empty() ? "" : " x ") + std::to_string(d);
  const bool anySize = key.localSize == std::array<uint32_t, 3>{};
  const std::string groups = anySize ? "" : ", work-groups of " + size;
  switch (key.form) {
    case Form::Flat:
      return "flat form";
    case Form::GroupLoop:
      return "group-loop form" + groups;
    case Form::Fibers:
      return "fibers";
    case Form::BarrierLoops:
      return "barrier-loops form" + groups;
  }
  return "";
}

/// How the kernel is run, and why not in a better way. Pre: `module` is extractKernel's.
void explainForm(Module& module, const KernelInfo& kernel, const VariantKey& key, bool optimises,
                 Explanation& explanation) {
  Function& body = *module.getFunction(bodyName(kernel.name));
  if (key.form != Form::Fibers) {
    const char* why = !optimises ? ", not vectorised: optimisation is off"
                      : key.width == 1
                          ? ", not vectorised: one lane is asked for, or ids may be too "
                            "large for the arithmetic of lanes"
                          : "";
    return explanation.begin(kernel.name, formText(key) + why, body);
  }
  const char* why = !optimises       ? ", not vectorised: optimisation is off"
                    : key.width == 1 ? ", not vectorised: work-items run one by one"
                                     : "";
  explanation.begin(kernel.name, formText(key) + why, body);
  const char* const prefix = "fibers: ";
  if (!kernel.usesBarrier) return;
  auto regions = BarrierRegions::find(body, body.getEntryBlock());
  if (regions)
    return explanation.note(
        std::string(prefix) +
            "all barriers are met by whole groups, but the groups are not all "
            "of one size or keep too much between barriers, or fibers are forced",
        DiagnosticLocation());
  const BarrierObjection& objection = regions.error();
  std::string text = prefix + objection.why;
  if (objection.barrier) text += ", which is" + Explanation::at(*objection.barrier);
  if (kernel.barrierLoopsInRows) text += "; work-groups of a single row would not";
  if (objection.where)
    explanation.note(text, *objection.where);
  else
    explanation.note(text, DiagnosticLocation());
}

}  // namespace

llvm::Expected<PreparedProgram> prepareProgram(Module& module, const PrepareOptions& options) {
  PassRunner runner(nullptr, options.dumpDirectory, "program", {}, options.control);
  ErrorLog& errors = runner.errors();
  if (llvm::Error error = runner.run(module, adoptPhase(options, errors), "adopt")) return error;
  if (llvm::Error error = runner.run(module, inlinePhase(options, errors), "inline")) return error;
  PreparedProgram program{analyseKernels(module), analyseConstructors(module),
                          describeProgramScope(module, errors)};
  for (const KernelInfo& constructor : program.constructors)
    if (constructor.usesBarrier || constructor.usesPrintf || constructor.staticLocalBytes != 0)
      errors.add("initialisers at program scope cannot synchronise, print or use local memory");
  if (llvm::Error error = runner.run(module, lowerPhase(options, errors), "lower", /*verify=*/true))
    return error;
  analyseBarriers(module, program.kernels);
  return program;
}

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
  const auto phaseEnded = [&](const char* phase) {
    if (options.phaseEnded) options.phaseEnded(phase);
  };
  const bool vectorizes = key.width != 1;
  std::optional<Explanation> explanation;
  if (options.explain && !quick) {
    explanation.emplace();
    explainForm(*module, kernel, key, options.optimize, *explanation);
  }
  if (options.control) {
    const bool isInLanes = key.form == Form::Fibers && vectorizes && !quick && options.optimize;
    options.control->mayRun(isInLanes ? kLanesStep : kFormStep, symbol, *module);
  }
  ModulePassManager form;
  form.addPass(createModuleToFunctionPassAdaptor(FixLocalSizePass(key.localSize)));
  if (vectorizes && !quick && options.optimize && key.form == Form::BarrierLoops)
    form.addPass(createModuleToFunctionPassAdaptor(UnrollGroupLoopsPass()));
  VariantKey formed = key;
  // A fiber for several work-items exists in lanes only.
  if (key.form == Form::Fibers && (quick || !options.optimize)) formed.width = 1;
  form.addPass(FormKernelPass(kernel, formed, bodyName(kernel.name), symbol, runner.errors()));
  if (!quick && !options.optimize) {
    form.addPass(ExpandEstimatesPass());
    addGroupLoops(form, options.control);
  }
  if (llvm::Error error = runner.run(*module, std::move(form), "form")) return error;
  phaseEnded("form");
  if (quick) {
    ModulePassManager pipeline = quickPipeline();
    pipeline.addPass(ExpandEstimatesPass());
    addGroupLoops(pipeline, options.control);
    if (llvm::Error error = runner.run(*module, std::move(pipeline), "quick")) return error;
    phaseEnded("quick");
  } else if (options.optimize) {
    if (vectorizes) {
      ModulePassManager vectorize;
      vectorize.addPass(WidenRareCallsPass());
      vectorize.addPass(DeclareEstimatesPass());
      vectorize.addPass(createModuleToFunctionPassAdaptor(
          vectorizeFunction(key, explanation ? &*explanation : nullptr)));
      // Verified always: a variant that is refused is replaced by one that needs no lanes.
      if (llvm::Error error =
              runner.run(*module, std::move(vectorize), "vectorize", /*verify=*/true))
        return error;
      phaseEnded("vectorize");
    }
    ModulePassManager optimise;
    if (!vectorizes) {
      optimise.addPass(WidenRareCallsPass());
      optimise.addPass(DeclareEstimatesPass());
    }
    optimise.addPass(optimisePipeline());
    optimise.addPass(SettleRareCallsPass());
    optimise.addPass(ExpandEstimatesPass());
    // Last of what knows of work-items: the optimiser may no longer move what was atomic.
    optimise.addPass(createModuleToFunctionPassAdaptor(RelaxLocalAtomicsPass()));
    optimise.addPass(createModuleToFunctionPassAdaptor(WidenHalfPass()));
    optimise.addPass(createModuleToFunctionPassAdaptor(SettleMaskedLoadsPass()));
    addGroupLoops(optimise, options.control);
    std::optional<VectorizerRemarks> remarks;
    if (explanation) remarks.emplace(module->getContext(), *explanation);
    if (llvm::Error error = runner.run(*module, std::move(optimise), "optimise")) return error;
    phaseEnded("optimise");
  }
  if (formed.form == Form::Fibers && formed.width != 1) nameLanes(*module, symbol);
  if (explanation) options.explain(explanation->text());
  if (!module->debug_compile_units().empty()) stripLines(*module);
  return module;
}

/// Code generation reaches variables of a frame by offsets of 31 bits, and overflows unnoticed.
static llvm::Error checkFrames(const Module& module, const KernelInfo& kernel) {
  constexpr uint64_t kMaxFrameBytes = uint64_t{1} << 30;
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
  if (key.wholeRows) symbol += ".whole";
  if (key.farIndices) symbol += ".far";
  return symbol;
}

}  // namespace weft::compiler
