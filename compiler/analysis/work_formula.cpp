// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/work_formula.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <optional>

#include "base/tuning.h"
#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;
using Op = WorkFormula::Op;
using Step = WorkFormula::Step;
using names::WorkItemFunction;

using Costs = DenseMap<const Function*, int64_t>;

/// Beyond this, numbers only say "long".
constexpr int64_t kMostCost = int64_t{1} << 40;

/// Formulas of more steps take trip counts for unknown, and so do those of deeper loops.
constexpr size_t kMostSteps = 256;
constexpr unsigned kMostNesting = 16;

int64_t bounded(double number) {
  return static_cast<int64_t>(std::clamp<double>(number, -double(kMostCost), kMostCost));
}

/// Registers that a value fills.
int64_t registersOf(const Type& type) {
  const auto* vector = dyn_cast<FixedVectorType>(&type);
  if (!vector) return 1;
  return divideCeil(vector->getPrimitiveSizeInBits().getFixedValue(), tuning::kCountedBits);
}

int64_t costOf(const Instruction& instruction, const Costs& costs) {
  if (isa<PHINode>(instruction) || isa<DbgInfoIntrinsic>(instruction)) return 0;
  if (const auto* call = dyn_cast<CallBase>(&instruction)) {
    const Function* callee = call->getCalledFunction();
    if (callee && (callee->isIntrinsic() || names::workItemFunction(*callee)))
      return registersOf(*call->getType());
    if (callee && names::isImageFunction(*callee)) return tuning::kImageAccess;
    const auto known = costs.find(callee);
    return known == costs.end() ? tuning::kUnknownCall : known->second;
  }
  switch (instruction.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::FDiv:
    case Instruction::FRem:
    case Instruction::AtomicRMW:
    case Instruction::AtomicCmpXchg:
      return tuning::kSlowOperation * registersOf(*instruction.getType());
    default:
      return std::max<int64_t>(1, registersOf(*instruction.getType()));
  }
}

/// Writes the formula of one function.
class Writer {
 public:
  Writer(Function& function, const Costs& costs, std::span<const ArgumentInfo> arguments)
      : function_(function),
        costs_(costs),
        arguments_(arguments),
        dominators_(function),
        loops_(dominators_) {
    if (loops_.empty()) return;
    library_.emplace(Triple(function.getParent()->getTargetTriple()));
    info_.emplace(*library_, &function);
    assumptions_.emplace(function);
    evolution_.emplace(function, *info_, *assumptions_, dominators_, loops_);
  }

  WorkFormula write() && {
    DenseMap<const Loop*, int64_t> own;
    for (const BasicBlock& block : function_) {
      int64_t& cost = own[loops_.getLoopFor(&block)];
      for (const Instruction& instruction : block)
        cost = std::min(kMostCost, cost + costOf(instruction, costs_));
    }
    body(nullptr, loops_.getTopLevelLoops(), own);
    WorkFormula formula{std::move(steps_)};
    // Loops in loops in loops...
    if (!isValid(formula, ~uint64_t{0})) formula.steps = {{Op::Number, 0, kMostCost}};
    return formula;
  }

 private:
  void body(const Loop* loop, ArrayRef<Loop*> inner, const DenseMap<const Loop*, int64_t>& own) {
    number(own.lookup(loop));
    for (const Loop* each : inner) {
      trips(*each);
      body(each, each->getSubLoops(), own);
      operation(Op::Multiply);
      operation(Op::Add);
    }
  }

  void number(int64_t value) { steps_.push_back({.op = Op::Number, .size = 0, .number = value}); }

  /// Of numbers, at once.
  void operation(Op op) {
    const size_t count = steps_.size();
    if (count >= 2 && steps_[count - 1].op == Op::Number && steps_[count - 2].op == Op::Number) {
      const auto right = static_cast<double>(steps_[count - 1].number);
      const auto left = static_cast<double>(steps_[count - 2].number);
      steps_.resize(count - 2);
      number(bounded(folded(op, left, right)));
    } else if (count >= 2 && steps_.back() == Step{Op::Number, 0, op == Op::Add ? 0 : 1} &&
               (op == Op::Add || op == Op::Multiply || op == Op::Divide)) {
      steps_.pop_back();
    } else {
      steps_.push_back({.op = op, .size = 0, .number = 0});
    }
  }

  static double folded(Op op, double left, double right) {
    switch (op) {
      case Op::Add:
        return left + right;
      case Op::Multiply:
        return left * right;
      case Op::Divide:
        return right == 0 ? left : left / right;
      case Op::Largest:
        return std::max(left, right);
      case Op::Smallest:
        return std::min(left, right);
      default:
        return 0;
    }
  }

  void trips(const Loop& loop) {
    const size_t start = steps_.size();
    const SCEV* taken = evolution_->getSymbolicMaxBackedgeTakenCount(&loop);
    // A number is less than a count where it comes from the range of a limit's type.
    const auto* most = isa<SCEVCouldNotCompute>(evolution_->getBackedgeTakenCount(&loop))
                           ? dyn_cast<SCEVConstant>(taken)
                           : nullptr;
    if (start < kMostSteps && !most && !isa<SCEVCouldNotCompute>(taken) && expression(taken, 0)) {
      // The last trip, too, unless it ends in the header at once.
      if (loop.getExitingBlock() != loop.getHeader() || loop.getHeader() == loop.getLoopLatch()) {
        number(1);
        operation(Op::Add);
      }
      return;
    }
    steps_.resize(start);
    if (start < kMostSteps && countsToLimit(loop)) return;
    steps_.resize(start);
    const int64_t guess = isHalving(loop) ? tuning::kHalvingTrips : WorkFormula::kUnknownTrips;
    number(most && most->getAPInt().ult(guess) ? most->getAPInt().getSExtValue() + 1 : guess);
  }

  /// The trips of a loop that counts to a limit which it computes anew each time, as loops do
  /// before what does not change in them is moved out. False as for expressions.
  bool countsToLimit(const Loop& loop) {
    const BasicBlock* exiting = loop.getExitingBlock();
    const auto* branch = exiting ? dyn_cast<BranchInst>(exiting->getTerminator()) : nullptr;
    const auto* condition =
        branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (!condition || !evolution_->isSCEVable(condition->getOperand(0)->getType())) return false;
    const SCEV* counter = evolution_->getSCEV(condition->getOperand(0));
    const SCEV* limit = evolution_->getSCEV(condition->getOperand(1));
    if (isCounterOf(loop, limit)) std::swap(counter, limit);
    if (!isCounterOf(loop, counter) || isCounterOf(loop, limit)) return false;
    const auto* recurrence = cast<SCEVAddRecExpr>(counter);
    if (!expression(limit, 0)) return false;
    if (!expression(evolution_->getNegativeSCEV(recurrence->getStart()), 0)) return false;
    operation(Op::Add);
    if (!expression(recurrence->getStepRecurrence(*evolution_), 0)) return false;
    operation(Op::Divide);
    number(0);
    operation(Op::Largest);
    return true;
  }

  static bool isCounterOf(const Loop& loop, const SCEV* value) {
    const auto* recurrence = dyn_cast<SCEVAddRecExpr>(value);
    return recurrence && recurrence->isAffine() && recurrence->getLoop() == &loop;
  }

  /// Whether the loop counts by shifts, or by products and quotients, as trees and sorts do.
  static bool isHalving(const Loop& loop) {
    const BasicBlock* latch = loop.getLoopLatch();
    if (!latch) return false;
    return any_of(loop.getHeader()->phis(), [&](const PHINode& phi) {
      const auto* next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
      if (!next || next->getOperand(0) != &phi || !isa<ConstantInt>(next->getOperand(1)))
        return false;
      switch (next->getOpcode()) {
        case Instruction::Shl:
        case Instruction::LShr:
        case Instruction::AShr:
        case Instruction::Mul:
        case Instruction::UDiv:
        case Instruction::SDiv:
          return true;
        default:
          return false;
      }
    });
  }

  /// False where it has no formula; steps may have been added all the same.
  bool expression(const SCEV* value, unsigned depth) {
    if (depth > kMostNesting || steps_.size() > kMostSteps) return false;
    switch (value->getSCEVType()) {
      case scConstant: {
        const APInt& bits = cast<SCEVConstant>(value)->getAPInt();
        if (bits.getSignificantBits() > 64) return false;
        number(bounded(static_cast<double>(bits.getSExtValue())));
        return true;
      }
      case scTruncate:
      case scZeroExtend:
      case scSignExtend:
        return expression(cast<SCEVCastExpr>(value)->getOperand(), depth + 1);
      case scAddExpr:
        return all(value, Op::Add, depth);
      case scMulExpr:
        return all(value, Op::Multiply, depth);
      case scUDivExpr:
        return all(value, Op::Divide, depth);
      case scUMaxExpr:
      case scSMaxExpr:
        return all(value, Op::Largest, depth);
      case scUMinExpr:
      case scSMinExpr:
      case scSequentialUMinExpr:
        return all(value, Op::Smallest, depth);
      case scAddRecExpr:
        return halfway(*cast<SCEVAddRecExpr>(value), depth);
      case scUnknown:
        return unknown(*cast<SCEVUnknown>(value)->getValue(), depth);
      default:
        return false;
    }
  }

  bool all(const SCEV* value, Op op, unsigned depth) {
    bool isFirst = true;
    for (const SCEV* operand : value->operands()) {
      if (!expression(operand, depth + 1)) return false;
      if (!std::exchange(isFirst, false)) operation(op);
    }
    return true;
  }

  /// What counts an outer loop, in the middle of it.
  bool halfway(const SCEVAddRecExpr& count, unsigned depth) {
    const SCEV* taken = evolution_->getSymbolicMaxBackedgeTakenCount(count.getLoop());
    if (!count.isAffine() || isa<SCEVCouldNotCompute>(taken)) return false;
    if (!expression(count.getStart(), depth + 1)) return false;
    if (!expression(count.getStepRecurrence(*evolution_), depth + 1)) return false;
    if (!expression(taken, depth + 1)) return false;
    number(2);
    operation(Op::Divide);
    operation(Op::Multiply);
    operation(Op::Add);
    return true;
  }

  bool unknown(const Value& value, unsigned depth) {
    if (const auto* operation = dyn_cast<BinaryOperator>(&value))
      return quotient(*operation, depth);
    if (const auto* argument = dyn_cast<Argument>(&value)) {
      const unsigned index = argument->getArgNo();
      if (index >= arguments_.size() || !argument->getType()->isIntegerTy()) return false;
      const ArgumentInfo& info = arguments_[index];
      if (info.kind != ArgumentKind::Value || info.size > 8 || !isPowerOf2_32(info.size))
        return false;
      steps_.push_back(
          {.op = Op::Argument, .size = static_cast<uint8_t>(info.size), .number = info.offset});
      return true;
    }
    const auto* call = dyn_cast<CallInst>(&value);
    if (!call || !call->getCalledFunction()) return false;
    const auto function = names::workItemFunction(*call->getCalledFunction());
    return function && workItem(*function, *call);
  }

  /// What LLVM has no expression for where it is signed, or a part of the bits.
  bool quotient(const BinaryOperator& operation, unsigned depth) {
    const auto operand = [&](unsigned i) {
      return expression(evolution_->getSCEV(operation.getOperand(i)), depth + 1);
    };
    const auto* right = dyn_cast<ConstantInt>(operation.getOperand(1));
    switch (operation.getOpcode()) {
      case Instruction::SDiv:
      case Instruction::UDiv:
        if (!operand(0) || !operand(1)) return false;
        this->operation(Op::Divide);
        return true;
      case Instruction::AShr:
      case Instruction::LShr:
        if (!right || right->getValue().uge(62) || !operand(0)) return false;
        number(int64_t{1} << right->getZExtValue());
        this->operation(Op::Divide);
        return true;
      // At most the divisor, or the mask.
      case Instruction::SRem:
      case Instruction::URem:
      case Instruction::And:
        if (!operand(0) || !operand(1)) return false;
        this->operation(Op::Smallest);
        return true;
      default:
        return false;
    }
  }

  /// Ids are those of work-items in the middle.
  bool workItem(WorkItemFunction function, const CallInst& call) {
    const auto* dimension =
        call.arg_empty() ? nullptr : dyn_cast<ConstantInt>(call.getArgOperand(0));
    if (!dimension || dimension->getValue().uge(3)) return false;
    const auto size = [&](Op op) {
      steps_.push_back(
          {.op = op, .size = 0, .number = static_cast<int64_t>(dimension->getZExtValue())});
      return true;
    };
    const auto half = [&](Op op) {
      size(op);
      number(2);
      operation(Op::Divide);
      return true;
    };
    switch (function) {
      case WorkItemFunction::GlobalSize:
        return size(Op::GlobalSize);
      case WorkItemFunction::GlobalId:
        return half(Op::GlobalSize);
      case WorkItemFunction::LocalSize:
      case WorkItemFunction::EnqueuedLocalSize:
        return size(Op::LocalSize);
      case WorkItemFunction::LocalId:
        return half(Op::LocalSize);
      case WorkItemFunction::NumGroups:
        return size(Op::GroupCount);
      case WorkItemFunction::GroupId:
        return half(Op::GroupCount);
      default:
        return false;
    }
  }

  Function& function_;
  const Costs& costs_;
  const std::span<const ArgumentInfo> arguments_;
  DominatorTree dominators_;
  LoopInfo loops_;
  // Only where there are loops.
  std::optional<TargetLibraryInfoImpl> library_;
  std::optional<TargetLibraryInfo> info_;
  std::optional<AssumptionCache> assumptions_;
  std::optional<ScalarEvolution> evolution_;
  std::vector<Step> steps_;
};

}  // namespace

WorkAnalysis::WorkAnalysis(Module&, const CallGraph& graph) {
  for (Function* function : graph.bottomUp()) {
    if (names::isKernel(*function)) continue;
    const WorkFormula formula = Writer(*function, costs_, {}).write();
    const bool isNumber = formula.steps.size() == 1 && formula.steps[0].op == Op::Number;
    costs_[function] = isNumber ? formula.steps[0].number : WorkFormula::kUnknownTrips;
  }
}

WorkFormula WorkAnalysis::formulaOf(Function& kernel,
                                    std::span<const ArgumentInfo> arguments) const {
  return Writer(kernel, costs_, arguments).write();
}

bool isValid(const WorkFormula& formula, uint64_t argumentBytes) {
  size_t depth = 0;
  for (const Step& step : formula.steps) {
    switch (step.op) {
      case Op::Number:
        ++depth;
        break;
      case Op::Argument:
        if (step.size > 8 || !isPowerOf2_32(step.size) || step.number < 0 ||
            uint64_t(step.number) + step.size > argumentBytes)
          return false;
        ++depth;
        break;
      case Op::GlobalSize:
      case Op::LocalSize:
      case Op::GroupCount:
        if (step.number < 0 || step.number > 2) return false;
        ++depth;
        break;
      case Op::Add:
      case Op::Multiply:
      case Op::Divide:
      case Op::Largest:
      case Op::Smallest:
        if (depth < 2) return false;
        --depth;
        break;
      default:
        return false;
    }
    if (depth > WorkFormula::kMostDepth) return false;
  }
  return formula.steps.empty() || depth == 1;
}

}  // namespace weft::compiler
