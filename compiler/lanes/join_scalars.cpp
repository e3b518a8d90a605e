// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/join_scalars.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "analysis/joined_vectors.h"
#include "ir/elementwise.h"

namespace weft::compiler {
namespace {

using namespace llvm;

constexpr unsigned kMostBits = 512;  ///< of a vector
constexpr size_t kMostBundles = 256;

/// Numbers that become one vector.
struct Bundle {
  enum class Kind : uint8_t {
    Operation,
    Phi,
    Load,   ///< elements of a group, in their order or another one
    Splat,  ///< one number
    Any,    ///< put together element by element
  };
  Kind kind;
  SmallVector<Value*, 4> members;
  const StridedGroup* group = nullptr;   ///< of loads
  SmallVector<size_t, 4> operands = {};  ///< bundles; of a phi in the order of its blocks
  Value* vector = nullptr;               ///< once it is written

  Instruction& first() const { return *cast<Instruction>(members.front()); }
  Type* element() const { return members.front()->getType(); }
};

/// The last of the members, which are in one block.
Instruction& lastOf(const Bundle& bundle) {
  Instruction* last = &bundle.first();
  for (Value* member : bundle.members)
    if (auto* instruction = cast<Instruction>(member); last->comesBefore(instruction))
      last = instruction;
  return *last;
}

/// What is stored in one group, with all that is computed for it alone.
class Tree {
 public:
  Tree(const Loop& loop, const LaneShapes& shapes, const StridedGroups& groups)
      : loop_(loop), shapes_(shapes), groups_(groups) {}

  /// Whether the numbers that the group stores can be vectors, and should.
  bool grow(const StridedGroup& stores) {
    if (!isWhole(stores)) return false;
    stores_ = &stores;
    SmallVector<Value*, 4> members(stores.factor);
    for (const StridedGroup::Member& member : stores.members) {
      members[static_cast<size_t>(member.offset)] =
          cast<StoreInst>(member.access)->getValueOperand();
      inside_.insert(member.access);
    }
    root_ = add(members);
    return !failed_ && isClosed() && gain() > 0;
  }

  void write() {
    write(root_, stores_->place());
    for (size_t i = 0; i < bundles_.size(); ++i)
      if (bundles_[i].kind == Bundle::Kind::Phi) fillPhi(bundles_[i]);
    IRBuilder<> builder(&stores_->place());
    const auto& lowest = cast<StoreInst>(*stores_->lowest().access);
    StoreInst* all = builder.CreateAlignedStore(bundles_[root_].vector, placeOf(builder, *stores_),
                                                lowest.getAlign());
    keepMetadata(*all, *stores_);
    for (Instruction* old : inside_)
      if (!old->getType()->isVoidTy()) old->replaceAllUsesWith(PoisonValue::get(old->getType()));
    for (Instruction* old : inside_) old->eraseFromParent();
  }

 private:
  using Members = ArrayRef<Value*>;

  /// Whether a group is numbers of one type and nothing else, as many as a vector has.
  static bool isWhole(const StridedGroup& group) {
    Type* type = getLoadStoreType(group.members.front().access);
    return isPowerOf2_32(group.factor) && group.extent == group.factor &&
           group.members.size() == group.factor &&
           llvm::popcount(group.used) == static_cast<int>(group.factor) &&
           8 * group.elementBytes * group.factor <= kMostBits &&
           all_of(group.members, [&](const StridedGroup::Member& member) {
             return getLoadStoreType(member.access) == type && !type->isVectorTy();
           });
  }

  size_t add(Members members) {
    const SmallVector<Value*, 4> key(members);
    for (size_t i = 0; i < bundles_.size(); ++i)
      if (bundles_[i].members == key) return i;
    const size_t index = bundles_.size();
    if (index == kMostBundles) failed_ = true;
    if (failed_) return 0;
    bundles_.push_back({.kind = kindOf(members), .members = key});
    if (bundles_[index].kind == Bundle::Kind::Load)
      return addLoads(*groups_.of(*cast<Instruction>(members.front()))), index;
    if (bundles_[index].kind != Bundle::Kind::Operation &&
        bundles_[index].kind != Bundle::Kind::Phi)
      return index;
    for (Value* member : members)
      if (!inside_.insert(cast<Instruction>(member))) failed_ = true;  // in two places of a vector
    const auto& first = cast<Instruction>(*members.front());
    for (unsigned i = 0; i < operandCount(first) && !failed_; ++i) {
      SmallVector<Value*, 4> all;
      for (Value* member : members) {
        const auto* phi = dyn_cast<PHINode>(member);
        all.push_back(phi ? phi->getIncomingValueForBlock(cast<PHINode>(first).getIncomingBlock(i))
                          : cast<Instruction>(member)->getOperand(i));
      }
      const size_t operand = add(all);
      bundles_[index].operands.push_back(operand);
    }
    return index;
  }

  void addLoads(const StridedGroup& group) {
    for (const StridedGroup::Member& member : group.members) inside_.insert(member.access);
    bundles_.back().group = &group;
    loads_.insert(&group);
  }

  Bundle::Kind kindOf(Members members) const {
    const auto* first = dyn_cast<Instruction>(members.front());
    const bool isLoaded = first && loads_.contains(groups_.of(*first));
    if (all_equal(members) && !isLoaded) return Bundle::Kind::Splat;
    if (!first || !loop_.contains(first) || shapes_.of(first).isUniform()) return Bundle::Kind::Any;
    const bool areAlike = all_of(members, [&](const Value* value) {
      const auto* member = dyn_cast<Instruction>(value);
      return member && member->getParent() == first->getParent() && isAlike(*member, *first);
    });
    if (!areAlike || !isNumber(*first->getType())) return Bundle::Kind::Any;
    if (isa<LoadInst>(first)) return isGroup(members) ? Bundle::Kind::Load : Bundle::Kind::Any;
    if (isa<PHINode>(first))
      return first->getParent() != loop_.getHeader() ? Bundle::Kind::Phi : Bundle::Kind::Any;
    return isElementwise(*first) ? Bundle::Kind::Operation : Bundle::Kind::Any;
  }

  bool isGroup(Members members) const {
    const StridedGroup* group = groups_.of(*cast<Instruction>(members.front()));
    if (!group || group->isStore || !isWhole(*group) || group->factor != members.size())
      return false;
    return all_of(members, [&](const Value* member) {
      return groups_.of(*cast<Instruction>(member)) == group;
    });
  }

  /// Whether nobody else asks for what becomes part of a vector.
  bool isClosed() const {
    for (const Bundle& bundle : bundles_)
      if (isPutTogether(bundle))
        for (const Value* member : bundle.members)
          if (const auto* instruction = dyn_cast<Instruction>(member);
              instruction && inside_.contains(const_cast<Instruction*>(instruction)))
            return false;
    return all_of(inside_, [&](const Instruction* member) {
      return all_of(member->users(), [&](const User* user) {
        return inside_.contains(const_cast<Instruction*>(cast<Instruction>(user)));
      });
    });
  }

  /// Bits of a work-item's numbers that need not be shuffled any more, times the shuffles of each.
  int gain() const {
    const auto shuffles = static_cast<int>(Log2_32(stores_->factor));
    const auto bitsOf = [](const StridedGroup& group) {
      return static_cast<int>(8 * group.elementBytes * group.factor);
    };
    int sum = runsOf(loop_, stores_->place()) * bitsOf(*stores_) * shuffles;
    for (const StridedGroup* group : loads_)
      sum += runsOf(loop_, group->place()) * bitsOf(*group) * shuffles;
    for (const Bundle& bundle : bundles_) sum -= costOf(bundle);
    return sum;
  }

  /// The same of what has to be shuffled for a bundle.
  int costOf(const Bundle& bundle) const {
    const auto count = static_cast<unsigned>(bundle.members.size());
    const bool isTruth = bundle.element()->isIntegerTy(1);  // as beside numbers of a usual size
    const auto bits =
        static_cast<int>(count * (isTruth ? 32 : bundle.element()->getScalarSizeInBits()));
    switch (bundle.kind) {
      case Bundle::Kind::Operation:
      case Bundle::Kind::Phi:
        return 0;
      case Bundle::Kind::Load:
        return isInOrder(bundle) ? 0 : runsOf(loop_, bundle.first()) * bits;
      case Bundle::Kind::Splat:
      case Bundle::Kind::Any:
        break;
    }
    int cost = 0;
    const int shuffles = bundle.kind == Bundle::Kind::Splat ? 1 : static_cast<int>(Log2_32(count));
    for (const Value* member : bundle.members)
      if (const auto* instruction = dyn_cast<Instruction>(member);
          instruction && loop_.contains(instruction) && !shapes_.of(instruction).isUniform())
        cost = std::max(cost, runsOf(loop_, *instruction) * bits * shuffles);
    return cost;
  }

  static int64_t offsetOf(const StridedGroup& group, const Value* access) {
    const auto* found = find_if(
        group.members, [&](const StridedGroup::Member& member) { return member.access == access; });
    return found->offset;
  }

  SmallVector<int, 16> orderOf(const Bundle& loads) const {
    SmallVector<int, 16> order;
    for (const Value* member : loads.members)
      order.push_back(static_cast<int>(offsetOf(*loads.group, member)));
    return order;
  }

  bool isInOrder(const Bundle& loads) const {
    const auto order = orderOf(loads);
    return ShuffleVectorInst::isIdentityMask(order, static_cast<int>(order.size()));
  }

  /// Writes a bundle, and those that it is computed from; what is put together, before `user`.
  void write(size_t index, Instruction& user) {
    Bundle& bundle = bundles_[index];
    switch (bundle.kind) {
      case Bundle::Kind::Operation:
        if (!bundle.vector) writeOperation(bundle);
        return;
      case Bundle::Kind::Phi:
        if (!bundle.vector) writePhi(bundle);
        return;
      case Bundle::Kind::Load:
        if (!bundle.vector) writeLoad(bundle);
        return;
      case Bundle::Kind::Splat:
      case Bundle::Kind::Any:
        bundle.vector = putTogether(bundle, user);
    }
  }

  static bool isPutTogether(const Bundle& bundle) {
    return bundle.kind == Bundle::Kind::Splat || bundle.kind == Bundle::Kind::Any;
  }

  static FixedVectorType* typeOf(const Bundle& bundle) {
    return FixedVectorType::get(bundle.element(), static_cast<unsigned>(bundle.members.size()));
  }

  void writeOperation(Bundle& bundle) {
    Instruction& last = lastOf(bundle);
    SmallVector<Value*, 4> operands;
    const bool isSelect = isa<SelectInst>(last);
    for (const size_t operand : bundle.operands) {
      const Bundle& from = bundles_[operand];
      // A condition for all components is asked once.
      if (isSelect && operands.empty() && from.kind == Bundle::Kind::Splat) {
        operands.push_back(from.members.front());
        continue;
      }
      write(operand, last);
      operands.push_back(from.vector);
    }
    if (bundle.vector) return;  // round a loop an operand is computed from this one
    bundle.vector = joinElementwise(bundle.members, operands, last);
  }

  void writePhi(Bundle& bundle) {
    IRBuilder<> builder(&bundle.first());
    PHINode* phi = builder.CreatePHI(typeOf(bundle), bundle.operands.size());
    bundle.vector = phi;
    for (const auto& [operand, block] :
         zip_equal(bundle.operands, cast<PHINode>(bundle.first()).blocks()))
      if (!isPutTogether(bundles_[operand])) write(operand, *block->getTerminator());
  }

  /// Once all that comes in is there.
  void fillPhi(Bundle& bundle) {
    auto* phi = cast<PHINode>(bundle.vector);
    for (const auto& [operand, block] :
         zip_equal(bundle.operands, cast<PHINode>(bundle.first()).blocks())) {
      const int before = phi->getBasicBlockIndex(block);  // of another edge from there
      if (before < 0) write(operand, *block->getTerminator());
      phi->addIncoming(before < 0 ? bundles_[operand].vector : phi->getIncomingValue(before),
                       block);
    }
  }

  void writeLoad(Bundle& bundle) {
    const StridedGroup& group = *bundle.group;
    Value*& all = vectors_[&group];
    IRBuilder<> builder(&group.place());
    if (!all) {
      const auto& lowest = cast<LoadInst>(*group.lowest().access);
      LoadInst* load =
          builder.CreateAlignedLoad(typeOf(bundle), placeOf(builder, group), lowest.getAlign());
      keepMetadata(*load, group);
      all = load;
    }
    bundle.vector = isInOrder(bundle) ? all : builder.CreateShuffleVector(all, orderOf(bundle));
  }

  /// The address of a group's first number.
  static Value* placeOf(IRBuilder<>& builder, const StridedGroup& group) {
    Instruction& place = group.place();
    const int64_t bytes = -offsetOf(group, &place) * static_cast<int64_t>(group.elementBytes);
    return builder.CreateGEP(builder.getInt8Ty(), getLoadStorePointerOperand(&place),
                             builder.getInt64(bytes));
  }

  static void keepMetadata(Instruction& made, const StridedGroup& group) {
    SmallVector<Value*, 4> members;
    for (const StridedGroup::Member& member : group.members) members.push_back(member.access);
    propagateMetadata(&made, members);
  }

  static Value* putTogether(const Bundle& bundle, Instruction& user) {
    IRBuilder<> builder(&user);
    if (bundle.kind == Bundle::Kind::Splat)
      return builder.CreateVectorSplat(bundle.members.size(), bundle.members.front());
    Value* vector = PoisonValue::get(typeOf(bundle));
    for (const auto& [place, member] : enumerate(bundle.members))
      vector = builder.CreateInsertElement(vector, member, uint64_t{place});
    return vector;
  }

  const Loop& loop_;
  const LaneShapes& shapes_;
  const StridedGroups& groups_;
  const StridedGroup* stores_ = nullptr;
  SmallVector<Bundle, 16> bundles_;
  size_t root_ = 0;
  SmallSetVector<Instruction*, 32> inside_;  ///< what becomes part of vectors
  SmallSetVector<const StridedGroup*, 4> loads_;
  DenseMap<const StridedGroup*, Value*> vectors_;
  bool failed_ = false;
};

}  // namespace

bool joinScalars(const Loop& loop, const LaneShapes& shapes, const StridedGroups& groups) {
  SmallSetVector<const StridedGroup*, 8> stores;
  for (BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block)
      if (const StridedGroup* group = groups.of(instruction); group && group->isStore)
        stores.insert(group);
  // Trees have nothing in common, since nobody else asks for what is inside one: what is known of
  // the other groups still holds, and nobody asks about what is new.
  bool hasChanged = false;
  for (const StridedGroup* group : stores) {
    Tree tree(loop, shapes, groups);
    if (!tree.grow(*group)) continue;
    tree.write();
    hasChanged = true;
  }
  return hasChanged;
}

}  // namespace weft::compiler
