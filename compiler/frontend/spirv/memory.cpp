// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loads, stores, copies, addresses, and variables of functions.
#include <llvm/IR/Constants.h>
#include <llvm/Support/Alignment.h>

#include "frontend/spirv/reader.h"
#include "ir/names.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Value;

constexpr uint64_t kMostVariableBytes = uint64_t{1} << 30;

/// What the optional operands of an access say.
struct Access {
  bool isVolatile = false;
  bool isNontemporal = false;
  llvm::MaybeAlign alignment;
};

/// Reads them from operand `index` on, and steps behind them.
Access accessOf(const Instruction& i, size_t& index) {
  constexpr uint32_t kMostAlignment = 1U << 20;
  Access access;
  if (index >= i.operands.size()) return access;
  const uint32_t mask = i.operand(index++);
  access.isVolatile = mask & SpvMemoryAccessVolatileMask;
  access.isNontemporal = mask & SpvMemoryAccessNontemporalMask;
  if (mask & SpvMemoryAccessAlignedMask) {
    const uint32_t alignment = i.operand(index++);
    i.require(llvm::isPowerOf2_32(alignment) && alignment <= kMostAlignment,
              "has an alignment that is no power of two, or too large");
    access.alignment = llvm::Align(alignment);
  }
  // Scopes of aliasing, one list of them each: what is promised by them is not made use of.
  for (const uint32_t hint :
       {SpvMemoryAccessAliasScopeINTELMaskMask, SpvMemoryAccessNoAliasINTELMaskMask})
    if (mask & hint) i.operand(index++);
  constexpr uint32_t kKnown =
      SpvMemoryAccessVolatileMask | SpvMemoryAccessAlignedMask | SpvMemoryAccessNontemporalMask |
      SpvMemoryAccessAliasScopeINTELMaskMask | SpvMemoryAccessNoAliasINTELMaskMask;
  i.require((mask & ~kKnown) == 0, "has memory operands that are not supported");
  return access;
}

void setHints(Emitter& emitter, llvm::Instruction* made, const Access& access) {
  if (!access.isNontemporal) return;
  auto* one = llvm::ConstantAsMetadata::get(emitter.builder.getInt32(1));
  made->setMetadata(llvm::LLVMContext::MD_nontemporal,
                    llvm::MDNode::get(emitter.reader.context, one));
}

TypedValue pointer(Emitter& emitter, const Instruction& i, size_t index) {
  const TypedValue value = emitter.typed(i.operand(index), i);
  i.require(value.value->getType()->isPointerTy() &&
                emitter.reader.types.get(value.type, i).op == SpvOpTypePointer,
            "has an operand that is no pointer");
  return value;
}

Value* load(Emitter& emitter, const Instruction& i, int) {
  llvm::Type* type = emitter.type(i);
  i.require(!type->isVoidTy(), "loads nothing");
  const auto builtIn = emitter.reader.builtIns.find(i.operand(0));
  if (builtIn != emitter.reader.builtIns.end())
    return builtInValue(emitter, builtIn->second, type, i);
  size_t next = 1;
  const Access access = accessOf(i, next);
  llvm::LoadInst* made = emitter.builder.CreateAlignedLoad(type, pointer(emitter, i, 0).value,
                                                           access.alignment, access.isVolatile);
  setHints(emitter, made, access);
  return made;
}

/// Stores a value. Constants may be as large as variables, of which LLVM would store each component
/// by itself: those are copied or cleared, as Clang does.
llvm::Instruction* storeValue(Emitter& emitter, Value* value, Value* place, const Access& access) {
  constexpr uint64_t kMostBytes = 256;
  llvm::Module& module = emitter.reader.module;
  llvm::IRBuilder<>& builder = emitter.builder;
  llvm::Type* type = value->getType();
  auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  const uint64_t bytes = module.getDataLayout().getTypeStoreSize(type).getFixedValue();
  if (!constant || !type->isAggregateType() || bytes <= kMostBytes)
    return builder.CreateAlignedStore(value, place, access.alignment, access.isVolatile);
  const llvm::Align alignment =
      access.alignment.value_or(module.getDataLayout().getABITypeAlign(type));
  if (constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant))
    return builder.CreateMemSet(place, builder.getInt8(0), bytes, alignment, access.isVolatile);
  auto* from = new llvm::GlobalVariable(module, type, /*isConstant=*/true,
                                        llvm::GlobalValue::PrivateLinkage, constant, "", nullptr,
                                        llvm::GlobalValue::NotThreadLocal, names::kConstant);
  from->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  from->setAlignment(module.getDataLayout().getABITypeAlign(type));
  return builder.CreateMemCpy(place, alignment, from, from->getAlign(), bytes, access.isVolatile);
}

Value* store(Emitter& emitter, const Instruction& i, int) {
  Value* value = emitter.operand(i, 1);
  i.require(value->getType()->isFirstClassType(), "stores what is no value");
  size_t next = 2;
  const Access access = accessOf(i, next);
  setHints(emitter, storeValue(emitter, value, pointer(emitter, i, 0).value, access), access);
  return nullptr;
}

/// OpCopyMemory and OpCopyMemorySized: of the size of what is pointed to, or of an operand's.
Value* copy(Emitter& emitter, const Instruction& i, int isSized) {
  const TypedValue to = pointer(emitter, i, 0);
  const TypedValue from = pointer(emitter, i, 1);
  i.require(!emitter.reader.builtIns.contains(i.operand(0)), "writes to a work-item variable");
  Value* size = nullptr;
  size_t next = 2;
  if (isSized) {
    size = emitter.operand(i, next++);
    i.require(size->getType()->isIntegerTy(), "has a size that is no integer");
    size = emitter.builder.CreateZExtOrTrunc(size, emitter.builder.getInt64Ty());
  } else {
    llvm::Type* type = emitter.reader.types.memoryType(emitter.reader.types.pointee(to.type, i), i);
    size = emitter.builder.getInt64(emitter.reader.module.getDataLayout().getTypeStoreSize(type));
  }
  const Access first = accessOf(i, next);
  const bool hasSecond = next < i.operands.size();
  const Access second = hasSecond ? accessOf(i, next) : first;
  emitter.builder.CreateMemCpy(to.value, first.alignment.valueOrOne(), from.value,
                               second.alignment.valueOrOne(), size,
                               first.isVolatile || second.isVolatile);
  return nullptr;
}

enum Chain { Plain = 0, InBounds = 1, Element = 2 };

/// The address of a part: of what a pointer points to, or after a step over elements.
Value* accessChain(Emitter& emitter, const Instruction& i, int kind) {
  const TypedValue base = pointer(emitter, i, 0);
  const Types& types = emitter.reader.types;
  uint32_t inner = types.pointee(base.type, i);
  llvm::SmallVector<Value*> indices;
  const auto add = [&](size_t index) {
    Value* value = emitter.operand(i, index);
    i.require(value->getType()->isIntegerTy(), "has an index that is no integer");
    indices.push_back(value);
    return value;
  };
  size_t next = 1;
  if (kind & Element)
    add(next++);
  else
    indices.push_back(emitter.builder.getInt64(0));
  llvm::Type* type = types.memoryType(inner, i);
  for (; next < i.operands.size(); ++next) {
    const TypeInfo& info = types.get(inner, i);
    Value* index = add(next);
    if (info.op == SpvOpTypeStruct) {
      const auto* number = llvm::dyn_cast<llvm::ConstantInt>(index);
      i.require(number && number->getValue().ult(info.members.size()),
                "has an index of a member that is no constant, or out of range");
      indices.back() = emitter.builder.getInt32(static_cast<uint32_t>(number->getZExtValue()));
      inner = info.members[number->getZExtValue()];
    } else {
      i.require(info.op == SpvOpTypeArray || info.op == SpvOpTypeVector,
                "has an index into what has no parts");
      inner = info.element;
    }
  }
  return emitter.builder.CreateGEP(type, base.value, indices, "", (kind & InBounds) != 0);
}

Value* comparePointers(Emitter& emitter, const Instruction& i, int isEqual) {
  Value* left = pointer(emitter, i, 0).value;
  Value* right = pointer(emitter, i, 1).value;
  i.require(left->getType() == right->getType(), "has operands of different types");
  return isEqual ? emitter.builder.CreateICmpEQ(left, right)
                 : emitter.builder.CreateICmpNE(left, right);
}

/// The number of elements between two pointers.
Value* pointerDifference(Emitter& emitter, const Instruction& i, int) {
  const TypedValue left = pointer(emitter, i, 0);
  Value* right = pointer(emitter, i, 1).value;
  i.require(left.value->getType() == right->getType(), "has operands of different types");
  i.require(emitter.type(i)->isIntegerTy(), "has a result that is no integer");
  llvm::Type* type = emitter.reader.types.memoryType(emitter.reader.types.pointee(left.type, i), i);
  llvm::IRBuilder<>& b = emitter.builder;
  const uint64_t size = emitter.reader.module.getDataLayout().getTypeAllocSize(type);
  i.require(size != 0, "has pointers to what has no size");
  Value* bytes = b.CreateSub(b.CreatePtrToInt(left.value, b.getInt64Ty()),
                             b.CreatePtrToInt(right, b.getInt64Ty()));
  return b.CreateSExtOrTrunc(b.CreateExactSDiv(bytes, b.getInt64(size)), emitter.type(i));
}

Value* variable(Emitter& emitter, const Instruction& i, int) {
  i.require(i.operand(0) == SpvStorageClassFunction, "in a function has another storage class");
  const Types& types = emitter.reader.types;
  llvm::Type* type = types.memoryType(types.pointee(i.type, i), i);
  i.require(types.get(i.type, i).storage == SpvStorageClassFunction,
            "has a type of another storage class");
  const uint64_t bytes = emitter.reader.module.getDataLayout().getTypeAllocSize(type);
  i.require(bytes <= kMostVariableBytes, "is a variable that is too large");
  llvm::BasicBlock& entry = emitter.builder.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> atEntry(&entry, entry.getFirstInsertionPt());
  llvm::AllocaInst* made = atEntry.CreateAlloca(type);
  if (const auto alignment = emitter.reader.annotations.number(i.result, SpvDecorationAlignment)) {
    i.require(llvm::isPowerOf2_32(*alignment) && *alignment <= 4096,
              "has an alignment that is no power of two, or too large");
    made->setAlignment(std::max(made->getAlign(), llvm::Align(*alignment)));
  }
  if (i.operands.size() > 1) {
    Value* initial = emitter.operand(i, 1);
    i.require(initial->getType() == type, "has an initial value of another type");
    storeValue(emitter, initial, made, {});
  }
  return made;
}

Value* sizeOf(Emitter& emitter, const Instruction& i, int) {
  const TypedValue place = pointer(emitter, i, 0);
  const Types& types = emitter.reader.types;
  i.require(emitter.type(i)->isIntegerTy(), "has a result that is no integer");
  llvm::Type* type = types.memoryType(types.pointee(place.type, i), i);
  return llvm::ConstantInt::get(
      emitter.type(i),
      emitter.reader.module.getDataLayout().getTypeAllocSize(type).getFixedValue());
}

/// The runtime gives no value to know the lifetime of a variable by.
Value* nothing(Emitter&, const Instruction&, int) { return nullptr; }

Value* undefined(Emitter& emitter, const Instruction& i, int) {
  llvm::Type* type = emitter.type(i);
  i.require(!type->isVoidTy(), "has no type of a value");
  return llvm::UndefValue::get(type);
}

constexpr Row kRows[] = {
    {SpvOpLoad, load},
    {SpvOpStore, store},
    {SpvOpCopyMemory, copy, 0},
    {SpvOpCopyMemorySized, copy, 1},
    {SpvOpAccessChain, accessChain, Plain},
    {SpvOpInBoundsAccessChain, accessChain, InBounds},
    {SpvOpPtrAccessChain, accessChain, Element},
    {SpvOpInBoundsPtrAccessChain, accessChain, Element | InBounds},
    {SpvOpPtrEqual, comparePointers, 1},
    {SpvOpPtrNotEqual, comparePointers, 0},
    {SpvOpPtrDiff, pointerDifference},
    {SpvOpSizeOf, sizeOf},
    {SpvOpVariable, variable},
    {SpvOpLifetimeStart, nothing},
    {SpvOpLifetimeStop, nothing},
    {SpvOpUndef, undefined},
};

}  // namespace

std::span<const Row> memoryRows() { return kRows; }

}  // namespace weft::compiler::spirv
