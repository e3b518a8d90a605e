// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/form_barrier_loops.h"

#include <llvm/IR/IntrinsicInst.h>

#include "analysis/barrier_context.h"
#include "analysis/barrier_regions.h"
#include "analysis/cell_sharing.h"
#include "form/lower_collectives.h"
#include "ir/barriers.h"
#include "ir/names.h"
#include "ir/synchronisation.h"
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
        context_(regions, entry, &item) {}

  void build() {
    for (const BarrierRegion& region : regions_.regions()) open(region);
    for (AllocaInst* variable : context_.variables()) makeCells(*variable);
    for (PHINode* phi : context_.headPhis()) passOn(*phi);
    for (Instruction* value : context_.crossing()) replaceUses(*value);
    for (PHINode* phi : context_.headPhis()) replaceHeadPhi(*phi);
    for (AllocaInst* variable : context_.variables()) replaceVariable(*variable);
    shareMemory();
    for (unsigned i = 0; i < spans_.size(); ++i) close(i);
    dropBarriers();
    SmallVector<BasicBlock*> latches;
    for (unsigned i = 0; i < spans_.size(); ++i) {
      if (isForGroup(regions_.regions()[i]))
        ItemLoops::runOnce(spans_[i].nest.latch, *spans_[i].after);
      else
        latches.push_back(spans_[i].nest.latch);
    }
    ItemLoops::markParallel(entry_, latches, perItem_);
  }

 private:
  /// A region with its loops.
  struct Span {
    Span(const ItemLoops::Nest& loops, BasicBlock* end) : nest(loops), after(end) {}
    ItemLoops::Nest nest;
    BasicBlock* after;                ///< part of the skeleton: where the loops go on to
    DenseMap<Value*, Value*> values;  ///< what values of other regions are in this one
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
  static const BasicBlock& placeOf(const Use& use) {
    const auto* user = cast<Instruction>(use.getUser());
    const auto* phi = dyn_cast<PHINode>(user);
    return phi ? *phi->getIncomingBlock(use) : *user->getParent();
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
      Instruction* after =
          isa<PHINode>(value) ? &*value.getParent()->getFirstInsertionPt() : value.getNextNode();
      store(&value, cell, regionOf(value), after);
    }
    return cell;
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
      else if (const unsigned region = regions_.regionOf(placeOf(use));
               region != BarrierRegions::kNone)
        use.set(itemAddress(variable, region));
    }
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
    if (region.branch) {
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
                                                  bool isRow) {
  isolateBarriers(entry);  // inlining may have folded branches of the body's normal form
  exposeCollectives(entry);
  BasicBlock* first = entry.getEntryBlock().getSingleSuccessor();
  auto regions = BarrierRegions::find(
      entry, *first, isRow ? BarrierRegions::Ids::DifferInRow : BarrierRegions::Ids::Differ);
  if (!regions) return std::unexpected(regions.error().why);
  BarrierLoopsBuilder(entry, item, loops, items, *regions).build();
  return {};
}

}  // namespace weft::compiler
