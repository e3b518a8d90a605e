// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operations of sub-groups, where these are the lanes: those take part that are active.
#include <llvm/Analysis/ValueTracking.h>

#include "ir/names.h"
#include "ir/sub_groups.h"
#include "lanes/loop_widener.h"
#include "lanes/permute_lanes.h"

namespace weft::compiler {

using namespace llvm;
using Kind = SubGroupOperation::Kind;

bool LoopWidener::emitSubGroup(Instruction& instruction) {
  if (isCallOf(instruction, names::kSubGroupLane)) {  // steps from 0
    define(instruction, builder_.getInt32(0));
    return true;
  }
  if (isCallOf(instruction, names::kSubGroupNumber)) {
    Value* linear = cast<CallInst>(instruction).getArgOperand(0);
    Value* first = plan_.shapes.of(linear).isVarying()
                       ? builder_.CreateExtractElement(partOf(linear, 0), uint64_t{0})
                       : scalarOf(linear);
    define(instruction, builder_.CreateTrunc(builder_.CreateLShr(first, Log2_32(plan_.width)),
                                             builder_.getInt32Ty()));
    return true;
  }
  const auto operation = subGroupOperation(instruction);
  if (!operation) return false;
  assert(function_.hasFnAttribute(names::kSubGroupLanesAttribute) && "lanes are sub-groups");
  emitOperation(cast<CallInst>(instruction), *operation);
  return true;
}

void LoopWidener::emitOperation(CallInst& call, const SubGroupOperation& operation) {
  if (operation.kind == Kind::Barrier) return;  // the lanes are together
  SubGroupCode code(builder_, plan_.width);
  Value* lanes = partOf(call.getArgOperand(0), 0);
  auto argument = [&] { return call.getArgOperand(1); };
  switch (operation.kind) {
    case Kind::Ballot:
      return define(call, code.bits(code_.both(mask_, builder_.CreateIsNotNull(lanes))));
    case Kind::Broadcast:
      return define(call, broadcast(lanes, anyActive(argument())));
    case Kind::Shuffle:
      return define(call, ArrayRef<Value*>(permute(lanes, partOf(argument(), 0))));
    case Kind::Cluster:
      return define(call,
                    ArrayRef<Value*>(code.combine(operation, lanes, mask_, anyActive(argument()))));
    case Kind::Reduce:
      return define(call, code.combine(operation, lanes, mask_, nullptr));
    default:
      return define(call, ArrayRef<Value*>(code.combine(operation, lanes, mask_, nullptr)));
  }
}

/// What is known stays known.
Value* LoopWidener::frozen(Value* value) {
  return isGuaranteedNotToBePoison(value) ? value : builder_.CreateFreeze(value);
}

/// A number that the active lanes have in common; anything but poison where there are none.
Value* LoopWidener::anyActive(Value* number) {
  if (plan_.shapes.of(number).isUniform()) return frozen(scalarOf(number));
  Value* bits = code_.bits(mask_);
  Value* lane =
      builder_.CreateIntrinsic(Intrinsic::cttz, {bits->getType()}, {bits, builder_.getFalse()});
  lane = builder_.CreateAnd(lane, ConstantInt::get(bits->getType(), plan_.width - 1));
  return builder_.CreateFreeze(builder_.CreateExtractElement(partOf(number, 0), lane));
}

/// What lanes bring along who are active, and zeros of the others.
Value* LoopWidener::ofActive(Value* lanes) {
  return builder_.CreateSelect(mask_, lanes, Constant::getNullValue(lanes->getType()));
}

/// The value of the lane that is named, modulo their number, or zero where that is idle.
Value* LoopWidener::broadcast(Value* lanes, Value* place) {
  lanes = ofActive(lanes);
  place = builder_.CreateAnd(place, plan_.width - 1);
  Value* moved = isa<Constant>(place) ? nullptr : permuteLanes(builder_, lanes, code_.splat(place));
  return moved ? builder_.CreateExtractElement(moved, uint64_t{0})
               : builder_.CreateExtractElement(lanes, place);
}

/// Each lane's value is that of another, modulo the number of lanes, or zero where that is idle.
Value* LoopWidener::permute(Value* lanes, Value* places) {
  lanes = ofActive(lanes);
  Value* last = code_.splat(ConstantInt::get(places->getType()->getScalarType(), plan_.width - 1));
  places = builder_.CreateAnd(frozen(places), last);
  if (auto* known = dyn_cast<Constant>(places)) {
    SmallVector<int> numbers;
    for (unsigned i = 0; i < plan_.width; ++i)
      numbers.push_back(
          static_cast<int>(cast<ConstantInt>(known->getAggregateElement(i))->getZExtValue()));
    return builder_.CreateShuffleVector(lanes, numbers);
  }
  Value* moved = permuteLanes(builder_, lanes, places);
  return moved ? moved : throughMemory(lanes, places);
}

/// For hosts without an instruction that has lanes name each other.
Value* LoopWidener::throughMemory(Value* lanes, Value* places) {
  IRBuilder<> entry(&*function_.getEntryBlock().begin());
  AllocaInst* kept = entry.CreateAlloca(lanes->getType(), nullptr, "shuffled");
  builder_.CreateStore(lanes, kept);
  Type* element = lanes->getType()->getScalarType();
  Value* addresses = builder_.CreateInBoundsGEP(
      element, kept, builder_.CreateZExt(places, code_.vectorOf(builder_.getInt64Ty())));
  return builder_.CreateMaskedGather(lanes->getType(), addresses,
                                     Align(element->getScalarSizeInBits() / 8), code_.fullMask());
}

}  // namespace weft::compiler
