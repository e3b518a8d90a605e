// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/block_row_loads.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include <numeric>

#include "analysis/address_sum.h"
#include "analysis/vector_registers.h"
#include "base/tuning.h"
#include "ir/item_loops.h"
#include "ir/loop_size.h"
#include "ir/names.h"
#include "lanes/counted_loop.h"
#include "lanes/inner_loads.h"
#include "lanes/lane_code.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Whether `number` is the same for all work-items.
bool isUniform(const SCEV& number, const Loop& items) {
  return !SCEVExprContains(&number, [&](const SCEV* part) {
    if (const auto* steps = dyn_cast<SCEVAddRecExpr>(part)) return steps->getLoop() == &items;
    const auto* unknown = dyn_cast<SCEVUnknown>(part);
    const auto* value = unknown ? dyn_cast<Instruction>(unknown->getValue()) : nullptr;
    return value && items.contains(value);
  });
}

/// Whether work-items side by side may have one place in common, where ids have been divided: that
/// is for lanes to find out, which read it once.
bool isInBlocks(const SCEV& place, const Loop& items) {
  return SCEVExprContains(&place, [&](const SCEV* part) {
    if (isa<SCEVUDivExpr>(part)) return !isUniform(*part, items);
    const auto* unknown = dyn_cast<SCEVUnknown>(part);
    return unknown && !isa<LoadInst>(unknown->getValue()) && !isUniform(*part, items);
  });
}

/// An address, where its indices do not wrap as the program promises: in an iteration that loads
/// from there. Parts of a sum grow alike then, in however many bits they are added.
const SCEV* exactAddress(const LoadInst& load, ScalarEvolution& evolution) {
  const auto sum = AddressSum::of(load.getPointerOperand(), load.getDataLayout());
  Type* index = load.getDataLayout().getIndexType(load.getPointerOperandType());
  SmallVector<const SCEV*> parts{evolution.getSCEV(const_cast<Value*>(sum.base)),
                                 evolution.getConstant(index, static_cast<uint64_t>(sum.offset))};
  for (const AddressSum::Term& term : sum.terms) {
    const SCEV* number = evolution.getSCEV(const_cast<Value*>(term.value));
    number = term.extension == Instruction::ZExt ? evolution.getTruncateOrZeroExtend(number, index)
                                                 : evolution.getTruncateOrSignExtend(number, index);
    parts.push_back(evolution.getMulExpr(number, evolution.getConstant(index, term.scale)));
  }
  return evolution.getAddExpr(parts);
}

/// Bytes by which an address grows in each iteration of `loop`. Null where these differ.
const SCEVConstant* bytesEach(const SCEV& address, const Loop& loop) {
  const auto* steps = dyn_cast<SCEVAddRecExpr>(&address);
  return steps && steps->getLoop() == &loop && steps->isAffine()
             ? dyn_cast<SCEVConstant>(steps->getOperand(1))
             : nullptr;
}

/// What an iteration reads of a row: elements side by side, with those of the next ones behind or
/// before them.
struct Row {
  SmallVector<LoadInst*> loads;  ///< by their places
  bool isDownwards;

  const LoadInst& first() const { return *loads.front(); }
};

/// An inner loop of a work-item, and what it reads along rows.
class RowLoop {
 public:
  RowLoop(Loop& loop, const Loop& items, const TargetTransformInfo& target, LoopAnalyses& analyses)
      : loop_(loop),
        items_(items),
        target_(target),
        analyses_(analyses),
        evolution_(analyses.evolution) {}

  bool find() {
    const BasicBlock* latch = loop_.getLoopLatch();
    if (!loop_.isLoopSimplifyForm() || loop_.getExitingBlock() != latch) return false;
    SmallVector<LoadInst*> along;
    for (BasicBlock* block : loop_.blocks())
      for (Instruction& instruction : *block) {
        if (instruction.mayHaveSideEffects()) return false;
        auto* load = dyn_cast<LoadInst>(&instruction);
        if (load && isAlongRow(*load) && analyses_.dominators.dominates(block, latch))
          along.push_back(load);
      }
    findRows(along);
    size_t loads = 0;
    for (const Row& row : rows_) loads += row.loads.size();
    return !rows_.empty() && isLong() && instructionsIn(loop_) <= tuning::kBlockedBody * loads &&
           !isRowInVectors(loop_);
  }

  /// Whether the loop has been changed.
  bool apply() {
    Function& function = *loop_.getHeader()->getParent();
    const unsigned mark = function.getContext().getMDKindID("weft.row");
    MarkedRows marked;
    for (Row& row : rows_) {
      giveBase(row);
      for (auto [place, load] : enumerate(row.loads)) {
        MDNode* name = MDNode::getDistinct(function.getContext(), {});
        marked[name] = {&row, static_cast<unsigned>(place)};
        load->setMetadata(mark, name);
      }
    }
    const bool isUnrolled = unrollLoop(loop_, iterations_, !isMultiple(), target_, analyses_);
    return joinRows(function, mark, marked) || isUnrolled;
  }

  /// Unrolls `loop`, by as many iterations as it has or with a loop for the rest.
  static bool unrollLoop(Loop& loop, unsigned count, bool hasRest,
                         const TargetTransformInfo& target, LoopAnalyses& analyses) {
    if (count == 1) return false;
    UnrollLoopOptions options{};
    options.Count = count;
    options.Runtime = hasRest;
    options.AllowExpensiveTripCount = true;
    OptimizationRemarkEmitter remarks(loop.getHeader()->getParent());
    return UnrollLoop(&loop, options, &analyses.loops, &analyses.evolution, &analyses.dominators,
                      &analyses.assumptions, &target, &remarks,
                      /*PreserveLCSSA=*/true) != LoopUnrollResult::Unmodified;
  }

 private:
  /// The rows and places that loads have been marked with.
  using MarkedRows = DenseMap<const MDNode*, std::pair<const Row*, unsigned>>;

  /// Whether there is a block to read, as far as the number of iterations is known. A loop that
  /// never has more than a block, but may have less, would be unrolled with its exits.
  bool isLong() const {
    if (isa<SCEVCouldNotCompute>(evolution_.getBackedgeTakenCount(&loop_))) return false;
    const unsigned known = evolution_.getSmallConstantTripCount(&loop_);
    if (known != 0) return known >= iterations_;
    const unsigned most = evolution_.getSmallConstantMaxTripCount(&loop_);
    return most == 0 || most > iterations_;
  }

  bool isMultiple() const {
    return evolution_.getSmallConstantTripMultiple(&loop_) % iterations_ == 0;
  }

  /// Each load is compared with many others.
  const SCEV& addressOf(const LoadInst& load) const {
    const SCEV*& address = addresses_[&load];
    if (!address) address = exactAddress(load, evolution_);
    return *address;
  }

  /// Pre: isAlongRow().
  const APInt& stepOf(const LoadInst& row) const {
    return bytesEach(addressOf(row), loop_)->getAPInt();
  }

  static uint64_t bytesOf(const LoadInst& load) {
    return load.getDataLayout().getTypeStoreSize(load.getType());
  }

  /// Elements that the row goes on by in each iteration.
  uint64_t elementsOf(const LoadInst& load) const {
    return stepOf(load).abs().getZExtValue() / bytesOf(load);
  }

  bool isAlongRow(const LoadInst& load) const {
    if (!load.isSimple() || !isLaneElement(*load.getType()) ||
        load.getPointerAddressSpace() == names::kPrivate)
      return false;
    const SCEV& address = addressOf(load);
    const SCEVConstant* step = bytesEach(address, loop_);
    if (!step || step->getAPInt().abs().urem(bytesOf(load)) != 0 ||
        !isFromCounters(*load.getPointerOperand()))
      return false;
    const SCEV& first = *cast<SCEVAddRecExpr>(address).getStart();
    if (isUniform(first, items_) || isInBlocks(first, items_)) return false;
    // Of rows that overlap, or nearly so, lanes read what lies side by side.
    const auto* rows = dyn_cast<SCEVAddRecExpr>(&first);
    const auto* apart = rows && rows->getLoop() == &items_
                            ? dyn_cast<SCEVConstant>(rows->getStepRecurrence(evolution_))
                            : nullptr;
    const uint64_t near = std::max<uint64_t>(tuning::kBlockOfRow, elementsOf(load));
    return !apart || apart->getAPInt().abs().ugt(near * bytesOf(load));
  }

  /// Elements from `one` to `other` of the same row, or of another one of the same kind.
  std::optional<int64_t> distance(const LoadInst& one, const LoadInst& other) const {
    if (one.getType() != other.getType() || stepOf(one) != stepOf(other)) return std::nullopt;
    const auto* bytes =
        dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(&addressOf(other), &addressOf(one)));
    if (!bytes || bytes->getAPInt().srem(static_cast<int64_t>(bytesOf(one))) != 0)
      return std::nullopt;
    return bytes->getAPInt().getSExtValue() / static_cast<int64_t>(bytesOf(one));
  }

  /// Finds the loads that together read all elements of a row, and how many iterations read whole
  /// blocks of each.
  void findRows(ArrayRef<LoadInst*> along) {
    using Place = std::pair<int64_t, LoadInst*>;
    SmallVector<SmallVector<Place>> near;
    for (LoadInst* load : along) {
      auto* places = find_if(near, [&](auto& those) { return distance(*those[0].second, *load); });
      if (places == near.end()) places = &near.emplace_back();
      const int64_t place = places->empty() ? 0 : *distance(*places->front().second, *load);
      if (none_of(*places, [&](const Place& each) { return each.first == place; }))
        places->push_back({place, load});
    }
    for (auto& places : near) {
      sort(places, less_first());
      const uint64_t count = elementsOf(*places.front().second);
      for (size_t i = 0; i + count <= places.size();) {
        if (places[i + count - 1].first - places[i].first != static_cast<int64_t>(count) - 1) {
          ++i;
          continue;
        }
        Row row;
        for (const Place& place : ArrayRef(places).slice(i, count))
          row.loads.push_back(place.second);
        i += count;
        if (isVectorOfSums(row)) continue;
        row.isDownwards = stepOf(row.first()).isNegative();
        iterations_ = std::max<unsigned>(
            iterations_, tuning::kBlockOfRow / std::gcd<uint64_t>(count, tuning::kBlockOfRow));
        rows_.push_back(std::move(row));
      }
    }
  }

  /// Whether what is loaded fills a register, and each element goes to a variable of its own from
  /// iteration to iteration: one work-item takes all of them as vectors.
  bool isVectorOfSums(const Row& row) const {
    const uint64_t bits = row.loads.size() * row.first().getType()->getScalarSizeInBits();
    SmallPtrSet<const PHINode*, 8> sums;
    return bits >= VectorRegisters::of(target_).bits &&
           all_of(row.loads, [&](const LoadInst* load) {
             const PHINode* sum = onlyVariableOf(*load);
             return sum && sums.insert(sum).second;
           });
  }

  /// The variable of the loop that the next iteration has from what is computed with `load`. Null
  /// for none or several.
  const PHINode* onlyVariableOf(const LoadInst& load) const {
    const PHINode* found = nullptr;
    SmallPtrSet<const Instruction*, 16> seen;
    SmallVector<const Instruction*> left{&load};
    while (!left.empty())
      for (const User* user : left.pop_back_val()->users()) {
        const auto* inside = cast<Instruction>(user);
        if (!loop_.contains(inside) || !seen.insert(inside).second) continue;
        const auto* variable = dyn_cast<PHINode>(inside);
        if (!variable || variable->getParent() != loop_.getHeader()) {
          left.push_back(inside);
        } else if (found) {
          return nullptr;
        } else {
          found = variable;
        }
      }
    return found;
  }

  /// Has the addresses of `row` be a pointer that does not change in the loop, and offsets that are
  /// the same for all work-items: lanes take pointers out of their vectors once.
  void giveBase(Row& row) {
    LoadInst& first = *row.loads.front();
    Type* index = first.getDataLayout().getIndexType(first.getPointerOperandType());
    Value* base = atStart(*first.getPointerOperand());
    const SCEV* offset =
        evolution_.getAddRecExpr(evolution_.getZero(index), evolution_.getConstant(stepOf(first)),
                                 &loop_, SCEV::FlagAnyWrap);
    SCEVExpander expander(evolution_, first.getDataLayout(), "row");
    for (auto [place, load] : enumerate(row.loads)) {
      IRBuilder<> builder(load);
      Value* after = expander.expandCodeFor(offset, index, load);
      Value* address = builder.CreateGEP(builder.getInt8Ty(), base, after);
      load->setOperand(LoadInst::getPointerOperandIndex(),
                       elementAt(builder, *load, address, static_cast<int64_t>(place)));
    }
  }

  static Value* elementAt(IRBuilder<>& builder, const LoadInst& row, Value* from, int64_t count) {
    return count == 0 ? from : builder.CreateConstGEP1_64(row.getType(), from, count);
  }

  /// Whether `value` is computed from the loop's counters and from what does not change in it.
  bool isFromCounters(const Value& value) const {
    const auto* inside = dyn_cast<Instruction>(&value);
    if (!inside || !loop_.contains(inside)) return true;
    if (isa<PHINode>(inside)) return inside->getParent() == loop_.getHeader();
    return !inside->mayReadFromMemory() && all_of(inside->operands(), [&](const Use& operand) {
      return isFromCounters(*operand.get());
    });
  }

  /// `value` in the first iteration, before the loop. Pre: isFromCounters().
  Value* atStart(Value& value) {
    BasicBlock* before = loop_.getLoopPreheader();
    auto* inside = dyn_cast<Instruction>(&value);
    if (!inside || !loop_.contains(inside)) return &value;
    if (auto* phi = dyn_cast<PHINode>(inside)) return phi->getIncomingValueForBlock(before);
    Instruction* copy = inside->clone();
    for (Use& operand : copy->operands()) operand.set(atStart(*operand));
    copy->insertBefore(before->getTerminator());
    Value* known = simplifyInstruction(copy, copy->getDataLayout());
    if (!known) return copy;
    copy->eraseFromParent();
    return known;
  }

  /// Reads at once what the loads of a row read one after the other. Every iteration comes to all
  /// of them, and nothing is written. Returns whether some have been joined.
  bool joinRows(Function& function, unsigned mark, const MarkedRows& marked) {
    // Of each row, as often as there are loops that read it, the copies of each of its loads.
    MapVector<std::pair<const Row*, const Loop*>, SmallVector<SmallVector<LoadInst*>>> rows;
    for (Instruction& instruction : instructions(function))
      if (auto* load = dyn_cast<LoadInst>(&instruction))
        if (const MDNode* name = load->getMetadata(mark)) {
          const auto [row, place] = marked.lookup(name);
          auto& copies = rows[{row, analyses_.loops.getLoopFor(load->getParent())}];
          copies.resize(row->loads.size());
          copies[place].push_back(load);
          load->setMetadata(mark, nullptr);
        }
    const PostDominatorTree after(function);
    bool hasChanged = false;
    for (auto& [row, copies] : rows) {
      const auto isBefore = [&](const LoadInst* one, const LoadInst* other) {
        return one != other && analyses_.dominators.dominates(one, other);
      };
      for (auto& each : copies) sort(each, isBefore);
      if (any_of(copies, [&](const auto& each) { return each.size() != iterations_; })) continue;
      SmallVector<LoadInst*> loads;
      for (unsigned i = 0; i < iterations_; ++i)
        for (const auto& each : copies)
          loads.push_back(each[row.first->isDownwards ? iterations_ - 1 - i : i]);
      LoadInst& first = **min_element(loads, isBefore);
      LoadInst& last = **max_element(loads, isBefore);
      if (!after.dominates(last.getParent(), first.getParent())) continue;
      joinRow(loads, first);
      hasChanged = true;
    }
    return hasChanged;
  }

  /// Reads what lies side by side in blocks where `first` of the loads is.
  static void joinRow(ArrayRef<LoadInst*> loads, LoadInst& first) {
    IRBuilder<> builder(&first);
    auto* type = FixedVectorType::get(first.getType(), tuning::kBlockOfRow);
    const auto before = static_cast<int64_t>(llvm::find(loads, &first) - loads.begin());
    for (size_t begin = 0; begin < loads.size(); begin += tuning::kBlockOfRow) {
      const ArrayRef<LoadInst*> block = loads.slice(begin, tuning::kBlockOfRow);
      const int64_t away = static_cast<int64_t>(begin) - before;
      LoadInst* all = builder.CreateAlignedLoad(
          type, elementAt(builder, first, first.getPointerOperand(), away),
          commonAlignment(first.getAlign(), away * bytesOf(first)), "row");
      propagateMetadata(all, SmallVector<Value*>(block));
      all->setMetadata(names::kRowBlock, MDNode::get(all->getContext(), {}));
      for (auto [i, load] : enumerate(block))
        load->replaceAllUsesWith(builder.CreateExtractElement(all, i));
    }
    for (LoadInst* load : loads) load->eraseFromParent();
  }

  Loop& loop_;
  const Loop& items_;
  const TargetTransformInfo& target_;
  LoopAnalyses& analyses_;
  ScalarEvolution& evolution_;
  mutable DenseMap<const LoadInst*, const SCEV*> addresses_;
  SmallVector<Row> rows_;
  unsigned iterations_ = 1;  ///< after which whole blocks have been read of all rows
};

/// Whether `inner` is a short loop that goes on along rows where its last run has left them, so
/// that the loop around it reads the rows.
bool isPartOfRows(const Loop& inner, const Loop& items, ScalarEvolution& evolution) {
  const Loop* around = inner.getParentLoop();
  const unsigned count = evolution.getSmallConstantTripCount(&inner);
  if (count < 2 || around == &items || around->getSubLoops().size() != 1) return false;
  size_t rows = 0;
  for (const BasicBlock* block : inner.blocks())
    for (const Instruction& instruction : *block)
      if (const auto* load = dyn_cast<LoadInst>(&instruction)) {
        const SCEV* address = exactAddress(*load, evolution);
        const SCEVConstant* step = bytesEach(*address, inner);
        if (!step) continue;
        const auto* next = bytesEach(*cast<SCEVAddRecExpr>(address)->getStart(), *around);
        if (next && next->getAPInt() == step->getAPInt() * count) ++rows;
      }
  const uint64_t size = instructionsIn(*around) + (count - 1) * instructionsIn(inner);
  return rows != 0 &&
         size <= std::min<uint64_t>(tuning::kUnrolledPieces, tuning::kBlockedBody * count * rows);
}

/// Those in loops over work-items, each with the latter. Loops come and go as these are unrolled.
SmallVector<std::pair<Loop*, const Loop*>> innermostLoops(const LoopAnalyses& own) {
  SmallVector<std::pair<Loop*, const Loop*>> all;
  for (Loop* items : own.loops.getLoopsInPreorder()) {
    if (!ItemLoops::isItemLoop(*items)) continue;
    for (Loop* each : items->getLoopsInPreorder())
      if (each != items && each->isInnermost()) all.emplace_back(each, items);
  }
  return all;
}

/// Unrolls short loops that are parts of rows wholly. Returns whether there were some.
bool unrollParts(Function& function, const TargetTransformInfo& target) {
  LoopAnalyses own(function);
  bool hasChanged = false;
  for (auto& [inner, items] : innermostLoops(own)) {
    if (!isPartOfRows(*inner, *items, own.evolution)) continue;
    const unsigned count = own.evolution.getSmallConstantTripCount(inner);
    hasChanged |= RowLoop::unrollLoop(*inner, count, /*hasRest=*/false, target, own);
  }
  if (hasChanged)
    for (BasicBlock& block : make_early_inc_range(function)) MergeBlockIntoPredecessor(&block);
  return hasChanged;
}

}  // namespace

PreservedAnalyses BlockRowLoadsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  const auto& target = analyses.getResult<TargetIRAnalysis>(function);
  bool hasChanged = unrollParts(function, target);
  LoopAnalyses own(function);
  for (auto& [inner, items] : innermostLoops(own)) {
    RowLoop loop(*inner, *items, target, own);
    hasChanged |= loop.find() && loop.apply();
  }
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
