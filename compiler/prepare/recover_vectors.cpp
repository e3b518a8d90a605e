// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/recover_vectors.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

#include <deque>
#include <memory>
#include <optional>

#include "ir/elementwise.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Trees are looked into this far: what one statement, or an unrolled loop, adds to a vector.
constexpr unsigned kMostOperations = 1024;

using Components = SmallVector<Value*, 4>;

/// A component of a vector.
struct Place {
  Value* vector = nullptr;
  uint64_t index = 0;

  bool operator==(const Place&) const = default;
};

std::optional<uint64_t> constantIndex(const Value* vector, const Value* index) {
  const auto* type = dyn_cast<FixedVectorType>(vector->getType());
  const auto* constant = dyn_cast<ConstantInt>(index);
  if (!type || !constant || constant->getValue().uge(type->getNumElements())) return std::nullopt;
  return constant->getZExtValue();
}

std::optional<uint64_t> indexOf(const InsertElementInst& insertion) {
  return constantIndex(&insertion, insertion.getOperand(2));
}

/// Without a vector, where the number is no component.
Place placeOf(const Value* number) {
  const auto* extraction = dyn_cast<ExtractElementInst>(number);
  if (!extraction) return {};
  const std::optional<uint64_t> index =
      constantIndex(extraction->getVectorOperand(), extraction->getIndexOperand());
  return index ? Place{const_cast<Value*>(extraction->getVectorOperand()), *index} : Place{};
}

/// Takes components from where they come from: what has been inserted itself, or the vector before
/// others were inserted into it.
bool forwardComponents(BasicBlock& block) {
  bool hasChanged = false;
  for (Instruction& instruction : make_early_inc_range(block)) {
    const auto [from, index] = placeOf(&instruction);
    if (!from) continue;
    Value* vector = from;
    Value* number = nullptr;
    while (auto* insertion = dyn_cast<InsertElementInst>(vector)) {
      const std::optional<uint64_t> at = indexOf(*insertion);
      if (!at) break;
      if (*at == index) number = insertion->getOperand(1);
      if (number) break;
      vector = insertion->getOperand(0);
    }
    hasChanged |= vector != from || number;
    if (number) {
      instruction.replaceAllUsesWith(number);
      instruction.eraseFromParent();
    } else {
      instruction.setOperand(0, vector);
    }
  }
  return hasChanged;
}

/// Whether the instruction puts the last component into a vector.
bool isLast(const InsertElementInst& insertion) {
  if (!indexOf(insertion)) return false;
  if (!insertion.hasOneUse()) return !insertion.use_empty();
  const auto* next = dyn_cast<InsertElementInst>(insertion.user_back());
  return !next || next->getOperand(0) != &insertion || !indexOf(*next);
}

/// Components of the vector after its last insertion, null for those that are poison, and the
/// insertions that nobody needs besides.
std::optional<Components> insertedInto(InsertElementInst& last,
                                       SmallPtrSetImpl<const Instruction*>& insertions) {
  Components components(cast<FixedVectorType>(last.getType())->getNumElements());
  Value* vector = &last;
  while (auto* insertion = dyn_cast<InsertElementInst>(vector)) {
    const std::optional<uint64_t> index = indexOf(*insertion);
    if (!index) return std::nullopt;
    if (insertion == &last || insertion->hasOneUse()) insertions.insert(insertion);
    if (!components[*index]) components[*index] = insertion->getOperand(1);
    vector = insertion->getOperand(0);
  }
  if (!isa<PoisonValue>(vector) && is_contained(components, nullptr)) return std::nullopt;
  return components;
}

/// What one vector is computed from.
class Tree {
 public:
  Tree(InsertElementInst& last, const DominatorTree& dominators)
      : last_(last), dominators_(dominators) {}

  /// The vector, written before the last insertion; null, with nothing written, if the components
  /// are not computed alike.
  Value* recover() {
    const std::optional<Components> components = insertedInto(last_, insertions_);
    if (!components) return nullptr;
    root_ = add(*components);
    if (!root_ || root_->kind != Node::Kind::Operation || !hasVector_ || !isClosed())
      return nullptr;
    Value* const vector = write(*root_);
    for (auto& [member, from] : members_) keepForOthers(*member, *from.node, from.index);
    return vector;
  }

 private:
  struct Node {
    enum class Kind : uint8_t { Operation, Vector, Splat, Constant };
    Kind kind;
    Components components;                ///< null for those of which nothing is known
    Value* vector = nullptr;              ///< given, or once it is written
    SmallVector<Node*, 3> operands = {};  ///< of an operation
  };
  struct Member {
    Node* node;
    uint64_t index;
  };

  static bool isNothing(const Value* component) {
    return !component || isa<PoisonValue>(component);
  }

  /// The node of the components, with all below it; null if they have nothing in common.
  Node* add(const Components& components) {
    Components known;
    for (Value* component : components)
      if (!isNothing(component)) known.push_back(component);
    if (known.empty()) return nullptr;
    if (all_of(known, [](const Value* component) { return isa<Constant>(component); }))
      return addConstant(components);
    if (Node* const vector = addVector(components)) return vector;
    if (Node* const splat = addSplat(known, components)) return splat;
    return addOperation(known, components);
  }

  Node* addConstant(const Components& components) {
    SmallVector<Constant*, 4> constants;
    for (Value* component : components)
      constants.push_back(component ? cast<Constant>(component)
                                    : PoisonValue::get(typeOf(components)));
    return make({Node::Kind::Constant, components, ConstantVector::get(constants)});
  }

  /// The components of one vector, in their order.
  Node* addVector(const Components& components) {
    Value* vector = nullptr;
    for (const auto& [index, component] : enumerate(components)) {
      if (isNothing(component)) continue;
      const Place place = placeOf(component);
      if (!place.vector || place.index != index || (vector && vector != place.vector))
        return nullptr;
      vector = place.vector;
    }
    const auto* type = cast<FixedVectorType>(vector->getType());
    if (type->getNumElements() != components.size()) return nullptr;
    hasVector_ = true;
    return make({Node::Kind::Vector, components, vector});
  }

  Node* addSplat(ArrayRef<Value*> known, const Components& components) {
    const Value* first = known.front();
    const Place place = placeOf(first);
    const bool isOne = all_of(known, [&](const Value* other) {
      return other == first || (place.vector && placeOf(other) == place);
    });
    if (!isOne) return nullptr;
    return make({Node::Kind::Splat, components});
  }

  Node* addOperation(ArrayRef<Value*> known, const Components& components) {
    SmallVector<Instruction*, 4> members;
    for (Value* component : known) {
      auto* member = dyn_cast<Instruction>(component);
      if (!member || member->getParent() != last_.getParent() || !isElementwise(*member) ||
          (!members.empty() && !isAlike(*member, *members.front())))
        return nullptr;
      members.push_back(member);
    }
    if (const auto found = members_.find(members.front()); found != members_.end())
      return isSame(*found->second.node, members) ? found->second.node : nullptr;
    if (operations_++ == kMostOperations) return nullptr;
    Node* node = make({Node::Kind::Operation, components});
    for (const auto& [index, component] : enumerate(components)) {
      // One instruction cannot be in two places.
      if (!isNothing(component) &&
          !members_.insert({cast<Instruction>(component), {node, index}}).second)
        return nullptr;
    }
    for (unsigned i = 0; i < operandCount(*members.front()); ++i) {
      Components operands;
      for (Value* component : components)
        operands.push_back(isNothing(component) ? nullptr
                                                : cast<Instruction>(component)->getOperand(i));
      Node* const operand = add(operands);
      if (!operand) return nullptr;
      node->operands.push_back(operand);
    }
    return node;
  }

  static bool isSame(const Node& node, ArrayRef<Instruction*> members) {
    SmallVector<Value*, 4> known;
    copy_if(node.components, std::back_inserter(known),
            [](Value* value) { return !isNothing(value); });
    return equal(known, members);
  }

  Node* make(Node node) { return &nodes_.emplace_back(std::move(node)); }

  static Type* typeOf(const Components& components) {
    return (*find_if_not(components, isNothing))->getType();
  }

  /// Whether whoever else wants a component can have it from the vector.
  bool isClosed() const {
    return all_of(members_, [&](const auto& entry) {
      return all_of(entry.first->uses(), [&](const Use& use) {
        return isInside(*use.getUser()) || dominators_.dominates(&last_, use);
      });
    });
  }

  /// Whether the user goes away with the numbers.
  bool isInside(const User& user) const {
    const auto* instruction = cast<Instruction>(&user);
    return insertions_.contains(instruction) ||
           members_.contains(const_cast<Instruction*>(instruction));
  }

  Value* write(Node& node) {
    if (node.vector) return node.vector;
    IRBuilder<> builder(&last_);
    const auto count = static_cast<unsigned>(node.components.size());
    Value* const first = *find_if_not(node.components, isNothing);
    if (node.kind == Node::Kind::Splat)
      return node.vector = builder.CreateVectorSplat(count, first);
    Components operands;
    for (Node* operand : node.operands) operands.push_back(write(*operand));
    Components members;
    for (Value* member : node.components) members.push_back(isNothing(member) ? first : member);
    return node.vector = joinElementwise(members, operands, last_);
  }

  void keepForOthers(Instruction& member, const Node& node, uint64_t index) {
    Value* component = nullptr;
    for (Use& use : make_early_inc_range(member.uses())) {
      if (isInside(*use.getUser())) continue;
      if (!component) component = IRBuilder<>(&last_).CreateExtractElement(node.vector, index);
      use.set(component);
    }
  }

  InsertElementInst& last_;
  const DominatorTree& dominators_;
  std::deque<Node> nodes_;
  MapVector<Instruction*, Member> members_;        ///< of operations
  SmallPtrSet<const Instruction*, 8> insertions_;  ///< that nobody needs any more
  Node* root_ = nullptr;
  unsigned operations_ = 0;
  bool hasVector_ = false;
};

/// Numbers that a loop keeps from iteration to iteration and that are put together behind it, as
/// one vector that it keeps. Written at once, and taken back if an iteration does not compute it.
class LoopVector {
 public:
  /// Nothing where `last` does not put such numbers together.
  static std::unique_ptr<LoopVector> create(InsertElementInst& last,
                                            const DominatorTree& dominators) {
    SmallPtrSet<const Instruction*, 8> insertions;
    const std::optional<Components> phis = insertedInto(last, insertions);
    if (!phis || !areOfOneLoop(*phis, dominators)) return nullptr;
    return std::make_unique<LoopVector>(*phis, dominators);
  }

  LoopVector(const Components& phis, const DominatorTree& dominators) : phis_(phis) {
    auto& first = *cast<PHINode>(phis.front());
    IRBuilder<> builder(&first);
    vector_ = builder.CreatePHI(
        FixedVectorType::get(first.getType(), static_cast<unsigned>(phis.size())), 2);
    builder.SetInsertPoint(first.getParent(), first.getParent()->getFirstInsertionPt());
    for (const auto& [i, phi] : enumerate(phis)) {
      extractions_.push_back(builder.CreateExtractElement(vector_, i));
      phi->replaceAllUsesWith(extractions_.back());
    }
    for (BasicBlock* from : first.blocks()) {
      Components numbers;
      for (Value* phi : phis) numbers.push_back(cast<PHINode>(phi)->getIncomingValueForBlock(from));
      Value* vector = joined(numbers, *from);
      vector_->addIncoming(vector, from);
      if (dominators.dominates(first.getParent(), from))
        next_ = dyn_cast<InsertElementInst>(vector);
    }
  }

  /// What puts the numbers together that an iteration hands to the next; null where they are
  /// nothing but a vector's.
  InsertElementInst* next() const { return next_; }

  /// Has `vector` be what an iteration hands to the next.
  Value* settle(Value& vector) {
    next_->replaceAllUsesWith(&vector);
    RecursivelyDeleteTriviallyDeadInstructions(next_);
    SmallVector<WeakTrackingVH> given;
    for (Value* phi : phis_) {
      append_range(given, cast<PHINode>(phi)->incoming_values());
      cast<PHINode>(phi)->eraseFromParent();
    }
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(given);
    return vector_;
  }

  /// Has everything be as it was.
  void revert() {
    for (const auto& [extraction, phi] : zip_equal(extractions_, phis_)) {
      extraction->replaceAllUsesWith(phi);
      cast<Instruction>(extraction)->eraseFromParent();
    }
    SmallVector<WeakTrackingVH> given(vector_->incoming_values());
    vector_->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(given);
  }

 private:
  static bool areOfOneLoop(const Components& components, const DominatorTree& dominators) {
    const auto* first = dyn_cast_or_null<PHINode>(components.front());
    if (!first || first->getNumIncomingValues() != 2) return false;
    const BasicBlock* head = first->getParent();
    if (dominators.dominates(head, first->getIncomingBlock(0)) ==
        dominators.dominates(head, first->getIncomingBlock(1)))
      return false;
    SmallPtrSet<const Value*, 4> seen;
    return all_of(components, [&](const Value* component) {
      const auto* phi = dyn_cast_or_null<PHINode>(component);
      return phi && phi->getParent() == head && seen.insert(phi).second;
    });
  }

  /// The numbers put together where they are computed, if that is one block, or at the end of
  /// `block`.
  static Value* joined(const Components& numbers, BasicBlock& block) {
    const Place first = placeOf(numbers.front());
    const bool isVector = first.vector && all_of(enumerate(numbers), [&](const auto& number) {
                            return placeOf(number.value()) == Place{first.vector, number.index()};
                          });
    auto* type =
        FixedVectorType::get(numbers.front()->getType(), static_cast<unsigned>(numbers.size()));
    if (isVector && first.vector->getType() == type) return first.vector;
    const auto* computed = dyn_cast<Instruction>(numbers.front());
    const bool isTogether = computed && all_of(numbers, [&](const Value* number) {
                              const auto* other = dyn_cast<Instruction>(number);
                              return other && other->getParent() == computed->getParent();
                            });
    BasicBlock& place = isTogether ? *const_cast<BasicBlock*>(computed->getParent()) : block;
    IRBuilder<> builder(place.getTerminator());
    Value* vector = PoisonValue::get(type);
    for (const auto& [i, number] : enumerate(numbers))
      vector = builder.CreateInsertElement(vector, number, i);
    return vector;
  }

  Components phis_, extractions_;
  PHINode* vector_ = nullptr;
  InsertElementInst* next_ = nullptr;
};

/// The vector that `last` makes, computed as one; null, with nothing changed, if it is not.
Value* recover(InsertElementInst& last, const DominatorTree& dominators) {
  if (Value* vector = Tree(last, dominators).recover()) return vector;
  const std::unique_ptr<LoopVector> loop = LoopVector::create(last, dominators);
  if (!loop) return nullptr;
  if (loop->next())
    if (Value* next = recover(*loop->next(), dominators)) return loop->settle(*next);
  loop->revert();
  return nullptr;
}

}  // namespace

PreservedAnalyses RecoverVectorsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  if (function.isDeclaration()) return PreservedAnalyses::all();
  // Not what is never reached, where a vector may be its own.
  const ReversePostOrderTraversal<Function*> blocks(&function);
  bool hasChanged = false;
  for (BasicBlock* block : blocks) hasChanged |= forwardComponents(*block);
  SmallVector<WeakTrackingVH> ends;
  for (BasicBlock* block : blocks)
    for (Instruction& instruction : *block)
      if (auto* insertion = dyn_cast<InsertElementInst>(&instruction);
          insertion && isLast(*insertion))
        ends.push_back(insertion);
  const auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  // In their order: a vector that is computed in steps is that of the step before, computed with.
  for (const WeakTrackingVH& end : ends) {
    auto* last = dyn_cast_or_null<InsertElementInst>(end);
    if (!last) continue;  // gone with another one
    Value* const vector = recover(*last, dominators);
    if (!vector) continue;
    last->replaceAllUsesWith(vector);
    RecursivelyDeleteTriviallyDeadInstructions(last);
    hasChanged = true;
  }
  if (!hasChanged) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace weft::compiler
