// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/tile_items.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <array>
#include <optional>

#include "analysis/lane_shapes.h"
#include "analysis/lane_uniformity.h"
#include "analysis/mask_plan.h"
#include "analysis/private_variables.h"
#include "base/tuning.h"
#include "ir/item_loop.h"
#include "ir/item_loops.h"
#include "ir/loop_marks.h"
#include "ir/names.h"
#include "lanes/copy_loops.h"
#include "lanes/counted_loop.h"
#include "lanes/lane_code.h"

namespace weft::compiler {
namespace {

using namespace llvm;

constexpr int64_t kLineBytes = tuning::kLineBits / 8;

/// How values step from an iteration of `loop`, over work-items or their rows, to the next.
class Steps {
 public:
  Steps(const ItemLoop& loop, Function& function, const LoopAnalyses& analyses, unsigned count)
      : postDominators_(function),
        privates_(findPrivateVariables(function, *loop.loop)),
        uniformity_(function, analyses.dominators, *loop.loop, *loop.index, variables()),
        masks_(*loop.loop, analyses.loops, postDominators_, uniformity_),
        shapes_(*loop.loop, *loop.index, uniformity_, masks_, privates_, count) {}

  LaneShape of(const Value& value) const { return shapes_.of(&value); }

 private:
  LaneUniformity::Variables variables() const {
    LaneUniformity::Variables variables;
    for (const auto& entry : privates_) variables.insert(entry.first);
    return variables;
  }

  PostDominatorTree postDominators_;
  PrivateLayouts privates_;
  LaneUniformity uniformity_;
  MaskPlan masks_;
  LaneShapes shapes_;
};

/// A loop over the rows of a box of work-items, and what is in it.
class RowsOfItems {
 public:
  RowsOfItems(const ItemLoop& rows, const ItemLoop& items, LoopAnalyses& analyses)
      : rows_(rows), items_(items), analyses_(analyses) {}

  /// Whether tiles can be formed, and pay.
  bool find();
  void apply();

 private:
  bool findBody();
  static bool isUnderstood(const Instruction& instruction);
  bool dependOnIdsAlone();
  bool findTransposed();

  bool isByRow(const Value& value) const {
    return &value == rows_.index || byRow_.contains(&value);
  }
  Value* guardIn(unsigned row, IRBuilder<>& builder);
  Value* inRow(Value& value, unsigned row, IRBuilder<>& builder);
  void setBlock(Value& number, IRBuilder<>& builder);
  Value* emitTest(BasicBlock& before);
  Value* emitBlocks(IRBuilder<>& builder);
  void emitLoop(Value& blocks, BasicBlock& enter, BasicBlock& end);
  void emitBody(IRBuilder<>& builder);
  void emit(Instruction& instruction, IRBuilder<>& builder);
  void emitTransposed(Instruction& access, IRBuilder<>& builder);
  Instruction* emitCopy(Instruction& instruction, unsigned row, IRBuilder<>& builder);

  ItemLoop rows_;
  ItemLoop items_;
  LoopAnalyses& analyses_;
  SmallVector<Instruction*> body_;  ///< of a work-item, in order
  const Value* next_ =
      nullptr;  ///< of the loop over work-items, which may be the program's sum too
  const Value* test_ = nullptr;
  BranchInst* guard_ = nullptr;          ///< around it; null for none
  unsigned inside_ = 0;                  ///< the successor that goes on
  SmallPtrSet<const Value*, 32> byRow_;  ///< what may differ from row to row
  SmallPtrSet<const Instruction*, 4> transposed_;
  unsigned block_ = 0;   ///< rows that are run as one
  unsigned blocks_ = 1;  ///< of them, one after the other, that fill a line of the cache
  std::array<ValueToValueMapTy, tuning::kSmallRowsAsOne> maps_;  ///< by row
};

/// Straight code, or such behind one condition.
bool RowsOfItems::findBody() {
  BasicBlock* head = items_.loop->getHeader();
  BasicBlock* latch = items_.loop->getLoopLatch();
  SmallVector<BasicBlock*, 3> blocks{head};
  if (head != latch) {
    guard_ = dyn_cast<BranchInst>(head->getTerminator());
    if (!guard_ || !guard_->isConditional() || items_.loop->getNumBlocks() != 3) return false;
    inside_ = guard_->getSuccessor(0) == latch ? 1 : 0;
    BasicBlock* inner = guard_->getSuccessor(inside_);
    if (guard_->getSuccessor(1 - inside_) != latch || inner->getSingleSuccessor() != latch)
      return false;
    blocks = {head, inner, latch};
  }
  test_ = cast<BranchInst>(latch->getTerminator())->getCondition();
  next_ = items_.index->getIncomingValueForBlock(latch);
  for (BasicBlock* block : blocks)
    for (Instruction& instruction : *block) {
      if (any_of(instruction.users(),
                 [&](const User* user) { return !items_.loop->contains(cast<Instruction>(user)); }))
        return false;
      if (&instruction == items_.index || instruction.isTerminator() || &instruction == test_ ||
          &instruction == next_ || instruction.isDebugOrPseudoInst() ||
          isa<AssumeInst, NoAliasScopeDeclInst>(instruction))
        continue;
      if (!isUnderstood(instruction)) return false;
      body_.push_back(&instruction);
    }
  return body_.size() <= tuning::kTiledBody;
}

bool RowsOfItems::isUnderstood(const Instruction& instruction) {
  if (isa<PHINode, AllocaInst>(instruction)) return false;
  if (const auto* call = dyn_cast<CallBase>(&instruction); call && call->isConvergent())
    return false;
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  if (!pointer) return !instruction.mayHaveSideEffects() && !instruction.mayReadFromMemory();
  const unsigned space = pointer->getType()->getPointerAddressSpace();
  const auto* load = dyn_cast<LoadInst>(&instruction);
  return (load ? load->isSimple() : cast<StoreInst>(instruction).isSimple()) &&
         (space == names::kGlobal || space == names::kConstant || space == names::kLocal);
}

/// Finds out what differs from row to row. Whether a row's work-items are run, and how many they
/// are, does not, and the condition in the loop is the same for all of them. Nothing that is
/// computed behind the loop is used elsewhere.
bool RowsOfItems::dependOnIdsAlone() {
  SmallVector<const Value*> left{rows_.index};
  while (!left.empty())
    for (const User* user : left.pop_back_val()->users())
      if (const auto* each = cast<Instruction>(user);
          each != rows_.index && rows_.loop->contains(each) && byRow_.insert(each).second)
        left.push_back(each);
  const BasicBlock* before = items_.loop->getLoopPreheader();
  const BasicBlock* latch = rows_.loop->getLoopLatch();
  for (const BasicBlock* block : rows_.loop->blocks()) {
    const auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch) return false;
    const bool isInItems = items_.loop->contains(block);
    if (!isInItems && block != latch && block->size() > 1 &&
        !analyses_.dominators.dominates(block, before))
      return false;
    for (const Instruction& each : *block) {
      if (isa<PHINode>(each) && &each != rows_.index && &each != items_.index) return false;
      if (!isInItems && (each.mayHaveSideEffects() || each.mayReadFromMemory())) return false;
    }
    if (branch->isConditional() && branch != guard_ && block != latch &&
        isByRow(*branch->getCondition()))
      return false;
  }
  if (!guard_) return true;
  // All that the condition is computed from.
  left.push_back(guard_->getCondition());
  while (!left.empty()) {
    const auto* part = dyn_cast<Instruction>(left.pop_back_val());
    if (!part || !items_.loop->contains(part)) continue;
    if (part == items_.index || part->mayReadFromMemory()) return false;
    left.append(part->value_op_begin(), part->value_op_end());
  }
  return true;
}

/// Accesses that rows make side by side, and work-items of a row do not. Those of vectors stay one
/// for each row, next to each other in time, for the sake of what is not in a cache. Whether most
/// are such.
bool RowsOfItems::findTransposed() {
  Function& function = *items_.loop->getHeader()->getParent();
  const Steps ofRows(rows_, function, analyses_, tuning::kSmallRowsAsOne);
  const Steps ofItems(items_, function, analyses_, tuning::kSmallRowsAsOne);
  unsigned sideBySide = 0, others = 0;
  int64_t least = kLineBytes;
  for (const Instruction* access : body_) {
    const Value* pointer = getLoadStorePointerOperand(access);
    if (!pointer) continue;
    const LaneShape item = ofItems.of(*pointer);
    const auto bytes = static_cast<int64_t>(function.getDataLayout().getTypeAllocSize(
        getLoadStoreType(const_cast<Instruction*>(access))));
    if (item.isUniform() ||
        (item.isAffine() && std::abs(item.stride) <= tuning::kRowsAsOne * bytes))
      continue;
    const LaneShape row = ofRows.of(*pointer);
    const bool isElement = isLaneElement(*getLoadStoreType(const_cast<Instruction*>(access)));
    const bool isLocal = pointer->getType()->getPointerAddressSpace() == names::kLocal;
    if (!row.isAffine() || row.stride != bytes ||
        (!isElement && (isLocal || bytes >= kLineBytes))) {
      ++others;
      continue;
    }
    ++sideBySide;
    if (isElement) transposed_.insert(access);
    block_ = std::max(block_, bytes >= 4 ? tuning::kRowsAsOne : tuning::kSmallRowsAsOne);
    least = std::min(least, bytes);
  }
  if (sideBySide < std::max(others, 1U)) return false;
  blocks_ = std::max<unsigned>(1, kLineBytes / (static_cast<unsigned>(least) * block_));
  return true;
}

bool RowsOfItems::find() {
  if (!findBody() || !dependOnIdsAlone() || isByRow(*items_.count)) return false;
  return findTransposed();
}

/// What `value`, which is the same for all work-items of a row, is in another one: of what the
/// condition is computed from, or around the loop.
Value* RowsOfItems::inRow(Value& value, unsigned row, IRBuilder<>& builder) {
  if (Value* known = maps_[row].lookup(&value)) return known;
  auto* inside = dyn_cast<Instruction>(&value);
  if (!inside || !rows_.loop->contains(inside)) return &value;
  if (!items_.loop->contains(inside) && !isByRow(*inside)) return &value;
  Instruction* copy = inside->clone();
  for (Use& operand : copy->operands()) operand.set(inRow(*operand, row, builder));
  maps_[row][inside] = builder.Insert(copy);
  return copy;
}

/// Whether the work-items of a row go on behind the condition.
Value* RowsOfItems::guardIn(unsigned row, IRBuilder<>& builder) {
  Value* condition = inRow(*guard_->getCondition(), row, builder);
  return inside_ == 0 ? condition : builder.CreateNot(condition);
}

Instruction* RowsOfItems::emitCopy(Instruction& instruction, unsigned row, IRBuilder<>& builder) {
  Instruction* copy = instruction.clone();
  RemapInstruction(copy, maps_[row], RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  builder.Insert(copy);
  maps_[row][&instruction] = copy;
  return copy;
}

/// The access of all rows, as one of a vector.
void RowsOfItems::emitTransposed(Instruction& access, IRBuilder<>& builder) {
  auto* type = FixedVectorType::get(getLoadStoreType(&access), block_);
  Value* place = maps_[0].lookup(getLoadStorePointerOperand(&access));
  const Align align = getLoadStoreAlignment(&access);
  Instruction* all = nullptr;
  if (auto* store = dyn_cast<StoreInst>(&access)) {
    Value* values = PoisonValue::get(type);
    for (unsigned row = 0; row < block_; ++row) {
      Value* known = maps_[row].lookup(store->getValueOperand());
      values = builder.CreateInsertElement(values, known ? known : store->getValueOperand(), row);
    }
    all = builder.CreateAlignedStore(values, place, align);
  } else {
    all = builder.CreateAlignedLoad(type, place, align);
    for (unsigned row = 0; row < block_; ++row)
      maps_[row][&access] = builder.CreateExtractElement(all, row);
  }
  all->copyMetadata(access, {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias,
                             LLVMContext::MD_access_group, LLVMContext::MD_invariant_load});
}

/// What an instruction does for the work-items of a column, one row after the other: what one of
/// them does keeps its order.
void RowsOfItems::emit(Instruction& instruction, IRBuilder<>& builder) {
  if (transposed_.contains(&instruction)) return emitTransposed(instruction, builder);
  if (!isByRow(instruction) && !isa<StoreInst>(instruction)) {
    Instruction* copy = emitCopy(instruction, 0, builder);
    for (unsigned row = 1; row < block_; ++row) maps_[row][&instruction] = copy;
    return;
  }
  for (unsigned row = 0; row < block_; ++row) emitCopy(instruction, row, builder);
}

/// Begins to compute for another block of rows, so many behind the first one.
void RowsOfItems::setBlock(Value& number, IRBuilder<>& builder) {
  Value* first =
      builder.CreateNUWAdd(rows_.index, builder.CreateNUWMul(&number, builder.getInt64(block_)));
  for (unsigned row = 0; row < block_; ++row) {
    maps_[row].clear();
    maps_[row][rows_.index] = row == 0 ? first
                                       : builder.CreateAdd(first, builder.getInt64(row), "row",
                                                           /*HasNUW=*/true, /*HasNSW=*/true);
  }
}

/// Asks in `before` whether there are so many rows, and whether all of them go on.
Value* RowsOfItems::emitTest(BasicBlock& before) {
  IRBuilder<> builder(&before);
  Value* fits = builder.CreateICmpULE(builder.CreateNUWAdd(rows_.index, builder.getInt64(block_)),
                                      rows_.count);
  if (!guard_) return fits;
  setBlock(*builder.getInt64(0), builder);
  for (unsigned row = 0; row < block_; ++row)
    fits = builder.CreateLogicalAnd(fits, guardIn(row, builder));
  return fits;
}

/// Counts the blocks of rows, from the one that has been tested on and up to as many as fill a
/// line, all of whose rows go on. Leaves `builder` behind that.
Value* RowsOfItems::emitBlocks(IRBuilder<>& builder) {
  if (blocks_ == 1) return builder.getInt64(1);
  Value* most = builder.CreateBinaryIntrinsic(
      Intrinsic::umin,
      builder.CreateUDiv(builder.CreateSub(rows_.count, rows_.index), builder.getInt64(block_)),
      builder.getInt64(blocks_));
  if (!guard_) return most;
  BasicBlock* before = builder.GetInsertBlock();
  auto create = [&](const char* name) {
    return BasicBlock::Create(builder.getContext(), name, before->getParent(),
                              before->getNextNode());
  };
  BasicBlock* end = create("tile.counted");
  BasicBlock* count = create("tile.count");
  builder.CreateBr(count);
  builder.SetInsertPoint(count);
  PHINode* blocks = builder.CreatePHI(builder.getInt64Ty(), 2, "blocks");
  Value* fits = builder.CreateICmpULT(blocks, most);
  setBlock(*blocks, builder);
  for (unsigned row = 0; row < block_; ++row)
    fits = builder.CreateLogicalAnd(fits, guardIn(row, builder));
  blocks->addIncoming(builder.getInt64(1), before);
  blocks->addIncoming(builder.CreateNUWAdd(blocks, builder.getInt64(1)), count);
  builder.CreateCondBr(fits, count, end);
  builder.SetInsertPoint(end);
  return blocks;
}

/// What the work-items of a column do in one block of rows.
void RowsOfItems::emitBody(IRBuilder<>& builder) {
  for (unsigned row = 0; row < block_; ++row)
    for (const Instruction* instruction : body_)
      for (Value* operand : instruction->operands())
        if (const auto* around = dyn_cast<Instruction>(operand);
            around && !items_.loop->contains(around))
          inRow(*operand, row, builder);
  for (Instruction* instruction : body_) emit(*instruction, builder);
}

/// The loop over the work-items of so many blocks of rows, from `enter` on to `end`. Those of a
/// column run in all blocks before those of the next one do, so that a line of the cache is done
/// with when it is left.
void RowsOfItems::emitLoop(Value& blocks, BasicBlock& enter, BasicBlock& end) {
  LLVMContext& context = end.getContext();
  auto create = [&](const char* name) {
    return BasicBlock::Create(context, name, end.getParent(), &end);
  };
  BasicBlock* loop = create("tile.items");
  BasicBlock* rows = create("tile.rows");
  BasicBlock* latch = create("tile.next");
  BranchInst::Create(loop, &enter);

  IRBuilder<> builder(loop);
  PHINode* index = builder.CreatePHI(items_.index->getType(), 2, "id.item");
  Value* next = builder.CreateAdd(index, builder.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  const auto predicate = cast<ICmpInst>(test_)->getPredicate();
  Value* test = builder.CreateICmp(predicate, next, items_.count);
  builder.CreateBr(rows);
  index->addIncoming(builder.getInt64(0), &enter);
  index->addIncoming(next, latch);

  builder.SetInsertPoint(rows);
  PHINode* block = builder.CreatePHI(builder.getInt64Ty(), 2, "block");
  setBlock(*block, builder);
  for (auto& map : maps_) {
    map[items_.index] = index;
    map[next_] = next;
    map[test_] = test;
  }
  emitBody(builder);
  Value* nextBlock =
      builder.CreateAdd(block, builder.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  block->addIncoming(builder.getInt64(0), loop);
  block->addIncoming(nextBlock, rows);
  nameLoop(*builder.CreateCondBr(builder.CreateICmpULT(nextBlock, &blocks), rows, latch),
           loopFact(context, names::kBlockLoop));

  builder.SetInsertPoint(latch);
  const bool isLast = predicate == CmpInst::ICMP_EQ;
  builder.CreateCondBr(test, isLast ? &end : loop, isLast ? loop : &end)
      ->setMetadata(LLVMContext::MD_loop, ownLoopName(*items_.loop->getLoopID()));
}

void RowsOfItems::apply() {
  BasicBlock* before = items_.loop->getLoopPreheader();
  BasicBlock* latch = rows_.loop->getLoopLatch();
  LLVMContext& context = latch->getContext();
  BasicBlock* single = SplitBlock(before, before->getTerminator());
  BasicBlock* enter = BasicBlock::Create(context, "tile", latch->getParent(), single);
  BasicBlock* end = BasicBlock::Create(context, "tile.end", latch->getParent(), single);
  before->getTerminator()->eraseFromParent();
  BranchInst::Create(enter, single, emitTest(*before), before);
  IRBuilder<> builder(enter);
  Value* blocks = emitBlocks(builder);
  Value* run = builder.CreateNUWMul(blocks, builder.getInt64(block_));
  emitLoop(*blocks, *builder.GetInsertBlock(), *end);
  BranchInst::Create(latch, end);

  builder.SetInsertPoint(latch, latch->begin());
  PHINode* rows = builder.CreatePHI(rows_.index->getType(), 4, "rows");
  for (BasicBlock* from : predecessors(latch))
    rows->addIncoming(from == end ? run : builder.getInt64(1), from);
  auto* again = cast<BranchInst>(latch->getTerminator());
  builder.SetInsertPoint(again);
  Value* next = builder.CreateAdd(rows_.index, rows, "", /*HasNUW=*/true, /*HasNSW=*/true);
  rows_.index->setIncomingValueForBlock(latch, next);
  again->setCondition(
      builder.CreateICmp(cast<ICmpInst>(again->getCondition())->getPredicate(), next, rows_.count));
}

}  // namespace

PreservedAnalyses TileItemsPass::run(Function& function, FunctionAnalysisManager&) {
  bool hasChanged = false;
  SmallPtrSet<const BasicBlock*, 8> seen;
  for (bool isNew = true; isNew;) {
    isNew = false;
    LoopAnalyses analyses(function);
    for (Loop* loop : analyses.loops.getLoopsInPreorder()) {
      if (!ItemLoops::isRowLoop(*loop) || loop->getSubLoops().size() != 1 ||
          !seen.insert(loop->getHeader()).second)
        continue;
      Loop& inner = *loop->getSubLoops().front();
      if (!ItemLoops::isItemLoop(inner) || ItemLoops::isLaneGroup(inner) || !inner.isInnermost())
        continue;
      const auto rows = ItemLoop::recognise(*loop), items = ItemLoop::recognise(inner);
      if (!rows || !items) continue;
      RowsOfItems tiles(*rows, *items, analyses);
      if (!tiles.find()) continue;
      tiles.apply();
      isNew = hasChanged = true;
      break;
    }
  }
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
