// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Accesses whose lanes follow each other most of the time: asked for when the code runs.
#include "vectorize/loop_widener.h"

namespace weft::compiler {

using namespace llvm;

/// Whether to ask. What is left over of a row is one turn, whose code takes as long to compile as
/// that of all others.
bool LoopWidener::isLikelyRow(const Instruction& access) const {
  return LaneCode::isFull(active_) && plan_.likelyRows.contains(access);
}

/// Asks whether all active lanes have the places that follow each other from lane 0's on, and
/// branches to code for such a row or else to `apart`. What an idle lane has does not matter: its
/// place is not touched.
LoopWidener::RowQuestion LoopWidener::askForRow(Value* pointer, Type* type) {
  // Idle lanes may have no address at all.
  Value* addresses = builder_.CreateFreeze(partOf(pointer, 0));
  Value* first = builder_.CreateExtractElement(addresses, uint64_t{0});
  const auto bytes = static_cast<int64_t>(layout_.getTypeAllocSize(type).getFixedValue());
  Value* numbers = builder_.CreatePtrToInt(addresses, code_.vectorOf(builder_.getInt64Ty()));
  Value* steady = code_.affine(builder_.CreatePtrToInt(first, builder_.getInt64Ty()), bytes);
  Value* follows = builder_.CreateICmpEQ(numbers, steady);
  if (!LaneCode::isFull(mask_)) follows = builder_.CreateOr(follows, builder_.CreateNot(mask_));
  const RowQuestion question{first, newBlock("row"), newBlock("apart"), newBlock("together")};
  builder_.CreateCondBr(code_.all(follows), question.row, question.apart);
  return question;
}

void LoopWidener::loadLikelyRow(LoadInst& load) {
  const auto types = componentsOf(load.getType());
  const auto count = static_cast<unsigned>(types.size());
  const RowQuestion question = askForRow(load.getPointerOperand(), load.getType());
  builder_.SetInsertPoint(question.row);
  Value* lanes = loadWide(load, {types.front(), count, question.first, load.getAlign(), mask_});
  const Parts inRow = code_.deinterleave(lanes, count);
  BasicBlock* rowEnd = builder_.GetInsertBlock();
  builder_.CreateBr(question.after);

  builder_.SetInsertPoint(question.apart);
  loadByShape(load);
  const Parts apart = partsOf(&load);
  BasicBlock* apartEnd = builder_.GetInsertBlock();
  builder_.CreateBr(question.after);

  builder_.SetInsertPoint(question.after);
  Parts parts;
  for (unsigned i = 0; i < count; ++i) {
    PHINode* part = builder_.CreatePHI(apart[i]->getType(), 2);
    part->addIncoming(inRow[i], rowEnd);
    part->addIncoming(apart[i], apartEnd);
    parts.push_back(part);
  }
  define(load, parts);
}

void LoopWidener::storeLikelyRow(StoreInst& store) {
  Value* value = store.getValueOperand();
  const auto types = componentsOf(value->getType());
  const Parts parts = partsOf(value);
  const RowQuestion question = askForRow(store.getPointerOperand(), value->getType());
  builder_.SetInsertPoint(question.row);
  storeWide(store, code_.interleave(parts),
            {types.front(), static_cast<unsigned>(types.size()), question.first, store.getAlign(),
             mask_});
  builder_.CreateBr(question.after);

  builder_.SetInsertPoint(question.apart);
  storeByShape(store);
  builder_.CreateBr(question.after);
  builder_.SetInsertPoint(question.after);
}

}  // namespace weft::compiler
