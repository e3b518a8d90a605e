// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/kernel_analysis.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/MathExtras.h>

#include "analysis/argument_layout.h"
#include "analysis/barrier_context.h"
#include "analysis/barrier_regions.h"
#include "analysis/resume_points.h"
#include "analysis/row_steps.h"
#include "analysis/waiting_loops.h"
#include "analysis/work_formula.h"
#include "base/tuning.h"
#include "ir/barriers.h"
#include "ir/call_graph.h"
#include "ir/host_target.h"
#include "ir/names.h"
#include "ir/sub_groups.h"
#include "weft/abi/device_enqueue.h"
#include "weft/support/log.h"

namespace weft::compiler {
namespace {

using namespace llvm;
using names::WorkItemFunction;

/// What one function uses by itself.
struct Uses {
  bool group = false;
  bool barrier = false;
  bool subGroups = false;
  bool meetsInSubGroups = false;
  bool printf = false;
  bool programScope = false;
  bool enqueues = false;
  bool relaxedMath = false;
  uint64_t privateBytes = 0;
};

bool observesGroup(WorkItemFunction function) {
  switch (function) {
    case WorkItemFunction::WorkDim:
    case WorkItemFunction::GlobalSize:
    case WorkItemFunction::GlobalId:
    case WorkItemFunction::GlobalOffset:
    case WorkItemFunction::GlobalLinearId:
      return false;
    case WorkItemFunction::LocalSize:
    case WorkItemFunction::EnqueuedLocalSize:
    case WorkItemFunction::LocalId:
    case WorkItemFunction::NumGroups:
    case WorkItemFunction::GroupId:
    case WorkItemFunction::LocalLinearId:
    case WorkItemFunction::SubGroupSize:
    case WorkItemFunction::MaxSubGroupSize:
    case WorkItemFunction::NumSubGroups:
    case WorkItemFunction::EnqueuedNumSubGroups:
    case WorkItemFunction::SubGroupId:
    case WorkItemFunction::SubGroupLocalId:
      return true;
  }
  return true;
}

/// Adds what the use of `callee`, a declaration, means.
void addCallee(Uses& uses, const Function& callee) {
  if (auto function = names::workItemFunction(callee)) uses.group |= observesGroup(*function);
  uses.barrier |= names::isNumberedBarrier(callee);
  uses.printf |= callee.getName() == names::kPrintf;
  uses.enqueues |= callee.getName().starts_with(abi::kDeviceServicePrefix);
  uses.subGroups |= callee.getName().contains("sub_group");
  uses.meetsInSubGroups |= names::isSubGroupOperation(callee);
}

void addOperand(Uses& uses, const Value& operand) {
  if (const auto* global = dyn_cast<GlobalVariable>(&operand)) {
    uses.group |= global->getAddressSpace() == names::kLocal;
    uses.programScope |= names::programOffset(*global).has_value();
  } else if (const auto* constant = dyn_cast<ConstantExpr>(&operand)) {
    for (const Use& use : constant->operands()) addOperand(uses, *use);
  }
}

/// Whether another order or fusion of operations would be as right.
bool isRelaxed(const Instruction& instruction) {
  const auto* operation = dyn_cast<FPMathOperator>(&instruction);
  return operation && (operation->hasAllowReassoc() || operation->hasAllowContract() ||
                       operation->hasAllowReciprocal() || operation->hasApproxFunc());
}

Uses usesOf(const Function& function) {
  Uses uses;
  const DataLayout& layout = function.getParent()->getDataLayout();
  for (const Instruction& instruction : instructions(function)) {
    if (const auto* alloca = dyn_cast<AllocaInst>(&instruction))
      if (auto size = alloca->getAllocationSize(layout))
        uses.privateBytes = SaturatingAdd(uses.privateBytes, uint64_t{*size});
    uses.relaxedMath |= isRelaxed(instruction);
    for (const Use& use : instruction.operands()) addOperand(uses, *use);
  }
  return uses;
}

class KernelAnalysis {
 public:
  explicit KernelAnalysis(Module& module) : graph_(module), work_(module, graph_) {
    for (const Function& function : module)
      if (!function.isDeclaration()) uses_[&function] = usesOf(function);
    // Along the deepest path of calls.
    for (const Function* function : graph_.bottomUp()) {
      uint64_t deepest = 0;
      for (const Function* callee : graph_.callees(function))
        deepest = std::max(deepest, privateBytes_.lookup(callee));
      privateBytes_[function] = SaturatingAdd(uses_[function].privateBytes, deepest);
    }
    if (const NamedMDNode* sites = module.getNamedMetadata(names::kBarrierSites))
      for (const MDNode* site : sites->operands()) sites_.push_back(siteOf(*site));
  }

  KernelInfo describe(Function& kernel) const {
    KernelInfo info;
    info.name = kernel.getName().str();
    info.arguments = describeArguments(kernel);
    info.argumentBytes = argumentBlockBytes(info.arguments);
    info.hasArgumentNames = kernel.hasMetadata("kernel_arg_name");
    addAttributes(kernel, info);
    // Those are qualifiers of OpenCL C.
    if (kernel.hasFnAttribute(names::kIlAttribute)) info.attributes.clear();
    info.raggedGroups = kernel.hasFnAttribute(names::kRaggedAttribute);
    addUses(kernel, info);
    if (const MDNode* bytes = kernel.getMetadata(names::kStaticLocalBytes))
      info.staticLocalBytes = mdconst::extract<ConstantInt>(bytes->getOperand(0))->getZExtValue();
    for (const ArgumentInfo& argument : info.arguments)
      info.observesGroup |= argument.kind == ArgumentKind::LocalPointer;
    for (const char* name : {"denormal-fp-math", "denormal-fp-math-f32"})
      info.denormsAreZero |=
          kernel.getFnAttribute(name).getValueAsString().contains("preserve-sign");
    // Sites are numbered for the whole module, so every kernel that has barriers has them all.
    if (info.usesBarrier) info.barriers = sites_;
    info.work = work_.formulaOf(kernel, info.arguments);
    return info;
  }

 private:
  static BarrierSite siteOf(const MDNode& node) {
    return {
        cast<MDString>(node.getOperand(0))->getString().str(),
        static_cast<uint32_t>(mdconst::extract<ConstantInt>(node.getOperand(1))->getZExtValue())};
  }

  static uint32_t floatsInRegister() { return hostHas("+avx512f") ? 16 : hostHas("+avx") ? 8 : 4; }

  void addUses(Function& kernel, KernelInfo& info) const {
    Uses all;
    for (const Function* function : graph_.reachable(&kernel)) {
      if (function->isDeclaration()) {
        addCallee(all, *function);
        continue;
      }
      const Uses& uses = uses_.find(function)->second;
      all.group |= uses.group;
      all.programScope |= uses.programScope;
      all.relaxedMath |= uses.relaxedMath;
    }
    info.usesBarrier = all.barrier;
    info.observesGroup = all.group || all.barrier || all.meetsInSubGroups;
    info.usesSubGroups = all.subGroups;
    info.meetsInSubGroups = all.meetsInSubGroups;
    const RowGuess rows = guessRows(kernel);
    info.rowDimension = rows.dimension;
    info.rowOrder = rows.order;
    info.writesAcross = writesAcross(kernel, rows.dimension);
    if (rows.areShared) info.sharedRow = tuning::kSharedRowRegisters * floatsInRegister();
    info.usesPrintf = all.printf;
    info.usesProgramScope = all.programScope;
    info.enqueues = all.enqueues;
    info.relaxedMath = all.relaxedMath;
    info.privateBytes = privateBytes_.lookup(&kernel);
  }

  static std::string typeName(const MDNode& hint) {
    const auto* value = dyn_cast<ValueAsMetadata>(hint.getOperand(0));
    if (!value) return "int";
    Type* type = value->getType();
    const auto* sign = mdconst::dyn_extract<ConstantInt>(hint.getOperand(1));
    std::string name;
    Type* scalar = type->getScalarType();
    if (scalar->isFloatTy()) name = "float";
    if (scalar->isDoubleTy()) name = "double";
    if (scalar->isHalfTy()) name = "half";
    if (scalar->isIntegerTy()) {
      unsigned bits = scalar->getIntegerBitWidth();
      name = bits == 8 ? "char" : bits == 16 ? "short" : bits == 32 ? "int" : "long";
      if (sign && sign->isZero()) name.insert(0, "u");
    }
    if (auto* vector = dyn_cast<FixedVectorType>(type))
      name += std::to_string(vector->getNumElements());
    return name;
  }

  static std::array<uint32_t, 3> tripleOf(const MDNode& node) {
    std::array<uint32_t, 3> result{1, 1, 1};
    for (unsigned i = 0; i < 3 && i < node.getNumOperands(); ++i)
      if (auto* number = mdconst::dyn_extract<ConstantInt>(node.getOperand(i)))
        result[i] = number->getZExtValue();
    return result;
  }

  static void addAttributes(const Function& kernel, KernelInfo& info) {
    auto append = [&](const Twine& text) {
      if (!info.attributes.empty()) info.attributes += ' ';
      info.attributes += text.str();
    };
    auto appendTriple = [&](const char* name, std::array<uint32_t, 3> sizes) {
      append(Twine(name) + "(" + Twine(sizes[0]) + "," + Twine(sizes[1]) + "," + Twine(sizes[2]) +
             ")");
    };
    if (const MDNode* hint = kernel.getMetadata("vec_type_hint"))
      append("vec_type_hint(" + typeName(*hint) + ")");
    if (const MDNode* node = kernel.getMetadata("work_group_size_hint")) {
      info.workGroupSizeHint = tripleOf(*node);
      appendTriple("work_group_size_hint", info.workGroupSizeHint);
    }
    if (const MDNode* node = kernel.getMetadata("reqd_work_group_size")) {
      info.reqdWorkGroupSize = tripleOf(*node);
      appendTriple("reqd_work_group_size", info.reqdWorkGroupSize);
    }
    if (const MDNode* node = kernel.getMetadata("intel_reqd_sub_group_size")) {
      info.subGroupSize = tripleOf(*node)[0];
      append("intel_reqd_sub_group_size(" + Twine(info.subGroupSize) + ")");
    }
    // OpenCL C has no attribute for it.
    if (const MDNode* node = kernel.getMetadata(names::kReqdSubGroups))
      info.reqdSubGroups = tripleOf(*node)[0];
  }

  CallGraph graph_;
  WorkAnalysis work_;
  DenseMap<const Function*, Uses> uses_;
  DenseMap<const Function*, uint64_t> privateBytes_;  ///< callees included
  std::vector<BarrierSite> sites_;
};

/// What work-items bring along to what combines it lies in cells of its own.
uint64_t collectiveBytes(const Function& body) {
  uint64_t bytes = 0;
  for (const Instruction& instruction : instructions(body))
    if (isCollective(instruction))
      bytes +=
          std::prev(cast<CallInst>(instruction).arg_end())->get()->getType()->getIntegerBitWidth() /
          8;
  return bytes;
}

}  // namespace

std::vector<KernelInfo> analyseKernels(Module& module) {
  KernelAnalysis analysis(module);
  std::vector<KernelInfo> kernels;
  for (Function& function : module)
    if (names::isKernel(function) && !function.isDeclaration() && !names::isBlock(function) &&
        !names::isConstructor(function))
      kernels.push_back(analysis.describe(function));
  return kernels;
}

/// The kernels with an attribute, in the order of the number that it holds.
static std::vector<KernelInfo> analyseNumbered(Module& module, const char* attribute) {
  SmallVector<std::pair<unsigned, Function*>> ordered;
  for (Function& function : module) {
    unsigned place = 0;
    if (!function.hasFnAttribute(attribute) || function.isDeclaration()) continue;
    function.getFnAttribute(attribute).getValueAsString().getAsInteger(10, place);
    ordered.emplace_back(place, &function);
  }
  if (ordered.empty()) return {};
  sort(ordered);
  KernelAnalysis analysis(module);
  std::vector<KernelInfo> kernels;
  for (auto [place, function] : ordered) kernels.push_back(analysis.describe(*function));
  return kernels;
}

std::vector<KernelInfo> analyseConstructors(Module& module) {
  return analyseNumbered(module, names::kConstructorAttribute);
}

std::vector<KernelInfo> analyseBlocks(Module& module) {
  return analyseNumbered(module, names::kBlockAttribute);
}

/// Whether the operations of sub-groups in `body` have forms for lanes: they are in the kernel
/// itself, and what else there is does not keep it out of lanes.
static bool hasSubGroupLoops(Function& body) {
  for (const Instruction& instruction : instructions(body)) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    if (call && call->isConvergent() && !isBarrier(*call) && !subGroupOperation(*call))
      return false;
    const auto* variable = dyn_cast<AllocaInst>(&instruction);
    if (variable && !variable->isStaticAlloca()) return false;
  }
  CycleInfo cycles;
  cycles.compute(body);
  for (const Cycle* outermost : cycles.toplevel_cycles())
    for (const Cycle* cycle : depth_first(outermost))
      if (!cycle->isReducible()) return false;
  return !findWait(body);
}

void analyseSubGroups(Module& module, std::vector<KernelInfo>& kernels) {
  for (KernelInfo& kernel : kernels)
    if (kernel.meetsInSubGroups)
      kernel.subGroupLoops = hasSubGroupLoops(*module.getFunction(kernel.name));
}

void analyseBarriers(Module& module, std::vector<KernelInfo>& kernels) {
  for (KernelInfo& kernel : kernels) {
    if (!kernel.usesBarrier) continue;
    Function& body = *module.getFunction(kernel.name);
    auto regions = BarrierRegions::find(body, body.getEntryBlock());
    kernel.barrierLoops = regions.has_value();
    // Most kernels that fail at all fail at ids in dimension 0, but those of rows are worth a look.
    if (!regions && regions.error().barrier)
      regions = BarrierRegions::find(body, body.getEntryBlock(), BarrierRegions::Ids::DifferInRow);
    kernel.barrierLoopsInRows = regions.has_value();
    if (!kernel.barrierLoops) {
      const bool asks = canDivergeAtBarriers(body);
      auto others = BarrierRegions::find(
          body, body.getEntryBlock(),
          asks ? BarrierRegions::Ids::Differ : BarrierRegions::Ids::OnlyGlobally,
          asks ? BarrierRegions::Unproven::Asked : BarrierRegions::Unproven::Refused);
      kernel.barrierLoopsOnTrial = others.has_value();
      if (others && asks) kernel.contextBytes = resumeBytes(findResumePoints(body, *others));
      if (!regions && others) regions = std::move(others);
    }
    if (regions)
      kernel.contextBytes +=
          BarrierContext(*regions, body, nullptr).bytesPerItem() + collectiveBytes(body);
    else if (log::enabled(log::Level::Debug))
      log::write(log::Level::Debug,
                 "kernel " + kernel.name + " needs fibers: " + regions.error().why);
  }
}

}  // namespace weft::compiler
