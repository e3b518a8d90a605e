// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/row_steps.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <cstdlib>

#include "base/tuning.h"
#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Bytes from which on neighbours do not share a cache line.
constexpr int64_t kFarBytes = 64;
constexpr unsigned kMaxDepth = 12;

/// How a value grows from one work-item to the next along dimension 0.
struct Step {
  enum Kind { Constant, Argument, Unknown } kind = Constant;
  int64_t size = 0;

  bool isNone() const { return kind == Constant && size == 0; }
};

class Steps {
 public:
  explicit Steps(const DataLayout& layout) : layout_(layout) {}

  Step of(const Value* value, unsigned depth = 0) {
    const auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction) return {};
    if (const auto found = known_.find(value); found != known_.end()) return found->second;
    if (depth > kMaxDepth) return {Step::Unknown};
    known_[value] = {Step::Unknown};  // for loops
    const Step step = compute(*instruction, depth + 1);
    known_[value] = step;
    return step;
  }

 private:
  Step compute(const Instruction& instruction, unsigned depth) {
    if (const auto* call = dyn_cast<CallInst>(&instruction)) return ofCall(*call);
    if (isa<SExtInst, ZExtInst, TruncInst, FreezeInst>(instruction))
      return of(instruction.getOperand(0), depth);
    if (const auto* address = dyn_cast<GEPOperator>(&instruction))
      return ofAddress(*address, depth);
    if (!isa<BinaryOperator>(instruction)) return {Step::Unknown};
    const Step left = of(instruction.getOperand(0), depth);
    const Step right = of(instruction.getOperand(1), depth);
    const auto* constant = dyn_cast<ConstantInt>(instruction.getOperand(1));
    const auto* first = dyn_cast<ConstantInt>(instruction.getOperand(0));
    if (left.kind == Step::Unknown || right.kind == Step::Unknown) return {Step::Unknown};
    switch (instruction.getOpcode()) {
      case Instruction::Add:
        return sum(left, right);
      case Instruction::Sub:
        return right.kind == Step::Constant ? sum(left, {Step::Constant, -right.size})
                                            : sum(left, right);
      case Instruction::Mul:
        if (left.isNone() && right.isNone()) return {};
        if (constant) return times(left, *constant);
        if (first) return times(right, *first);
        return left.isNone() || right.isNone() ? Step{Step::Argument} : Step{Step::Unknown};
      case Instruction::Shl:
        if (left.isNone() && right.isNone()) return {};
        if (constant && constant->getValue().ult(31) && left.kind == Step::Constant)
          return {Step::Constant, left.size * (int64_t{1} << constant->getZExtValue())};
        return right.isNone() ? Step{Step::Argument} : Step{Step::Unknown};
      default:
        return left.isNone() && right.isNone() ? Step{} : Step{Step::Unknown};
    }
  }

  static Step sum(Step left, Step right) {
    if (left.kind == Step::Unknown || right.kind == Step::Unknown) return {Step::Unknown};
    if (left.kind == Step::Argument || right.kind == Step::Argument) return {Step::Argument};
    return {Step::Constant, left.size + right.size};
  }

  static Step times(Step step, const ConstantInt& factor) {
    if (step.kind != Step::Constant) return step;
    if (factor.getValue().getSignificantBits() > 31) return {Step::Unknown};
    return {Step::Constant, step.size * factor.getSExtValue()};
  }

  static Step ofCall(const CallInst& call) {
    const Function* callee = call.getCalledFunction();
    const auto function = callee ? names::workItemFunction(*callee) : std::nullopt;
    if (!function) return {Step::Unknown};
    const auto* dimension =
        call.arg_size() == 1 ? dyn_cast<ConstantInt>(call.getArgOperand(0)) : nullptr;
    if (*function == names::WorkItemFunction::GlobalId)
      return dimension ? Step{Step::Constant, dimension->isZero() ? 1 : 0} : Step{Step::Unknown};
    const bool isShared = *function == names::WorkItemFunction::GlobalSize ||
                          *function == names::WorkItemFunction::GlobalOffset ||
                          *function == names::WorkItemFunction::WorkDim;
    return isShared ? Step{} : Step{Step::Unknown};
  }

  Step ofAddress(const GEPOperator& address, unsigned depth) {
    Step all = of(address.getPointerOperand(), depth);
    for (auto index = gep_type_begin(address), end = gep_type_end(address); index != end; ++index) {
      if (index.isStruct()) continue;
      Step step = of(index.getOperand(), depth);
      if (step.kind == Step::Constant)
        step.size *= static_cast<int64_t>(index.getSequentialElementStride(layout_));
      all = sum(all, step);
    }
    return all;
  }

  const DataLayout& layout_;
  DenseMap<const Value*, Step> known_;
};

/// The dimensions whose ids a call gives, bit 0 for dimension 0.
unsigned idsOf(const CallInst& call) {
  constexpr unsigned kAll = 7;
  const Function* callee = call.getCalledFunction();
  const auto function = callee ? names::workItemFunction(*callee) : std::nullopt;
  if (!function) return 0;  // of its operands, then
  switch (*function) {
    case names::WorkItemFunction::WorkDim:
    case names::WorkItemFunction::GlobalSize:
    case names::WorkItemFunction::GlobalOffset:
    case names::WorkItemFunction::LocalSize:
    case names::WorkItemFunction::EnqueuedLocalSize:
    case names::WorkItemFunction::NumGroups:
      return 0;
    case names::WorkItemFunction::GlobalId:
      break;
    default:
      return kAll;
  }
  const auto* dimension =
      call.arg_size() == 1 ? dyn_cast<ConstantInt>(call.getArgOperand(0)) : nullptr;
  return dimension ? (1u << std::min<uint64_t>(dimension->getZExtValue(), 3)) & kAll : kAll;
}

/// The same of all that a value is computed from.
unsigned idsBehind(const Value* value) {
  SmallPtrSet<const Value*, 32> seen;
  SmallVector<const Value*> left{value};
  unsigned ids = 0;
  while (!left.empty()) {
    const auto* instruction = dyn_cast<Instruction>(left.pop_back_val());
    if (!instruction || !seen.insert(instruction).second) continue;
    if (const auto* call = dyn_cast<CallInst>(instruction)) ids |= idsOf(*call);
    left.append(instruction->value_op_begin(), instruction->value_op_end());
  }
  return ids;
}

/// Whether a loop reads what all work-items of a column read.
bool sharesColumns(Function& function) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  for (const Loop* outermost : loops)
    for (const BasicBlock* block : outermost->blocks())
      for (const Instruction& instruction : *block)
        if (const auto* load = dyn_cast<LoadInst>(&instruction);
            load && load->getPointerAddressSpace() != names::kPrivate &&
            idsBehind(load->getPointerOperand()) == 1)
          return true;
  return false;
}

}  // namespace

RowOrder rowOrderOf(Function& function) {
  const DataLayout& layout = function.getParent()->getDataLayout();
  Steps steps(layout);
  unsigned crossing = 0;
  unsigned all = 0;
  for (const Instruction& instruction : instructions(function)) {
    if (!instruction.isTerminator() && !instruction.isDebugOrPseudoInst()) ++all;
    const Value* pointer = getLoadStorePointerOperand(&instruction);
    if (!pointer || pointer->getType()->getPointerAddressSpace() == names::kPrivate) continue;
    const Step step = steps.of(pointer);
    if (step.kind == Step::Argument ||
        (step.kind == Step::Constant && std::abs(step.size) > kFarBytes))
      ++crossing;
  }
  SmallVector<std::pair<const BasicBlock*, const BasicBlock*>> loops;
  FindFunctionBackedges(function, loops);
  // Where there is more to do than to move data, lanes count for more than the cache does.
  if (crossing != 0)
    return loops.empty() && crossing * tuning::kOperationsForEachLine >= all ? RowOrder::Columns
                                                                             : RowOrder::Tiles;
  return !loops.empty() && sharesColumns(function) ? RowOrder::Tiles : RowOrder::Rows;
}

}  // namespace weft::compiler
