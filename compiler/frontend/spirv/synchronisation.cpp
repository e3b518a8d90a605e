// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Atomics, fences and barriers: the calls that the library makes for those of OpenCL C
// (builtins/include/weft_internal.h), so that passes see the same.
#include <llvm/IR/Constants.h>

#include "frontend/spirv/mangle.h"
#include "frontend/spirv/reader.h"
#include "ir/names.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Value;

constexpr uint64_t kWorkGroupScope = 1;
constexpr uint64_t kSubGroupScope = 4;

/// memory_scope of the language.
uint64_t scopeOf(Emitter& emitter, const Instruction& i, size_t index) {
  switch (emitter.constant(i, index)) {
    case SpvScopeInvocation:
      return 0;
    case SpvScopeWorkgroup:
      return kWorkGroupScope;
    case SpvScopeDevice:
    case SpvScopeQueueFamily:
      return 2;
    case SpvScopeCrossDevice:
      return 3;
    case SpvScopeSubgroup:
      return kSubGroupScope;
    default:
      i.fail("has an unknown scope");
  }
}

/// memory_order of the language.
uint64_t orderOf(uint64_t semantics) {
  if (semantics & SpvMemorySemanticsSequentiallyConsistentMask) return 5;
  const bool acquires = semantics & SpvMemorySemanticsAcquireMask;
  const bool releases = semantics & SpvMemorySemanticsReleaseMask;
  if ((semantics & SpvMemorySemanticsAcquireReleaseMask) || (acquires && releases)) return 4;
  return releases ? 3 : acquires ? 2 : 0;
}

/// cl_mem_fence_flags of the language.
uint64_t flagsOf(uint64_t semantics) {
  uint64_t flags = 0;
  if (semantics & (SpvMemorySemanticsWorkgroupMemoryMask | SpvMemorySemanticsSubgroupMemoryMask))
    flags |= 1;
  if (semantics & SpvMemorySemanticsCrossWorkgroupMemoryMask) flags |= 2;
  if (semantics & SpvMemorySemanticsImageMemoryMask) flags |= 4;
  return flags;
}

Value* memoryBarrier(Emitter& emitter, const Instruction& i, int) {
  llvm::IRBuilder<>& b = emitter.builder;
  const auto number = [&](uint64_t value) { return b.getInt32(static_cast<uint32_t>(value)); };
  const uint64_t semantics = emitter.constant(i, 1);
  emitter.call(
      i, names::kFence, b.getVoidTy(),
      {number(flagsOf(semantics)), number(orderOf(semantics)), number(scopeOf(emitter, i, 0))});
  return nullptr;
}

Value* controlBarrier(Emitter& emitter, const Instruction& i, int) {
  llvm::IRBuilder<>& b = emitter.builder;
  const auto number = [&](uint64_t value) { return b.getInt32(static_cast<uint32_t>(value)); };
  const uint64_t execution = scopeOf(emitter, i, 0);
  const uint64_t scope = scopeOf(emitter, i, 1);
  const uint64_t semantics = emitter.constant(i, 2);
  if (execution == kWorkGroupScope) {
    emitter.call(i, names::kBarrier, b.getVoidTy(), {number(flagsOf(semantics)), number(scope)});
  } else if (execution == kSubGroupScope) {
    emitter.call(i, "_Z17sub_group_barrierj12memory_scope", b.getVoidTy(),
                 {number(flagsOf(semantics)), number(scope)});
  } else {
    i.fail("has a scope of execution other than work-group and sub-group");
  }
  return nullptr;
}

/// The name of the type in __weft_atomic_*; integers carry numbers of their width.
std::string atomicSuffix(const Instruction& i, const llvm::Type* type, unsigned space) {
  const unsigned bits = type->getScalarSizeInBits();
  const bool isFloat = type->isHalfTy() || type->isFloatTy() || type->isDoubleTy();
  i.require(isFloat || type->isIntegerTy(32) || type->isIntegerTy(64),
            "is atomic on a type that is not supported");
  return (isFloat ? "_f" : "_i") + std::to_string(bits) + "_as" + std::to_string(space);
}

/// The object's address, in one of the address spaces that atomic functions know.
Value* objectOf(Emitter& emitter, const Instruction& i) {
  Value* pointer = emitter.operand(i, 0);
  i.require(pointer->getType()->isPointerTy(), "has an operand that is no pointer");
  const unsigned space = pointer->getType()->getPointerAddressSpace();
  i.require(space != names::kConstant, "is atomic on constant memory");
  if (space != names::kPrivate) return pointer;
  return emitter.builder.CreateAddrSpaceCast(
      pointer, llvm::PointerType::get(emitter.reader.context, names::kGeneric));
}

Value* atomicCall(Emitter& emitter, const Instruction& i, const char* operation,
                  llvm::Type* valueType, llvm::Type* result, llvm::ArrayRef<Value*> values,
                  llvm::ArrayRef<uint64_t> numbers) {
  llvm::SmallVector<Value*> arguments = {objectOf(emitter, i)};
  for (Value* value : values) {
    i.require(value->getType() == valueType, "has a value of the wrong type");
    arguments.push_back(value);
  }
  for (uint64_t number : numbers)
    arguments.push_back(emitter.builder.getInt32(static_cast<uint32_t>(number)));
  const unsigned space = arguments[0]->getType()->getPointerAddressSpace();
  return emitter.call(i, names::kAtomicPrefix + (operation + atomicSuffix(i, valueType, space)),
                      result, arguments);
}

Value* atomicLoad(Emitter& emitter, const Instruction& i, int) {
  llvm::Type* type = emitter.type(i);
  return atomicCall(emitter, i, "load", type, type, {},
                    {orderOf(emitter.constant(i, 2)), scopeOf(emitter, i, 1)});
}

Value* atomicStore(Emitter& emitter, const Instruction& i, int) {
  Value* value = emitter.operand(i, 3);
  atomicCall(emitter, i, "store", value->getType(), emitter.builder.getVoidTy(), {value},
             {orderOf(emitter.constant(i, 2)), scopeOf(emitter, i, 1)});
  return nullptr;
}

enum Change { Exchange, Add, Sub, And, Or, Xor, Min, Max, UMin, UMax, FAdd, FMin, FMax };
constexpr const char* kChanges[] = {"exchange", "add",  "sub",  "and",  "or",   "xor", "min",
                                    "max",      "umin", "umax", "fadd", "fmin", "fmax"};

Value* change(Emitter& emitter, const Instruction& i, int which) {
  llvm::Type* type = emitter.type(i);
  const bool needsFloat = which >= FAdd;
  i.require(which == Exchange || type->isFloatingPointTy() == needsFloat,
            "has a result of the wrong type");
  return atomicCall(emitter, i, kChanges[which], type, type, {emitter.operand(i, 3)},
                    {orderOf(emitter.constant(i, 2)), scopeOf(emitter, i, 1)});
}

Value* step(Emitter& emitter, const Instruction& i, int which) {
  llvm::Type* type = emitter.type(i);
  i.require(type->isIntegerTy(), "has a result of the wrong type");
  return atomicCall(emitter, i, kChanges[which], type, type, {llvm::ConstantInt::get(type, 1)},
                    {orderOf(emitter.constant(i, 2)), scopeOf(emitter, i, 1)});
}

Value* compareExchange(Emitter& emitter, const Instruction& i, int) {
  llvm::Type* type = emitter.type(i);
  i.require(type->isIntegerTy(), "has a result of the wrong type");
  return atomicCall(
      emitter, i, "cmpxchg", type, type, {emitter.operand(i, 5), emitter.operand(i, 4)},
      {orderOf(emitter.constant(i, 2)), orderOf(emitter.constant(i, 3)), scopeOf(emitter, i, 1)});
}

Value* flagTestAndSet(Emitter& emitter, const Instruction& i, int) {
  llvm::IRBuilder<>& b = emitter.builder;
  Value* old = atomicCall(emitter, i, "exchange", b.getInt32Ty(), b.getInt32Ty(), {b.getInt32(1)},
                          {orderOf(emitter.constant(i, 2)), scopeOf(emitter, i, 1)});
  return b.CreateICmpNE(old, b.getInt32(0));
}

Value* flagClear(Emitter& emitter, const Instruction& i, int) {
  llvm::IRBuilder<>& b = emitter.builder;
  atomicCall(emitter, i, "store", b.getInt32Ty(), b.getVoidTy(), {b.getInt32(0)},
             {orderOf(emitter.constant(i, 2)), scopeOf(emitter, i, 1)});
  return nullptr;
}

Value* readClock(Emitter& emitter, const Instruction& i, int) {
  llvm::IRBuilder<>& b = emitter.builder;
  const uint64_t scope = emitter.constant(i, 0);
  const char* const level = scope == SpvScopeDevice      ? "device"
                            : scope == SpvScopeWorkgroup ? "work_group"
                            : scope == SpvScopeSubgroup  ? "sub_group"
                                                         : nullptr;
  i.require(level != nullptr, "has a scope other than device, work-group and sub-group");
  llvm::Type* type = emitter.type(i);
  const bool isPair = type == llvm::FixedVectorType::get(b.getInt32Ty(), 2);
  i.require(isPair || type->isIntegerTy(64), "has a result of the wrong type");
  const std::string name = std::string(isPair ? "clock_read_hilo_" : "clock_read_") + level;
  return emitter.call(i, mangledName(name, {}), type, {});
}

constexpr Row kRows[] = {
    {SpvOpControlBarrier, controlBarrier},
    {SpvOpMemoryBarrier, memoryBarrier},
    {SpvOpAtomicLoad, atomicLoad},
    {SpvOpAtomicStore, atomicStore},
    {SpvOpAtomicExchange, change, Exchange},
    {SpvOpAtomicCompareExchange, compareExchange},
    {SpvOpAtomicCompareExchangeWeak, compareExchange},
    {SpvOpAtomicIIncrement, step, Add},
    {SpvOpAtomicIDecrement, step, Sub},
    {SpvOpAtomicIAdd, change, Add},
    {SpvOpAtomicISub, change, Sub},
    {SpvOpAtomicSMin, change, Min},
    {SpvOpAtomicUMin, change, UMin},
    {SpvOpAtomicSMax, change, Max},
    {SpvOpAtomicUMax, change, UMax},
    {SpvOpAtomicAnd, change, And},
    {SpvOpAtomicOr, change, Or},
    {SpvOpAtomicXor, change, Xor},
    {SpvOpAtomicFAddEXT, change, FAdd},
    {SpvOpAtomicFMinEXT, change, FMin},
    {SpvOpAtomicFMaxEXT, change, FMax},
    {SpvOpAtomicFlagTestAndSet, flagTestAndSet},
    {SpvOpAtomicFlagClear, flagClear},
    {SpvOpReadClockKHR, readClock},
};

}  // namespace

std::span<const Row> synchronisationRows() { return kRows; }

}  // namespace weft::compiler::spirv
