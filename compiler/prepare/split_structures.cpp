// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/split_structures.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/ReplaceConstant.h>

#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Where in a variable an address lies.
struct Place {
  MapVector<Value*, APInt> terms;  ///< numbers and how many bytes each counts for
  APInt offset{64, 0};             ///< in bytes
  bool isInBounds = true;
};

/// A local variable that is to become one for each member.
class Splitter {
 public:
  Splitter(GlobalVariable& variable, StructType& element, uint64_t count)
      : variable_(variable),
        element_(element),
        count_(count),
        layout_(variable.getDataLayout()),
        members_(*layout_.getStructLayout(&element)),
        bytes_(members_.getSizeInBytes()) {}

  /// Whether all that becomes of the variable's address are accesses to single members.
  bool isSplittable() { return follow(variable_, {}); }

  /// Returns the new variables.
  SmallVector<GlobalVariable*> split() {
    SmallVector<GlobalVariable*> made;
    for (const auto& [i, type] : enumerate(element_.elements())) {
      auto* array = ArrayType::get(type, count_);
      made.push_back(new GlobalVariable(*variable_.getParent(), array, false,
                                        variable_.getLinkage(), UndefValue::get(array),
                                        variable_.getName() + "." + Twine(i), &variable_,
                                        GlobalValue::NotThreadLocal, variable_.getAddressSpace()));
      made.back()->setAlignment(layout_.getABITypeAlign(type));
    }
    for (const auto& [use, place] : accesses_) {
      auto& access = *cast<Instruction>(use->getUser());
      use->set(addressOf(access, place, made));
      limitAlignment(access, commonAlignment(*made[memberAt(place)]->getAlign(), restIn(place)));
    }
    for (Instruction* address : reverse(addresses_)) address->eraseFromParent();
    variable_.eraseFromParent();
    return made;
  }

 private:
  bool follow(Value& pointer, const Place& place) {
    for (Use& use : pointer.uses()) {
      auto* user = use.getUser();
      if (auto* address = dyn_cast<GetElementPtrInst>(user)) {
        addresses_.push_back(address);
        Place next = place;
        next.isInBounds &= address->isInBounds();
        if (address->getType()->isVectorTy() ||
            !cast<GEPOperator>(address)->collectOffset(layout_, 64, next.terms, next.offset) ||
            !follow(*address, next))
          return false;
        continue;
      }
      if (!isAccess(use) || !isInMember(place, *cast<Instruction>(user))) return false;
      accesses_.emplace_back(&use, place);
    }
    return true;
  }

  static bool isAccess(const Use& use) {
    const User* user = use.getUser();
    return (isa<LoadInst>(user) && use.getOperandNo() == LoadInst::getPointerOperandIndex()) ||
           (isa<StoreInst>(user) && use.getOperandNo() == StoreInst::getPointerOperandIndex()) ||
           (isa<AtomicRMWInst>(user) &&
            use.getOperandNo() == AtomicRMWInst::getPointerOperandIndex()) ||
           (isa<AtomicCmpXchgInst>(user) &&
            use.getOperandNo() == AtomicCmpXchgInst::getPointerOperandIndex());
  }

  /// Members lie as their own type wants them, where structures may have been aligned better.
  static void limitAlignment(Instruction& access, Align most) {
    const auto limit = [&](auto& each) { each.setAlignment(std::min(each.getAlign(), most)); };
    if (auto* load = dyn_cast<LoadInst>(&access))
      limit(*load);
    else if (auto* store = dyn_cast<StoreInst>(&access))
      limit(*store);
    else if (auto* update = dyn_cast<AtomicRMWInst>(&access))
      limit(*update);
    else
      limit(*cast<AtomicCmpXchgInst>(&access));
  }

  uint64_t memberAt(const Place& place) const {
    return members_.getElementContainingOffset(offsetIn(place));
  }
  uint64_t offsetIn(const Place& place) const {
    const int64_t rest = place.offset.srem(static_cast<int64_t>(bytes_));
    return rest < 0 ? rest + bytes_ : rest;
  }
  /// Within the member.
  uint64_t restIn(const Place& place) const {
    return offsetIn(place) - members_.getElementOffset(memberAt(place));
  }
  /// Of the element, where all terms are zero: before the variable's first one, maybe.
  int64_t indexOf(const Place& place) const {
    return (place.offset.getSExtValue() - static_cast<int64_t>(offsetIn(place))) /
           static_cast<int64_t>(bytes_);
  }

  bool isInMember(const Place& place, const Instruction& access) const {
    for (const auto& [number, scale] : place.terms)
      if (scale.isNegative() || scale.urem(bytes_) != 0) return false;
    const uint64_t member = memberAt(place);
    const uint64_t begin = members_.getElementOffset(member);
    const uint64_t end =
        begin + layout_.getTypeStoreSize(element_.getElementType(member)).getFixedValue();
    return offsetIn(place) + layout_.getTypeStoreSize(accessType(access)).getFixedValue() <= end;
  }

  static Type* accessType(const Instruction& access) {
    if (const auto* update = dyn_cast<AtomicRMWInst>(&access))
      return update->getValOperand()->getType();
    if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&access))
      return exchange->getNewValOperand()->getType();
    return getLoadStoreType(const_cast<Instruction*>(&access));
  }

  Value* addressOf(Instruction& access, const Place& place, ArrayRef<GlobalVariable*> made) const {
    IRBuilder<> builder(&access);
    Value* index = nullptr;
    const auto add = [&](Value* value) {
      index = index ? builder.CreateAdd(index, value, "", false, place.isInBounds) : value;
    };
    for (const auto& [number, scale] : place.terms) {
      Value* wide = builder.CreateSExtOrTrunc(number, builder.getInt64Ty());
      const uint64_t elements = scale.udiv(bytes_).getZExtValue();
      add(elements == 1
              ? wide
              : builder.CreateMul(wide, builder.getInt64(elements), "", false, place.isInBounds));
    }
    const int64_t first = indexOf(place);
    if (!index || first != 0) add(builder.getInt64(first));
    GlobalVariable* array = made[memberAt(place)];
    Value* address =
        builder.CreateGEP(array->getValueType(), array, {builder.getInt64(0), index}, "",
                          place.isInBounds ? GEPNoWrapFlags::inBounds() : GEPNoWrapFlags::none());
    const uint64_t rest = restIn(place);
    return rest == 0 ? address : builder.CreateInBoundsPtrAdd(address, builder.getInt64(rest));
  }

  GlobalVariable& variable_;
  StructType& element_;
  uint64_t count_;
  const DataLayout& layout_;
  const StructLayout& members_;
  uint64_t bytes_;
  SmallVector<std::pair<Use*, Place>> accesses_;
  SmallVector<Instruction*> addresses_;  ///< each behind what it is computed from
};

}  // namespace

PreservedAnalyses SplitStructuresPass::run(Module& module, ModuleAnalysisManager&) {
  SmallVector<GlobalVariable*> variables;
  for (GlobalVariable& global : module.globals())
    if (global.getAddressSpace() == names::kLocal && global.hasInitializer())
      variables.push_back(&global);
  bool isChanged = false;
  while (!variables.empty()) {
    GlobalVariable* variable = variables.pop_back_val();
    uint64_t count = 1;
    Type* type = variable->getValueType();
    while (auto* array = dyn_cast<ArrayType>(type)) {
      count *= array->getNumElements();
      type = array->getElementType();
    }
    auto* element = dyn_cast<StructType>(type);
    if (!element || count < 2 || module.getDataLayout().getTypeAllocSize(element).isZero())
      continue;
    convertUsersOfConstantsToInstructions({variable});
    isChanged = true;
    Splitter splitter(*variable, *element, count);
    if (splitter.isSplittable()) append_range(variables, splitter.split());
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
