// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/prefetch.h"

#include <llvm/ADT/MapVector.h>

#include "base/tuning.h"
#include "ir/item_loops.h"
#include "ir/names.h"
#include "lanes/inner_loads.h"
#include "lanes/loop_widener.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// An inner loop's body.
struct Body {
  uint64_t operations = 0;  ///< on registers
  uint64_t lines = 0;       ///< of the cache that `sharedRows` are in
  SmallVector<const LoadInst*, 4> ownRows, sharedRows;
};

/// What depends on which row of work-items, or plane of rows, it is of.
class RowDependence {
 public:
  explicit RowDependence(const Loop& items) {
    for (const Loop* rows = items.getParentLoop(); rows && ItemLoops::isRowLoop(*rows);
         rows = rows->getParentLoop())
      add(items, *rows);
  }

  /// Whether no two rows have `value` in common, as far as their work-items know which row it is.
  bool isOfOneRow(const Value& value) const {
    return all_of(byLoop_, [&](const Dependent& found) { return found.contains(&value); });
  }

 private:
  using Dependent = SmallPtrSet<const Value*, 16>;

  void add(const Loop& items, const Loop& rows) {
    Dependent found;
    SmallVector<const Value*> left;
    for (const PHINode& counter : rows.getHeader()->phis()) left.push_back(&counter);
    bool isAskedFor = false;
    while (!left.empty())
      for (const User* user : left.pop_back_val()->users()) {
        const auto* instruction = cast<Instruction>(user);
        if (!rows.contains(instruction) || !found.insert(instruction).second) continue;
        isAskedFor |= items.contains(instruction);
        left.push_back(instruction);
      }
    if (isAskedFor) byLoop_.push_back(std::move(found));
  }

  SmallVector<Dependent, 2> byLoop_;  ///< for loops that work-items know of
};

class Bodies {
 public:
  explicit Bodies(const WidenPlan& plan)
      : plan_(plan),
        rows_(plan.loop),
        layout_(plan.index.getDataLayout()),
        registerBits_(plan.target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
                          .getFixedValue()) {}

  void add(const Instruction& instruction, const Loop& inner) {
    Body& body = bodies_[&inner];
    const bool isMasked = plan_.masks.isMasked(*instruction.getParent());
    body.operations += operationsOf(instruction) * (isMasked ? tuning::kMaskedOperation : 1);
    const auto* load = dyn_cast<LoadInst>(&instruction);
    if (!load || !isRow(*load) || classifyInnerLoad(*load, inner) != InnerLoad::Anywhere) return;
    if (rows_.isOfOneRow(*load->getPointerOperand())) {
      body.ownRows.push_back(load);
      return;
    }
    body.sharedRows.push_back(load);
    body.lines += divideCeil(bytesOf(*load) * plan_.width, tuning::kLineBits / 8);
  }

  PrefetchedLoads worthwhile() const {
    PrefetchedLoads loads;
    for (const auto& [loop, body] : bodies_) {
      loads.insert(body.ownRows.begin(), body.ownRows.end());
      if (body.lines * tuning::kOperationsForEachPrefetch <= body.operations)
        loads.insert(body.sharedRows.begin(), body.sharedRows.end());
    }
    return loads;
  }

 private:
  uint64_t bytesOf(const Instruction& value) const {
    return layout_.getTypeAllocSize(value.getType());
  }

  /// Whether the lanes' places in global memory follow each other, upwards.
  bool isRow(const LoadInst& load) const {
    const LaneShape shape = plan_.shapes.of(load.getPointerOperand());
    return load.isSimple() && load.getPointerAddressSpace() == names::kGlobal &&
           shape.kind == LaneShape::Affine && static_cast<uint64_t>(shape.stride) == bytesOf(load);
  }

  uint64_t operationsOf(const Instruction& instruction) const {
    const auto* store = dyn_cast<StoreInst>(&instruction);
    const Value* value = store ? store->getValueOperand() : &instruction;
    if (isa<PHINode>(instruction) || plan_.shapes.isOnlyIndex(&instruction)) return 0;
    const Value* pointer = getLoadStorePointerOperand(&instruction);
    const bool isScattered = pointer && plan_.shapes.of(pointer).isVarying();
    if (!isScattered && !store && !plan_.shapes.of(value).isVarying()) return 1;
    if (isa<CmpInst>(instruction)) value = instruction.getOperand(0);
    const auto* vector = dyn_cast<FixedVectorType>(value->getType());
    const uint64_t components = vector ? vector->getNumElements() : 1;
    const uint64_t bits = std::max(value->getType()->getScalarSizeInBits(), 8u);
    return components * (isScattered ? uint64_t{tuning::kGatheredLane} * plan_.width
                                     : divideCeil(plan_.width * bits, registerBits_));
  }

  const WidenPlan& plan_;
  const RowDependence rows_;
  const DataLayout& layout_;
  uint64_t registerBits_;
  MapVector<const Loop*, Body> bodies_;
};

}  // namespace

PrefetchedLoads loadsToPrefetch(const WidenPlan& plan) {
  Bodies bodies(plan);
  for (const BasicBlock* block : plan.loop.blocks()) {
    const Loop* inner = plan.innermost(*block);
    if (inner == &plan.loop) continue;
    for (const Instruction& instruction : *block) bodies.add(instruction, *inner);
  }
  return bodies.worthwhile();
}

}  // namespace weft::compiler
