// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "analysis/joined_vectors.h"
#include "analysis/lane_blocks.h"
#include "analysis/lane_shapes.h"
#include "analysis/likely_rows.h"
#include "analysis/mask_plan.h"
#include "analysis/strided_groups.h"
#include "ir/sub_groups.h"
#include "lanes/explanation.h"
#include "lanes/lane_code.h"
#include "lanes/prefetch.h"

namespace weft::compiler {

/// Everything that is known of a loop over work-items before code is written for lanes.
struct WidenPlan {
  const llvm::Loop& loop;
  llvm::PHINode& index;
  const LaneUniformity& uniformity;
  const MaskPlan& masks;
  const LaneShapes& shapes;
  const PrivateLayouts& privates;
  const StridedGroups& groups;
  const StridedGroups& groupsApart;
  const LikelyRows& likelyRows;
  const JoinedVectors& joined;
  const LaneBlocks& blocks;
  const llvm::LoopInfo& loops;
  const llvm::TargetTransformInfo& target;
  unsigned width;

  const llvm::Loop* innermost(const llvm::BasicBlock& block) const {
    return loops.getLoopFor(&block);
  }
};

/// Writes one iteration of a loop over work-items for `width` of them at once.
///
/// Values that all lanes share are computed once, those that grow steadily from lane to lane once
/// for lane 0, the others in vectors; a value of an OpenCL vector type is a tuple of such vectors,
/// one for each component. Masked blocks follow each other as MaskPlan says. Masks, and values that
/// flow through masked control flow, are kept in variables of the function, which promote() turns
/// into SSA form.
///
/// The original blocks are only read.
class LoopWidener {
 public:
  /// The new code goes before `before`. What costs lanes is told to `explanation`, unless null.
  LoopWidener(const WidenPlan& plan, llvm::Function& function, llvm::BasicBlock& before,
              Explanation* explanation);

  /// Writes the code for the work-items from `first` on at the end of `entry`, those of `active`
  /// only. Returns the block where all are done, which has no terminator yet.
  llvm::BasicBlock* emit(llvm::BasicBlock& entry, llvm::Value* first, llvm::Value* active);

  /// In the block that emit() returned: what `value`, computed in the loop, is for the last active
  /// work-item.
  llvm::Value* lastValueOf(llvm::Value* value);

  /// Turns its own variables and `variables` into SSA form, once everything is written and the
  /// original is gone.
  void promote(llvm::Function& function, llvm::ArrayRef<llvm::AllocaInst*> variables) const;

 private:
  /// What stands for a value: one scalar when the shape is uniform or affine, otherwise vectors. Of
  /// joined vectors, registers of several lanes' each; neither where it has been postponed.
  struct Lanes {
    llvm::Value* scalar = nullptr;
    llvm::SmallVector<llvm::Value*, 2> parts;
    llvm::SmallVector<llvm::Value*, 2> pieces;
  };
  using Parts = llvm::SmallVector<llvm::Value*, 4>;

  // loop_widener.cpp: control flow, masks, phis.
  void emitBlock(llvm::BasicBlock& block);
  void enterMasked(llvm::BasicBlock& block);
  bool isLeftTogether(const llvm::Loop& loop) const;
  bool needsGuard(const llvm::BasicBlock& block) const;
  void emitPhis(llvm::BasicBlock& block);
  void leaveTogether(llvm::BasicBlock& latch, const llvm::BasicBlock& header);
  void leaveMasked(llvm::BasicBlock& block);
  void leaveUnmasked(llvm::BasicBlock& block);
  void passEdge(llvm::BasicBlock& from, llvm::BasicBlock& to, llvm::Value* mask);
  bool hasEntryMask(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;
  llvm::AllocaInst* makeVariable(llvm::Type* type, const llvm::Twine& name);
  using Variables = llvm::SmallVector<llvm::AllocaInst*, 2>;
  /// Variables for what stands for `value`, and what they hold as that.
  Variables makeVariables(const llvm::Instruction& value);
  void defineFrom(const llvm::Instruction& value, llvm::ArrayRef<llvm::AllocaInst*> variables);
  llvm::Value* heldBy(llvm::Value* value, const llvm::Instruction& owner, unsigned variable);
  llvm::AllocaInst* maskOf(const llvm::BasicBlock& block);
  const Variables& variablesOf(const llvm::PHINode& phi);
  llvm::BasicBlock* newBlock(const llvm::Twine& name);
  llvm::BasicBlock* newEdge();
  llvm::BasicBlock* entryOf(const llvm::BasicBlock& block) const;

  // widen_values.cpp: operands.
  llvm::Value* scalarOf(llvm::Value* value);
  llvm::Value* partOf(llvm::Value* value, unsigned part);
  Parts partsOf(llvm::Value* value);
  void define(const llvm::Instruction& instruction, llvm::Value* scalar);
  void define(const llvm::Instruction& instruction, llvm::ArrayRef<llvm::Value*> parts);
  /// The scalar types that a value of `type` is widened as.
  static llvm::SmallVector<llvm::Type*, 4> componentsOf(llvm::Type* type);
  /// Component `part` of a scalar, vector or struct.
  llvm::Value* component(llvm::Value* value, unsigned part);
  llvm::Value* assemble(llvm::Type* type, llvm::ArrayRef<llvm::Value*> components);
  /// `value` in the last active lane of `mask`, which has one.
  llvm::Value* lastLaneOf(llvm::Value* value, llvm::Value* mask);

  // widen_instructions.cpp
  void emitInstructions(llvm::BasicBlock& block);
  void emitInstruction(llvm::Instruction& instruction);
  bool emitOnce(llvm::Instruction& instruction);
  void emitScalarCopy(llvm::Instruction& instruction);
  llvm::Value* firstIndexOf(llvm::Value* index, bool isLocal, bool isWhole);
  llvm::Value* widenedForFirst(llvm::Value* narrow, llvm::Type* type);
  llvm::Value* sumForFirst(llvm::BinaryOperator& operation,
                           llvm::function_ref<llvm::Value*(llvm::Value*)> operand);
  llvm::Value* scaledAddress(llvm::GetElementPtrInst& address);
  bool emitElementwise(llvm::Instruction& instruction);
  llvm::Value* elementwise(llvm::Instruction& instruction, llvm::ArrayRef<llvm::Value*> operands,
                           llvm::Type* type);
  const llvm::Instruction* lastWritten();
  bool emitShape(llvm::Instruction& instruction);
  bool emitBitCast(llvm::BitCastInst& cast);
  void emitAddress(llvm::GetElementPtrInst& address);
  bool emitCall(llvm::CallInst& call);
  bool emitIntrinsic(llvm::IntrinsicInst& call);
  bool emitEstimate(llvm::CallInst& call);
  bool emitRareCall(llvm::CallInst& call);

  // widen_division.cpp
  /// Of 64 bits: both results, of which the other is often asked for next.
  struct LongDivision {
    llvm::Value* left = nullptr;
    llvm::Value* right = nullptr;
    bool isSigned = false;
    llvm::Value* quotient = nullptr;
    llvm::Value* remainder = nullptr;
    bool isOf(const llvm::Value* a, const llvm::Value* b, bool sign) const {
      return left == a && right == b && isSigned == sign;
    }
    llvm::Value* result(unsigned opcode) const;
  };
  llvm::Value* safeDivision(llvm::BinaryOperator& division, llvm::Value* left, llvm::Value* right);
  llvm::Value* divideByOne(unsigned opcode, llvm::Value* left, llvm::Value* divisor);
  llvm::Value* divideInFloats(unsigned opcode, llvm::Value* left, llvm::Value* right);
  llvm::Value* fitForAll(llvm::Value* left, llvm::Value* right, bool isSigned);
  bool hasRounding();
  llvm::Value* fitBits(llvm::Value* left, llvm::Value* right, unsigned bits, bool isSigned);
  llvm::Value* divideLong(llvm::BinaryOperator& division, llvm::Value* left, llvm::Value* right);
  bool hasLongConversions();
  using QuotientAndRemainder = std::pair<llvm::Value*, llvm::Value*>;
  QuotientAndRemainder divideByReciprocal(llvm::Value* left, llvm::Value* right, bool isSigned);
  QuotientAndRemainder divideByDoubles(llvm::Value* left, llvm::Value* small, llvm::Value* right,
                                       llvm::Value* one, bool isSigned);
  QuotientAndRemainder divideInDoubles(llvm::Value* left, llvm::Value* right, llvm::Value* one);
  QuotientAndRemainder divideByConstant(llvm::Value* left, const llvm::APInt& right, bool isSigned);
  QuotientAndRemainder divideOneByOne(llvm::Value* left, llvm::Value* right, bool isSigned);

  // pipe_claims.cpp
  bool emitPipeClaim(llvm::CallInst& call);

  // lane_barriers.cpp
  void beginBarriers(llvm::Instruction& start);
  void emitBarrier(llvm::CallInst& call);

  // widen_sub_groups.cpp
  bool emitSubGroup(llvm::Instruction& instruction);
  void emitOperation(llvm::CallInst& call, const SubGroupOperation& operation);
  llvm::Value* anyActive(llvm::Value* number);
  llvm::Value* frozen(llvm::Value* value);
  llvm::Value* ofActive(llvm::Value* lanes);
  llvm::Value* broadcast(llvm::Value* lanes, llvm::Value* place);
  llvm::Value* permute(llvm::Value* lanes, llvm::Value* places);
  llvm::Value* throughMemory(llvm::Value* lanes, llvm::Value* places);

  // widen_whole.cpp
  bool isDecidedByIds(const llvm::BasicBlock& block) const;
  bool isWorthTwice(const llvm::BasicBlock& block) const;
  void emitTwice(llvm::BasicBlock& block);

  // widen_memory.cpp
  /// What says something about the place of an access, not about one lane's value.
  static void copyAliasing(const llvm::Instruction& from, llvm::Instruction& to) {
    to.setAAMetadata(from.getAAMetadata());
  }
  void emitLoad(llvm::LoadInst& load);
  void loadByShape(llvm::LoadInst& load);
  void emitStore(llvm::StoreInst& store);
  void storeByShape(llvm::StoreInst& store);
  llvm::Value* loadPart(llvm::LoadInst& load, llvm::Type* type, uint64_t offset, llvm::Align align);
  void storePart(llvm::StoreInst& store, llvm::Value* lanes, uint64_t offset, llvm::Align align);
  /// Consecutive elements, `perLane` of them for each lane.
  struct Row {
    llvm::Type* element;
    unsigned perLane;
    llvm::Value* address;  ///< of lane 0's
    llvm::Align align;
    llvm::Value* mask;  ///< of the lanes
  };
  llvm::Value* loadWide(llvm::LoadInst& load, const Row& row);
  void fetchLine(llvm::Value& place, bool forWriting);
  void prefetch(const llvm::LoadInst& load, const Row& row);
  void prefetchNextRows(const llvm::LoadInst& load, llvm::ArrayRef<llvm::Value*> places);
  llvm::Value* advanceOf(const llvm::LoadInst& load, llvm::Value* first, llvm::Value* last);
  void prefetchAt(llvm::Value* place, llvm::Value* advance);
  llvm::Value* loadWhereAllowed(llvm::LoadInst& load, const Row& row, llvm::FixedVectorType* type);
  void storeWide(llvm::StoreInst& store, llvm::Value* lanes, const Row& row);
  void storeWhereAllowed(llvm::StoreInst& store, llvm::Value* lanes, const Row& row);
  void storeToOnePlace(llvm::StoreInst& store);
  /// Whether one access under the mask would be for less than a register.
  bool isTooNarrow(llvm::Type* element, unsigned count) const;
  /// Whether an access has to go to as many places as there are lanes, for which the host has no
  /// instruction.
  bool needsLaneLoop(const llvm::Value* pointer, llvm::Type* type, llvm::Align align,
                     bool isStore) const;
  /// Whether lanes have their places side by side, be it backwards, for elements of `type`.
  bool areConsecutive(const llvm::Value* pointer, llvm::Type* type) const;
  /// Bytes from one component of a value in memory to the next.
  uint64_t componentStride(const llvm::Value* pointer, llvm::Type* component) const;

  // widen_likely_rows.cpp
  /// An index of an address whose other parts are the same in all lanes.
  struct VaryingIndex {
    const llvm::Value* value;
    llvm::Value* number;  ///< what the address has a sign or zero extension of, or `value`
    int64_t step;         ///< from lane to lane of a row
    llvm::CastInst* extension = nullptr;     ///< of the number; null where there is none
    llvm::BinaryOperator* scaled = nullptr;  ///< that by a constant, where `value` is it
    bool isExtended() const { return extension != nullptr; }
    uint64_t reach(unsigned lanes) const { return static_cast<uint64_t>(step) * (lanes - 1); }
  };
  bool isLikelyRow(const llvm::Instruction& access) const;
  void addExtension(VaryingIndex& index, llvm::Value* value) const;
  std::optional<VaryingIndex> varyingIndexOf(const llvm::Value* pointer, int64_t bytes) const;
  llvm::Value* addressAt(llvm::Value* pointer, const VaryingIndex& index, llvm::Value* number);
  llvm::Value* areSteady(llvm::Value* numbers, llvm::Value* first, int64_t step);
  llvm::Value* neverWraps(const VaryingIndex& index, llvm::Value* first);
  void askForRow(llvm::Value* pointer, llvm::Type* type,
                 llvm::function_ref<void(llvm::Value*)> inRow, llvm::function_ref<void()> apart);
  void loadLikelyRow(llvm::LoadInst& load);
  void storeLikelyRow(llvm::StoreInst& store);

  // widen_blocks.cpp
  bool isAtHand(const llvm::Value* value, const llvm::BasicBlock& here) const;
  bool isRepeated(const llvm::Instruction& instruction, const llvm::BasicBlock& here) const;
  llvm::Value* inOneLane(llvm::Value* value, unsigned lane, const llvm::BasicBlock& here,
                         llvm::DenseMap<llvm::Value*, llvm::Value*>& known);
  llvm::Value* forBlock(llvm::Value* value, unsigned lanes);
  std::optional<LaneBlocks::Block> blocksOf(const llvm::Instruction& access) const;
  llvm::Value* loadBlocks(llvm::LoadInst& load, LaneBlocks::Block block);
  void storeBlocks(llvm::StoreInst& store, LaneBlocks::Block block, llvm::Value* lanes);
  bool loadInBlocks(llvm::LoadInst& load);
  bool storeInBlocks(llvm::StoreInst& store);

  // widen_joined.cpp
  bool isJoined(const llvm::Instruction& instruction) const;
  bool isJoinedValue(const llvm::Value& value) const;
  unsigned lanesOfPiece(const llvm::Instruction& instruction) const;
  unsigned piecesOf(const llvm::Instruction& instruction) const;
  llvm::FixedVectorType* pieceType(const llvm::Instruction& instruction) const;
  unsigned lanesOfRun(llvm::Type* component) const;
  Parts separate(llvm::Value* joined, llvm::Type* type);
  llvm::Value* joinedFrom(llvm::ArrayRef<llvm::Value*> parts, llvm::Type* type);
  llvm::Value* joinedOf(llvm::Value* value);
  void defineJoined(const llvm::Instruction& instruction, llvm::Value* joined);
  llvm::Value* pieceOfMask(llvm::Value* mask, const llvm::Instruction& instruction, unsigned piece);
  llvm::Value* pieceOf(llvm::Value* value, const llvm::Instruction& instruction, unsigned piece);
  void postpone(llvm::Instruction& instruction);
  void settleJoined();
  struct LoadPlaces {
    llvm::Value* lanes = nullptr;    ///< placesInVector()
    llvm::Value* advance = nullptr;  ///< advanceOf()
  };
  llvm::Value* loadPiece(llvm::LoadInst& load, const LoadPlaces& places, unsigned piece);
  llvm::Value* computePiece(llvm::Instruction& instruction, unsigned piece);
  bool emitJoined(llvm::Instruction& instruction);
  bool hasJoinedCells(const llvm::Value* pointer, llvm::Type* type) const;
  bool areOneBehindTheOther(const llvm::Value* pointer, llvm::Type* type) const;
  bool loadJoined(llvm::LoadInst& load);
  bool storeJoined(llvm::StoreInst& store);

  // widen_scattered.cpp
  /// How what one lane has in a row is read or written.
  struct LaneCells {
    llvm::Type* type;  ///< of a cell
    unsigned cells;    ///< of a lane, one behind the other
    unsigned perCell;  ///< components
    /// Whether a cell is one number, which has the lanes' cells fit into one vector.
    bool isNumber() const { return !type->isVectorTy(); }
  };
  std::optional<LaneCells> cellsOf(const llvm::Value* pointer, llvm::Type* type) const;
  std::optional<LaneCells> cellsOfVector(llvm::Type* type) const;
  bool isScalarised(const LaneCells& cells, unsigned accesses = 1) const;
  bool isRowOfEachLane(const llvm::LoadInst& load) const;
  llvm::Value* idlePlace(llvm::Type* pointer);
  llvm::Value* placesInVector(llvm::Value* pointer);
  llvm::Value* placeInLane(llvm::Value* pointer, llvm::Value* places, unsigned lane);
  llvm::Value* ownPlaces(llvm::Value* addresses);
  llvm::Value* takePlace(llvm::Value* places, unsigned lane);
  Parts placesAt(llvm::Value* addresses);
  Parts placesOf(llvm::Value* pointer);
  Parts transposed(llvm::ArrayRef<llvm::Value*> rows);
  Parts fromCells(llvm::ArrayRef<llvm::Value*> cells, const LaneCells& shape);
  Parts toCells(llvm::ArrayRef<llvm::Value*> parts, const LaneCells& shape);
  Parts fromNumbers(llvm::Value* numbers, llvm::Type* type, unsigned count);
  using Made = llvm::function_ref<void(llvm::Instruction&)>;
  Parts loadCells(const LaneCells& cells, llvm::Type* type, llvm::ArrayRef<llvm::Value*> places,
                  llvm::Align align, Made made);
  llvm::Value* toNumbers(Parts parts, const LaneCells& cells);
  void storeCells(const Parts& parts, const LaneCells& cells, llvm::ArrayRef<llvm::Value*> places,
                  llvm::Align align, Made made);
  bool loadScattered(llvm::LoadInst& load);
  bool storeScattered(llvm::StoreInst& store);

  // widen_apart.cpp
  bool emitInGroupApart(llvm::Instruction& access);
  llvm::Value* addressesIn(const StridedGroup& group);
  void emitLoadsApart(const StridedGroup& group, const LaneCells& cells);
  void emitStoresApart(const StridedGroup& group, const LaneCells& cells);

  // widen_strided.cpp
  struct StridedShape;
  StridedShape stridedShapeOf(const StridedGroup& group) const;
  bool isFilledUp(const StridedGroup& group) const;
  bool isWide(const StridedGroup& group) const;
  llvm::Value* maskOfPiece(const StridedGroup& group, unsigned run, unsigned piece);
  llvm::Value* addressIn(const StridedGroup& group, int64_t elements);
  llvm::Value* loadPiece(const StridedGroup& group, unsigned run, unsigned piece);
  void emitLoads(const StridedGroup& group);
  void emitStores(const StridedGroup& group);
  void storePiece(const StridedGroup& group, unsigned run, unsigned piece, llvm::Value* value);
  bool emitInGroup(llvm::Instruction& access);

  // shared_updates.cpp
  llvm::Value* prefixSums(llvm::Value* lanes);
  bool emitSharedUpdate(llvm::Instruction& instruction);
  bool emitReadFirst(llvm::Instruction& instruction);
  bool emitRowUpdate(llvm::Instruction& instruction);

  // lane_by_lane.cpp
  struct LaneOperand {
    llvm::Value* value;
    llvm::SmallVector<llvm::AllocaInst*, 2> variables;  ///< of what varies: all lanes, by component
  };
  LaneOperand spill(llvm::Value* value);
  llvm::Value* inLane(const LaneOperand& operand, llvm::Value* lane);
  void emitLaneByLane(llvm::Instruction& instruction);
  void emitUnrolled(llvm::Instruction& instruction);
  llvm::Value* placeToOwn(const llvm::Instruction& instruction) const;
  void forAllLanes(llvm::function_ref<void(llvm::Value*)> body);
  /// A loop over the active lanes of `mask`; `body` is told the lane, an i64.
  void forEachLane(llvm::Value* mask, llvm::function_ref<void(llvm::Value*)> body);
  unsigned lanesToUnroll(const llvm::Instruction& instruction);
  struct ItemField {
    llvm::AllocaInst* item;
    int64_t offset;
    llvm::Value* value;
  };
  /// Whether the store writes the work-item for calls that are to come, which then see to it.
  bool keepItemField(const llvm::StoreInst& store);
  llvm::SmallVector<ItemField> varyingItemFields(const llvm::Instruction& instruction);
  void writeItem(const ItemField& field, llvm::Value* value);
  llvm::Value* joinOffsets(llvm::Value* lanes);
  llvm::Value* takeLane(llvm::Value* lanes, unsigned lane);
  llvm::Value* inLaneNumber(llvm::Value* value, unsigned lane);

  // lane_notes.cpp: what people are told.
  void noteLaneByLane(const llvm::Instruction& instruction);
  void noteScattered(const llvm::Instruction& access, const char* how = "");
  bool isScattered(const llvm::Instruction& access) const;
  std::string laneReason(const llvm::Instruction& instruction) const;
  void noteBranches();

  const WidenPlan& plan_;
  llvm::Function& function_;
  llvm::BasicBlock& before_;
  Explanation* explanation_;
  LaneBuilder builder_;
  LaneCode code_;
  const llvm::DataLayout& layout_;
  const PrefetchedLoads prefetched_;
  llvm::Value* active_ = nullptr;  ///< the mask of unmasked blocks
  llvm::Value* mask_ = nullptr;    ///< of the block that is being written
  /// Which lanes have met the last barrier, and its id. Null when all lanes meet all barriers.
  llvm::AllocaInst* arrived_ = nullptr;
  llvm::AllocaInst* lastBarrier_ = nullptr;
  llvm::BasicBlock* done_ = nullptr;
  llvm::AllocaInst* idle_ = nullptr;  ///< where idle lanes read and write
  llvm::DenseMap<const llvm::Value*, Lanes> values_;
  llvm::SmallVector<llvm::Instruction*> postponed_;
  /// Vectors made of scalars, for use in the block where they were made.
  llvm::DenseMap<std::pair<const llvm::Value*, unsigned>, llvm::WeakVH> copies_;
  llvm::DenseMap<const llvm::AllocaInst*, llvm::AllocaInst*> storage_;  ///< of private variables
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> entries_;
  /// Of masked loops, by header: where their iterations begin.
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> bodies_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::AllocaInst*> masks_;
  llvm::MapVector<int64_t, ItemField> itemFields_;  ///< by offset, as last written
  llvm::DenseMap<const llvm::PHINode*, Variables> phiVariables_;
  llvm::SmallVector<llvm::AllocaInst*> variables_;
  llvm::SmallVector<llvm::WeakVH> edges_;  ///< blocks for what is done on the way to successors
  LongDivision lastDivision_;              ///< of the block that is being written
};

}  // namespace weft::compiler
