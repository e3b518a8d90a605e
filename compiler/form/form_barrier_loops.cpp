// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/form_barrier_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

#include <optional>

#include "analysis/barrier_context.h"
#include "analysis/barrier_regions.h"
#include "analysis/cell_sharing.h"
#include "form/agreement.h"
#include "form/divergent_items.h"
#include "form/lower_collectives.h"
#include "form/split_vectors.h"
#include "ir/barriers.h"
#include "ir/names.h"
#include "ir/synchronisation.h"
#include "ir/uses.h"
#include "prepare/inline_util.h"
#include "prepare/isolate_barriers.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Cells of work-items start on a boundary of the widest vector register.
constexpr Align kCellsAlignment = Align::Constant<64>();

class BarrierLoopsBuilder {
 public:
  BarrierLoopsBuilder(Function& entry, AllocaInst& item, const ItemLoops& loops, uint64_t items,
                      const BarrierRegions& regions)
      : entry_(entry),
        loops_(loops),
        items_(items),
        regions_(regions),
        context_(regions, entry, &item),
        bodyDominators_(entry),
        bodyLoops_(bodyDominators_) {}

  void build(bool isDivergent) {
    const bool asks = any_of(regions_.regions(), [](const BarrierRegion& r) { return r.asks; });
    if (asks || isDivergent) divergent_.emplace(entry_, loops_, items_, regions_);
    for (const BarrierRegion& region : regions_.regions()) open(region);
    for (AllocaInst* variable : context_.variables()) makeCells(*variable);
    for (PHINode* phi : context_.headPhis()) passOn(*phi);
    for (unsigned i = 0; i < regions_.regions().size(); ++i)
      if (regions_.regions()[i].asks) makeParting(i);
    for (Instruction* value : context_.crossing()) replaceUses(*value);
    for (PHINode* phi : context_.headPhis()) replaceHeadPhi(*phi);
    if (divergent_) spans_.emplace_back(divergent_->nest(), nullptr);
    for (AllocaInst* variable : context_.variables()) replaceVariable(*variable);
    shareMemory();
    for (unsigned i = 0; i < regions_.regions().size(); ++i) close(i);
    dropBarriers();
    if (isDivergent) beginDivergent();
    SmallVector<ItemLoops::Nest> nests;
    for (unsigned i = 0; i < regions_.regions().size(); ++i) {
      if (isForGroup(regions_.regions()[i]))
        ItemLoops::runOnce(spans_[i].nest.latch, *spans_[i].after);
      else
        nests.push_back(spans_[i].nest);
    }
    ItemLoops::markParallel(entry_, nests, perItem_);
  }

 private:
  /// A region with its loops. Others, with indices after those of regions, are loops over the
  /// work-items as well.
  struct Span {
    Span(const ItemLoops::Nest& loops, BasicBlock* end) : nest(loops), after(end) {}
    ItemLoops::Nest nest;
    BasicBlock* after;                ///< part of the skeleton: where the loops go on to
    DenseMap<Value*, Value*> values;  ///< what values of other regions are in this one
  };

  /// What follows a region whose work-items are asked for their way.
  struct Parting {
    AllocaInst* ways;  ///< the successor that each takes, by its index
    unsigned span;     ///< has them go on by themselves, where they do not agree
  };

  /// Where a value that outlives its region is kept.
  struct Cell {
    AllocaInst* variable;
    Type* type;  ///< in memory
    bool perItem;
    unsigned index;  ///< into uses_, when it is kept for each work-item
  };

  /// Of a cell that there is for each work-item.
  struct KeptCell {
    AllocaInst* variable;
    CellUse use;
  };

  void open(const BarrierRegion& region) {
    LLVMContext& context = entry_.getContext();
    BasicBlock* exit = &entry_.back();
    BasicBlock* before = BasicBlock::Create(context, "region", &entry_, exit);
    BasicBlock* after = BasicBlock::Create(context, "region.end", &entry_, exit);
    spans_.emplace_back(loops_.open(*before, *after), after);
    before->moveBefore(region.head);
  }

  unsigned regionOf(const Instruction& instruction) const {
    return regions_.regionOf(*instruction.getParent());
  }

  AllocaInst* makeVariable(Type* type, const Twine& name) {
    IRBuilder<> builder(&*entry_.getEntryBlock().begin());
    AllocaInst* variable = builder.CreateAlloca(type, nullptr, name);
    groupCells_.insert(variable);
    return variable;
  }

  AllocaInst* makeItemVariable(Type* type, uint64_t items, const Twine& name) {
    IRBuilder<> builder(&*entry_.getEntryBlock().begin());
    AllocaInst* variable =
        builder.CreateAlloca(ArrayType::get(type, items), nullptr, name + ".items");
    variable->setAlignment(std::max(variable->getAlign(), kCellsAlignment));
    perItem_.insert(variable);
    return variable;
  }

  Value* addressIn(const Cell& cell, unsigned region, IRBuilder<>& builder) {
    if (!cell.perItem) return cell.variable;
    return builder.CreateInBoundsGEP(cell.type, cell.variable, spans_[region].nest.linear);
  }

  Cell& cellOf(Instruction& value) {
    auto [place, isNew] = cells_.try_emplace(&value);
    if (isNew) {
      const bool perItem = context_.carry(value) == Carry::PerItem;
      Type* type = ItemLoops::typeInMemory(value.getType());
      place->second = {perItem ? makeItemVariable(type, items_, value.getName())
                               : makeVariable(type, value.getName()),
                       type, perItem, static_cast<unsigned>(uses_.size())};
      if (perItem) uses_.push_back({place->second.variable, {}});
    }
    return place->second;
  }

  void store(Value* value, const Cell& cell, unsigned region, Instruction* before) {
    if (cell.perItem) uses_[cell.index].use.writes.push_back(region);
    IRBuilder<> builder(before);
    if (value->getType() != cell.type) value = builder.CreateZExt(value, cell.type);
    builder.CreateStore(value, addressIn(cell, region, builder));
  }

  /// What `cell` holds of a value of `type` when `region` begins: for the group, before its loops;
  /// for a work-item, at the start of its iteration.
  Value* load(const Cell& cell, Type* type, unsigned region) {
    if (cell.perItem) uses_[cell.index].use.reads.push_back(region);
    const ItemLoops::Nest& nest = spans_[region].nest;
    IRBuilder<> builder((cell.perItem ? nest.body : nest.before)->getTerminator());
    Value* kept = builder.CreateLoad(cell.type, addressIn(cell, region, builder),
                                     cell.variable->getName() + ".in");
    return type == cell.type ? kept : builder.CreateTrunc(kept, type);
  }

  /// `value` as it is in `region`.
  Value* valueIn(Value& wanted, unsigned region) {
    // A value's representative in one region is not that of another.
    Value* const original = originals_.lookup(&wanted);
    Value& value = original ? *original : wanted;
    if (auto* variable = dyn_cast<AllocaInst>(&value))
      return itemVariables_.contains(variable) ? itemAddress(*variable, region) : variable;
    auto* instruction = dyn_cast<Instruction>(&value);
    if (!instruction) return &value;
    const unsigned home = regionOf(*instruction);
    if (home == BarrierRegions::kNone) return &value;
    const bool isHeadPhi = headPhis_.contains(instruction);
    if (home == region && !isHeadPhi) return &value;
    if (auto known = spans_[region].values.find(&value); known != spans_[region].values.end())
      return known->second;
    Value* result = !isHeadPhi && context_.carry(*instruction) == Carry::Recompute
                        ? recompute(*instruction, region)
                        : load(keptCell(*instruction), instruction->getType(), region);
    originals_[result] = &value;
    return spans_[region].values[&value] = result;
  }

  /// The cell of `value`, which is written where the value is computed. Head phis are written
  /// on the ways to them instead.
  Cell keptCell(Instruction& value) {
    const bool isNew = !cells_.contains(&value);
    const Cell cell = cellOf(value);
    if (isNew && !headPhis_.contains(&value)) {
      store(&value, cell, regionOf(value), &placeToKeep(value));
    }
    return cell;
  }

  /// Before which instruction `value` is kept: once it is computed, but of what loops inside its
  /// region compute the last alone. Stores in the headers of loops would keep these as they are.
  Instruction& placeToKeep(Instruction& value) const {
    const unsigned home = regionOf(value);
    const Loop* outermost = nullptr;
    for (const Loop* loop = bodyLoops_.getLoopFor(value.getParent());
         loop && all_of(loop->blocks(), [&](auto* block) { return isIn(*block, home); });
         loop = loop->getParentLoop())
      outermost = loop;
    BasicBlock* exit = outermost ? outermost->getUniqueExitBlock() : nullptr;
    if (exit && isIn(*exit, home) && bodyDominators_.dominates(value.getParent(), exit))
      return *exit->getFirstInsertionPt();
    return isa<PHINode>(value) ? *value.getParent()->getFirstInsertionPt() : *value.getNextNode();
  }

  bool isIn(const BasicBlock& block, unsigned region) const {
    return regions_.regionOf(block) == region;
  }

  Value* recompute(Instruction& value, unsigned region) {
    SmallVector<Value*> operands;
    for (Value* operand : value.operands()) operands.push_back(valueIn(*operand, region));
    Instruction* copy = value.clone();
    for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
    copy->insertBefore(spans_[region].nest.body->getTerminator());
    copy->setName(value.getName());
    return copy;
  }

  /// Makes a variable with a cell for each work-item, in place of `variable`.
  void makeCells(AllocaInst& variable) {
    // What combines cells takes them in whole blocks.
    const uint64_t items =
        isCollectiveCell(variable) ? alignTo(items_, abi::kCollectiveBlock) : items_;
    AllocaInst* all =
        makeItemVariable(ArrayType::get(Type::getInt8Ty(entry_.getContext()), strideOf(variable)),
                         items, variable.getName());
    all->setAlignment(std::max(all->getAlign(), variable.getAlign()));
    itemVariables_[&variable] = all;
  }

  void replaceVariable(AllocaInst& variable) {
    for (Use& use : make_early_inc_range(variable.uses())) {
      auto* intrinsic = dyn_cast<IntrinsicInst>(use.getUser());
      if (intrinsic && intrinsic->isLifetimeStartOrEnd())
        intrinsic->eraseFromParent();
      else if (const unsigned span = spanOf(placeOf(use)); span != BarrierRegions::kNone)
        use.set(itemAddress(variable, span));
    }
  }

  /// Index of the span that `block` is in, with those that are no regions.
  unsigned spanOf(const BasicBlock& block) const {
    if (divergent_ && divergent_->holds(block)) return spans_.size() - 1;
    return regions_.regionOf(block);
  }

  uint64_t strideOf(const AllocaInst& variable) const {
    const DataLayout& layout = entry_.getParent()->getDataLayout();
    return alignTo(variable.getAllocationSize(layout)->getFixedValue(), variable.getAlign());
  }

  Value* itemAddress(AllocaInst& variable, unsigned region) {
    Value*& address = spans_[region].values[&variable];
    if (!address) {
      IRBuilder<> builder(spans_[region].nest.body->getTerminator());
      AllocaInst* all = itemVariables_.lookup(&variable);
      address =
          builder.CreateInBoundsGEP(cast<ArrayType>(all->getAllocatedType())->getElementType(), all,
                                    spans_[region].nest.linear, variable.getName());
      originals_[address] = &variable;
    }
    return address;
  }

  /// Writes what the phi chooses at the end of each way to its region.
  void passOn(PHINode& phi) {
    headPhis_.insert(&phi);
    const Cell cell = cellOf(phi);
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      BasicBlock* from = phi.getIncomingBlock(i);
      if (auto* value = dyn_cast<Instruction>(phi.getIncomingValue(i)); value && cell.perItem)
        takenOver_.emplace_back(cell.index, value);
      store(phi.getIncomingValue(i), cell, regions_.regionOf(*from), from->getTerminator());
    }
  }

  /// Gives cells the same memory where they are not needed at the same time.
  void shareMemory() {
    SmallVector<SmallVector<unsigned>> successors;
    for (const BarrierRegion& region : regions_.regions()) successors.push_back(region.successors);
    successors.resize(spans_.size());
    for (const auto& [region, parting] : partings_) successors[region].push_back(parting.span);
    SmallVector<CellUse> uses;
    DenseMap<Type*, unsigned> kinds;
    for (KeptCell& cell : uses_) {
      cell.use.kind =
          kinds.try_emplace(cell.variable->getAllocatedType(), kinds.size()).first->second;
      uses.push_back(cell.use);
    }
    for (auto [cell, value] : takenOver_)
      if (const auto from = cells_.find(value); from != cells_.end() && from->second.perItem)
        uses[cell].copies.push_back(from->second.index);
    const std::vector<unsigned> homes = shareCells(successors, uses);
    for (unsigned i = 0; i < homes.size(); ++i) {
      if (homes[i] == i) continue;
      uses_[i].variable->replaceAllUsesWith(uses_[homes[i]].variable);
      perItem_.erase(uses_[i].variable);
      uses_[i].variable->eraseFromParent();
    }
  }

  /// Gives every use of `value` what it is in the region of the use.
  void replaceUses(Instruction& value) {
    SmallVector<Use*> uses;
    for (Use& use : value.uses()) uses.push_back(&use);
    for (Use* use : uses)
      if (const unsigned region = regions_.regionOf(placeOf(*use)); region != BarrierRegions::kNone)
        use->set(valueIn(value, region));
  }

  void replaceHeadPhi(PHINode& phi) {
    replaceUses(phi);
    phi.replaceAllUsesWith(PoisonValue::get(phi.getType()));
    phi.eraseFromParent();
  }

  /// Puts the region's blocks between its loops, and the skeleton's control flow around them.
  void close(unsigned index) {
    const BarrierRegion& region = regions_.regions()[index];
    Span& span = spans_[index];
    IRBuilder<> builder(span.after);
    if (region.asks) {
      askForWays(index);
    } else if (region.branch) {
      moveBranch(*region.branch, span);
    } else if (region.next) {
      // Where this is the latch of a loop of the group, the metadata of the loop over work-items
      // before it must not be taken for that loop's: metadata of its own keeps the two branches
      // apart.
      MDNode* loop = MDNode::getDistinct(builder.getContext(), {nullptr});
      loop->replaceOperandWith(0, loop);
      builder.CreateBr(skeletonTarget(*region.next))->setMetadata(LLVMContext::MD_loop, loop);
    } else {
      builder.CreateUnreachable();  // nobody leaves
    }
    for (BasicBlock* block : region.blocks) {
      Instruction* end = block->getTerminator();
      for (unsigned i = 0; i < end->getNumSuccessors(); ++i) {
        BasicBlock* successor = end->getSuccessor(i);
        if (successor == region.next) end->setSuccessor(i, span.nest.latch);
      }
    }
    // The skeleton reaches the region through its loops, and they alone the region.
    for (BasicBlock* before : SmallVector<BasicBlock*>(predecessors(region.head)))
      if (regions_.regionOf(*before) == BarrierRegions::kNone)
        before->getTerminator()->replaceSuccessorWith(region.head, span.nest.before);
    span.nest.body->getTerminator()->setSuccessor(0, region.head);
  }

  BasicBlock* skeletonTarget(BasicBlock& target) {
    const unsigned region = regions_.regionOf(target);
    return region == BarrierRegions::kNone ? &target : spans_[region].nest.before;
  }

  /// Whether all that a region does is to find out what its work-items agree on, such as whether
  /// the group takes a back edge: then one of them is enough.
  bool isForGroup(const BarrierRegion& region) const {
    if (region.blocks.size() != 1) return false;
    return all_of(*region.blocks.front(), [&](const Instruction& instruction) {
      const auto* store = dyn_cast<StoreInst>(&instruction);
      if (!store) return !instruction.mayHaveSideEffects() && !instruction.mayReadFromMemory();
      const auto* variable = dyn_cast<AllocaInst>(store->getPointerOperand());
      return variable && groupCells_.contains(variable);
    });
  }

  /// Has the group take the branch once, after all work-items have run the region.
  void moveBranch(Instruction& branch, Span& span) {
    BasicBlock* block = branch.getParent();
    Value* condition = branch.getOperand(0);
    AllocaInst* decision = makeVariable(condition->getType(), "decision");
    branch.removeFromParent();
    IRBuilder<> inLoop(block);
    inLoop.CreateStore(condition, decision);
    inLoop.CreateBr(span.nest.latch);
    IRBuilder<> skeleton(span.after);
    Value* decided = skeleton.CreateLoad(condition->getType(), decision);
    branch.insertInto(span.after, span.after->end());
    branch.setOperand(0, decided);
    for (unsigned i = 0; i < branch.getNumSuccessors(); ++i)
      branch.setSuccessor(i, skeletonTarget(*branch.getSuccessor(i)));
  }

  /// Has work-items that do not agree on the way out of `region` go on by themselves.
  void makeParting(unsigned index) {
    LLVMContext& context = entry_.getContext();
    const Instruction& branch = *regions_.regions()[index].branch;
    const BasicBlock& from = *branch.getParent();
    const unsigned ways = branch.getNumSuccessors();
    Type* type = ways <= 256 ? Type::getInt8Ty(context) : Type::getInt32Ty(context);
    AllocaInst* taken = makeItemVariable(type, items_, "way");
    const unsigned parting = spans_.size();
    partings_[index] = {taken, parting};
    BasicBlock* before = BasicBlock::Create(context, "parting", &entry_, &entry_.back());
    BasicBlock* after = BasicBlock::Create(context, "parting.end", &entry_, &entry_.back());
    BranchInst::Create(&divergent_->start(), after);
    spans_.emplace_back(loops_.open(*before, *after), after);
    const ItemLoops::Nest& nest = spans_.back().nest;
    SmallVector<std::pair<Instruction*, Value*>> kept;
    for (Instruction* value : divergent_->needsFrom(from))
      kept.emplace_back(value, valueIn(*value, parting));
    IRBuilder<> builder(nest.body->getTerminator());
    for (auto [original, value] : kept) divergent_->keep(builder, nest.linear, *original, value);
    Value* way = builder.CreateLoad(type, builder.CreateInBoundsGEP(type, taken, nest.linear));
    Value* point = divergent_->pointOf(from, *branch.getSuccessor(0));
    for (unsigned i = 1; i < ways; ++i)
      point = builder.CreateSelect(builder.CreateICmpEQ(way, ConstantInt::get(type, i)),
                                   divergent_->pointOf(from, *branch.getSuccessor(i)), point);
    divergent_->resumeAt(builder, nest.linear, point);
  }

  /// Has the group take a branch once where its work-items agree on the way.
  void askForWays(unsigned index) {
    Span& span = spans_[index];
    const Parting& parting = partings_.at(index);
    Instruction& branch = *regions_.regions()[index].branch;
    Type* type = cast<ArrayType>(parting.ways->getAllocatedType())->getElementType();
    BasicBlock* block = branch.getParent();
    IRBuilder<> inLoop(&branch);
    inLoop.CreateStore(wayOf(branch, type, inLoop),
                       inLoop.CreateInBoundsGEP(type, parting.ways, span.nest.linear));
    branch.removeFromParent();
    BranchInst::Create(span.nest.latch, block);

    LLVMContext& context = entry_.getContext();
    BasicBlock* agreed = BasicBlock::Create(context, "region.agreed", &entry_, &entry_.back());
    IRBuilder<> skeleton(span.after);
    Value* way = skeleton.CreateLoad(type, parting.ways, "way");
    Value* isOne = areAllEqual(loops_, *parting.ways, *way, skeleton);
    skeleton.CreateCondBr(isOne, agreed, spans_[parting.span].nest.before,
                          MDBuilder(context).createLikelyBranchWeights());
    skeleton.SetInsertPoint(agreed);
    auto* chosen = skeleton.CreateSwitch(way, skeletonTarget(*branch.getSuccessor(0)));
    for (unsigned i = 1; i < branch.getNumSuccessors(); ++i)
      chosen->addCase(cast<ConstantInt>(ConstantInt::get(type, i)),
                      skeletonTarget(*branch.getSuccessor(i)));
    branch.deleteValue();
  }

  /// Has all work-items go by themselves from the beginning.
  void beginDivergent() {
    LLVMContext& context = entry_.getContext();
    BasicBlock* before = BasicBlock::Create(context, "begin", &entry_, &entry_.back());
    BasicBlock* after = BasicBlock::Create(context, "begin.end", &entry_, &entry_.back());
    BranchInst::Create(&divergent_->start(), after);
    const ItemLoops::Nest nest = loops_.open(*before, *after);
    IRBuilder<> builder(nest.body->getTerminator());
    divergent_->resumeAt(builder, nest.linear, divergent_->beginning());
    entry_.getEntryBlock().getTerminator()->setSuccessor(0, before);
  }

  /// One thread runs all work-items of the group, in the order that barriers ask for: fences that
  /// only they would see do nothing but keep values from staying in registers. Those of global
  /// memory stay: programs publish results by a barrier and a relaxed atomic.
  void dropBarriers() {
    SmallVector<CallInst*> combining;
    for (BasicBlock& block : entry_) {
      CallInst* barrier = barrierIn(block);
      if (!barrier) continue;
      if (isCollective(*barrier)) combining.push_back(combine(*barrier));
      barrier->eraseFromParent();
      for (Instruction& instruction : make_early_inc_range(block))
        if (auto* fence = dyn_cast<FenceInst>(&instruction);
            fence && ordersLocalMemoryAlone(*fence))
          fence->eraseFromParent();
    }
    for (CallInst* call : combining) inlineCall(*call);
  }

  /// Between two regions, what all work-items have left in their cells is combined.
  CallInst* combine(CallInst& barrier) {
    IRBuilder<> builder(&barrier);
    auto* cell = cast<AllocaInst>(barrier.getArgOperand(barrier.arg_size() - 1));
    CallInst* made = combineCells(barrier, itemVariables_.lookup(cell), loops_.itemCount(builder));
    barrier.replaceAllUsesWith(made);
    return made;
  }

  Function& entry_;
  const ItemLoops& loops_;
  const uint64_t items_;
  const BarrierRegions& regions_;
  BarrierContext context_;
  const DominatorTree bodyDominators_;  ///< of what the entry was before loops were put around it
  const LoopInfo bodyLoops_;
  std::optional<DivergentItems> divergent_;
  DenseMap<unsigned, Parting> partings_;  ///< by region
  std::vector<Span> spans_;
  DenseMap<Instruction*, Cell> cells_;
  std::vector<KeptCell> uses_;
  /// Cells of phis, by index, and what they take over.
  SmallVector<std::pair<unsigned, Instruction*>> takenOver_;
  DenseMap<AllocaInst*, AllocaInst*> itemVariables_;
  SmallPtrSet<Instruction*, 16> headPhis_;
  DenseMap<Value*, Value*> originals_;  ///< by their representatives in regions
  ItemLoops::Variables perItem_;
  SmallPtrSet<const AllocaInst*, 16> groupCells_;  ///< one for all work-items
};

}  // namespace

std::expected<void, std::string> formBarrierLoops(Function& entry, AllocaInst& item,
                                                  const ItemLoops& loops, uint64_t items,
                                                  bool isRow, bool isDivergent) {
  isolateBarriers(entry);  // inlining may have folded branches of the body's normal form
  exposeCollectives(entry);
  BasicBlock* first = entry.getEntryBlock().getSingleSuccessor();
  const auto ids = isRow ? BarrierRegions::Ids::DifferInRow : BarrierRegions::Ids::Differ;
  const bool canDiverge = canDivergeAtBarriers(entry);
  const auto find = [&] {
    auto regions = BarrierRegions::find(entry, *first, ids);
    if (!regions && canDiverge)
      regions = BarrierRegions::find(entry, *first, ids, BarrierRegions::Unproven::Asked);
    return regions;
  };
  auto regions = find();
  if (regions && splitCrossingVectors(entry, *regions)) regions = find();
  if (!regions) return std::unexpected(regions.error().why);
  BarrierLoopsBuilder(entry, item, loops, items, *regions).build(isDivergent && canDiverge);
  return {};
}

}  // namespace weft::compiler
