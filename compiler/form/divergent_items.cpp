// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/divergent_items.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "ir/barriers.h"
#include "ir/uses.h"
#include "weft/abi/services.h"

namespace weft::compiler {
namespace {

using namespace llvm;

constexpr uint32_t kNoBarrier = ~0u;

FunctionCallee divergenceService(Module& module) {
  LLVMContext& context = module.getContext();
  Type* id = Type::getInt32Ty(context);
  FunctionCallee service = module.getOrInsertFunction(
      abi::kGroupDivergenceService, Type::getVoidTy(context), PointerType::get(context, 0), id, id);
  auto* function = cast<Function>(service.getCallee());
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addParamAttr(0, Attribute::NoCapture);
  function->addParamAttr(0, Attribute::ReadOnly);
  return service;
}

/// Puts `now` in the place of `before` among the predecessors of `block`, once.
void replacePredecessor(BasicBlock& block, BasicBlock* before, BasicBlock* now) {
  for (PHINode& phi : block.phis()) {
    phi.setIncomingBlock(phi.getBasicBlockIndex(before), now);
    for (int more; (more = phi.getBasicBlockIndex(before)) >= 0;)
      phi.removeIncomingValue(more, /*DeletePHIIfEmpty=*/false);
  }
}

}  // namespace

DivergentItems::DivergentItems(Function& entry, const ItemLoops& loops, uint64_t items,
                               const BarrierRegions& regions)
    : entry_(entry),
      exit_(&entry.back()),
      items_(items),
      points_(findResumePoints(entry, regions)) {
  BasicBlock& first = *entry.getEntryBlock().getSingleSuccessor();
  copyBlocks(regions);
  openRounds(loops);
  for (const ResumePoint& point : points_)
    dispatch_->addCase(pointOf(*point.from, *point.to), resumeBlock(point));
  dispatch_->addCase(beginning(), cast<BasicBlock>(copies_[&first]));
  redirectEnds();
  keepValues();
}

ConstantInt* DivergentItems::number(size_t point) const {
  return ConstantInt::get(Type::getInt32Ty(entry_.getContext()), point + 1);
}

ConstantInt* DivergentItems::pointOf(const BasicBlock& from, const BasicBlock& to) const {
  const auto found = find_if(
      points_, [&](const ResumePoint& point) { return point.from == &from && point.to == &to; });
  return number(found - points_.begin());
}

SmallVector<Instruction*> DivergentItems::needsFrom(const BasicBlock& from) const {
  SmallSetVector<Instruction*, 8> needs;
  for (const ResumePoint& point : points_)
    if (point.from == &from) needs.insert(point.needs.begin(), point.needs.end());
  return needs.takeVector();
}

AllocaInst* DivergentItems::makeVariable(Type* type, const Twine& name) {
  IRBuilder<> builder(&*entry_.getEntryBlock().begin());
  return builder.CreateAlloca(type, nullptr, name);
}

void DivergentItems::copyBlocks(const BarrierRegions& regions) {
  SmallVector<BasicBlock*> originals, copied;
  for (BasicBlock& block : entry_)
    if (regions.regionOf(block) != BarrierRegions::kNone || barrierIn(block))
      originals.push_back(&block);
  for (BasicBlock* block : originals) {
    BasicBlock* copy = CloneBasicBlock(block, copies_, ".divergent");
    copy->insertInto(&entry_, exit_);
    copies_[block] = copy;
    copied.push_back(copy);
  }
  copied_.insert(copied.begin(), copied.end());
  for (BasicBlock* block : copied)
    for (Instruction& instruction : make_early_inc_range(*block)) {
      RemapInstruction(&instruction, copies_, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      auto* phi = dyn_cast<PHINode>(&instruction);
      if (!phi) continue;
      // Nothing is known of blocks that are never reached.
      for (unsigned i = phi->getNumIncomingValues(); i-- > 0;)
        if (!holds(*phi->getIncomingBlock(i)))
          phi->removeIncomingValue(i, /*DeletePHIIfEmpty=*/false);
    }
}

void DivergentItems::openRounds(const ItemLoops& loops) {
  LLVMContext& context = entry_.getContext();
  Type* id = Type::getInt32Ty(context);
  resume_ = makeVariable(ArrayType::get(id, items_), "resume.items");
  met_ = makeVariable(id, "met");
  other_ = makeVariable(id, "met.other");
  BasicBlock* round = BasicBlock::Create(context, "round", &entry_, exit_);
  BasicBlock* after = BasicBlock::Create(context, "round.end", &entry_, exit_);
  IRBuilder<> builder(round);
  builder.CreateStore(builder.getInt32(kNoBarrier), met_);
  builder.CreateStore(builder.getInt32(kNoBarrier), other_);
  nest_ = loops.open(*round, *after);
  nest_.body->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(nest_.body);
  Value* point =
      builder.CreateLoad(id, builder.CreateInBoundsGEP(id, resume_, nest_.linear), "point");
  dispatch_ = builder.CreateSwitch(point, nest_.latch, points_.size() + 1);
  endRounds(*after);
}

/// Where a work-item is taken up at `point`: a block of its own.
BasicBlock* DivergentItems::resumeBlock(const ResumePoint& point) {
  auto* from = cast<BasicBlock>(copies_[point.from]);
  auto* to = cast<BasicBlock>(copies_[point.to]);
  BasicBlock* resumed = BasicBlock::Create(entry_.getContext(), "resumed", &entry_, exit_);
  copied_.insert(resumed);
  BranchInst::Create(to, resumed);
  replacePredecessor(*to, from, resumed);
  if (barrierIn(*from))
    endAtBarrier(point);
  else
    from->getTerminator()->replaceSuccessorWith(to, resumed);
  return resumed;
}

void DivergentItems::endAtBarrier(const ResumePoint& point) {
  auto* from = cast<BasicBlock>(copies_[point.from]);
  CallInst* barrier = barrierIn(*from);
  Value* id = barrier->getArgOperand(1);
  barrier->eraseFromParent();
  from->getTerminator()->eraseFromParent();
  IRBuilder<> builder(from);
  resumeAt(builder, nest_.linear, pointOf(*point.from, *point.to));
  Value* none = builder.getInt32(kNoBarrier);
  Value* met = builder.CreateLoad(id->getType(), met_);
  Value* isFirst = builder.CreateICmpEQ(met, none);
  builder.CreateStore(builder.CreateSelect(isFirst, id, met), met_);
  Value* differs = builder.CreateAnd(builder.CreateNot(isFirst), builder.CreateICmpNE(met, id));
  Value* other = builder.CreateLoad(id->getType(), other_);
  builder.CreateStore(builder.CreateSelect(differs, id, other), other_);
  builder.CreateBr(nest_.latch);
}

/// Work-items of the copy end by themselves.
void DivergentItems::redirectEnds() {
  BasicBlock* ended = BasicBlock::Create(entry_.getContext(), "ended", &entry_, exit_);
  IRBuilder<> builder(ended);
  resumeAt(builder, nest_.linear, builder.getInt32(0));
  builder.CreateBr(nest_.latch);
  for (BasicBlock* before : SmallVector<BasicBlock*>(predecessors(exit_)))
    if (holds(*before)) before->getTerminator()->replaceSuccessorWith(exit_, ended);
}

void DivergentItems::endRounds(BasicBlock& after) {
  LLVMContext& context = entry_.getContext();
  BasicBlock* check = BasicBlock::Create(context, "round.check", &entry_, exit_);
  BasicBlock* giveUp = BasicBlock::Create(context, "round.divergence", &entry_, exit_);
  IRBuilder<> builder(&after);
  Value* none = builder.getInt32(kNoBarrier);
  Value* met = builder.CreateLoad(none->getType(), met_);
  builder.CreateCondBr(builder.CreateICmpEQ(met, none), exit_, check);
  builder.SetInsertPoint(check);
  Value* other = builder.CreateLoad(none->getType(), other_);
  builder.CreateCondBr(builder.CreateICmpEQ(other, none), nest_.before, giveUp);
  builder.SetInsertPoint(giveUp);
  builder.CreateCall(divergenceService(*entry_.getParent()), {entry_.getArg(0), met, other});
  builder.CreateBr(exit_);
}

void DivergentItems::resumeAt(IRBuilder<>& builder, Value* linear, Value* point) {
  builder.CreateStore(point, builder.CreateInBoundsGEP(point->getType(), resume_, linear));
}

Value* DivergentItems::addressIn(const Cell& cell, IRBuilder<>& builder, Value* linear) const {
  return builder.CreateInBoundsGEP(cell.type, cell.variable, linear);
}

void DivergentItems::keep(IRBuilder<>& builder, Value* linear, Instruction& original,
                          Value* value) {
  const Cell& cell = cells_.at(&original);
  if (value->getType() != cell.type) value = builder.CreateZExt(value, cell.type);
  builder.CreateStore(value, addressIn(cell, builder, linear));
}

void DivergentItems::keepValues() {
  for (const ResumePoint& point : points_)
    for (Instruction* original : point.needs) {
      if (cells_.contains(original)) continue;
      Type* type = ItemLoops::typeInMemory(original->getType());
      const Cell cell{makeVariable(ArrayType::get(type, items_), original->getName() + ".kept"),
                      type};
      cells_[original] = cell;
      demote(*cast<Instruction>(copies_[original]), cell);
      Instruction& value = *cast<Instruction>(copies_[original]);
      IRBuilder<> builder(isa<PHINode>(value) ? &*value.getParent()->getFirstInsertionPt()
                                              : value.getNextNode());
      keep(builder, nest_.linear, *original, &value);
    }
}

/// Has other blocks find `value` in its cell.
void DivergentItems::demote(Instruction& value, const Cell& cell) {
  DenseMap<BasicBlock*, Value*> loads;
  SmallVector<Use*> uses;
  for (Use& use : value.uses()) uses.push_back(&use);
  for (Use* use : uses) {
    BasicBlock* place = &placeOf(*use);
    if (place == value.getParent()) continue;
    Value*& loaded = loads[place];
    if (!loaded) {
      IRBuilder<> builder(&*place->getFirstInsertionPt());
      loaded = builder.CreateLoad(cell.type, addressIn(cell, builder, nest_.linear));
      if (cell.type != value.getType()) loaded = builder.CreateTrunc(loaded, value.getType());
    }
    use->set(loaded);
  }
}

}  // namespace weft::compiler
