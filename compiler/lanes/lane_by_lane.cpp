// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What cannot be widened runs for one active lane after the other.
#include <llvm/Analysis/VectorUtils.h>

#include "analysis/update_loops.h"
#include "base/tuning.h"
#include "ir/host_target.h"
#include "ir/item_loops.h"
#include "ir/loop_marks.h"
#include "ir/names.h"
#include "lanes/loop_widener.h"
#include "lanes/loop_work.h"
#include "lanes/outline_updates.h"

namespace weft::compiler {

using namespace llvm;

/// Keeps the lanes of `value` in memory, where one of them can be asked for by its number.
LoopWidener::LaneOperand LoopWidener::spill(Value* value) {
  LaneOperand operand{value, {}};
  if (!plan_.shapes.of(value).isVarying()) return operand;
  for (Value* part : partsOf(value)) {
    Type* element = ItemLoops::typeInMemory(part->getType()->getScalarType());
    Type* type = code_.vectorOf(element);
    IRBuilder<> entry(&*function_.getEntryBlock().begin());
    AllocaInst* variable = entry.CreateAlloca(type, nullptr, "lanes");
    builder_.CreateStore(builder_.CreateZExtOrBitCast(part, type), variable);
    operand.variables.push_back(variable);
  }
  return operand;
}

/// What the operand is in `lane`, an i64.
Value* LoopWidener::inLane(const LaneOperand& operand, Value* lane) {
  const LaneShape shape = plan_.shapes.of(operand.value);
  if (shape.isUniform()) return scalarOf(operand.value);
  if (!shape.isVarying()) {
    Value* first = scalarOf(operand.value);
    if (first->getType()->isPointerTy())
      return builder_.CreateGEP(builder_.getInt8Ty(), first,
                                builder_.CreateMul(lane, builder_.getInt64(shape.stride)));
    Value* step = builder_.CreateMul(builder_.CreateZExtOrTrunc(lane, first->getType()),
                                     ConstantInt::get(first->getType(), shape.stride, true));
    return builder_.CreateAdd(first, step);
  }
  const auto types = componentsOf(operand.value->getType());
  Parts components;
  for (unsigned i = 0; i < types.size(); ++i) {
    Type* element = ItemLoops::typeInMemory(types[i]);
    Value* address = builder_.CreateInBoundsGEP(element, operand.variables[i], lane);
    Value* loaded = builder_.CreateLoad(element, address);
    components.push_back(element == types[i] ? loaded : builder_.CreateTrunc(loaded, types[i]));
  }
  return assemble(operand.value->getType(), components);
}

bool LoopWidener::keepItemField(const StoreInst& store) {
  APInt offset(64, 0);
  auto* item = dyn_cast<AllocaInst>(const_cast<Value*>(
      store.getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true)));
  if (!item || !names::isItem(*item)) return false;
  itemFields_[offset.getSExtValue()] = {item, offset.getSExtValue(),
                                        const_cast<Value*>(store.getValueOperand())};
  return true;
}

void LoopWidener::writeItem(const ItemField& field, Value* value) {
  builder_.CreateAlignedStore(
      value, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), field.item, field.offset),
      Align(8));
}

/// Of a call that takes the work-item, the fields that differ from lane to lane; the others are
/// written here.
SmallVector<LoopWidener::ItemField> LoopWidener::varyingItemFields(const Instruction& instruction) {
  SmallVector<ItemField> varying;
  for (const auto& [offset, field] : itemFields_) {
    if (!is_contained(instruction.operand_values(), field.item)) continue;
    if (plan_.shapes.of(field.value).isUniform())
      writeItem(field, scalarOf(field.value));
    else
      varying.push_back(field);
  }
  return varying;
}

constexpr unsigned kWordBits = 64;

/// An atomic operation on local memory, which becomes a load and a store.
static bool isLocalAtomic(const Instruction& instruction) {
  const auto* operation = dyn_cast<AtomicRMWInst>(&instruction);
  const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
  return (operation && operation->getPointerAddressSpace() == names::kLocal) ||
         (exchange && exchange->getPointerAddressSpace() == names::kLocal);
}

/// Whether a vector, or a number of a lane, has been read from memory or converted from floats, and
/// at most computed with at its own size since.
static bool hasOwnSize(const Value* lanes, unsigned depth = 0) {
  constexpr unsigned kMostDepth = 8;
  if (depth >= kMostDepth) return false;
  if (const auto* intrinsic = dyn_cast<MinMaxIntrinsic>(lanes))
    return hasOwnSize(intrinsic->getLHS(), depth + 1) && hasOwnSize(intrinsic->getRHS(), depth + 1);
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(lanes))
    return intrinsic->getIntrinsicID() == Intrinsic::masked_load;
  if (isa<LoadInst, ConstantData, Argument, FPToSIInst>(lanes) || getSplatValue(lanes)) return true;
  const auto* operation = dyn_cast<BinaryOperator>(lanes);
  return operation && hasOwnSize(operation->getOperand(0), depth + 1) &&
         hasOwnSize(operation->getOperand(1), depth + 1);
}

/// The small numbers that `extended` extends, where lanes of them can be cut out of words: not
/// where they may themselves be extended, since LLVM 19 takes the upper half of such a word for
/// zeros, and drops the mask where it makes an address of it.
static Value* numbersInWords(const ZExtInst& extended, unsigned width) {
  Value* small = extended.getOperand(0);
  const unsigned bits = small->getType()->getScalarSizeInBits();
  const bool fits = bits >= 8 && bits < kWordBits && kWordBits % bits == 0;
  return hasOwnSize(small) && fits && width * bits % kWordBits == 0 ? small : nullptr;
}

bool comesInWords(const AtomicRMWInst& count, const LaneShapes& shapes) {
  const auto* address = dyn_cast<GetElementPtrInst>(count.getPointerOperand());
  if (!address || shapes.of(count.getValOperand()).isVarying()) return false;
  return all_of(address->indices(), [&](const Value* index) {
    const auto* extended = dyn_cast<ZExtInst>(index);
    return !shapes.of(index).isVarying() ||
           (extended && numbersInWords(*extended, tuning::kMostLanes));
  });
}

/// Whether takeLane cuts the lanes of `lanes` out of words.
static bool isInWords(const Value* lanes, unsigned width) {
  if (!lanes->getType()->isVectorTy()) return true;
  if (const auto* extended = dyn_cast<ZExtInst>(lanes))
    return numbersInWords(*extended, width) != nullptr;
  return isa<GetElementPtrInst>(lanes) &&
         all_of(cast<User>(lanes)->operands(),
                [&](const Value* operand) { return isInWords(operand, width); });
}

/// Lane `lane` of a vector. An address is put together from the lane's index, and a small number
/// that is extended here is cut out of a word: taking lanes out of vectors one by one, and
/// leaving them in memory to be read from there, both take longer.
Value* LoopWidener::takeLane(Value* lanes, unsigned lane) {
  if (!lanes->getType()->isVectorTy()) return lanes;
  if (auto* address = dyn_cast<GetElementPtrInst>(lanes)) {
    SmallVector<Value*> indices;
    for (Value* index : address->indices()) indices.push_back(takeLane(index, lane));
    return builder_.CreateGEP(address->getSourceElementType(),
                              takeLane(address->getPointerOperand(), lane), indices, "",
                              address->getNoWrapFlags());
  }
  if (auto* scaled = dyn_cast<BinaryOperator>(lanes);
      scaled &&
      (scaled->getOpcode() == Instruction::Shl || scaled->getOpcode() == Instruction::Mul))
    if (Value* factor = getSplatValue(scaled->getOperand(1));
        factor && isa<ZExtInst, SExtInst>(scaled->getOperand(0)))
      return builder_.CreateBinOp(scaled->getOpcode(), takeLane(scaled->getOperand(0), lane),
                                  factor);
  if (auto* extended = dyn_cast<ZExtInst>(lanes))
    if (Value* small = numbersInWords(*extended, plan_.width)) {
      const unsigned bits = small->getType()->getScalarSizeInBits();
      auto* words = FixedVectorType::get(builder_.getInt64Ty(), plan_.width * bits / kWordBits);
      Value* word = builder_.CreateExtractElement(builder_.CreateBitCast(small, words),
                                                  lane * bits / kWordBits);
      word = builder_.CreateLShr(word, lane * bits % kWordBits);
      word = builder_.CreateAnd(word, maskTrailingOnes<uint64_t>(bits));
      return builder_.CreateZExtOrTrunc(word, lanes->getType()->getScalarType());
    }
  return builder_.CreateExtractElement(lanes, lane);
}

/// Addresses that have one pointer for all lanes and several offsets of each: as that pointer and a
/// sum. Vectors of sums take fewer instructions than several numbers taken out of vectors for each
/// lane. Other addresses as they are.
Value* LoopWidener::joinOffsets(Value* lanes) {
  if (isInWords(lanes, plan_.width)) return lanes;
  Value* sum = nullptr;
  SmallVector<std::pair<Type*, Value*>> ofAll;
  unsigned offsets = 0;
  Value* base = lanes;
  while (auto* address = dyn_cast<GetElementPtrInst>(base)) {
    if (!address->getType()->isVectorTy() || address->getNumIndices() != 1) break;
    Value* index = *address->idx_begin();
    Type* type = address->getSourceElementType();
    base = address->getPointerOperand();
    if (!index->getType()->isVectorTy()) {
      ofAll.emplace_back(type, index);
      continue;
    }
    Value* bytes = builder_.CreateSExtOrTrunc(index, code_.vectorOf(builder_.getInt64Ty()));
    if (const uint64_t size = layout_.getTypeAllocSize(type).getFixedValue(); size != 1)
      bytes = builder_.CreateMul(bytes, code_.splat(builder_.getInt64(size)));
    sum = sum ? builder_.CreateAdd(sum, bytes) : bytes;
    ++offsets;
  }
  if (base->getType()->isVectorTy()) base = getSplatValue(base);
  if (!base || offsets < 2) return lanes;
  for (const auto& [type, index] : ofAll) base = builder_.CreateGEP(type, base, index);
  return builder_.CreateGEP(builder_.getInt8Ty(), base, sum);
}

/// `value` in a lane that is known by its number.
Value* LoopWidener::inLaneNumber(Value* value, unsigned lane) {
  if (!plan_.shapes.of(value).isVarying()) return inLane({value, {}}, builder_.getInt64(lane));
  Parts components;
  for (Value* part : partsOf(value)) components.push_back(takeLane(part, lane));
  return assemble(value->getType(), components);
}

/// Where lanes update global memory all over the place, atomically: a locked instruction waits for
/// its line of the cache, and what comes after it waits for that one. Null for other instructions,
/// minima and maxima among them, which seldom write.
Value* LoopWidener::placeToOwn(const Instruction& instruction) const {
  const Value* place = updatedPlace(instruction);
  const auto* update = dyn_cast<AtomicRMWInst>(&instruction);
  const bool isRare = update && seldomChanges(*update);
  return place && !isRare && place->getType()->getPointerAddressSpace() == names::kGlobal &&
                 plan_.shapes.of(place).isVarying() && hostHas("+prfchw")
             ? const_cast<Value*>(place)
             : nullptr;
}

/// The same without a loop, for few lanes that are all active.
void LoopWidener::emitUnrolled(Instruction& instruction) {
  Parts results;
  if (!instruction.getType()->isVoidTy())
    for (Type* type : componentsOf(instruction.getType()))
      results.push_back(PoisonValue::get(code_.vectorOf(type)));
  const auto fields = varyingItemFields(instruction);
  if (Value* place = placeToOwn(instruction))
    for (unsigned lane = 0; lane < plan_.width; ++lane)
      fetchLine(*inLaneNumber(place, lane), /*forWriting=*/true);
  for (unsigned lane = 0; lane < plan_.width; ++lane) {
    Instruction* copy = instruction.clone();
    for (Use& use : copy->operands()) use.set(inLaneNumber(use.get(), lane));
    for (const ItemField& field : fields) writeItem(field, inLaneNumber(field.value, lane));
    builder_.Insert(copy);
    for (unsigned i = 0; i < results.size(); ++i)
      results[i] = builder_.CreateInsertElement(results[i], component(copy, i), lane);
  }
  if (!results.empty()) define(instruction, results);
}

/// Has LLVM copy the body of a loop over lanes a few times, never for all of them.
static void keepInPieces(Instruction& branch) {
  LLVMContext& context = branch.getContext();
  nameLoop(branch, {loopFact(context, kVectorizedLoop, 1),
                    loopFact(context, "llvm.loop.unroll.count", tuning::kUnrolledLocalAtomics)});
}

/// Counts through lanes that are all active.
void LoopWidener::forAllLanes(function_ref<void(Value*)> body) {
  BasicBlock* before = builder_.GetInsertBlock();
  BasicBlock* begin = newBlock("lane");
  BasicBlock* after = newBlock("lanes.end");
  builder_.CreateBr(begin);
  builder_.SetInsertPoint(begin);
  PHINode* lane = builder_.CreatePHI(builder_.getInt64Ty(), 2, "lane");
  body(lane);
  Value* next = builder_.CreateAdd(lane, builder_.getInt64(1), "", /*NUW=*/true, /*NSW=*/true);
  lane->addIncoming(builder_.getInt64(0), before);
  lane->addIncoming(next, builder_.GetInsertBlock());
  Instruction* end = builder_.CreateCondBr(
      builder_.CreateICmpNE(next, builder_.getInt64(plan_.width)), begin, after);
  keepInPieces(*end);
  builder_.SetInsertPoint(after);
}

/// Goes from one bit that is set in the mask to the next.
void LoopWidener::forEachLane(Value* mask, function_ref<void(Value*)> body) {
  Value* all = code_.bits(mask);
  Type* bits = all->getType();
  BasicBlock* before = builder_.GetInsertBlock();
  BasicBlock* begin = newBlock("lane");
  BasicBlock* after = newBlock("lanes.end");
  builder_.CreateCondBr(code_.any(mask), begin, after);
  builder_.SetInsertPoint(begin);
  PHINode* left = builder_.CreatePHI(bits, 2);
  Value* lane = builder_.CreateZExtOrTrunc(
      builder_.CreateIntrinsic(Intrinsic::cttz, {bits}, {left, builder_.getTrue()}),
      builder_.getInt64Ty(), "lane");
  body(lane);
  Value* others = builder_.CreateAnd(left, builder_.CreateSub(left, ConstantInt::get(bits, 1)));
  left->addIncoming(all, before);
  left->addIncoming(others, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateICmpNE(others, ConstantInt::get(bits, 0)), begin, after);
  builder_.SetInsertPoint(after);
}

/// Up to how many lanes the loop that runs one lane after the other is unrolled.
unsigned LoopWidener::lanesToUnroll(const Instruction& instruction) {
  if (isCount(instruction) && all_of(instruction.operands(), [&](const Value* operand) {
        return !plan_.shapes.of(operand).isVarying() ||
               all_of(partsOf(const_cast<Value*>(operand)),
                      [&](const Value* part) { return isInWords(part, plan_.width); });
      }))
    return tuning::kUnrolledCounts;
  return isLocalAtomic(instruction) ? tuning::kUnrolledLocalAtomics : tuning::kUnrolledLanes;
}

void LoopWidener::emitLaneByLane(Instruction& instruction) {
  noteLaneByLane(instruction);
  if (LaneCode::isFull(mask_) && plan_.width <= lanesToUnroll(instruction))
    return emitUnrolled(instruction);
  SmallVector<LaneOperand> operands;
  for (Value* operand : instruction.operands()) operands.push_back(spill(operand));
  const auto fields = varyingItemFields(instruction);
  SmallVector<LaneOperand> fieldOperands;
  for (const ItemField& field : fields) fieldOperands.push_back(spill(field.value));
  SmallVector<AllocaInst*> results;
  const bool hasResult = !instruction.use_empty();
  if (hasResult)
    for (Type* type : componentsOf(instruction.getType())) {
      Type* vector = code_.vectorOf(ItemLoops::typeInMemory(type));
      IRBuilder<> entry(&*function_.getEntryBlock().begin());
      results.push_back(entry.CreateAlloca(vector, nullptr, "lanes"));
      // Idle lanes have a value too.
      builder_.CreateStore(Constant::getNullValue(vector), results.back());
    }

  auto inOneLane = [&](Value* lane) {
    Instruction* copy = instruction.clone();
    for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, inLane(operands[i], lane));
    for (unsigned i = 0; i < fields.size(); ++i)
      writeItem(fields[i], inLane(fieldOperands[i], lane));
    builder_.Insert(copy);
    for (unsigned i = 0; i < results.size(); ++i) {
      Type* element = results[i]->getAllocatedType()->getScalarType();
      Value* value = builder_.CreateZExtOrBitCast(component(copy, i), element);
      builder_.CreateStore(value, builder_.CreateInBoundsGEP(element, results[i], lane));
    }
  };
  const auto inLanes = [&](function_ref<void(Value*)> body) {
    if (LaneCode::isFull(mask_))
      forAllLanes(body);
    else
      forEachLane(mask_, body);
  };
  if (Value* place = placeToOwn(instruction)) {
    const auto* operand =
        find_if(operands, [&](const LaneOperand& other) { return other.value == place; });
    inLanes([&](Value* lane) { fetchLine(*inLane(*operand, lane), /*forWriting=*/true); });
  }
  inLanes(inOneLane);
  if (!hasResult) return;
  Parts parts;
  const auto types = componentsOf(instruction.getType());
  for (unsigned i = 0; i < results.size(); ++i) {
    Value* lanes = builder_.CreateLoad(results[i]->getAllocatedType(), results[i]);
    const bool isWide = lanes->getType()->getScalarType() != types[i];
    parts.push_back(isWide ? builder_.CreateTrunc(lanes, code_.vectorOf(types[i])) : lanes);
  }
  define(instruction, parts);
}

}  // namespace weft::compiler
