// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/item_loops.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>

#include "ir/abi_access.h"
#include "ir/loop_marks.h"
#include "ir/names.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Whether an access through `pointer` cannot meet a variable that the iterations of the loop
/// share. The function's own variables are all there is of those, but for those with a cell for
/// each work-item.
bool isIndependent(const Value* pointer, function_ref<bool(const Value&)> hasCells) {
  switch (pointer->getType()->getPointerAddressSpace()) {
    case names::kGlobal:
    case names::kConstant:
    case names::kLocal:
      return true;
    default:
      break;
  }
  SmallVector<const Value*> objects;
  getUnderlyingObjects(pointer, objects);
  return all_of(objects, [&](const Value* object) {
    if (isa<Argument>(object) || hasCells(*object)) return true;
    const auto* load = dyn_cast<LoadInst>(object);
    return load && load->hasMetadata(LLVMContext::MD_invariant_load);
  });
}

bool isSimple(const Instruction& access) {
  const auto* load = dyn_cast<LoadInst>(&access);
  return load ? load->isSimple() : cast<StoreInst>(access).isSimple();
}

}  // namespace

ItemLoops::Nest ItemLoops::open(BasicBlock& before, BasicBlock& after) const {
  IRBuilder<> builder(&before);
  if (joined_[0] != 0) {
    Value* count =
        builder.CreateMul(countAlong(0), builder.CreateMul(countAlong(1), countAlong(2)));
    const Counted items = openLoop(builder, count, after, "item");
    return close(builder, before, items, idsInJoinedRows(builder, items.index), items.index);
  }
  // A loop for each dimension, so that ids are seen to count from zero to where they end.
  static constexpr std::array kNames{"item", "row", "plane"};
  Value* zero = builder.getInt64(0);
  std::array<Value*, 3> ids{zero, zero, zero};
  Value* linear = nullptr;
  Counted loop{nullptr, &after};
  SmallVector<BasicBlock*, 2> rowLatches;
  for (size_t i : {2, 1, 0}) {
    Value* count = countAlong(i);
    if (linear) linear = builder.CreateMul(linear, count, "", /*NUW=*/true, /*NSW=*/true);
    const auto* known = dyn_cast<ConstantInt>(count);
    if (i != 0 && known && known->isOne()) continue;
    loop = openLoop(builder, count, *loop.latch, kNames[i]);
    if (i != 0) rowLatches.push_back(loop.latch);
    ids[i] = loop.index;
    linear =
        linear ? builder.CreateAdd(linear, loop.index, "", /*NUW=*/true, /*NSW=*/true) : loop.index;
  }
  Nest nest = close(builder, before, loop, ids, linear);
  nest.rowLatches = std::move(rowLatches);
  return nest;
}

/// Gives the work-item its ids, and says where its code goes.
ItemLoops::Nest ItemLoops::close(IRBuilder<>& builder, BasicBlock& before, const Counted& items,
                                 const std::array<Value*, 3>& ids, Value* linear) const {
  AbiAccess abi(builder, &item_);
  std::array<Value*, 3> idIn{};
  for (unsigned i = 0; i < 3; ++i) idIn[order_[i]] = ids[i];
  for (unsigned d = 0; d < 3; ++d) {
    abi.setItemField(offsetof(abi::WorkItem, globalId) + 8 * d,
                     builder.CreateAdd(bases_[d], idIn[d], "", /*NUW=*/true));
    abi.setItemField(offsetof(abi::WorkItem, localId) + 8 * d, idIn[d]);
  }
  builder.CreateBr(items.latch);
  return {&before, builder.GetInsertBlock(), items.latch, linear};
}

ItemLoops::Nest ItemLoops::openRow(BasicBlock& before, BasicBlock& after,
                                   const std::array<Value*, 3>& localIds) const {
  IRBuilder<> builder(&before);
  const Counted items = openLoop(builder, counts_[0], after, "item");
  AbiAccess abi(builder, &item_);
  for (unsigned d = 0; d < 3; ++d) {
    auto idFrom = [&](Value* base) {
      return d == 0 ? builder.CreateAdd(base, items.index, "", /*NUW=*/true) : base;
    };
    abi.setItemField(offsetof(abi::WorkItem, globalId) + 8 * d, idFrom(bases_[d]));
    abi.setItemField(offsetof(abi::WorkItem, localId) + 8 * d, idFrom(localIds[d]));
  }
  builder.CreateBr(items.latch);
  return {&before, builder.GetInsertBlock(), items.latch, items.index};
}

void ItemLoops::runOnce(BasicBlock* latch, const BasicBlock& after) {
  while (latch != &after) {
    auto* branch = cast<BranchInst>(latch->getTerminator());
    BasicBlock* next = branch->getSuccessor(0);
    branch->getSuccessor(1)->removePredecessor(latch);
    BranchInst::Create(next, branch->getIterator());
    branch->eraseFromParent();
    latch = next;
  }
}

/// Opens a loop over [0, count), tested at the bottom, that goes on to `after`; what is emitted
/// next is its body.
ItemLoops::Counted ItemLoops::openLoop(IRBuilder<>& builder, Value* count, BasicBlock& after,
                                       const char* name) const {
  LLVMContext& context = builder.getContext();
  BasicBlock* before = builder.GetInsertBlock();
  Function* function = before->getParent();
  BasicBlock* header = BasicBlock::Create(context, Twine("loop.") + name, function, &after);
  BasicBlock* latch = BasicBlock::Create(context, Twine("next.") + name, function, &after);
  builder.CreateBr(header);
  PHINode* index = PHINode::Create(builder.getInt64Ty(), 2, Twine("id.") + name, header);
  IRBuilder<> end(latch);
  Value* next = end.CreateAdd(index, end.getInt64(1), "", /*NUW=*/true, /*NSW=*/true);
  end.CreateCondBr(end.CreateICmpEQ(next, count), &after, header);
  index->addIncoming(end.getInt64(0), before);
  index->addIncoming(next, latch);
  builder.SetInsertPoint(header);
  return {index, latch};
}

/// Ids of the work-item that is `index`th in the box.
std::array<Value*, 3> ItemLoops::idsInJoinedRows(IRBuilder<>& builder, Value* index) const {
  auto split = [&](Value* value, uint64_t size) -> std::pair<Value*, Value*> {
    if (size == 1) return {builder.getInt64(0), value};
    Value* divisor = builder.getInt64(size);
    return {builder.CreateURem(value, divisor), builder.CreateUDiv(value, divisor)};
  };
  const auto [x, row] = split(index, joined_[0]);
  if (const auto* depth = dyn_cast<ConstantInt>(countAlong(2)); depth && depth->isOne())
    return {x, row, builder.getInt64(0)};
  const auto [y, z] = split(row, joined_[1]);
  return {x, y, z};
}

namespace {

void mark(const BasicBlock& latch, ArrayRef<Metadata*> facts) {
  nameLoop(*const_cast<Instruction*>(latch.getTerminator()), facts);
}

/// Marks a loop in which accesses of the group do not depend on other iterations.
void markItems(const BasicBlock& latch, MDNode* accessGroup) {
  LLVMContext& context = latch.getContext();
  mark(latch,
       {MDNode::get(context, {MDString::get(context, "llvm.loop.parallel_accesses"), accessGroup}),
        MDNode::get(context, {MDString::get(context, names::kItemLoop)})});
}

}  // namespace

void ItemLoops::markParallel(Function& function, ArrayRef<Nest> nests, const Variables& perItem) {
  LLVMContext& context = function.getContext();
  MDNode* accessGroup = MDNode::getDistinct(context, {});
  const auto hasCells = [&](const Value& object) { return perItem.contains(&object); };
  for (Instruction& instruction : instructions(function)) {
    const Value* pointer = getLoadStorePointerOperand(&instruction);
    // Of accesses in parallel loops LLVM no longer asks whether they are volatile or atomic.
    if (pointer && isSimple(instruction) && compiler::isIndependent(pointer, hasCells))
      instruction.setMetadata(LLVMContext::MD_access_group, accessGroup);
  }
  MDNode* rows = MDNode::get(context, {MDString::get(context, names::kRowLoop)});
  for (const Value* variable : perItem)
    const_cast<AllocaInst*>(cast<AllocaInst>(variable))
        ->setMetadata(names::kCells, MDNode::get(context, {}));
  for (const Nest& nest : nests) {
    markItems(*nest.latch, accessGroup);
    for (const BasicBlock* latch : nest.rowLatches) mark(*latch, rows);
  }
}

void ItemLoops::markIndependent(const BasicBlock& latch, ArrayRef<BasicBlock*> blocks) {
  MDNode* accessGroup = MDNode::getDistinct(latch.getContext(), {});
  for (BasicBlock* block : blocks)
    for (Instruction& instruction : *block)
      if (getLoadStorePointerOperand(&instruction) && isSimple(instruction))
        instruction.setMetadata(LLVMContext::MD_access_group, accessGroup);
  markItems(latch, accessGroup);
}

bool ItemLoops::isItemLoop(const Loop& loop) {
  return findOptionMDForLoop(&loop, names::kItemLoop) != nullptr;
}

const Loop* ItemLoops::around(const Loop& loop) {
  const Loop* outer = loop.getParentLoop();
  while (outer && !isItemLoop(*outer)) outer = outer->getParentLoop();
  return outer;
}

bool ItemLoops::isBlockLoop(const Loop& loop) {
  return findOptionMDForLoop(&loop, names::kBlockLoop) != nullptr;
}

bool ItemLoops::isRowLoop(const Loop& loop) {
  return findOptionMDForLoop(&loop, names::kRowLoop) != nullptr;
}

bool ItemLoops::isIndependent(const Instruction& access) {
  const Value* pointer = getLoadStorePointerOperand(&access);
  return pointer && isSimple(access) && compiler::isIndependent(pointer, [](const Value& object) {
           const auto* variable = dyn_cast<AllocaInst>(&object);
           return variable && hasCells(*variable);
         });
}

void ItemLoops::markLaneGroup(BasicBlock& latch) {
  LLVMContext& context = latch.getContext();
  Instruction* branch = latch.getTerminator();
  SmallVector<Metadata*> facts{nullptr};
  append_range(facts, drop_begin(branch->getMetadata(LLVMContext::MD_loop)->operands()));
  facts.push_back(MDNode::get(context, {MDString::get(context, names::kLaneGroup)}));
  MDNode* loop = MDNode::getDistinct(context, facts);
  loop->replaceOperandWith(0, loop);
  branch->setMetadata(LLVMContext::MD_loop, loop);
}

bool ItemLoops::isLaneGroup(const Loop& loop) {
  return findOptionMDForLoop(&loop, names::kLaneGroup) != nullptr;
}

Type* ItemLoops::typeInMemory(Type* type) {
  if (!type->isIntOrIntVectorTy()) return type;
  const unsigned bits = type->getScalarSizeInBits();
  const unsigned inMemory = std::max(8u, bit_ceil(bits));
  return inMemory == bits || bits > 64 ? type : type->getWithNewBitWidth(inMemory);
}

AllocaInst* ItemLoops::makeCells(Function& function, Type* type, uint64_t count,
                                 const Twine& name) {
  IRBuilder<> entry(&*function.getEntryBlock().begin());
  AllocaInst* cells = entry.CreateAlloca(ArrayType::get(typeInMemory(type), count), nullptr, name);
  cells->setMetadata(names::kCells, MDNode::get(function.getContext(), {}));
  return cells;
}

namespace {

Value* cellAt(IRBuilder<>& builder, AllocaInst& cells, Value& index) {
  return builder.CreateInBoundsGEP(cells.getAllocatedType(), &cells, {builder.getInt64(0), &index});
}

}  // namespace

void ItemLoops::storeCell(IRBuilder<>& builder, Value* value, AllocaInst& cells, Value& index) {
  Type* kept = cast<ArrayType>(cells.getAllocatedType())->getElementType();
  if (value->getType() != kept) value = builder.CreateZExt(value, kept);
  builder.CreateStore(value, cellAt(builder, cells, index));
}

Value* ItemLoops::loadCell(IRBuilder<>& builder, Type* type, AllocaInst& cells, Value& index) {
  Type* kept = cast<ArrayType>(cells.getAllocatedType())->getElementType();
  Value* value = builder.CreateLoad(kept, cellAt(builder, cells, index));
  return kept == type ? value : builder.CreateTrunc(value, type);
}

bool ItemLoops::hasCells(const AllocaInst& variable) { return variable.hasMetadata(names::kCells); }

}  // namespace weft::compiler
