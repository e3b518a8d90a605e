// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/forward_lanes.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <optional>

#include "base/tuning.h"
#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// A load or store in elements.
struct Access {
  Value* base;
  int64_t offset;  ///< in bytes, of the first element
  Type* element;
  unsigned count;
  uint64_t bytes;  ///< of an element
  Constant* mask;  ///< null for all elements

  bool isActive(unsigned lane) const {
    return !mask || mask->getAggregateElement(lane)->isOneValue();
  }
};

/// `pointer` as a known distance from another one; nothing for memory other than local.
std::optional<Access> accessTo(Value* pointer, Type* type, Constant* mask,
                               const DataLayout& layout) {
  if (pointer->getType()->getPointerAddressSpace() != names::kLocal) return std::nullopt;
  auto* vector = dyn_cast<FixedVectorType>(type);
  Type* element = type->getScalarType();
  if (!element->isIntegerTy() && !element->isFloatingPointTy()) return std::nullopt;
  if (layout.getTypeSizeInBits(element) != layout.getTypeAllocSizeInBits(element))
    return std::nullopt;
  Access access{
      nullptr, 0, element, vector ? vector->getNumElements() : 1, layout.getTypeAllocSize(element),
      mask};
  access.base = GetPointerBaseWithConstantOffset(pointer, access.offset, layout);
  if (mask)
    for (unsigned lane = 0; lane < access.count; ++lane)
      if (!isa_and_nonnull<ConstantInt>(mask->getAggregateElement(lane))) return std::nullopt;
  return access;
}

/// What local memory holds that a block has written.
class KnownMemory {
 public:
  void forget() { memory_.clear(); }

  void write(const Access& access, Value* value) {
    if (access.base != base_) memory_.clear();
    base_ = access.base;
    for (unsigned lane = 0; lane < access.count; ++lane) {
      if (!access.isActive(lane)) continue;
      const int64_t at = access.offset + static_cast<int64_t>(lane * access.bytes);
      erase(at, at + static_cast<int64_t>(access.bytes));
      memory_[at] = {value, lane, access.bytes};
    }
  }

  /// The value of `access`, as a vector where it is one; null when it is not known. Lanes that are
  /// masked off are undefined.
  Value* read(const Access& access, Type* type, IRBuilder<>& builder) const {
    if (access.base != base_) return nullptr;
    SmallVector<Value*> sources;
    SmallVector<std::pair<unsigned, unsigned>> lanes(access.count, {kNone, 0});
    for (unsigned lane = 0; lane < access.count; ++lane) {
      if (!access.isActive(lane)) continue;
      const auto known = memory_.find(access.offset + static_cast<int64_t>(lane * access.bytes));
      if (known == memory_.end() || known->second.bytes != access.bytes) return nullptr;
      auto* place = find(sources, known->second.value);
      lanes[lane] = {place - sources.begin(), known->second.lane};
      if (place == sources.end()) sources.push_back(known->second.value);
    }
    if (sources.empty() || sources.size() > tuning::kForwardedSources) return nullptr;
    for (Value*& source : sources) source = asVectorOf(source, access.element, builder);
    if (!type->isVectorTy()) return builder.CreateExtractElement(sources[0], lanes[0].second);
    return combine(sources, lanes, builder);
  }

 private:
  static constexpr unsigned kNone = ~0u;
  struct Element {
    Value* value;
    unsigned lane;
    uint64_t bytes;
  };

  void erase(int64_t begin, int64_t end) {
    auto place = memory_.lower_bound(begin);
    while (place != memory_.begin()) {
      const auto before = std::prev(place);
      if (before->first + static_cast<int64_t>(before->second.bytes) <= begin) break;
      place = before;
    }
    while (place != memory_.end() && place->first < end) place = memory_.erase(place);
  }

  static Value* asVectorOf(Value* value, Type* element, IRBuilder<>& builder) {
    if (!value->getType()->isVectorTy())
      value = builder.CreateInsertElement(
          PoisonValue::get(FixedVectorType::get(value->getType(), 1)), value, uint64_t{0});
    const auto* type = cast<FixedVectorType>(value->getType());
    return builder.CreateBitCast(value, FixedVectorType::get(element, type->getNumElements()));
  }

  /// Source by source; vectors of other lengths are brought to that of the result first.
  static Value* combine(ArrayRef<Value*> sources, ArrayRef<std::pair<unsigned, unsigned>> lanes,
                        IRBuilder<>& builder) {
    auto lengthOf = [](const Value* value) {
      return cast<FixedVectorType>(value->getType())->getNumElements();
    };
    auto place = [&](unsigned source) {
      SmallVector<int> mask;
      for (auto [from, lane] : lanes)
        mask.push_back(from == source ? static_cast<int>(lane) : PoisonMaskElem);
      return mask;
    };
    if (sources.size() == 2 && sources[0]->getType() == sources[1]->getType()) {
      SmallVector<int> mask;
      for (auto [from, lane] : lanes)
        mask.push_back(from == kNone ? PoisonMaskElem
                                     : static_cast<int>(lane + from * lengthOf(sources[0])));
      return builder.CreateShuffleVector(sources[0], sources[1], mask);
    }
    Value* result = nullptr;
    for (unsigned source = 0; source < sources.size(); ++source) {
      SmallVector<int> mask = place(source);
      const bool isIdentity = lengthOf(sources[source]) == lanes.size() &&
                              ShuffleVectorInst::isIdentityMask(mask, lanes.size());
      Value* placed =
          isIdentity ? sources[source] : builder.CreateShuffleVector(sources[source], mask);
      if (!result) {
        result = placed;
        continue;
      }
      SmallVector<int> merge;
      for (unsigned lane = 0; lane < lanes.size(); ++lane)
        merge.push_back(lanes[lane].first == source ? lane + lanes.size() : lane);
      result = builder.CreateShuffleVector(result, placed, merge);
    }
    return result;
  }

  Value* base_ = nullptr;
  std::map<int64_t, Element> memory_;
};

/// Whether an instruction that is not a store at a known place may change local memory.
bool mayWriteLocal(const Instruction& instruction) {
  if (!instruction.mayWriteToMemory() || isa<FenceInst>(instruction)) return false;
  auto isOther = [](const Value* pointer) {
    const unsigned space = pointer->getType()->getPointerAddressSpace();
    return space != names::kLocal && space != names::kGeneric;
  };
  if (const Value* pointer = getLoadStorePointerOperand(&instruction)) return !isOther(pointer);
  if (const auto* memory = dyn_cast<AnyMemIntrinsic>(&instruction))
    return !isOther(memory->getRawDest());
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call) return true;
  if (call->isAssumeLikeIntrinsic()) return false;
  const bool isScatter = call->getIntrinsicID() == Intrinsic::masked_scatter;
  return !(call->getIntrinsicID() == Intrinsic::masked_store && isOther(call->getArgOperand(1))) &&
         !(isScatter && isOther(call->getArgOperand(1)));
}

/// Replaces `instruction`, if it is a load whose value is known.
bool forwardTo(Instruction& instruction, const KnownMemory& memory, const DataLayout& layout) {
  IRBuilder<> builder(&instruction);
  Value* value = nullptr;
  if (auto* load = dyn_cast<LoadInst>(&instruction); load && load->isSimple()) {
    if (const auto access = accessTo(load->getPointerOperand(), load->getType(), nullptr, layout))
      value = memory.read(*access, load->getType(), builder);
  } else if (auto* call = dyn_cast<IntrinsicInst>(&instruction);
             call && call->getIntrinsicID() == Intrinsic::masked_load) {
    auto* mask = dyn_cast<Constant>(call->getArgOperand(2));
    const auto access =
        mask ? accessTo(call->getArgOperand(0), call->getType(), mask, layout) : std::nullopt;
    if (access) value = memory.read(*access, call->getType(), builder);
    if (value && !isa<UndefValue>(call->getArgOperand(3)))
      value = builder.CreateSelect(mask, value, call->getArgOperand(3));
  }
  if (!value) return false;
  instruction.replaceAllUsesWith(value);
  instruction.eraseFromParent();
  return true;
}

/// Notes what a store to local memory writes.
void note(Instruction& instruction, KnownMemory& memory, const DataLayout& layout) {
  if (auto* store = dyn_cast<StoreInst>(&instruction); store && store->isSimple()) {
    Value* value = store->getValueOperand();
    if (const auto access = accessTo(store->getPointerOperand(), value->getType(), nullptr, layout))
      return memory.write(*access, value);
  } else if (auto* call = dyn_cast<IntrinsicInst>(&instruction);
             call && call->getIntrinsicID() == Intrinsic::masked_store) {
    Value* value = call->getArgOperand(0);
    auto* mask = dyn_cast<Constant>(call->getArgOperand(3));
    const auto access =
        mask ? accessTo(call->getArgOperand(1), value->getType(), mask, layout) : std::nullopt;
    if (access) return memory.write(*access, value);
  }
  if (mayWriteLocal(instruction)) memory.forget();
}

}  // namespace

PreservedAnalyses ForwardLanesPass::run(Function& function, FunctionAnalysisManager&) {
  const DataLayout& layout = function.getDataLayout();
  bool changed = false;
  for (BasicBlock& block : function) {
    KnownMemory memory;
    for (Instruction& instruction : make_early_inc_range(block)) {
      if (forwardTo(instruction, memory, layout))
        changed = true;
      else
        note(instruction, memory, layout);
    }
  }
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace weft::compiler
