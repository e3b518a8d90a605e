// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/number_bounds.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

namespace weft::compiler {

using namespace llvm;
using names::WorkItemFunction;
using Op = LaunchCondition::Op;
using Step = LaunchCondition::Step;

namespace {

/// In launches that lanes are taken for; the host sees to it.
constexpr int64_t kMostItems = int64_t{1} << 31;
/// Arguments and sizes of launches that stand for ordinary ones.
constexpr int64_t kOrdinaryArguments[] = {1, 64, 1024};
constexpr int64_t kOrdinarySize = 64;

Interval leafIn(const Step& step, size_t number) {
  if (step.op == Op::Range) return {step.number, step.last};
  if (number == 0) {
    switch (step.op) {
      case Op::Argument:
        return Interval::ofType(step.size * 8u);
      case Op::GlobalLinearId:
        return {0, kMostItems * kMostItems - 1};
      case Op::LocalSize:
      case Op::EnqueuedLocalSize:
      case Op::GlobalSize:
      case Op::GroupCount:
        return {1, kMostItems - 1};
      default:
        return {0, kMostItems - 1};
    }
  }
  switch (step.op) {
    case Op::Argument:
      return {kOrdinaryArguments[number - 1], kOrdinaryArguments[number - 1]};
    case Op::GlobalOffset:
      return {0, 0};
    case Op::GlobalSize:
    case Op::LocalSize:
    case Op::EnqueuedLocalSize:
      return {kOrdinarySize, kOrdinarySize};
    case Op::GroupId:
      return {0, 0};
    case Op::GroupCount:
      return {1, 1};
    case Op::GlobalLinearId:
    case Op::LocalLinearId:
      return {0, kOrdinarySize * kOrdinarySize - 1};
    default:
      return {0, kOrdinarySize - 1};
  }
}

}  // namespace

ConditionWriter::Node ConditionWriter::anyOf(unsigned bits) {
  const Interval all = Interval::ofType(bits);
  return range(all.low, all.high);
}

ConditionWriter::Node ConditionWriter::binary(Op op, Node left, Node right, unsigned bits) {
  return add({.op = op, .size = static_cast<uint8_t>(bits), .left = left, .right = right});
}

ConditionWriter::Node ConditionWriter::unary(Op op, Node left, unsigned bits) {
  const Interval& widest = entries_[left].values[0];
  const bool keeps = op == Op::Unsigned ? widest.low >= 0 : widest.fits(Interval::ofType(bits));
  const bool isCondition = op == Op::Fits || op == Op::IsPositive;
  return keeps && !isCondition ? left : binary(op, left, left, bits);
}

ConditionWriter::Node ConditionWriter::add(const Step& step) {
  const auto known = find_if(entries_, [&](const Entry& entry) { return entry.step == step; });
  if (known != entries_.end()) return static_cast<Node>(known - entries_.begin());
  if (entries_.size() == kMostNodes) {
    isFull_ = true;
    return 0;
  }
  Entry entry{step, {}};
  for (size_t number = 0; number < kCases; ++number)
    entry.values[number] = launch_condition::isLeaf(step.op)
                               ? leafIn(step, number)
                               : launch_condition::result(step, entries_[step.left].values[number],
                                                          entries_[step.right].values[number]);
  entries_.push_back(entry);
  return static_cast<Node>(entries_.size() - 1);
}

bool ConditionWriter::passes(Node condition, size_t number) const {
  const Step& step = entries_[condition].step;
  return launch_condition::passes(step, entries_[step.left].values[number]);
}

bool ConditionWriter::isPossible(std::span<const Node> conditions) const {
  for (size_t number = 1; number < kCases; ++number)
    if (all_of(conditions, [&](Node condition) { return passes(condition, number); })) return true;
  return false;
}

LaunchCondition ConditionWriter::write(std::span<const Node> conditions) const {
  std::vector<bool> isNeeded(entries_.size());
  for (const Node condition : conditions) isNeeded[condition] = true;
  for (size_t i = entries_.size(); i-- > 0;) {
    const Step& step = entries_[i].step;
    if (!isNeeded[i] || launch_condition::isLeaf(step.op)) continue;
    isNeeded[step.left] = isNeeded[step.right] = true;
  }
  LaunchCondition condition;
  std::vector<Node> places(entries_.size());
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!isNeeded[i]) continue;
    places[i] = static_cast<Node>(condition.steps.size());
    Step step = entries_[i].step;
    if (!launch_condition::isLeaf(step.op)) {
      step.left = places[step.left];
      step.right = places[step.right];
    }
    condition.steps.push_back(step);
  }
  return condition;
}

NumberBounds::NumberBounds(Function& kernel, std::span<const ArgumentInfo> arguments,
                           ConditionWriter& writer)
    : arguments_(arguments), writer_(writer), dominators_(kernel), loops_(dominators_) {}

const Loop* NumberBounds::loopHeadedBy(const BasicBlock& block) const {
  const Loop* loop = loops_.getLoopFor(&block);
  return loop && loop->getHeader() == &block ? loop : nullptr;
}

NumberBounds::Node NumberBounds::valueIn(const Value& value, const BasicBlock& block,
                                         unsigned depth) {
  if (isInFact_) return unguarded(value, block, depth);
  if (const auto found = known_.find({&value, &block}); found != known_.end()) return found->second;
  Node node = unguarded(value, block, depth);
  if (!isa<Constant>(value))
    for (const Fact& fact : factsAt(block)) node = restricted(node, value, fact, block, depth);
  // What was cut short may be known better another time.
  if (depth == kMaxDepth) known_[{&value, &block}] = node;
  return node;
}

NumberBounds::Node NumberBounds::unguarded(const Value& value, const BasicBlock& block,
                                           unsigned depth) {
  const unsigned bits = value.getType()->getIntegerBitWidth();
  if (const auto* constant = dyn_cast<ConstantInt>(&value); constant && bits <= 64)
    return writer_.number(constant->getSExtValue());
  if (const auto* argument = dyn_cast<Argument>(&value)) {
    const unsigned index = argument->getArgNo();
    if (index < arguments_.size()) {
      const ArgumentInfo& info = arguments_[index];
      if (info.kind == ArgumentKind::Value && info.size * 8 == bits && isPowerOf2_32(info.size) &&
          info.size <= 8)
        return writer_.argument(info.offset, info.size);
    }
  }
  const auto* instruction = dyn_cast<Instruction>(&value);
  return instruction && depth != 0 ? ofInstruction(*instruction, block, depth - 1)
                                   : writer_.anyOf(bits);
}

NumberBounds::Node NumberBounds::ofInstruction(const Instruction& instruction,
                                               const BasicBlock& block, unsigned depth) {
  const unsigned bits = instruction.getType()->getIntegerBitWidth();
  const auto operand = [&](unsigned i) {
    return valueIn(*instruction.getOperand(i), block, depth);
  };
  switch (instruction.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl: {
      const bool isPromised = cast<OverflowingBinaryOperator>(instruction).hasNoSignedWrap();
      return writer_.unary(isPromised ? Op::Promised : Op::Wrapped,
                           arithmetic(instruction, block, depth), bits);
    }
    case Instruction::Trunc:
    case Instruction::SExt:
    case Instruction::ZExt:
      return ofCast(cast<CastInst>(instruction), block, depth);
    case Instruction::And:
      // A mask that is not negative is an upper bound.
      if (const auto* mask = dyn_cast<ConstantInt>(instruction.getOperand(1));
          mask && bits <= 64 && !mask->isNegative())
        return writer_.range(0, mask->getSExtValue());
      return writer_.anyOf(bits);
    case Instruction::LShr: {
      const auto* count = dyn_cast<ConstantInt>(instruction.getOperand(1));
      if (!count || count->isZero() || count->getValue().uge(std::min(bits, 63u)))
        return writer_.anyOf(bits);
      return writer_.binary(Op::Quotient, operand(0),
                            writer_.number(int64_t{1} << count->getZExtValue()), bits);
    }
    case Instruction::UDiv:
    case Instruction::SDiv:
      return writer_.binary(Op::Quotient, operand(0), operand(1), bits);
    case Instruction::URem:
      return writer_.binary(Op::Remainder, operand(0), operand(1), bits);
    case Instruction::Select:
      return writer_.binary(Op::Hull, operand(1), operand(2));
    case Instruction::Call:
      return ofCall(cast<CallInst>(instruction), block, depth);
    case Instruction::PHI:
      return ofPhi(cast<PHINode>(instruction), depth);
    default:
      return writer_.anyOf(bits);
  }
}

NumberBounds::Node NumberBounds::arithmetic(const Instruction& operation, const BasicBlock& block,
                                            unsigned depth) {
  const Node left = valueIn(*operation.getOperand(0), block, depth);
  if (operation.getOpcode() == Instruction::Shl) {
    const unsigned bits = operation.getType()->getIntegerBitWidth();
    const auto* count = dyn_cast<ConstantInt>(operation.getOperand(1));
    if (!count || count->getValue().uge(std::min(bits, 63u))) return writer_.anyOf(64);
    return writer_.binary(Op::Multiply, left, writer_.number(int64_t{1} << count->getZExtValue()));
  }
  const Node right = valueIn(*operation.getOperand(1), block, depth);
  const Op op = operation.getOpcode() == Instruction::Add   ? Op::Add
                : operation.getOpcode() == Instruction::Sub ? Op::Subtract
                                                            : Op::Multiply;
  return writer_.binary(op, left, right);
}

NumberBounds::Node NumberBounds::ofCast(const CastInst& cast, const BasicBlock& block,
                                        unsigned depth) {
  const unsigned from = cast.getSrcTy()->getIntegerBitWidth();
  const unsigned to = cast.getDestTy()->getIntegerBitWidth();
  if (from > 64) return writer_.anyOf(to);
  const Node node = valueIn(*cast.getOperand(0), block, depth);
  if (cast.getOpcode() == Instruction::Trunc) return writer_.unary(Op::Wrapped, node, to);
  return cast.getOpcode() == Instruction::ZExt ? writer_.unary(Op::Unsigned, node, from) : node;
}

NumberBounds::Node NumberBounds::ofCall(const CallInst& call, const BasicBlock& block,
                                        unsigned depth) {
  const unsigned bits = call.getType()->getIntegerBitWidth();
  const Function* callee = call.getCalledFunction();
  if (!callee) return writer_.anyOf(bits);
  if (const auto function = names::workItemFunction(*callee))
    return bits == 64 ? ofWorkItem(*function, call) : writer_.anyOf(bits);
  const auto of = [&](Op op) {
    return writer_.binary(op, valueIn(*call.getArgOperand(0), block, depth),
                          valueIn(*call.getArgOperand(1), block, depth));
  };
  switch (callee->getIntrinsicID()) {
    case Intrinsic::smin:
      return of(Op::Smaller);
    case Intrinsic::smax:
      return of(Op::Larger);
    case Intrinsic::umin:
    case Intrinsic::umax:
      return of(Op::Hull);
    default:
      return writer_.anyOf(bits);
  }
}

NumberBounds::Node NumberBounds::ofWorkItem(WorkItemFunction function, const CallInst& call) {
  if (function == WorkItemFunction::GlobalLinearId) return writer_.size(Op::GlobalLinearId);
  if (function == WorkItemFunction::LocalLinearId) return writer_.size(Op::LocalLinearId);
  const auto* dimension = call.arg_empty() ? nullptr : dyn_cast<ConstantInt>(call.getArgOperand(0));
  if (!dimension || dimension->getValue().uge(3)) return writer_.anyOf(64);
  const auto size = [&](Op op) {
    return writer_.size(op, static_cast<unsigned>(dimension->getZExtValue()));
  };
  switch (function) {
    case WorkItemFunction::GlobalId:
      return size(Op::GlobalId);
    case WorkItemFunction::GlobalOffset:
      return size(Op::GlobalOffset);
    case WorkItemFunction::GlobalSize:
      return size(Op::GlobalSize);
    case WorkItemFunction::LocalId:
      return size(Op::LocalId);
    case WorkItemFunction::LocalSize:
      return size(Op::LocalSize);
    case WorkItemFunction::EnqueuedLocalSize:
      return size(Op::EnqueuedLocalSize);
    case WorkItemFunction::GroupId:
      return size(Op::GroupId);
    case WorkItemFunction::NumGroups:
      return size(Op::GroupCount);
    default:
      return writer_.anyOf(64);
  }
}

/// Of values that come together, or of what counts up or down in a loop by steps that the program
/// promises not to wrap. What goes round a loop in another way may be anything.
NumberBounds::Node NumberBounds::ofPhi(const PHINode& phi, unsigned depth) {
  const unsigned bits = phi.getType()->getIntegerBitWidth();
  if (const auto found = phis_.find(&phi); found != phis_.end()) return found->second;
  const Node any = writer_.anyOf(bits);
  phis_[&phi] = any;
  const Loop* loop = loopHeadedBy(*phi.getParent());
  std::optional<Node> start;
  std::optional<Node> step;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const BasicBlock* from = phi.getIncomingBlock(i);
    const Value* incoming = phi.getIncomingValue(i);
    if (!loop || !loop->contains(from)) {
      const Node node = onEdge(*incoming, *from, *phi.getParent(), depth);
      start = start ? writer_.binary(Op::Hull, *start, node) : node;
      continue;
    }
    if (incoming == &phi) continue;
    const auto* sum = dyn_cast<BinaryOperator>(incoming);
    if (!sum || sum->getOpcode() != Instruction::Add || !sum->hasNoSignedWrap() ||
        !is_contained(sum->operands(), &phi))
      return any;
    const Value* distance = sum->getOperand(sum->getOperand(0) == &phi ? 1 : 0);
    if (distance == &phi) return any;
    const Node node = valueIn(*distance, *sum->getParent(), depth);
    step = step ? writer_.binary(Op::Hull, *step, node) : node;
  }
  if (!start) return any;
  const Node node = step ? writer_.binary(Op::Counter, *start, *step, bits) : *start;
  // What was cut short may be known better another time.
  if (depth + 2 >= kMaxDepth && !isInFact_)
    phis_[&phi] = node;
  else
    phis_.erase(&phi);
  return node;
}

NumberBounds::Node NumberBounds::onEdge(const Value& value, const BasicBlock& from,
                                        const BasicBlock& to, unsigned depth) {
  Node node = valueIn(value, from, depth);
  if (isInFact_ || isa<Constant>(value)) return node;
  Facts facts;
  addFacts(from, to, facts);
  for (const Fact& fact : facts) node = restricted(node, value, fact, from, depth);
  return node;
}

NumberBounds::Node NumberBounds::withoutWrapping(const Instruction& operation) {
  if (operation.getOpcode() == Instruction::Trunc)
    return of(*operation.getOperand(0), *operation.getParent());
  return arithmetic(operation, *operation.getParent(), kMaxDepth);
}

/// What is left of `node`, bounds of `value`, where a comparison has been true.
NumberBounds::Node NumberBounds::restricted(Node node, const Value& value, const Fact& fact,
                                            const BasicBlock& block, unsigned depth) {
  const auto isOf = [&](const Value* side, CmpInst::Predicate predicate) {
    if (side == &value) return true;
    const auto* extension = dyn_cast<SExtInst>(side);
    return extension && extension->getOperand(0) == &value && !ICmpInst::isUnsigned(predicate);
  };
  CmpInst::Predicate predicate = fact.predicate;
  const Value* limit = fact.right;
  if (!isOf(fact.left, predicate)) {
    predicate = CmpInst::getSwappedPredicate(predicate);
    limit = fact.left;
    if (!isOf(fact.right, predicate)) return node;
  }
  if (limit == &value || depth == 0) return node;
  const auto op = [&]() -> std::optional<Op> {
    switch (predicate) {
      case CmpInst::ICMP_SLT:
        return Op::Below;
      case CmpInst::ICMP_SLE:
        return Op::AtMost;
      case CmpInst::ICMP_SGT:
        return Op::Above;
      case CmpInst::ICMP_SGE:
        return Op::AtLeast;
      case CmpInst::ICMP_ULT:
        return Op::BelowUnsigned;
      case CmpInst::ICMP_ULE:
        return Op::AtMostUnsigned;
      case CmpInst::ICMP_UGT:
        return Op::AboveUnsigned;
      case CmpInst::ICMP_UGE:
        return Op::AtLeastUnsigned;
      case CmpInst::ICMP_EQ:
        return Op::Equal;
      case CmpInst::ICMP_NE:
        return Op::NotEqual;
      default:
        return std::nullopt;
    }
  }();
  if (!op) return node;
  // Limits count as they are: what is known of them by other comparisons would go round in circles.
  const bool wasInFact = std::exchange(isInFact_, true);
  const Node bound = valueIn(*limit, block, depth - 1);
  isInFact_ = wasInFact;
  return writer_.binary(*op, node, bound);
}

/// Comparisons that are true in the block whenever it runs.
const NumberBounds::Facts& NumberBounds::factsAt(const BasicBlock& block) {
  if (const auto found = facts_.find(&block); found != facts_.end()) return found->second;
  Facts facts;
  const DomTreeNode* node = dominators_.getNode(&block);
  for (; node; node = node->getIDom())
    if (const BasicBlock* from = node->getBlock()->getSinglePredecessor())
      addFacts(*from, *node->getBlock(), facts);
  return facts_[&block] = std::move(facts);
}

/// Of the branch from one block to another.
void NumberBounds::addFacts(const BasicBlock& from, const BasicBlock& to, Facts& facts) {
  using namespace PatternMatch;
  const auto* branch = dyn_cast<BranchInst>(from.getTerminator());
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return;
  SmallVector<std::pair<const Value*, bool>, 4> conditions{
      {branch->getCondition(), branch->getSuccessor(0) == &to}};
  while (!conditions.empty()) {
    const auto [condition, isTrue] = conditions.pop_back_val();
    const Value* left = nullptr;
    const Value* right = nullptr;
    if (match(condition, m_Not(m_Value(left)))) {
      conditions.emplace_back(left, !isTrue);
    } else if (isTrue ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
                      : match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
      conditions.emplace_back(left, isTrue);
      conditions.emplace_back(right, isTrue);
    } else if (const auto* compare = dyn_cast<ICmpInst>(condition);
               compare && compare->getOperand(0)->getType()->isIntegerTy() &&
               compare->getOperand(0)->getType()->getIntegerBitWidth() <= 64) {
      facts.push_back({isTrue ? compare->getPredicate() : compare->getInversePredicate(),
                       compare->getOperand(0), compare->getOperand(1)});
    }
  }
}

}  // namespace weft::compiler
