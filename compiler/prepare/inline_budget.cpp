// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/inline_budget.h"

#include <limits>

#include "base/tuning.h"
#include "ir/call_graph.h"
#include "ir/names.h"
#include "prepare/inline_util.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Sizes of functions before and after inlining under a size limit.
class SizeModel {
 public:
  explicit SizeModel(const CallGraph& graph) : graph_(graph) {
    for (Function* function : graph.bottomUp()) {
      own_[function] =
          names::isImageFunction(*function) ? tuning::kImageAccess : instructionCount(*function);
      if (names::isImageFunction(*function)) continue;
      for (CallBase* call : callsOfDefinitions(*function))
        ++calls_[function][call->getCalledFunction()];
    }
  }

  /// Instructions of `kernel` and of what it still calls when functions of up to `limit`
  /// instructions are inlined everywhere.
  uint64_t total(Function* kernel, uint64_t limit) {
    inlined_.clear();
    SetVector<Function*> reached = graph_.reachable(kernel);
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

  /// After total(): size of `function` with its own callees inlined.
  uint64_t inlinedSize(Function* function) { return inlined_[function]; }

  bool isInlined(Function* function, uint64_t limit) {
    return !function->hasFnAttribute(Attribute::NoInline) && !names::isImageFunction(*function) &&
           inlined_[function] <= std::max(limit, tuning::kAlwaysInlined);
  }

 private:
  static uint64_t saturatingAdd(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
  }
  static uint64_t saturatingMul(uint64_t a, uint64_t b) {
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
  }

  const CallGraph& graph_;
  DenseMap<Function*, uint64_t> own_;
  DenseMap<Function*, MapVector<Function*, uint64_t>> calls_;
  DenseMap<Function*, uint64_t> inlined_;
};

/// The largest limit, up to the budget, with which `kernel` fits the budget.
uint64_t limitFor(SizeModel& model, Function* kernel, uint64_t budget) {
  if (model.total(kernel, budget) <= budget) return budget;
  uint64_t low = 0;
  for (uint64_t high = budget; high - low > 1;) {
    uint64_t middle = low + (high - low) / 2;
    (model.total(kernel, middle) <= budget ? low : high) = middle;
  }
  return low;
}

}  // namespace

PreservedAnalyses InlineBudgetPass::run(Module& module, ModuleAnalysisManager&) {
  CallGraph graph(module);
  SizeModel model(graph);
  DenseSet<const Function*> outOfLine;
  for (Function* kernel : graph.bottomUp()) {
    if (!names::isKernel(*kernel)) continue;
    uint64_t limit = limitFor(model, kernel, budget_);
    model.total(kernel, limit);
    for (Function* function : graph.reachable(kernel))
      if (function != kernel && !function->isDeclaration() && !model.isInlined(function, limit))
        outOfLine.insert(function);
  }
  for (Function* function : graph.bottomUp()) {
    for (CallBase* call : callsOfDefinitions(*function)) {
      call->removeFnAttr(Attribute::AlwaysInline);
      if (!outOfLine.contains(call->getCalledFunction())) inlineCall(*call);
    }
    function->removeFnAttr(Attribute::AlwaysInline);
    function->removeFnAttr(Attribute::InlineHint);
    if (outOfLine.contains(function)) function->addFnAttr(Attribute::NoInline);
  }
  eraseUnusedFunctions(module);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
