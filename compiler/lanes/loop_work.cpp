// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/loop_work.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include "analysis/update_loops.h"
#include "ir/barriers.h"
#include "ir/item_loops.h"
#include "ir/names.h"
#include "lanes/estimates.h"
#include "lanes/inner_loads.h"
#include "lanes/item_table.h"
#include "lanes/rare_calls.h"

namespace weft::compiler {

using namespace llvm;

namespace {

/// Whether its places are known within blocks of lanes, by itself or with others.
bool isInBlocks(const Instruction& access, const WidthQuestion& question) {
  return question.blocks.of(access, tuning::kMostLanes) ||
         question.blocks.groupOf(access, tuning::kMostLanes);
}

/// Whether lanes make an access one after the other: it goes to places that do not follow each
/// other, or is volatile.
bool isScattered(const Instruction& instruction, const WidthQuestion& question) {
  const LaneShapes& shapes = question.shapes;
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  if (!pointer || question.groups.of(instruction) || question.likelyRows.contains(instruction))
    return false;
  if (instruction.isVolatile()) return true;
  if (isInBlocks(instruction, question)) return false;
  const StridedGroup* group = question.groupsApart.of(instruction);
  if (group && &group->place() != &instruction) return false;
  const LaneShape shape = shapes.of(pointer);
  if (shape.isUniform()) return false;
  const uint64_t bytes = instruction.getDataLayout().getTypeAllocSize(
      getLoadStoreType(const_cast<Instruction*>(&instruction)));
  return shape.isVarying() ||
         (!shapes.interleaved(pointer) && static_cast<uint64_t>(std::abs(shape.stride)) != bytes);
}

unsigned componentsOf(const Value& value) {
  const auto* vector = dyn_cast<FixedVectorType>(value.getType());
  return vector ? vector->getNumElements() : 1;
}

/// Operations on single components that an instruction becomes.
unsigned operationsOnParts(const Instruction& instruction) {
  if (isa<ShuffleVectorInst>(instruction)) return 0;
  // A component that is known is only another name; otherwise all have to be looked at.
  if (const auto* extract = dyn_cast<ExtractElementInst>(&instruction))
    return isa<Constant>(extract->getIndexOperand())
               ? 0
               : 2 * componentsOf(*extract->getVectorOperand());
  if (const auto* insert = dyn_cast<InsertElementInst>(&instruction))
    return isa<Constant>(insert->getOperand(2)) ? 0 : 2 * componentsOf(*insert);
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return componentsOf(*store->getValueOperand());
  return componentsOf(instruction);
}

unsigned bitsOf(const Value& value, const DataLayout& layout) {
  const uint64_t bits = layout.getTypeSizeInBits(value.getType()->getScalarType());
  return componentsOf(value) * std::max<unsigned>(bits, 8);
}

/// The phis of a loop's head in classes of those that depend on each other from iteration to
/// iteration: however many, they are one chain of operations.
EquivalenceClasses<const PHINode*> recurrencesOf(const Loop& loop, const LaneShapes& shapes) {
  EquivalenceClasses<const PHINode*> classes;
  const auto isHead = [&](const Instruction& instruction) {
    return isa<PHINode>(instruction) && instruction.getParent() == loop.getHeader();
  };
  for (const PHINode& phi : const_cast<BasicBlock*>(loop.getHeader())->phis()) {
    if (!shapes.of(&phi).isVarying() || !loop.getLoopLatch()) continue;
    classes.insert(&phi);
    SmallPtrSet<const Value*, 16> seen;
    SmallVector<const Value*, 16> left{phi.getIncomingValueForBlock(loop.getLoopLatch())};
    while (!left.empty()) {
      const auto* inside = dyn_cast<Instruction>(left.pop_back_val());
      if (!inside || !loop.contains(inside) || !shapes.of(inside).isVarying() ||
          !seen.insert(inside).second)
        continue;
      if (isHead(*inside))
        classes.unionSets(&phi, cast<PHINode>(inside));
      else
        left.append(inside->value_op_begin(), inside->value_op_end());
    }
  }
  return classes;
}

/// Whether more varying values are live somewhere within an iteration than between two.
bool hasTemporaries(const Loop& loop, const LaneShapes& shapes) {
  if (loop.getNumBlocks() != 1) return true;
  const DataLayout& layout = loop.getHeader()->getDataLayout();
  SmallPtrSet<const Value*, 16> live;
  unsigned bits = 0;
  const auto add = [&](const Value* value) {
    const auto* inside = dyn_cast<Instruction>(value);
    if (inside && loop.contains(inside) && shapes.of(inside).isVarying() &&
        live.insert(inside).second)
      bits += bitsOf(*inside, layout);
  };
  for (const PHINode& phi : const_cast<BasicBlock*>(loop.getHeader())->phis())
    add(phi.getIncomingValueForBlock(loop.getHeader()));
  unsigned most = bits;
  for (const Instruction& instruction : reverse(*loop.getHeader())) {
    if (isa<PHINode>(instruction)) break;
    if (live.erase(&instruction)) bits -= bitsOf(instruction, layout);
    for_each(instruction.operand_values(), add);
    most = std::max(most, bits);
  }
  return most > bits;
}

Live liveIn(const Loop& loop, const LaneShapes& shapes) {
  Live live;
  const DataLayout& layout = loop.getHeader()->getDataLayout();
  const auto classes = recurrencesOf(loop, shapes);
  for (auto entry = classes.begin(); entry != classes.end(); ++entry) {
    if (!entry->isLeader()) continue;
    unsigned widest = 0;
    for (const PHINode* phi : make_range(classes.member_begin(entry), classes.member_end())) {
      widest = std::max(widest, bitsOf(*phi, layout));
      live.chains += bitsOf(*phi, layout);
    }
    live.recurrences += widest;
  }
  live.hasTemporaries = hasTemporaries(loop, shapes);
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  live.isDivergent = any_of(exiting, [&](const BasicBlock* block) {
    const auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    return !branch || shapes.of(branch->getCondition()).isVarying();
  });
  SmallPtrSet<const Value*, 16> invariants;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      // What chains begin with is not needed afterwards. It counts where lanes leave one by one,
      // since more of them wait for the last one then.
      if (isa<PHINode>(instruction) && block == loop.getHeader() && !live.isDivergent) continue;
      if (instruction.mayReadOrWriteMemory())
        live.hasAccesses |= any_of(instruction.operands(), [&](const Value* operand) {
          return !shapes.of(operand).isUniform();
        });
      for (const Value* operand : instruction.operands())
        if (isa<Instruction>(operand) && loop.isLoopInvariant(operand) &&
            shapes.of(operand).isVarying() && !shapes.isOnlyIndex(operand) &&
            invariants.insert(operand).second)
          live.invariants += bitsOf(*operand, layout);
    }
  return live;
}

/// Calls that lanes make one after the other.
bool isCallOutOfLine(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  return call && !isa<IntrinsicInst>(call) && call->getCalledFunction() && !isBarrier(*call) &&
         !hasLaneForms(*call->getCalledFunction()) && !isEstimate(*call->getCalledFunction());
}

bool isDivision(const Instruction& instruction) {
  return instruction.isIntDivRem() && !isa<Constant>(instruction.getOperand(1));
}

/// Whether lanes differ in `value` by what they read in `loop`.
bool isOfRead(const Value& value, const Loop& loop, const LaneShapes& shapes) {
  SmallPtrSet<const Value*, 16> seen;
  SmallVector<const Value*, 16> left{&value};
  while (!left.empty()) {
    const auto* inside = dyn_cast<Instruction>(left.pop_back_val());
    if (!inside || !loop.contains(inside) || !shapes.of(inside).isVarying() ||
        !seen.insert(inside).second)
      continue;
    if (inside->mayReadFromMemory()) return true;
    left.append(inside->value_op_begin(), inside->value_op_end());
  }
  return false;
}

/// Whether a block ends in a branch within its innermost loop that depends on what lanes read, each
/// by itself: processors learn which way work-items go by their ids, but not this.
bool isHardToPredict(const BasicBlock& block, const WidthQuestion& question) {
  const auto* branch = dyn_cast<BranchInst>(block.getTerminator());
  const Loop* inner = question.loops.getLoopFor(&block);
  if (!branch || branch->isUnconditional() ||
      !question.shapes.of(branch->getCondition()).isVarying() ||
      !all_of(successors(&block), [&](const BasicBlock* to) { return inner->contains(to); }))
    return false;
  return isOfRead(*branch->getCondition(), question.loop, question.shapes);
}

/// Whether work-items leave `inner` by what they read there: each when it has found something, and
/// lanes wait for the last of them.
bool isLeftByRead(const Loop& inner, const LaneShapes& shapes) {
  SmallVector<BasicBlock*, 4> exiting;
  inner.getExitingBlocks(exiting);
  return any_of(exiting, [&](const BasicBlock* block) {
    const auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    return branch && isOfRead(*branch->getCondition(), inner, shapes);
  });
}

bool isItemField(const StoreInst& store) {
  const auto* variable =
      dyn_cast<AllocaInst>(store.getPointerOperand()->stripInBoundsConstantOffsets());
  return variable && names::isItem(*variable);
}

/// Whether it goes to an array whose elements alternate between the lanes: that stays in the
/// first-level cache, in many lanes as in one.
bool isInPrivateArray(const Instruction& access, const WidthQuestion& question) {
  const Value* object = getUnderlyingObject(getLoadStorePointerOperand(&access));
  const auto* layout = question.privates.find(dyn_cast<AllocaInst>(object));
  return layout != question.privates.end() && layout->second.elementBytes != 0;
}

/// Lanes that follow rows of their own, which are fewer where these compete for the cache.
unsigned lanesOfRows(LaneShape shape) {
  if (shape.kind != LaneShape::Affine || shape.stride == 0) return tuning::kMostLanes;
  return std::clamp(lanesInHalfOfCache(shape.stride), tuning::kLanesAlongRows, tuning::kMostLanes);
}

/// Adds an access of an inner loop to as many places as there are lanes.
void addScattered(const Instruction& access, const Loop& inner, bool isInVectors,
                  const WidthQuestion& question, Work& work) {
  if (isInPrivateArray(access, question)) return;
  ++work.scatteredInLoops;
  work.awaited += isLeftByRead(inner, question.shapes);
  work.rowsInVectors += isInVectors;
  const auto* load = dyn_cast<LoadInst>(&access);
  if (!load) return;
  switch (classifyInnerLoad(*load, inner)) {
    case InnerLoad::Row:
      ++work.rows;
      work.rowLanes =
          std::min(work.rowLanes, lanesOfRows(question.shapes.of(load->getPointerOperand())));
      // Small vectors are loaded as one number.
      work.rowElements += load->getType()->getPrimitiveSizeInBits() > 64 ? componentsOf(*load) : 1;
      work.recurrence = std::max(work.recurrence, cyclesOfRecurrence(inner, question.loops));
      work.rowsOfVectors += isRowOfVectors(*load, inner);
      break;
    case InnerLoad::Chain:
      ++work.chained;
      break;
    case InnerLoad::Anywhere:
      break;
  }
}

/// Adds the row of an access to global memory, if it is along one. Rows less than a page apart, as
/// those of neighbours are, count as one where their distance is known.
void addStream(const Instruction& access, const WidthQuestion& question, Streams& streams) {
  const Value* pointer = getLoadStorePointerOperand(&access);
  if (!pointer || pointer->getType()->getPointerAddressSpace() != names::kGlobal ||
      streams.areMany() || question.shapes.of(pointer).isUniform() || isScattered(access, question))
    return;
  const DataLayout& layout = access.getDataLayout();
  AddressSum row = AddressSum::of(pointer, layout);
  const bool isKnown = any_of(streams.rows, [&](const AddressSum& other) {
    return row.isBeside(other) && std::abs(row.offset - other.offset) < tuning::kPageBytes;
  });
  if (isKnown) return;
  streams.rows.push_back(std::move(row));
  streams.bits +=
      layout.getTypeSizeInBits(getLoadStoreType(const_cast<Instruction*>(&access))).getFixedValue();
}

/// Whether it goes to a place in local memory that is a number in each work-item of the group: once
/// the loop is unrolled, forward-lanes knows who has written there.
bool isKnownPlace(const Instruction& access, const WidthQuestion& question) {
  const Value* pointer = getLoadStorePointerOperand(&access);
  if (!pointer || pointer->getType()->getPointerAddressSpace() != names::kLocal) return false;
  const auto items = ItemLoop::recognise(const_cast<Loop&>(question.loop));
  return items && ItemTable::isPossible(*items) && ItemTable(*items).isKnown(*pointer);
}

bool isIn(const Instruction& access, unsigned space) {
  const Value* pointer = getLoadStorePointerOperand(&access);
  return pointer && pointer->getType()->getPointerAddressSpace() == space;
}

/// Whether it reads a column of a tile, say, of elements that lanes insert as numbers.
bool isColumn(const Instruction& instruction, const WidthQuestion& question) {
  constexpr unsigned kNumberBits = 64;
  return isa<LoadInst>(instruction) && isIn(instruction, names::kLocal) &&
         instruction.getType()->getPrimitiveSizeInBits() <= kNumberBits &&
         !instruction.isVolatile() && isScattered(instruction, question);
}

bool isRowStore(const Instruction& instruction, const WidthQuestion& question) {
  return isa<StoreInst>(instruction) && isIn(instruction, names::kGlobal) &&
         !question.shapes.of(getLoadStorePointerOperand(&instruction)).isUniform() &&
         !isScattered(instruction, question);
}

/// Whether all that comes of `value`, a number or an address, is addresses of accesses.
bool isForAddress(const Value& value, unsigned steps = 4) {
  return !value.use_empty() && all_of(value.users(), [&](const User* user) {
    if (getLoadStorePointerOperand(user) == &value) return true;
    const bool leadsOn = isa<GetElementPtrInst, CastInst>(user) ||
                         (isa<BinaryOperator>(user) && user->getType()->isIntegerTy());
    return leadsOn && steps > 0 && isForAddress(*user, steps - 1);
  });
}

/// Adds an update of local memory that lanes make one after the other.
void addCount(const AtomicRMWInst& count, const WidthQuestion& question, Work& work) {
  const bool isOfOne = !question.shapes.of(count.getValOperand()).isVarying();
  ++work.counts;
  work.inWords += comesInWords(count, question.shapes);
  work.extremes += !isOfOne && seldomChanges(count);
}

}  // namespace

bool isCount(const Instruction& instruction) {
  const auto* atomic = dyn_cast<AtomicRMWInst>(&instruction);
  return atomic && atomic->use_empty() && atomic->getPointerAddressSpace() == names::kLocal;
}

unsigned bitsOfRegister(const WidthQuestion& question) {
  return question.target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
      .getFixedValue();
}

Work measure(const WidthQuestion& question) {
  Work work;
  struct Part {
    unsigned instructions = 0, dividerCycles = 0;
  };
  MapVector<const Loop*, Part> byLoop;  // the same choice in every process
  for (const BasicBlock* block : question.loop.blocks()) {
    const Loop* inner = question.loops.getLoopFor(block);
    if (ItemLoops::isBlockLoop(*inner)) inner = inner->getParentLoop();
    const bool isInVectors = inner != &question.loop && isRowInVectors(*inner);
    for (const Instruction& instruction : *block) {
      const unsigned weight = inner == &question.loop ? 1 : tuning::kLoopWeight;
      if (question.shapes.isOnlyIndex(&instruction)) continue;
      const bool isShared = isSharedUpdate(instruction, question.shapes);
      if (isPipeClaim(instruction) ||
          (isShared && cast<AtomicRMWInst>(instruction).getPointerAddressSpace() != names::kLocal))
        ++work.claims;
      else if (isCallOutOfLine(instruction))
        work.calls += weight;
      const Value* value = &instruction;
      if (const auto* store = dyn_cast<StoreInst>(&instruction)) {
        if (isItemField(*store)) continue;
        value = store->getValueOperand();
      }
      if (!isa<StoreInst>(instruction) && !question.shapes.of(value).isVarying()) continue;
      Type* type = value->getType();
      if (const auto* vector = dyn_cast<FixedVectorType>(type))
        work.components = std::max(work.components, vector->getNumElements());
      // Products of 128 bits are made of 64 (split_products.h).
      const unsigned bits = std::min(type->getScalarSizeInBits(), 64u);
      if (const unsigned parts = operationsOnParts(instruction); parts != 0)
        work.results.push_back({parts, std::max(bits, 8u), isScattered(instruction, question)});
      ++work.instructions;
      work.weight += weight;
      if (inner == &question.loop) addStream(instruction, question, work.streams);
      Turned& turned = inner == &question.loop ? work.turned : work.turnedInLoops;
      turned.columns += isColumn(instruction, question);
      turned.rowStores += isRowStore(instruction, question);
      if (isScattered(instruction, question)) {
        ++work.scattered;
        work.known += isKnownPlace(instruction, question);
        if (inner == &question.loop && componentsOf(*value) > 1)
          work.inTiles += componentsOf(*value);
        work.volatiles += instruction.isVolatile();
      }
      if (const auto* atomic = dyn_cast<AtomicRMWInst>(&instruction))
        work.atomics += atomic->getPointerAddressSpace() == names::kGlobal && !isShared &&
                        !isReadFirst(instruction, question.shapes);
      if (isCount(instruction) && !isShared && !isRowUpdate(instruction, question.shapes))
        addCount(cast<AtomicRMWInst>(instruction), question, work);
      if (isa<LoadInst>(instruction) && bits >= 8 && !isScattered(instruction, question))
        work.narrowest = std::min(work.narrowest, bits);
      work.inBlocks += isInBlocks(instruction, question);
      work.guessed += question.likelyRows.contains(instruction);
      const bool isAddress = isForAddress(instruction);
      work.computed += !isAddress && !getLoadStorePointerOperand(&instruction);
      work.divisions += isDivision(instruction);
      if (inner != &question.loop) {
        ++work.inLoops;
        work.inRows += isInVectors;
        // Of what leads to addresses the lower halves do for most.
        work.widestInLoops = std::max(work.widestInLoops, isAddress ? std::min(bits, 32u) : bits);
        work.forAddresses += isAddress;
        work.divisionsInLoops += isDivision(instruction);
        if (isScattered(instruction, question))
          addScattered(instruction, *inner, isInVectors, question, work);
      }
      ++byLoop[inner].instructions;
      byLoop[inner].dividerCycles += cyclesInDivider(instruction);
      if (bits >= 8) work.byBits[bits] += weight;
    }
    if (inner != &question.loop) work.hasInnerLoop = true;
    if (isHardToPredict(*block, question)) {
      ++work.branches;
      work.branchesInLoops += inner != &question.loop;
    }
  }
  if (!work.hasInnerLoop) {
    work.pathCycles = cyclesOfIteration(question.loop, question.loops);
    work.dividerCycles = byLoop[&question.loop].dividerCycles;
  }
  for (auto [loop, part] : byLoop) {
    if (loop == &question.loop || part.instructions < work.innermost) continue;
    const Live live = liveIn(*loop, question.shapes);
    // Of two that are as large, the one that needs more registers decides.
    if (part.instructions > work.innermost || live.bits() > work.live.bits()) work.live = live;
    work.innermost = part.instructions;
    work.dividerCycles = part.dividerCycles;
    work.chainCycles = cyclesOfRecurrence(*loop, question.loops, work.live.isOnlyChains());
  }
  return work;
}

}  // namespace weft::compiler
