// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Widening of everything that neither branches nor touches memory.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>

#include "ir/barriers.h"
#include "ir/names.h"
#include "lanes/estimates.h"
#include "lanes/loop_widener.h"
#include "lanes/rare_calls.h"

namespace weft::compiler {

using namespace llvm;

void LoopWidener::emitInstructions(BasicBlock& block) {
  lastDivision_ = {};
  for (Instruction& instruction : block)
    if (!isa<PHINode>(instruction) && !instruction.isTerminator()) emitInstruction(instruction);
  settleJoined();
}

void LoopWidener::emitInstruction(Instruction& instruction) {
  if (instruction.mayHaveSideEffects()) settleJoined();
  builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
  if (plan_.shapes.isOnlyIndex(&instruction)) return;
  if (auto* load = dyn_cast<LoadInst>(&instruction)) return emitLoad(*load);
  if (auto* store = dyn_cast<StoreInst>(&instruction)) return emitStore(*store);
  if (isBarrier(instruction)) return emitBarrier(cast<CallInst>(instruction));
  if (emitSubGroup(instruction) || emitOnce(instruction)) return;
  if (auto* address = dyn_cast<GetElementPtrInst>(&instruction)) return emitAddress(*address);
  if (emitJoined(instruction)) return;
  if (auto* call = dyn_cast<CallInst>(&instruction); call && emitCall(*call)) return;
  if (emitShape(instruction) || emitElementwise(instruction)) return;
  if (emitSharedUpdate(instruction) || emitRowUpdate(instruction) || emitReadFirst(instruction))
    return;
  emitLaneByLane(instruction);
}

/// What is the same for all lanes, or known for all from lane 0, needs no vector.
bool LoopWidener::emitOnce(Instruction& instruction) {
  if (auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
      intrinsic && intrinsic->isAssumeLikeIntrinsic() &&
      (instruction.getType()->isVoidTy() ||
       intrinsic->getIntrinsicID() == Intrinsic::invariant_start)) {
    // What is said of the pointers of one iteration is not true of two: who copies inner loops has
    // to know where it begins. Work-items do not meet each other's accesses.
    if (isa<NoAliasScopeDeclInst>(intrinsic) &&
        plan_.innermost(*instruction.getParent()) != &plan_.loop)
      builder_.Insert(instruction.clone());
    return true;  // told its facts to the passes before this one
  }
  if (isa<FenceInst>(instruction)) {
    builder_.Insert(instruction.clone());
    return true;
  }
  if (instruction.getType()->isVoidTy() || plan_.shapes.of(&instruction).isVarying()) return false;
  auto* address = dyn_cast<GetElementPtrInst>(&instruction);
  if (address && plan_.shapes.interleaved(address->getPointerOperand()))
    define(instruction, scaledAddress(*address));
  else
    emitScalarCopy(instruction);
  return true;
}

/// Takes away what makes a call with certain operands or results undefined behaviour.
static void dropUndefinedBehaviour(CallBase& call) {
  const AttributeMask promises = AttributeFuncs::getUBImplyingAttributes();
  for (unsigned i = 0; i < call.arg_size(); ++i) call.removeParamAttrs(i, promises);
  call.removeRetAttrs(promises);
}

void LoopWidener::emitScalarCopy(Instruction& instruction) {
  // Of affine operands that have no bit in common in any lane; lane 0 may not be one of them.
  if (instruction.getOpcode() == Instruction::Or &&
      plan_.shapes.of(&instruction).kind == LaneShape::Affine)
    return define(instruction, builder_.CreateAdd(scalarOf(instruction.getOperand(0)),
                                                  scalarOf(instruction.getOperand(1))));
  Instruction* copy = instruction.clone();
  const bool isLocal = instruction.getType()->isPointerTy() &&
                       instruction.getType()->getPointerAddressSpace() == names::kLocal;
  for (Use& use : copy->operands()) use.set(firstIndexOf(use.get(), isLocal, /*isWhole=*/true));
  // Lane 0 may be idle, and then what the program knows of its values does not hold.
  if (!LaneCode::isFull(mask_) && plan_.shapes.of(&instruction).kind == LaneShape::Affine)
    copy->dropPoisonGeneratingAnnotations();
  // All may be, and a call that is safe without them is made all the same, of values that are none.
  if (auto* call = dyn_cast<CallBase>(copy); call && !LaneCode::isFull(mask_))
    dropUndefinedBehaviour(*call);
  define(instruction, builder_.Insert(copy));
}

/// What an index is for lane 0 that LaneShapes::ofIndex follows. Indices into local memory are
/// small: one that looks negative belongs to an idle lane, and is taken for what it looks like, so
/// that even with all lanes idle the access stays near memory that is there.
Value* LoopWidener::firstIndexOf(Value* index, bool isLocal, bool isWhole) {
  const LaneShapes& shapes = plan_.shapes;
  if (!shapes.of(index).isVarying()) return scalarOf(index);
  if (auto* operation = dyn_cast<BinaryOperator>(index))
    return sumForFirst(*operation, [&](Value* operand) {
      return firstIndexOf(operand, isLocal, /*isWhole=*/false);
    });
  Value* narrow = cast<CastInst>(index)->getOperand(0);
  if (isLocal && isWhole) return builder_.CreateSExt(scalarOf(narrow), index->getType());
  return widenedForFirst(narrow, index->getType());
}

/// Lane 0's value of a number that need not be what the program promises of it, in more bits.
Value* LoopWidener::widenedForFirst(Value* narrow, Type* type) {
  if (plan_.shapes.isExact(narrow)) return builder_.CreateSExt(scalarOf(narrow), type);
  auto* instruction = cast<Instruction>(narrow);
  if (isa<TruncInst>(instruction)) return scalarOf(instruction->getOperand(0));
  if (auto* operation = dyn_cast<BinaryOperator>(instruction))
    return sumForFirst(*operation, [&](Value* operand) { return widenedForFirst(operand, type); });
  return widenedForFirst(instruction->getOperand(0), type);  // of a cast or freeze
}

/// The operation on other operands, which may have more bits, without what is promised of it.
Value* LoopWidener::sumForFirst(BinaryOperator& operation, function_ref<Value*(Value*)> operand) {
  Value* left = operand(operation.getOperand(0));
  Value* right = operand(operation.getOperand(1));
  const bool isSum = operation.getOpcode() == Instruction::Or;  // of bits that are not in common
  return builder_.CreateBinOp(isSum ? Instruction::Add : operation.getOpcode(), left, right);
}

/// Bytes between an element of an alternating variable and its start, times the width; a vector
/// when some index is one.
Value* LoopWidener::scaledAddress(GetElementPtrInst& address) {
  Type* i64 = builder_.getInt64Ty();
  const bool varying = plan_.shapes.of(&address).isVarying();
  Value* offset = builder_.getInt64(0);
  Value* vectorOffset = nullptr;
  for (auto index = gep_type_begin(address), end = gep_type_end(address); index != end; ++index) {
    if (StructType* aggregate = index.getStructTypeOrNull()) {
      const auto field = cast<ConstantInt>(index.getOperand())->getZExtValue();
      const uint64_t bytes = layout_.getStructLayout(aggregate)->getElementOffset(field);
      offset = builder_.CreateAdd(offset, builder_.getInt64(bytes * plan_.width));
      continue;
    }
    const uint64_t size = index.getSequentialElementStride(layout_) * plan_.width;
    const bool lanes = varying && !plan_.shapes.of(index.getOperand()).isUniform();
    if (!lanes) {
      Value* scalar = builder_.CreateSExtOrTrunc(scalarOf(index.getOperand()), i64);
      offset = builder_.CreateAdd(offset, builder_.CreateMul(scalar, builder_.getInt64(size)));
      continue;
    }
    Value* vector = builder_.CreateSExtOrTrunc(partOf(index.getOperand(), 0), code_.vectorOf(i64));
    vector = builder_.CreateMul(vector, code_.splat(builder_.getInt64(size)));
    vectorOffset = vectorOffset ? builder_.CreateAdd(vectorOffset, vector) : vector;
  }
  Type* i8 = builder_.getInt8Ty();
  if (!varying) return builder_.CreateGEP(i8, scalarOf(address.getPointerOperand()), offset);
  Value* base = builder_.CreateGEP(i8, partOf(address.getPointerOperand(), 0), offset);
  return vectorOffset ? builder_.CreateGEP(i8, base, vectorOffset) : base;
}

void LoopWidener::emitAddress(GetElementPtrInst& address) {
  if (address.getType()->isVectorTy()) return emitLaneByLane(address);
  if (plan_.shapes.interleaved(address.getPointerOperand()))
    return define(address, ArrayRef<Value*>(scaledAddress(address)));
  Value* pointer = address.getPointerOperand();
  // One base for all lanes lets the code generator use it as such.
  Value* base = plan_.shapes.of(pointer).isUniform() ? scalarOf(pointer) : partOf(pointer, 0);
  SmallVector<Value*> indices;
  for (Use& index : address.indices())
    indices.push_back(plan_.shapes.of(index.get()).isUniform() ? scalarOf(index.get())
                                                               : partOf(index.get(), 0));
  Value* lanes = builder_.CreateGEP(address.getSourceElementType(), base, indices);
  if (!lanes->getType()->isVectorTy()) lanes = code_.splat(lanes);
  define(address, ArrayRef<Value*>(lanes));
}

/// An operation that treats each component by itself, on lanes of its operands. `type` is the
/// result's.
Value* LoopWidener::elementwise(Instruction& instruction, ArrayRef<Value*> operands, Type* type) {
  if (auto* operation = dyn_cast<BinaryOperator>(&instruction)) {
    if (operation->isIntDivRem()) return safeDivision(*operation, operands[0], operands[1]);
    return builder_.CreateBinOp(operation->getOpcode(), operands[0], operands[1]);
  }
  if (auto* operation = dyn_cast<UnaryOperator>(&instruction))
    return builder_.CreateUnOp(operation->getOpcode(), operands[0]);
  if (auto* comparison = dyn_cast<CmpInst>(&instruction))
    return builder_.CreateCmp(comparison->getPredicate(), operands[0], operands[1]);
  if (isa<SelectInst>(instruction))
    return builder_.CreateSelect(operands[0], operands[1], operands[2]);
  if (auto* cast = dyn_cast<CastInst>(&instruction))
    return builder_.CreateCast(cast->getOpcode(), operands[0], type);
  return builder_.CreateFreeze(operands[0]);
}

bool LoopWidener::emitElementwise(Instruction& instruction) {
  if (auto* cast = dyn_cast<BitCastInst>(&instruction); cast && emitBitCast(*cast)) return true;
  if (!isa<BinaryOperator, UnaryOperator, CmpInst, SelectInst, CastInst, FreezeInst>(instruction))
    return false;
  Parts parts;
  const auto count = componentsOf(instruction.getType()).size();
  for (unsigned part = 0; part < count; ++part) {
    SmallVector<Value*, 3> operands;
    for (Value* value : instruction.operands()) {
      const bool isVector = value->getType()->isVectorTy();
      const bool once = isa<SelectInst>(instruction) && operands.empty() && !isVector &&
                        plan_.shapes.of(value).isUniform();
      operands.push_back(once ? scalarOf(value) : partOf(value, isVector ? part : 0));
    }
    const Instruction* before = lastWritten();
    Value* lanes =
        elementwise(instruction, operands, code_.vectorOf(instruction.getType()->getScalarType()));
    // What it is folded to is somebody else's, of whom other things are known.
    if (auto* made = dyn_cast<Instruction>(lanes); made && made == lastWritten() &&
                                                   made != before &&
                                                   made->getOpcode() == instruction.getOpcode())
      made->copyIRFlags(&instruction);
    parts.push_back(lanes);
  }
  define(instruction, parts);
  return true;
}

/// What stands before the place where the builder writes; null for nothing.
const Instruction* LoopWidener::lastWritten() {
  const BasicBlock* block = builder_.GetInsertBlock();
  const BasicBlock::iterator place = builder_.GetInsertPoint();
  return place == block->begin() ? nullptr : &*std::prev(place);
}

/// Bit casts between different numbers of components, by way of each lane's bytes in a row, and of
/// numbers that a lane holds whole by shifts: what is widened next then stays where it is, while
/// bytes that are brought together and parted again cross the whole register twice.
bool LoopWidener::emitBitCast(BitCastInst& cast) {
  const auto from = componentsOf(cast.getSrcTy());
  const auto to = componentsOf(cast.getDestTy());
  if (from.size() == to.size()) return false;
  if (cast.getSrcTy()->isIntegerTy() && cast.getSrcTy()->getIntegerBitWidth() <= 32) {
    define(cast, fromNumbers(partOf(cast.getOperand(0), 0), to.front(), to.size()));
    return true;
  }
  Value* row = code_.interleave(partsOf(cast.getOperand(0)));
  const auto count = static_cast<unsigned>(to.size());
  row = builder_.CreateBitCast(row, FixedVectorType::get(to.front(), plan_.width * count));
  define(cast, code_.deinterleave(row, count));
  return true;
}

/// Selections and replacements of components.
bool LoopWidener::emitShape(Instruction& instruction) {
  if (auto* extract = dyn_cast<ExtractElementInst>(&instruction)) {
    Parts parts = partsOf(extract->getVectorOperand());
    if (auto* index = dyn_cast<ConstantInt>(extract->getIndexOperand())) {
      Value* lanes = index->getValue().ult(parts.size())
                         ? parts[index->getZExtValue()]
                         : PoisonValue::get(code_.vectorOf(extract->getType()));
      define(instruction, ArrayRef<Value*>(lanes));
      return true;
    }
    Value* index = partOf(extract->getIndexOperand(), 0);
    Value* result = parts[0];
    for (unsigned i = 1; i < parts.size(); ++i)
      result = builder_.CreateSelect(
          builder_.CreateICmpEQ(index, ConstantInt::get(index->getType(), i)), parts[i], result);
    define(instruction, ArrayRef<Value*>(result));
    return true;
  }
  if (auto* insert = dyn_cast<InsertElementInst>(&instruction)) {
    Parts parts = partsOf(insert->getOperand(0));
    Value* element = partOf(insert->getOperand(1), 0);
    if (auto* index = dyn_cast<ConstantInt>(insert->getOperand(2))) {
      if (index->getValue().ult(parts.size())) parts[index->getZExtValue()] = element;
      define(instruction, parts);
      return true;
    }
    Value* index = partOf(insert->getOperand(2), 0);
    for (unsigned i = 0; i < parts.size(); ++i)
      parts[i] = builder_.CreateSelect(
          builder_.CreateICmpEQ(index, ConstantInt::get(index->getType(), i)), element, parts[i]);
    define(instruction, parts);
    return true;
  }
  if (auto* shuffle = dyn_cast<ShuffleVectorInst>(&instruction)) {
    Parts inputs = partsOf(shuffle->getOperand(0));
    inputs.append(partsOf(shuffle->getOperand(1)));
    Parts parts;
    for (int from : shuffle->getShuffleMask())
      parts.push_back(from < 0 ? PoisonValue::get(inputs.front()->getType()) : inputs[from]);
    define(instruction, parts);
    return true;
  }
  if (auto* extract = dyn_cast<ExtractValueInst>(&instruction)) {
    if (extract->getNumIndices() != 1 || extract->getType()->isAggregateType() ||
        extract->getType()->isVectorTy())
      return false;
    define(instruction,
           ArrayRef<Value*>(partOf(extract->getAggregateOperand(), extract->getIndices()[0])));
    return true;
  }
  if (auto* insert = dyn_cast<InsertValueInst>(&instruction)) {
    if (insert->getNumIndices() != 1) return false;
    Parts parts = partsOf(insert->getAggregateOperand());
    parts[insert->getIndices()[0]] = partOf(insert->getInsertedValueOperand(), 0);
    define(instruction, parts);
    return true;
  }
  return false;
}

bool LoopWidener::emitCall(CallInst& call) {
  if (auto* intrinsic = dyn_cast<IntrinsicInst>(&call)) return emitIntrinsic(*intrinsic);
  return emitEstimate(call) || emitPipeClaim(call) || emitRareCall(call);
}

bool LoopWidener::emitEstimate(CallInst& call) {
  Function* estimate = vectorEstimate(call, plan_.width);
  if (!estimate) return false;
  SmallVector<Value*> arguments;
  for (Value* argument : call.args()) arguments.push_back(partOf(argument, 0));
  define(call, ArrayRef<Value*>(builder_.CreateCall(estimate, arguments)));
  return true;
}

bool LoopWidener::emitIntrinsic(IntrinsicInst& call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  if (!isTriviallyVectorizable(id)) return false;
  Parts parts;
  const auto count = componentsOf(call.getType()).size();
  for (unsigned part = 0; part < count; ++part) {
    SmallVector<Type*> types;
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1))
      types.push_back(code_.vectorOf(call.getType()->getScalarType()));
    SmallVector<Value*> arguments;
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      Value* argument = call.getArgOperand(i);
      Value* lanes = nullptr;
      if (isVectorIntrinsicWithScalarOpAtArg(id, i)) {
        if (!plan_.shapes.of(argument).isUniform()) return false;
        lanes = scalarOf(argument);
      } else {
        lanes = partOf(argument, argument->getType()->isVectorTy() ? part : 0);
      }
      if (isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i)))
        types.push_back(lanes->getType());
      arguments.push_back(lanes);
    }
    CallInst* made = builder_.CreateIntrinsic(id, types, arguments);
    made->copyIRFlags(&call);
    parts.push_back(made);
  }
  define(call, parts);
  return true;
}

/// Calls that are needed for rare arguments only have a form that asks all lanes at once, and those
/// of functions that many share one that all lanes take.
bool LoopWidener::emitRareCall(CallInst& call) {
  Function* form = maskedForm(call, plan_.width);
  if (!form) return false;
  SmallVector<Value*> arguments;
  for (Value* argument : call.args()) arguments.push_back(partOf(argument, 0));
  arguments.push_back(mask_);
  define(call, ArrayRef<Value*>(builder_.CreateCall(form, arguments)));
  return true;
}

}  // namespace weft::compiler
