// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/inline_budget.h"

#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <limits>

#include "base/tuning.h"
#include "ir/arithmetic.h"
#include "ir/call_graph.h"
#include "ir/names.h"
#include "prepare/inline_util.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Sizes of functions up to which they are inlined.
struct Limits {
  uint64_t any = 0;
  /// Of those in which work-items meet, whatever they say of inlining.
  uint64_t meeting = 0;
};

/// Whether work-items meet in `callee`: at a barrier, or in a sub-group.
bool isMeeting(const Function& callee) {
  return names::isNumberedBarrier(callee) || names::isSubGroupOperation(callee);
}

/// Sizes of functions before and after inlining under such limits.
class SizeModel {
 public:
  explicit SizeModel(const CallGraph& graph) : graph_(graph), meeting_(graph.reaching(isMeeting)) {
    for (Function* function : graph.bottomUp()) {
      own_[function] =
          names::isImageFunction(*function) ? tuning::kImageAccess : instructionCount(*function);
      if (names::isImageFunction(*function)) continue;
      for (CallBase* call : callsOfDefinitions(*function))
        ++calls_[function][call->getCalledFunction()];
    }
  }

  /// Instructions of `kernel` and of what it still calls when functions within the limits are
  /// inlined everywhere.
  uint64_t total(Function* kernel, Limits limit) {
    inlined_.clear();
    SetVector<Function*> reached = graph_.reachable(kernel);
    callCount_.clear();
    for (Function* function : reached)
      for (auto [callee, count] : calls_[function])
        callCount_[callee] = saturatingAdd(callCount_[callee], count);
    uint64_t sum = 0;
    for (Function* function : graph_.bottomUp()) {
      if (!reached.contains(function)) continue;
      uint64_t size = own_[function];
      for (auto [callee, count] : calls_[function])
        if (isInlined(callee, limit) || names::isImageFunction(*callee))
          size = saturatingAdd(size, saturatingMul(count, inlined_[callee]));
      inlined_[function] = size;
      if (function == kernel || (!isInlined(function, limit) && !names::isImageFunction(*function)))
        sum = saturatingAdd(sum, size);
    }
    return sum;
  }

  /// After total(): instructions of all copies of `function`, with its own callees inlined.
  uint64_t copies(Function* function) {
    return saturatingMul(callCount_[function], inlined_[function]);
  }

  bool isInlined(Function* function, Limits limit) {
    if (names::isImageFunction(*function)) return false;
    const uint64_t size = inlined_[function];
    if (meeting_.contains(function) && size <= limit.meeting) return true;
    // A function that is called at one place makes no more of it than there is.
    return !function->hasFnAttribute(Attribute::NoInline) &&
           (size <= std::max(limit.any, tuning::kAlwaysInlined) || callCount_[function] == 1);
  }

 private:
  static uint64_t saturatingAdd(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
  }
  static uint64_t saturatingMul(uint64_t a, uint64_t b) {
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
  }

  const CallGraph& graph_;
  DenseSet<const Function*> meeting_;  ///< functions that reach what work-items meet for
  DenseMap<Function*, uint64_t> own_;
  DenseMap<Function*, MapVector<Function*, uint64_t>> calls_;
  DenseMap<Function*, uint64_t> inlined_;
  DenseMap<Function*, uint64_t> callCount_;  ///< places in what the last kernel reaches
};

/// Takes ways that nobody goes: what the library asks of the host has been answered.
void dropDeadWays(Function& function) {
  for (BasicBlock& block : function) {
    SimplifyInstructionsInBlock(&block);
    ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
  }
  removeUnreachableBlocks(function);
  for (BasicBlock& block : make_early_inc_range(drop_begin(function)))
    MergeBlockIntoPredecessor(&block);
}

/// Keeps a function, of which all is inlined that it calls, out of line for lanes to call together.
/// False where they could not.
bool share(Function& function) {
  dropDeadWays(function);
  if (!isArithmetic(function)) return false;
  function.addFnAttr(names::kSharedAttribute);
  function.addFnAttr(Attribute::NoInline);
  function.setDoesNotAccessMemory();
  function.setDoesNotThrow();
  function.setWillReturn();
  return true;
}

/// The largest limits, up to the budget, with which `kernel` fits the budget.
Limits limitsFor(SizeModel& model, Function* kernel, uint64_t budget) {
  Limits limits{.any = budget, .meeting = budget};
  if (model.total(kernel, limits) <= budget) return limits;
  if (model.total(kernel, {.meeting = budget}) > budget) limits.meeting = 0;
  uint64_t low = 0;
  for (uint64_t high = budget; high - low > 1;) {
    limits.any = low + (high - low) / 2;
    (model.total(kernel, limits) <= budget ? low : high) = limits.any;
  }
  limits.any = low;
  return limits;
}

}  // namespace

PreservedAnalyses InlineBudgetPass::run(Module& module, ModuleAnalysisManager&) {
  CallGraph graph(module);
  SizeModel model(graph);
  DenseSet<const Function*> outOfLine, shared;
  for (Function* kernel : graph.bottomUp()) {
    if (!names::isKernel(*kernel)) continue;
    const Limits limits = limitsFor(model, kernel, budget_);
    model.total(kernel, limits);
    for (Function* function : graph.reachable(kernel)) {
      if (function == kernel || function->isDeclaration()) continue;
      if (!model.isInlined(function, limits))
        outOfLine.insert(function);
      else if (names::isLibrary(*function) && isOfScalars(*function) &&
               model.copies(function) >= tuning::kSharedMaths)
        shared.insert(function);
    }
  }
  for (Function* function : graph.bottomUp()) {
    for (CallBase* call : callsOfDefinitions(*function)) {
      call->removeFnAttr(Attribute::AlwaysInline);
      const Function* callee = call->getCalledFunction();
      if (!outOfLine.contains(callee) && !shared.contains(callee)) inlineCall(*call);
    }
    if (shared.contains(function) && !share(*function)) shared.erase(function);
    function->removeFnAttr(Attribute::AlwaysInline);
    function->removeFnAttr(Attribute::InlineHint);
    if (outOfLine.contains(function)) function->addFnAttr(Attribute::NoInline);
  }
  eraseUnusedFunctions(module);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
