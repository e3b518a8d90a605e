// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Atomic updates of one place by all lanes, counters and sums most of all: one update for all of
/// them, after which each takes from the old value what it would have seen, one lane after the
/// other. What costs is the locked instruction, for which workers wait in turn.
/// And updates of a row of places in local memory, each lane's own: a load, the operation and a
/// store for all of them.
/// And minima and maxima of global memory, which seldom change it: all lanes read their places at
/// once, and only those go on to the update whose results differ.

#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "analysis/update_loops.h"
#include "ir/names.h"
#include "lanes/loop_widener.h"
#include "lanes/loop_work.h"

namespace weft::compiler {

using namespace llvm;

bool isSharedUpdate(const Instruction& instruction, const LaneShapes& shapes) {
  const auto* update = dyn_cast<AtomicRMWInst>(&instruction);
  // Those that order other accesses come one after the other: somebody may see them halfway.
  if (!update || update->getOrdering() != AtomicOrdering::Monotonic || update->isVolatile() ||
      !update->getType()->isIntegerTy() || !shapes.of(update->getPointerOperand()).isUniform())
    return false;
  switch (update->getOperation()) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
      return true;
    case AtomicRMWInst::And:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor:
    case AtomicRMWInst::Min:
    case AtomicRMWInst::Max:
    case AtomicRMWInst::UMin:
    case AtomicRMWInst::UMax:
      return update->use_empty();
    default:
      return false;
  }
}

bool isRowUpdate(const Instruction& instruction, const LaneShapes& shapes) {
  const auto* update = dyn_cast<AtomicRMWInst>(&instruction);
  if (!update || update->isVolatile() || update->getPointerAddressSpace() != names::kLocal)
    return false;
  Type* type = update->getType();
  const LaneShape shape = shapes.of(update->getPointerOperand());
  const auto bytes = static_cast<int64_t>(update->getDataLayout().getTypeAllocSize(type));
  return (type->isIntegerTy() || type->isFloatingPointTy()) && shape.kind == LaneShape::Affine &&
         shape.stride == bytes;
}

bool isReadFirst(const Instruction& instruction, const LaneShapes& shapes) {
  const auto* update = dyn_cast<AtomicRMWInst>(&instruction);
  if (!update || !update->use_empty() || shapes.of(update->getPointerOperand()).isUniform())
    return false;
  const unsigned bits = update->getType()->getScalarSizeInBits();
  if (bits != 32 && bits != 64) return false;
  if (update->getPointerAddressSpace() == names::kLocal)
    // Numbers that go up or down with the work-item change the element each time.
    return update->hasMetadata(names::kSettledUpdate) &&
           shapes.of(update->getValOperand()).kind != LaneShape::Affine;
  return seldomChanges(*update) && update->getPointerAddressSpace() == names::kGlobal &&
         !hasReleases(*update->getModule());
}

namespace {

/// What lanes that are not active take part with.
Constant* neutralOf(AtomicRMWInst::BinOp operation, Type* type) {
  const unsigned bits = type->getIntegerBitWidth();
  switch (operation) {
    case AtomicRMWInst::And:
    case AtomicRMWInst::UMin:
      return ConstantInt::getAllOnesValue(type);
    case AtomicRMWInst::Min:
      return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
    case AtomicRMWInst::Max:
      return ConstantInt::get(type, APInt::getSignedMinValue(bits));
    default:
      return ConstantInt::get(type, 0);
  }
}

Value* reduce(LaneBuilder& builder, AtomicRMWInst::BinOp operation, Value* lanes) {
  switch (operation) {
    case AtomicRMWInst::And:
      return builder.CreateAndReduce(lanes);
    case AtomicRMWInst::Or:
      return builder.CreateOrReduce(lanes);
    case AtomicRMWInst::Xor:
      return builder.CreateXorReduce(lanes);
    case AtomicRMWInst::Min:
      return builder.CreateIntMinReduce(lanes, /*IsSigned=*/true);
    case AtomicRMWInst::Max:
      return builder.CreateIntMaxReduce(lanes, /*IsSigned=*/true);
    case AtomicRMWInst::UMin:
      return builder.CreateIntMinReduce(lanes);
    case AtomicRMWInst::UMax:
      return builder.CreateIntMaxReduce(lanes);
    default:
      return builder.CreateAddReduce(lanes);
  }
}

}  // namespace

/// The sum of each lane and of all before it.
Value* LoopWidener::prefixSums(Value* lanes) {
  Value* none = Constant::getNullValue(lanes->getType());
  for (unsigned distance = 1; distance < plan_.width; distance *= 2) {
    SmallVector<int, 64> from;
    for (unsigned lane = 0; lane < plan_.width; ++lane)
      from.push_back(lane < distance ? int(plan_.width) : int(lane - distance));
    lanes = builder_.CreateAdd(lanes, builder_.CreateShuffleVector(lanes, none, from));
  }
  return lanes;
}

bool LoopWidener::emitSharedUpdate(Instruction& instruction) {
  if (!isSharedUpdate(instruction, plan_.shapes)) return false;
  auto& update = cast<AtomicRMWInst>(instruction);
  const AtomicRMWInst::BinOp operation = update.getOperation();
  const bool isFull = LaneCode::isFull(mask_);
  Value* lanes = partsOf(update.getValOperand()).front();
  if (!isFull)
    lanes =
        builder_.CreateSelect(mask_, lanes, code_.splat(neutralOf(operation, update.getType())));
  Value* total = reduce(builder_, operation, lanes);
  Value* pointer = scalarOf(update.getPointerOperand());

  // Where no lane is active there may be no such place.
  BasicBlock* before = builder_.GetInsertBlock();
  BasicBlock* after = nullptr;
  if (!isFull) {
    BasicBlock* block = newBlock("update");
    after = newBlock("updated");
    builder_.CreateCondBr(code_.any(mask_), block, after);
    builder_.SetInsertPoint(block);
  }
  Instruction* all = update.clone();
  all->setOperand(0, pointer);
  all->setOperand(1, total);
  Value* old = builder_.Insert(all);
  if (!isFull) {
    BasicBlock* block = builder_.GetInsertBlock();
    builder_.CreateBr(after);
    builder_.SetInsertPoint(after);
    PHINode* either = builder_.CreatePHI(update.getType(), 2);
    either->addIncoming(ConstantInt::get(update.getType(), 0), before);
    either->addIncoming(old, block);
    old = either;
  }
  if (update.use_empty()) return true;
  Value* earlier = builder_.CreateSub(prefixSums(lanes), lanes);
  Value* first = code_.splat(old);
  define(update,
         ArrayRef<Value*>(operation == AtomicRMWInst::Add ? builder_.CreateAdd(first, earlier)
                                                          : builder_.CreateSub(first, earlier)));
  return true;
}

bool LoopWidener::emitReadFirst(Instruction& instruction) {
  if (!isReadFirst(instruction, plan_.shapes)) return false;
  auto& update = cast<AtomicRMWInst>(instruction);
  Value* pointer = update.getPointerOperand();
  const LaneCells cells{update.getType(), 1, 1};
  FixedVectorType* type = code_.vectorOf(update.getType());
  Value* seen = nullptr;
  if (plan_.target.isLegalMaskedGather(type, update.getAlign()))
    seen = builder_.CreateMaskedGather(type, partOf(pointer, 0), update.getAlign(), mask_,
                                       Constant::getNullValue(type));
  else if (isScalarised(cells))
    seen =
        loadCells(cells, update.getType(), placesOf(pointer), update.getAlign(),
                  [&](Instruction& load) {
                    cast<LoadInst>(load).setAtomic(update.getOrdering(), update.getSyncScopeID());
                  })
            .front();
  else
    return false;
  Value* result = buildAtomicRMWValue(update.getOperation(), builder_, seen,
                                      partsOf(update.getValOperand()).front());
  Value* changes = builder_.CreateICmpNE(result, seen);
  Value* all = mask_;
  mask_ = LaneCode::isFull(all) ? changes : builder_.CreateAnd(all, changes);
  // Nothing of what lanes one by one need is made where there are none.
  BasicBlock* updates = newBlock("updates");
  BasicBlock* after = newBlock("updated");
  builder_.CreateCondBr(code_.any(mask_), updates, after,
                        MDBuilder(builder_.getContext()).createUnlikelyBranchWeights());
  builder_.SetInsertPoint(updates);
  emitLaneByLane(instruction);
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
  mask_ = all;
  return true;
}

/// One thread runs the group, and its work-items alone see the memory: nobody can tell that all
/// lanes read before one of them writes, since each writes what no other reads. From here on these
/// are accesses of one thread like any other.
bool LoopWidener::emitRowUpdate(Instruction& instruction) {
  if (!isRowUpdate(instruction, plan_.shapes)) return false;
  auto& update = cast<AtomicRMWInst>(instruction);
  FixedVectorType* type = code_.vectorOf(update.getType());
  const Align align = update.getAlign();
  const bool isFull = LaneCode::isFull(mask_);
  if (!isFull &&
      (isTooNarrow(update.getType(), 1) || !plan_.target.isLegalMaskedLoad(type, align) ||
       !plan_.target.isLegalMaskedStore(type, align)))
    return false;
  Value* values = partsOf(update.getValOperand()).front();
  Value* address = scalarOf(update.getPointerOperand());
  Value* old = isFull ? builder_.CreateAlignedLoad(type, address, align)
                      : static_cast<Value*>(builder_.CreateMaskedLoad(
                            type, address, align, mask_, Constant::getNullValue(type)));
  Value* updated = buildAtomicRMWValue(update.getOperation(), builder_, old, values);
  if (isFull)
    builder_.CreateAlignedStore(updated, address, align);
  else
    builder_.CreateMaskedStore(updated, address, align, mask_);
  define(update, ArrayRef<Value*>(old));
  return true;
}

}  // namespace weft::compiler
