// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/choose_width.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/bit.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <numeric>

#include "analysis/address_sum.h"
#include "base/tuning.h"
#include "ir/barriers.h"
#include "ir/names.h"
#include "lanes/estimates.h"
#include "lanes/inner_loads.h"
#include "lanes/rare_calls.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// What an inner loop holds in registers, in bits for each work-item.
struct Live {
  unsigned chains = 0;         ///< what it keeps from iteration to iteration
  unsigned recurrences = 0;    ///< the same, but for what waits for each other: one chain in all
  unsigned invariants = 0;     ///< and what it only reads
  bool isDivergent = false;    ///< lanes leave it one by one
  bool hasAccesses = false;    ///< it reads or writes memory, other places for each work-item
  bool hasTemporaries = true;  ///< there are more values at a time within an iteration
  unsigned bits() const { return chains + invariants; }
};

/// Rows of global memory that iterations follow, each along consecutive places: as many of them as
/// make a difference.
struct Streams {
  SmallVector<AddressSum, 0> rows;
  unsigned bits = 0;  ///< of all rows' elements together

  bool areMany() const { return rows.size() >= tuning::kManyStreams; }
  /// Lanes that take a cache line of an average row.
  unsigned lanesInLine() const { return bit_floor(tuning::kLineBits * rows.size() / bits); }
};

/// Accesses of which lanes spare about as many as they take more.
struct Turned {
  unsigned columns = 0;    ///< of local memory that are read
  unsigned rowStores = 0;  ///< along rows of global memory

  unsigned pairs() const { return std::min(columns, rowStores); }
};

/// What the loop computes in vectors.
struct Work {
  std::map<unsigned, unsigned> byBits;  ///< instructions by the size of their elements
  unsigned instructions = 0;
  unsigned innermost = 0;  ///< of those, in the largest inner loop
  unsigned components = 1;
  struct Result {
    unsigned components;
    unsigned bits;     ///< of one of them
    bool isScattered;  ///< read from, or written to, as many places as there are lanes
  };
  SmallVector<Result> results;
  bool hasInnerLoop = false;
  Live live;                      ///< of the largest inner loop
  unsigned scattered = 0;         ///< accesses to as many places as there are lanes
  unsigned inTiles = 0;           ///< elements of vectors among these, where no inner loop is
  unsigned volatiles = 0;         ///< those of them that are volatile
  Turned turned, turnedInLoops;   ///< outside inner loops, and in them
  unsigned atomics = 0;           ///< on global memory
  unsigned counts = 0;            ///< atomics on local memory that nobody asks for the result of
  unsigned narrowest = 64;        ///< bits of the smallest elements that lanes load in a row
  unsigned inLoops = 0;           ///< instructions in inner loops
  unsigned forAddresses = 0;      ///< those of them that only compute addresses
  unsigned divisions = 0;         ///< of integers, which lanes do much faster than one work-item
  unsigned divisionsInLoops = 0;  ///< those of them in inner loops
  unsigned branches = 0;          ///< on what was read, which one work-item mostly guesses wrong
  unsigned branchesInLoops = 0;   ///< those of them in inner loops
  unsigned weight = 0;            ///< instructions, those in inner loops several times
  unsigned inBlocks = 0;          ///< accesses whose places are known within blocks of lanes
  unsigned guessed = 0;           ///< accesses to what are most likely rows
  unsigned computed = 0;          ///< instructions for results, not for addresses
  unsigned claims = 0;            ///< of places in pipes, and updates that lanes do together
  unsigned calls = 0;             ///< of functions out of line, weighed in the same way
  unsigned scatteredInLoops = 0;  ///< of those, accesses to as many places as there are lanes
  unsigned awaited = 0;           ///< of those, such in loops that lanes leave by what they read
  unsigned rows = 0;              ///< of those, loads along rows of the lanes' own
  unsigned rowElements = 0;       ///< how many elements these load
  unsigned rowLanes = tuning::kMostLanes;  ///< that may follow rows of their own
  unsigned rowsOfVectors = 0;  ///< of those, of vectors that one work-item does as well with
  unsigned rowsInVectors = 0;  ///< and those in loops that LLVM makes vectors of, for one work-item
  unsigned inRows = 0;         ///< instructions in such loops
  unsigned chained = 0;        ///< and loads from where those of earlier iterations lead
  unsigned recurrence = 0;     ///< cycles that one work-item waits in an iteration with such rows
  unsigned chainCycles = 0;    ///< the same in the largest inner loop
  unsigned pathCycles = 0;     ///< of an iteration over work-items, where no inner loop is
  unsigned widestInLoops = 8;  ///< bits of the largest numbers in inner loops
  Streams streams;             ///< of straight code
};

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

unsigned bitsOfRegister(const WidthQuestion& question) {
  return question.target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
      .getFixedValue();
}

/// Whether it goes to an array whose elements alternate between the lanes: that stays in the
/// first-level cache, in many lanes as in one.
bool isInPrivateArray(const Instruction& access, const WidthQuestion& question) {
  const Value* object = getUnderlyingObject(getLoadStorePointerOperand(&access));
  const auto* layout = question.privates.find(dyn_cast<AllocaInst>(object));
  return layout != question.privates.end() && layout->second.elementBytes != 0;
}

/// Lanes whose rows leave half of the places free that their lines compete for in the first-level
/// cache, where the distance from row to row is known.
unsigned lanesOfRows(LaneShape shape) {
  if (shape.kind != LaneShape::Affine || shape.stride == 0) return tuning::kMostLanes;
  const auto sets = tuning::kPageBytes / std::gcd(shape.stride, tuning::kPageBytes);
  return std::clamp<unsigned>(tuning::kLanesAlongRows / 2 * sets, tuning::kLanesAlongRows,
                              tuning::kMostLanes);
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

Work measure(const WidthQuestion& question) {
  Work work;
  MapVector<const Loop*, unsigned> byLoop;  // the same choice in every process
  for (const BasicBlock* block : question.loop.blocks()) {
    const Loop* inner = question.loops.getLoopFor(block);
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
        if (inner == &question.loop && componentsOf(*value) > 1)
          work.inTiles += componentsOf(*value);
        work.volatiles += instruction.isVolatile();
      }
      if (const auto* atomic = dyn_cast<AtomicRMWInst>(&instruction))
        work.atomics += atomic->getPointerAddressSpace() == names::kGlobal && !isShared &&
                        !isReadFirst(instruction, question.shapes);
      work.counts +=
          isCount(instruction) && !isShared && !isRowUpdate(instruction, question.shapes);
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
      ++byLoop[inner];
      if (bits >= 8) work.byBits[bits] += weight;
    }
    if (inner != &question.loop) work.hasInnerLoop = true;
    if (isHardToPredict(*block, question)) {
      ++work.branches;
      work.branchesInLoops += inner != &question.loop;
    }
  }
  if (!work.hasInnerLoop) work.pathCycles = cyclesOfIteration(question.loop, question.loops);
  for (auto [loop, count] : byLoop) {
    if (loop == &question.loop || count < work.innermost) continue;
    const Live live = liveIn(*loop, question.shapes);
    // Of two that are as large, the one that needs more registers decides.
    if (count > work.innermost || live.bits() > work.live.bits()) work.live = live;
    work.innermost = count;
    work.chainCycles = cyclesOfRecurrence(*loop, question.loops);
  }
  return work;
}

uint64_t operations(const Work& work, unsigned width, unsigned registerBits) {
  uint64_t sum = 0;
  for (auto [components, bits, isScattered] : work.results)
    sum += uint64_t{components} *
           (isScattered ? std::min(width, 16u) : divideCeil(width * bits, registerBits));
  return sum;
}

bool isTooMuch(const Work& work, uint64_t operations) {
  return operations > (work.components >= tuning::kWideVector ? tuning::kMostOperationsOnWideVectors
                                                              : tuning::kMostOperations);
}

/// The size of what the loop mostly computes with.
unsigned mainBits(const Work& work) {
  unsigned bits = 32;
  unsigned most = 0;
  for (auto [size, count] : work.byBits) {
    if (count < most) continue;
    most = count;
    bits = size;
  }
  return std::max(bits, 8u);
}

/// Registers of vectors to take at once, where lanes mostly compute with `bits`. A chain from
/// iteration to iteration of the innermost loop waits for itself; several vectors, each a chain of
/// its own, fill the time as long as all of them fit into the register file.
unsigned interleave(const Work& work, unsigned registers, unsigned bits) {
  if (!work.hasInnerLoop) {
    const unsigned least = work.scattered != 0 ? tuning::kLongGathers : tuning::kLongCode;
    if (work.instructions > tuning::kTooLongCode) return 1;
    // As many vectors as fill the time that one of them waits for its own results, where the
    // processor cannot look far enough ahead to find them in the next iterations.
    const unsigned needed =
        work.pathCycles * tuning::kOperationsACycle / std::max(work.instructions, 1u);
    if (needed * work.instructions > tuning::kWindow && needed >= tuning::kEnoughChains / 2)
      return tuning::kEnoughChains / 2;
    return work.instructions <= tuning::kShortCode || work.instructions >= least ? 2 : 1;
  }
  // What one vector waits for its own chain is time for others, however long the body is.
  // The more lanes there are, the more likely it is that some of them go each way.
  const unsigned longestBody =
      std::max({tuning::kInterleavedBody, work.chainCycles * tuning::kOperationsACycle,
                2 * work.branchesInLoops * tuning::kWorkOfBranch});
  auto fits = [&](unsigned vectors) {
    auto registersOf = [&](unsigned held) { return divideCeil(vectors * held, bits); };
    // More chains than fill the machine's time are of no use, unless they are few vectors' anyway.
    const unsigned chains =
        vectors == tuning::kEnoughChains ? tuning::kEnoughChains : tuning::kEnoughChains * 2;
    const unsigned temporaries = work.live.hasTemporaries ? tuning::kTemporaries : 0;
    return registersOf(work.live.bits()) + temporaries <= registers &&
           registersOf(work.live.recurrences) <= chains && vectors * work.innermost <= longestBody;
  };
  // The last of the lanes decides how long all of them take, and memory fills the time as well.
  const bool isOnlyChains = !work.live.isDivergent && !work.live.hasAccesses;
  unsigned vectors = isOnlyChains ? tuning::kEnoughChains : tuning::kEnoughChains / 2;
  while (vectors > 1 && !fits(vectors)) vectors /= 2;
  return vectors;
}

/// Whether the loop has so few iterations that it should be unrolled: what it keeps for other
/// loops, or reads of what those have kept, then stays in registers.
bool isShort(const Work& work, const WidthQuestion& question, unsigned width, uint64_t operations) {
  const auto* count = dyn_cast<ConstantInt>(question.count);
  if (!count || work.hasInnerLoop) return false;
  const uint64_t trips = count->getZExtValue() / width;
  return trips > 1 && trips <= tuning::kUnrolledTrips &&
         trips * operations <= tuning::kUnrolledOperations;
}

/// Whether lanes that fill a register, be it a small one, are all work-items: no loop is left,
/// while LLVM would unroll that of the work-items before its vectoriser sees it.
bool isOnce(const Work& work, const WidthQuestion& question, unsigned width, unsigned bits) {
  const auto* count = dyn_cast<ConstantInt>(question.count);
  return count && count->equalsInt(width) && width * bits >= 128 && !work.hasInnerLoop;
}

constexpr const char* kTooMuch = "its code for lanes would take too long to compile";

/// Whether atomic operations, which run lane by lane, are what takes the time. In a loop lanes have
/// what they need loaded at once.
bool waitsForAtomics(const Work& work) {
  return work.atomics * tuning::kWorkOfAtomic > work.instructions;
}

/// Whether lanes mostly count in local memory, one after the other: then all that they load is best
/// loaded at once, a cache line of it. Items count what lies far apart from iteration to iteration,
/// and the next lane group would find the rest of the line gone.
bool countsInLoops(const Work& work) {
  return work.hasInnerLoop && work.counts * tuning::kWorkOfCount > work.instructions;
}

/// Whether one work-item waits for its own sum longer than lanes take to read rows of their own,
/// where these are all that is scattered.
bool waitsForSum(const Work& work) {
  return work.rows == work.scatteredInLoops &&
         work.recurrence * tuning::kOperationsACycle >=
             2 * tuning::kGatheredLane * (work.scatteredInLoops + work.awaited);
}

/// Why lanes do not pay, whatever their number; empty when they may.
const char* objection(const Work& work, const WidthQuestion& question) {
  // At worst they cost what they save in switches.
  if (question.isLaneGroup) return "";
  // One claim for all lanes saves more than all else costs.
  if (work.claims != 0) return "";
  // One work-item's row fills whole registers with one load, lanes' rows fill them one by one.
  if (work.rowsOfVectors * tuning::kWorkOfRow > work.inLoops - work.forAddresses ||
      (work.rowsInVectors != 0 && work.rowsInVectors == work.scatteredInLoops &&
       work.inRows == work.inLoops))
    return "it reads rows of its own, which fill vectors for one work-item";
  // Gathers take as long as the loads of one work-item after the other, and the masks come on top.
  // But for what says where to read next, and for a sum, all lanes together wait no longer than
  // one.
  const unsigned inLoops = work.inLoops + work.divisionsInLoops * tuning::kWorkOfDivision +
                           work.branchesInLoops * tuning::kWorkOfBranch;
  const unsigned instructions = work.instructions + work.divisions * tuning::kWorkOfDivision +
                                work.branches * tuning::kWorkOfBranch;
  // What is read of columns of local memory and written as rows of global memory takes as many
  // insertions as stores are spared, and each of these would wait for its line of the cache.
  const unsigned scattered = work.scattered - work.turned.pairs();
  const unsigned scatteredInLoops =
      work.scatteredInLoops + work.awaited - work.turnedInLoops.pairs();
  if ((work.chained == 0 && !waitsForSum(work) &&
       scatteredInLoops * tuning::kWorkOfScatteredInLoops > inLoops) ||
      (!work.hasInnerLoop && scattered * tuning::kWorkOfScattered > instructions))
    return work.volatiles * 2 > work.scattered
               ? "it mostly makes volatile accesses"
               : "it mostly reads or writes places that do not follow each other";
  if (work.calls * tuning::kWorkOfCall > work.weight)
    return "it mostly calls functions out of line";
  if (waitsForAtomics(work) && !work.hasInnerLoop) return "it mostly waits for atomic operations";
  return "";
}

bool isStraight(const Loop& loop) {
  return all_of(loop.blocks(), [&](const BasicBlock* block) {
    return block == loop.getLoopLatch() || block->getSingleSuccessor();
  });
}

/// Straight code for a number of work-items that is known, but too large to be unrolled, is as
/// fast in the hands of LLVM's loop vectoriser, which unrolls it where that pays. It knows of no
/// blocks of lanes and of no likely rows, gathers columns of tiles, makes none of code with the
/// program's vectors, and makes masks of branches that all lanes take: threads that store nothing
/// under them take each other's cache lines.
bool isForLlvm(const Work& work, const WidthQuestion& question) {
  return !question.isLaneGroup && work.claims == 0 && isStraight(question.loop) &&
         work.inBlocks == 0 && work.turned.pairs() == 0 && work.components == 1 &&
         (work.guessed == 0 || work.guessed * tuning::kWorkOfScattered > work.computed) &&
         isa<ConstantInt>(question.count);
}

}  // namespace

bool isCount(const Instruction& instruction) {
  const auto* atomic = dyn_cast<AtomicRMWInst>(&instruction);
  return atomic && atomic->use_empty() && atomic->getPointerAddressSpace() == names::kLocal;
}

WidthChoice chooseWidth(const WidthQuestion& question, unsigned forced) {
  const Work work = measure(question);
  if (work.instructions == 0 && !question.isLaneGroup && !question.hasSubGroups)
    return {.isEmpty = true};
  const unsigned registerBits = bitsOfRegister(question);
  if (registerBits < 128) return {.why = "the host has no vectors"};
  auto cost = [&](unsigned lanes) { return operations(work, lanes, registerBits); };
  const unsigned bits = mainBits(work);
  // Integers of three bytes, say, leave part of a register unused.
  const unsigned inRegister = bit_floor(registerBits / bits);
  uint64_t privateBytes = 0;
  for (const auto& entry : question.privates) privateBytes += entry.second.bytes;
  if (forced != 0 && privateBytes > tuning::kForcedPrivateBytes / forced)
    return {.why = "its private arrays are too large"};
  if (forced != 0 && isTooMuch(work, cost(forced))) return {.why = kTooMuch};
  if (forced != 0)
    return {
        .width = forced, .bits = bits, .isShort = isShort(work, question, forced, cost(forced))};
  unsigned lanes = std::min(tuning::kMostLanes, inRegister);
  if (const auto* count = dyn_cast<ConstantInt>(question.count))
    lanes = std::min<uint64_t>(lanes, bit_floor(count->getZExtValue()));
  const bool isAll = isOnce(work, question, lanes, bits);
  if (work.scattered == 0 && work.atomics == 0 &&
      (isAll || isShort(work, question, lanes, cost(lanes))))
    return {.width = lanes, .bits = bits, .isShort = !isAll};
  if (const char* why = objection(work, question); *why) return {.why = why};
  if (isForLlvm(work, question))
    return {.why = "it is short straight code, which is left to LLVM's vectoriser",
            .isForLlvm = true};
  const unsigned registers = question.target.getNumberOfRegisters(
      question.target.getRegisterClassForType(/*Vector=*/true));
  unsigned width = std::min(tuning::kMostLanes, inRegister * interleave(work, registers, bits));
  if (!question.joined.empty()) {
    // A value of these is several registers already, and in a loop each a chain of its own.
    const unsigned vectors = std::max(1U, registerBits / question.joined.largestBits());
    width = work.hasInnerLoop ? std::min(width, tuning::kEnoughChains * vectors)
                              : std::min({width, inRegister, tuning::kJoinedRegisters * vectors});
  }
  // Of larger numbers than these, more would be in registers at a time than there are.
  if (work.hasInnerLoop && work.widestInLoops > bits)
    width = std::min(width,
                     std::max(1u, registerBits / work.widestInLoops) * tuning::kEnoughChains / 2);
  const bool takesLines = work.streams.areMany() && !work.hasInnerLoop && question.joined.empty();
  if (takesLines) width = std::min(tuning::kMostLanes, work.streams.lanesInLine());
  if (countsInLoops(work))
    width = std::min(tuning::kMostLanes, bit_floor(tuning::kLineBits / work.narrowest));
  if (const auto* count = dyn_cast<ConstantInt>(question.count))
    width = std::min<uint64_t>(width, bit_ceil(count->getZExtValue()));
  if (question.rowItems != 0) width = std::min(width, bit_ceil(question.rowItems));
  if (work.rowElements * tuning::kWorkOfRow > work.inLoops ||
      (!work.hasInnerLoop && work.inTiles * tuning::kWorkOfRow > work.instructions))
    width = std::min(width, tuning::kLanesAlongRows);
  width = std::min(width, work.rowLanes);
  if (waitsForAtomics(work)) width = std::min(width, tuning::kAtomicLanes);
  const bool isRowShort = width == 1;
  width = std::max(1u, std::min(width, bit_floor(tuning::kMostComponents / work.components)));
  while (!takesLines && width > 1 && cost(width) > tuning::kManyOperations &&
         cost(width / 2) * 4 <= cost(width) * 3)
    width /= 2;
  // A few lanes of half a register are better than none.
  while (width > std::max(tuning::kFewestLanes, inRegister / 2) && isTooMuch(work, cost(width)) &&
         cost(width / 2) < cost(width))
    width /= 2;
  if (isTooMuch(work, cost(width))) return {.why = kTooMuch};
  if (width == 1)
    return {.why = isRowShort ? "there are too few work-items in a row"
                              : "more lanes would cost more than they save"};
  while (width > 1 && privateBytes * width > tuning::kPrivateBytes) width /= 2;
  if (width == 1) return {.why = "its private arrays would take more than 32 KiB"};
  return {.width = width, .bits = bits};
}

}  // namespace weft::compiler
