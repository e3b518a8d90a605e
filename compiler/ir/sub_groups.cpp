// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/sub_groups.h"

#include <llvm/ADT/StringSwitch.h>

#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;
using Kind = SubGroupOperation::Kind;
using Combination = SubGroupOperation::Combination;

std::optional<Combination> combinationOf(StringRef name) {
  return StringSwitch<std::optional<Combination>>(name)
      .Case("add", Combination::Add)
      .Case("mul", Combination::Mul)
      .Case("min", Combination::Min)
      .Case("max", Combination::Max)
      .Case("umin", Combination::UMin)
      .Case("umax", Combination::UMax)
      .Case("and", Combination::And)
      .Case("or", Combination::Or)
      .Case("xor", Combination::Xor)
      .Case("fadd", Combination::FAdd)
      .Case("fmul", Combination::FMul)
      .Case("fmin", Combination::FMin)
      .Case("fmax", Combination::FMax)
      .Default(std::nullopt);
}

/// What changes nothing. Zeros of sums of numbers are negative: positive ones would hide those of
/// the items. What stands before the first item of a scan is a positive one.
Constant* neutralOf(Combination combination, Type* type, bool isExclusive) {
  const unsigned bits = type->getScalarSizeInBits();
  switch (combination) {
    case Combination::Mul:
      return ConstantInt::get(type, 1);
    case Combination::Min:
      return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
    case Combination::Max:
      return ConstantInt::get(type, APInt::getSignedMinValue(bits));
    case Combination::UMin:
    case Combination::And:
      return ConstantInt::get(type, APInt::getMaxValue(bits));
    case Combination::FAdd:
      return isExclusive ? ConstantFP::getZero(type) : ConstantFP::getNegativeZero(type);
    case Combination::FMul:
      return ConstantFP::get(type, 1.0);
    case Combination::FMin:
      return ConstantFP::getInfinity(type);
    case Combination::FMax:
      return ConstantFP::getInfinity(type, /*Negative=*/true);
    default:
      return Constant::getNullValue(type);
  }
}

}  // namespace

std::optional<SubGroupOperation> subGroupOperation(const Value& value) {
  const auto* call = dyn_cast<CallBase>(&value);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee) return std::nullopt;
  StringRef name = callee->getName();
  if (!name.consume_front(names::kSubGroupPrefix)) return std::nullopt;
  const auto [kindName, rest] = name.split('_');
  const auto kind = StringSwitch<std::optional<Kind>>(kindName)
                        .Case("barrier", Kind::Barrier)
                        .Case("ballot", Kind::Ballot)
                        .Case("shuffle", Kind::Shuffle)
                        .Case("broadcast", Kind::Broadcast)
                        .Case("reduce", Kind::Reduce)
                        .Case("cluster", Kind::Cluster)
                        .Case("inclusive", Kind::Inclusive)
                        .Case("exclusive", Kind::Exclusive)
                        .Default(std::nullopt);
  if (!kind) return std::nullopt;
  if (*kind < Kind::Reduce) return SubGroupOperation{*kind};
  const auto combination = combinationOf(rest.split('_').first);
  if (!combination) return std::nullopt;
  return SubGroupOperation{*kind, *combination};
}

bool isUniformInSubGroup(const Value& value) {
  const auto operation = subGroupOperation(value);
  return operation && operation->isUniform();
}

Function* subGroupFunction(Module& module, StringRef name) {
  LLVMContext& context = module.getContext();
  FunctionCallee callee =
      module.getOrInsertFunction(name, Type::getInt32Ty(context), Type::getInt64Ty(context));
  auto* function = cast<Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(Attribute::Speculatable);
  return function;
}

bool isCallOf(const Value& value, StringRef name) {
  const auto* call = dyn_cast<CallBase>(&value);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == name;
}

Value* SubGroupCode::bits(Value* mask) {
  Value* bits = builder_.CreateBitCast(mask, builder_.getIntNTy(size_));
  return builder_.CreateZExt(bits, builder_.getInt64Ty());
}

Value* SubGroupCode::combine(const SubGroupOperation& operation, Value* lanes, Value* active,
                             Value* argument) {
  const bool isExclusive = operation.kind == Kind::Exclusive;
  Constant* neutral =
      neutralOf(operation.combination, lanes->getType()->getScalarType(), isExclusive);
  lanes = builder_.CreateSelect(active, lanes,
                                ConstantVector::getSplat(ElementCount::getFixed(size_), neutral));
  switch (operation.kind) {
    case Kind::Reduce:
      return reduce(operation.combination, lanes);
    case Kind::Cluster:
      return clusters(operation.combination, lanes, argument);
    case Kind::Exclusive:
      lanes = moveUp(lanes, 1, neutral);
      [[fallthrough]];
    default:
      return scan(operation.combination, lanes, neutral);
  }
}

/// The one before is `first`, which tells between zeros of different signs.
Value* SubGroupCode::pair(Combination combination, Value* first, Value* second) {
  auto chosen = [&](CmpInst::Predicate predicate) {
    Value* number =
        builder_.CreateSelect(builder_.CreateFCmp(predicate, first, second), first, second);
    return builder_.CreateSelect(builder_.CreateFCmpUNO(second, second), first, number);
  };
  switch (combination) {
    case Combination::Add:
      return builder_.CreateAdd(first, second);
    case Combination::Mul:
      return builder_.CreateMul(first, second);
    case Combination::Min:
      return builder_.CreateBinaryIntrinsic(Intrinsic::smin, first, second);
    case Combination::Max:
      return builder_.CreateBinaryIntrinsic(Intrinsic::smax, first, second);
    case Combination::UMin:
      return builder_.CreateBinaryIntrinsic(Intrinsic::umin, first, second);
    case Combination::UMax:
      return builder_.CreateBinaryIntrinsic(Intrinsic::umax, first, second);
    case Combination::And:
      return builder_.CreateAnd(first, second);
    case Combination::Or:
      return builder_.CreateOr(first, second);
    case Combination::Xor:
      return builder_.CreateXor(first, second);
    case Combination::FAdd:
      return builder_.CreateFAdd(first, second);
    case Combination::FMul:
      return builder_.CreateFMul(first, second);
    case Combination::FMin:
      return chosen(CmpInst::FCMP_OLT);
    case Combination::FMax:
      return chosen(CmpInst::FCMP_OGT);
    case Combination::None:
      break;
  }
  llvm_unreachable("an operation that combines nothing");
}

Value* SubGroupCode::reduce(Combination combination, Value* lanes) {
  for (unsigned half = size_ / 2; half >= 1; half /= 2) {
    SmallVector<int> low(half), high(half);
    for (unsigned i = 0; i < half; ++i) {
      low[i] = static_cast<int>(i);
      high[i] = static_cast<int>(i + half);
    }
    lanes = pair(combination, builder_.CreateShuffleVector(lanes, low),
                 builder_.CreateShuffleVector(lanes, high));
  }
  return builder_.CreateExtractElement(lanes, uint64_t{0});
}

Value* SubGroupCode::clusters(Combination combination, Value* lanes, Value* clusterSize) {
  for (unsigned distance = size_ / 2; distance >= 1; distance /= 2) {
    SmallVector<int> low(size_), high(size_);
    for (unsigned i = 0; i < size_; ++i) {
      low[i] = static_cast<int>(i & ~distance);
      high[i] = static_cast<int>(i | distance);
    }
    Value* isWithin =
        builder_.CreateICmpUGT(clusterSize, ConstantInt::get(clusterSize->getType(), distance));
    if (const auto* known = dyn_cast<ConstantInt>(isWithin); known && known->isZero()) continue;
    lanes = builder_.CreateSelect(isWithin,
                                  pair(combination, builder_.CreateShuffleVector(lanes, low),
                                       builder_.CreateShuffleVector(lanes, high)),
                                  lanes);
  }
  return lanes;
}

Value* SubGroupCode::scan(Combination combination, Value* lanes, Constant* neutral) {
  for (unsigned distance = 1; distance < size_; distance *= 2)
    lanes = pair(combination, moveUp(lanes, distance, neutral), lanes);
  return lanes;
}

Value* SubGroupCode::moveUp(Value* lanes, unsigned distance, Constant* neutral) {
  SmallVector<int> places(size_);
  for (unsigned i = 0; i < size_; ++i)
    places[i] = static_cast<int>(i < distance ? size_ : i - distance);
  return builder_.CreateShuffleVector(
      lanes, ConstantVector::getSplat(ElementCount::getFixed(size_), neutral), places);
}

}  // namespace weft::compiler
