// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/private_variables.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Follows a variable's address through the function.
class Uses {
 public:
  Uses(const AllocaInst& variable, const Loop& loop)
      : layout_(variable.getModule()->getDataLayout()), loop_(loop) {
    follow(variable);
  }

  bool areInLoop() const { return inLoop_; }
  /// Size that all accesses have in common; 0 when there is none.
  uint64_t elementBytes() const { return isRegular_ ? elementBytes_ : 0; }

 private:
  void follow(const Value& pointer) {
    for (const Use& use : pointer.uses()) {
      const auto* user = cast<Instruction>(use.getUser());
      if (!loop_.contains(user)) {
        const auto* intrinsic = dyn_cast<IntrinsicInst>(user);
        if (!intrinsic || !intrinsic->isLifetimeStartOrEnd()) inLoop_ = false;
      }
      // A store may use the address as its place and as its value.
      if (!isa<StoreInst>(user) && !seen_.insert(user).second) continue;
      visit(use, *user);
    }
  }

  void visit(const Use& use, const Instruction& user) {
    if (const auto* load = dyn_cast<LoadInst>(&user))
      return access(load->getType(), load->isSimple());
    if (const auto* store = dyn_cast<StoreInst>(&user)) {
      if (use.getOperandNo() != StoreInst::getPointerOperandIndex()) isRegular_ = false;
      return access(store->getValueOperand()->getType(), store->isSimple());
    }
    if (const auto* address = dyn_cast<GetElementPtrInst>(&user)) {
      steps(*address);
      return follow(user);
    }
    if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&user))
      if (intrinsic->isLifetimeStartOrEnd() || intrinsic->isAssumeLikeIntrinsic()) return;
    isRegular_ = false;
    if (user.getType()->isPointerTy()) follow(user);
  }

  void access(Type* type, bool isSimple) {
    Type* element = type->getScalarType();
    // Accesses that are not simple are made as they are, lane by lane: to whole vectors.
    if (!element->isSingleValueType() || (!isSimple && type->isVectorTy()) ||
        layout_.getTypeSizeInBits(element) != layout_.getTypeAllocSizeInBits(element)) {
      isRegular_ = false;
      return;
    }
    const uint64_t size = layout_.getTypeAllocSize(element);
    if (elementBytes_ != 0 && elementBytes_ != size) isRegular_ = false;
    elementBytes_ = size;
    for (const uint64_t step : steps_)
      if (step % size != 0) isRegular_ = false;
  }

  void step(uint64_t bytes) {
    steps_.push_back(bytes);
    if (elementBytes_ != 0 && bytes % elementBytes_ != 0) isRegular_ = false;
  }

  void steps(const GetElementPtrInst& address) {
    if (address.getType()->isVectorTy()) isRegular_ = false;
    for (auto index = gep_type_begin(address), end = gep_type_end(address); index != end; ++index) {
      const auto* constant = dyn_cast<ConstantInt>(index.getOperand());
      if (StructType* aggregate = index.getStructTypeOrNull())
        step(layout_.getStructLayout(aggregate)->getElementOffset(constant->getZExtValue()));
      else if (constant)
        step(index.getSequentialElementStride(layout_) * constant->getZExtValue());
      else
        step(index.getSequentialElementStride(layout_));
    }
  }

  const DataLayout& layout_;
  const Loop& loop_;
  SmallPtrSet<const Instruction*, 16> seen_;
  bool inLoop_ = true;
  bool isRegular_ = true;
  uint64_t elementBytes_ = 0;
  SmallVector<uint64_t> steps_;
};

}  // namespace

PrivateLayouts findPrivateVariables(Function& function, const Loop& loop) {
  PrivateLayouts result;
  const DataLayout& layout = function.getParent()->getDataLayout();
  for (Instruction& instruction : function.getEntryBlock()) {
    auto* variable = dyn_cast<AllocaInst>(&instruction);
    if (!variable || !variable->isStaticAlloca() || variable->use_empty() ||
        names::isItem(*variable))
      continue;
    // Has a cell for each work-item already, which other loops may come to by its address.
    if (variable->hasMetadata(names::kCells)) continue;
    const Uses uses(*variable, loop);
    if (!uses.areInLoop()) continue;
    const uint64_t bytes =
        alignTo(variable->getAllocationSize(layout)->getFixedValue(), variable->getAlign());
    const uint64_t element = uses.elementBytes();
    result[variable] = {element != 0 && bytes % element == 0 ? element : 0, bytes};
  }
  return result;
}

}  // namespace weft::compiler
