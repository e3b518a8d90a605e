// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/strided_groups.h"

#include <llvm/ADT/bit.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include "analysis/address_sum.h"
#include "ir/names.h"

namespace weft::compiler {

using namespace llvm;

namespace {

/// Accesses that are looked at between two members of a group.
constexpr unsigned kMaxBetween = 64;

}  // namespace

const StridedGroup::Member& StridedGroup::lowest() const {
  return *std::min_element(members.begin(), members.end(),
                           [](const Member& a, const Member& b) { return a.offset < b.offset; });
}

bool StridedGroup::hasGaps() const { return static_cast<unsigned>(llvm::popcount(used)) != factor; }

/// What groups are asked for.
struct StridedGroups::Question {
  const LaneShapes& shapes;
  AAResults& aliases;
  Choice isChosen = nullptr;  ///< of which accesses, if not of all
  bool areApart = false;
  unsigned blockLanes = 0;
};

/// Finds the groups of one block.
class StridedGroups::BlockScan {
 public:
  BlockScan(StridedGroups& groups, const Question& question, const DataLayout& layout)
      : groups_(groups), question_(question), layout_(layout) {}

  void run(BasicBlock& block) {
    for (Instruction& instruction : block) {
      if (!join(instruction)) start(instruction);
      if (instruction.mayReadOrWriteMemory() ||
          !isGuaranteedToTransferExecutionToSuccessor(&instruction))
        order_.push_back({&instruction, placeOf(instruction)});
    }
    if (!question_.areApart && question_.blockLanes == 0)
      for (Open& open : open_)
        if (open.isStore) beginWithLoads(open);
    for (Open& open : open_) close(open);
  }

 private:
  struct Open {
    AddressSum place;
    int64_t stride;  ///< in bytes; of lanes that are apart, what the structure may be large
    Type* element;
    bool isStore;
    SmallVector<StridedGroup::Member, 4> members;  ///< offsets in bytes from `place`
    SmallVector<size_t, 4> order;                  ///< of each member in `order_`
    int64_t low, high;                             ///< bytes from `place`
    bool isLoaded = false;                         ///< as in the group

    size_t from() const { return order.front(); }
    size_t to() const { return order.back(); }
  };

  /// Elements of an access that could be in a group, and how far apart they are from lane to lane.
  bool isCandidate(const Instruction& access, Type*& element, unsigned& count,
                   int64_t& stride) const {
    const auto* load = dyn_cast<LoadInst>(&access);
    const auto* store = dyn_cast<StoreInst>(&access);
    if (!(load && load->isSimple()) && !(store && store->isSimple())) return false;
    const Value* pointer = getLoadStorePointerOperand(&access);
    if (question_.isChosen && !question_.isChosen(access)) return false;
    const LaneShape shape = question_.shapes.of(pointer);
    if (!question_.areApart && (!shape.isAffine() || question_.shapes.interleaved(pointer)))
      return false;
    Type* type = getLoadStoreType(const_cast<Instruction*>(&access));
    element = type->getScalarType();
    if (!element->isIntegerTy() && !element->isFloatingPointTy()) return false;
    if (layout_.getTypeSizeInBits(element) != layout_.getTypeAllocSizeInBits(element)) return false;
    const auto* vector = dyn_cast<FixedVectorType>(type);
    if (type->isVectorTy() && !vector) return false;
    count = vector ? vector->getNumElements() : 1;
    const auto size = static_cast<int64_t>(layout_.getTypeAllocSize(element).getFixedValue());
    stride = question_.areApart ? kMostBytesApart / size * size : shape.stride;
    return stride % size == 0 && stride >= 2 * size && stride <= kMaxFactor * size &&
           count * size <= stride;
  }

  /// What comes in the block's order, and where it reads or writes if it is a load or a store.
  struct Touch {
    Instruction* instruction;
    AddressSum place;
  };

  AddressSum placeOf(const Instruction& access) const {
    const Value* pointer = getLoadStorePointerOperand(&access);
    return pointer ? AddressSum::of(pointer, layout_) : AddressSum{};
  }

  int64_t bytesOf(const Instruction& access) const {
    Type* type = getLoadStoreType(const_cast<Instruction*>(&access));
    return static_cast<int64_t>(layout_.getTypeStoreSize(type).getKnownMinValue());
  }

  /// What `by` may do to where `on` reads or writes, in one work-item. Pre: `on` is a load or
  /// store.
  ModRefInfo effectOf(const Touch& by, const Touch& on) const {
    // AliasAnalysis does not take products and sums of sums apart.
    if (by.place.base && by.place.isBeside(on.place)) {
      const int64_t distance = on.place.offset - by.place.offset;
      if (distance >= bytesOf(*by.instruction) || -distance >= bytesOf(*on.instruction))
        return ModRefInfo::NoModRef;
    }
    return question_.aliases.getModRefInfo(by.instruction, MemoryLocation::get(on.instruction));
  }

  /// Adds the access to a group that was begun before it.
  bool join(Instruction& access) {
    Type* element = nullptr;
    unsigned count = 0;
    int64_t stride = 0;
    if (open_.empty() || !isCandidate(access, element, count, stride)) return false;
    const auto size = static_cast<int64_t>(layout_.getTypeAllocSize(element).getFixedValue());
    const AddressSum place = placeOf(access);
    for (Open& open : llvm::reverse(open_)) {
      if (open.isStore != isa<StoreInst>(access) || open.stride != stride ||
          layout_.getTypeAllocSize(open.element) != layout_.getTypeAllocSize(element) ||
          !open.place.isBeside(place))
        continue;
      const int64_t offset = place.offset - open.place.offset;
      const int64_t low = std::min(open.low, offset);
      const int64_t high = std::max(open.high, offset + count * size);
      if (offset % size != 0 || high - low > stride || !mayMeet(open, {&access, place})) continue;
      open.low = low;
      open.high = high;
      open.members.push_back({&access, offset, count});
      open.order.push_back(order_.size());
      return true;
    }
    return false;
  }

  void start(Instruction& access) {
    Open open;
    unsigned count = 0;
    if (!isCandidate(access, open.element, count, open.stride)) return;
    open.place = placeOf(access);
    open.isStore = isa<StoreInst>(access);
    open.low = 0;
    open.high = static_cast<int64_t>(count * layout_.getTypeAllocSize(open.element));
    open.members.push_back({&access, 0, count});
    open.order.push_back(order_.size());
    open_.push_back(std::move(open));
  }

  /// Whether nothing between the first member and `access` keeps loads from going up to the first
  /// one, or stores from going down to `access`, within a work-item.
  bool mayMeet(const Open& open, const Touch& access) const {
    if (order_.size() - open.from() > kMaxBetween) return false;
    if (!open.isStore && !isBehindSunkStores(open, access)) return false;
    for (size_t i = open.from(); i < order_.size(); ++i) {
      const Touch& between = order_[i];
      if (!isGuaranteedToTransferExecutionToSuccessor(between.instruction)) return false;
      if (between.instruction->isAtomic() || between.instruction->isVolatile()) return false;
      if (!open.isStore) {
        if (isModSet(effectOf(between, access))) return false;
        continue;
      }
      for (const size_t member : open.order)
        if (member < i && isModOrRefSet(effectOf(between, order_[member]))) return false;
      // Of two stores to one place the last one counts.
      if (is_contained(open.order, i) && isModSet(effectOf(between, access))) return false;
    }
    return true;
  }

  /// Stores from before the group of loads may have gone down to a place behind it.
  bool isBehindSunkStores(const Open& loads, const Touch& access) const {
    for (const Open& stores : open_) {
      if (!stores.isStore || stores.from() > loads.from() || stores.to() < loads.from()) continue;
      for (const size_t member : stores.order)
        if (isModSet(effectOf(order_[member], access))) return false;
    }
    return true;
  }

  /// Has stores begin where loads of the same structures do: pieces of local memory whose gaps are
  /// filled are then those that were loaded.
  void beginWithLoads(Open& stores) {
    if (getLoadStoreAddressSpace(stores.members.front().access) != names::kLocal) return;
    for (const Open& loads : open_) {
      if (loads.isStore || loads.stride != stores.stride || !loads.place.isBeside(stores.place) ||
          layout_.getTypeAllocSize(loads.element) != layout_.getTypeAllocSize(stores.element))
        continue;
      const int64_t low = loads.place.offset - stores.place.offset + loads.low;
      if (low > stores.low || stores.high - low > stores.stride) continue;
      stores.low = low;
      stores.isLoaded = true;
    }
  }

  void close(Open& open) {
    auto group = std::make_unique<StridedGroup>();
    const auto size = static_cast<int64_t>(layout_.getTypeAllocSize(open.element).getFixedValue());
    group->elementBytes = static_cast<uint64_t>(size);
    group->factor = question_.areApart ? 0 : static_cast<unsigned>(open.stride / size);
    group->blockLanes = question_.blockLanes;
    group->extent = static_cast<unsigned>((open.high - open.low) / size);
    group->isStore = open.isStore;
    group->isLoaded = open.isLoaded;
    group->members = std::move(open.members);
    for (StridedGroup::Member& member : group->members) {
      member.offset = (member.offset - open.low) / size;
      for (unsigned i = 0; i < member.components; ++i)
        group->used |= uint64_t{1} << (static_cast<unsigned>(member.offset) + i);
    }
    if ((question_.areApart || question_.blockLanes != 0) && !isShared(*group)) return;
    if (question_.blockLanes != 0 && group->extent != group->factor) return;
    for (const StridedGroup::Member& member : group->members)
      groups_.groups_[member.access] = group.get();
    groups_.all_.push_back(std::move(group));
  }

  /// Whether several members have all elements between them, each of which is in one of them.
  static bool isShared(const StridedGroup& group) {
    unsigned elements = 0;
    for (const StridedGroup::Member& member : group.members) elements += member.components;
    return group.members.size() > 1 && elements == group.extent &&
           static_cast<unsigned>(llvm::popcount(group.used)) == group.extent &&
           isPowerOf2_32(group.extent);
  }

  StridedGroups& groups_;
  const Question& question_;
  const DataLayout& layout_;
  SmallVector<Open, 4> open_;
  SmallVector<Touch> order_;  ///< what touches memory, or may not come to an end
};

StridedGroups::StridedGroups(const Loop& loop, const LaneShapes& shapes, AAResults& aliases) {
  find(loop, {shapes, aliases});
}

StridedGroups::StridedGroups(const Loop& loop, const LaneShapes& shapes, AAResults& aliases,
                             Choice isApart) {
  find(loop, {shapes, aliases, isApart, true});
}

StridedGroups::StridedGroups(const Loop& loop, const LaneShapes& shapes, AAResults& aliases,
                             Choice isInBlock, unsigned blockLanes) {
  find(loop, {shapes, aliases, isInBlock, false, blockLanes});
}

void StridedGroups::find(const Loop& loop, const Question& question) {
  const DataLayout& layout = loop.getHeader()->getModule()->getDataLayout();
  for (BasicBlock* block : loop.blocks()) BlockScan(*this, question, layout).run(*block);
}

}  // namespace weft::compiler
