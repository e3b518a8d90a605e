// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <vector>

#include "frontend/spirv/reader.h"
#include "ir/names.h"
#include "weft/compiler/embedded_builtins.h"

namespace weft::compiler::spirv {
namespace {

/// Of functions that passes lower.
constexpr std::string_view kLoweredPrefix = "__weft_";

bool isDefinedByLibrary(std::string_view name) {
  const auto definitions = builtins::definitions();
  return std::ranges::binary_search(definitions, name, {}, &builtins::Definition::symbol);
}

/// LLVM takes aggregates apart: what all of a module have in all.
constexpr uint64_t kMostScalars = uint64_t{1} << 20;

/// All rows by their instruction.
std::vector<Row> allRows() {
  std::vector<Row> rows;
  for (const auto part : {arithmeticRows(), conversionRows(), compositeRows(), memoryRows(),
                          synchronisationRows(), groupRows(), extendedRows(), dotProductRows(),
                          imageRows(), pipeRows(), enqueueRows(), intelRows()})
    rows.insert(rows.end(), part.begin(), part.end());
  std::ranges::sort(rows, {}, &Row::op);
  return rows;
}

/// What decorations allow an operation, as flags of LLVM's.
void applyFlags(const Reader& reader, const Instruction& i, llvm::Value* value) {
  auto* made = llvm::dyn_cast<llvm::Instruction>(value);
  if (!made) return;
  if (llvm::isa<llvm::OverflowingBinaryOperator>(made) &&
      (i.op == SpvOpIAdd || i.op == SpvOpISub || i.op == SpvOpIMul || i.op == SpvOpSNegate ||
       i.op == SpvOpShiftLeftLogical)) {
    if (reader.annotations.has(i.result, SpvDecorationNoSignedWrap)) made->setHasNoSignedWrap();
    if (reader.annotations.has(i.result, SpvDecorationNoUnsignedWrap)) made->setHasNoUnsignedWrap();
  }
  const auto mode = reader.annotations.number(i.result, SpvDecorationFPFastMathMode);
  if (!mode || !llvm::isa<llvm::FPMathOperator>(made)) return;
  llvm::FastMathFlags flags;
  if (*mode & SpvFPFastMathModeFastMask) flags.setFast();
  if (*mode & SpvFPFastMathModeNotNaNMask) flags.setNoNaNs();
  if (*mode & SpvFPFastMathModeNotInfMask) flags.setNoInfs();
  if (*mode & SpvFPFastMathModeNSZMask) flags.setNoSignedZeros();
  if (*mode & SpvFPFastMathModeAllowRecipMask) flags.setAllowReciprocal();
  if (*mode & SpvFPFastMathModeAllowContractFastINTELMask) flags.setAllowContract();
  if (*mode & SpvFPFastMathModeAllowReassocINTELMask) flags.setAllowReassoc();
  made->setFastMathFlags(flags);
}

}  // namespace

uint32_t Reader::typeOfResult(uint32_t id, const Instruction& user) {
  if (resultTypes.empty()) {
    resultTypes.resize(binary.bound());
    for (const Instruction& i : binary.instructions())
      if (i.result != 0) resultTypes[i.result] = i.type;
  }
  user.require(id < resultTypes.size() && resultTypes[id] != 0, "uses an id without a type");
  return resultTypes[id];
}

bool Reader::makesBuiltInPointer(const Instruction& instruction) const {
  switch (instruction.op) {
    case SpvOpBitcast:
    case SpvOpCopyObject:
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
      return pointsIntoBuiltIn(instruction.operand(0)) &&
             types.valueType(instruction.type, instruction)->isPointerTy();
    default:
      return false;
  }
}

TypedValue Emitter::typed(uint32_t id, const Instruction& user) {
  if (const auto found = reader.values.find(id); found != reader.values.end()) {
    if (const auto variable = reader.builtIns.find(id); variable != reader.builtIns.end())
      return {placeOf(variable->second, id, user), found->second.type};
    if (const auto made = reader.builtInOperations.find(id); made != reader.builtInOperations.end())
      return {placeWithin(made->second, user), found->second.type};
    return found->second;
  }
  user.fail("uses %" + std::to_string(id) + ", which has no value here");
}

/// A variable of the function that holds what the built-in variable does, for code that takes its
/// address. Made at the entry, where it is the same for all.
llvm::Value* Emitter::placeOf(uint32_t which, uint32_t id, const Instruction& user) {
  if (const auto found = builtInPlaces_.find(id); found != builtInPlaces_.end())
    return found->second;
  llvm::BasicBlock& entry = entryBlock(user);
  const llvm::IRBuilder<>::InsertPointGuard guard(builder);
  builder.SetInsertPoint(&entry, entry.getFirstInsertionPt());
  const uint32_t pointee = reader.types.pointee(reader.values.at(id).type, user);
  llvm::Type* type = reader.types.memoryType(pointee, user);
  llvm::Value* place = builder.CreateAlloca(type);
  builder.CreateStore(builtInValue(*this, which, type, user), place);
  builtInPlaces_[id] = place;
  return place;
}

/// A pointer into such a variable, behind all that makes those.
llvm::Value* Emitter::placeWithin(const Instruction& operation, const Instruction& user) {
  if (const auto found = builtInPlaces_.find(operation.result); found != builtInPlaces_.end())
    return found->second;
  llvm::BasicBlock& entry = entryBlock(user);
  const llvm::IRBuilder<>::InsertPointGuard guard(builder);
  if (llvm::Instruction* end = entry.getTerminator())
    builder.SetInsertPoint(end);
  else
    builder.SetInsertPoint(&entry);
  // What it is made of first: a chain of them may be as long as a module.
  std::vector<const Instruction*> chain = {&operation};
  for (;;) {
    const uint32_t from = chain.back()->operand(0);
    const auto made = reader.builtInOperations.find(from);
    if (made == reader.builtInOperations.end() || builtInPlaces_.contains(from)) break;
    chain.push_back(&made->second);
  }
  llvm::Value* place = nullptr;
  for (; !chain.empty(); chain.pop_back()) {
    const Row* row = rowOf(chain.back()->op);
    place = row->emit(*this, *chain.back(), row->which);
    builtInPlaces_[chain.back()->result] = place;
  }
  return place;
}

llvm::BasicBlock& Emitter::entryBlock(const Instruction& user) {
  user.require(builder.GetInsertBlock() && builder.GetInsertBlock()->getParent(),
               "uses a work-item variable outside of functions");
  return builder.GetInsertBlock()->getParent()->getEntryBlock();
}

uint64_t Emitter::constant(const Instruction& user, size_t index) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(operand(user, index));
  user.require(number && number->getBitWidth() <= 64, "has an operand that is no constant");
  return number->getZExtValue();
}

llvm::CallInst* Emitter::call(const Instruction& user, std::string_view name, llvm::Type* result,
                              llvm::ArrayRef<llvm::Value*> arguments, bool isPure) {
  llvm::SmallVector<llvm::Type*> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  auto* type = llvm::FunctionType::get(result, types, /*isVarArg=*/false);
  const llvm::StringRef symbol(name.data(), name.size());
  llvm::Function* function = reader.module.getFunction(symbol);
  if (!function) {
    user.require(!reader.module.getNamedValue(symbol), "needs a name that a variable has");
    function =
        llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, symbol, reader.module);
    function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    function->setConvergent();
    function->setDoesNotThrow();
    if (isPure) {
      function->setDoesNotAccessMemory();
      function->setWillReturn();
    }
  }
  if (!name.starts_with(kLoweredPrefix) && !names::workItemFunction(*function) &&
      !isDefinedByLibrary(name))
    user.fail("has operands for which there is no function " + std::string(name));
  user.require(function->getFunctionType() == type && function->isDeclaration(),
               "has operands or a result of wrong types");
  llvm::CallInst* made = builder.CreateCall(function, arguments);
  made->setCallingConv(function->getCallingConv());
  made->setConvergent();
  made->setDoesNotThrow();
  return made;
}

const Row* rowOf(SpvOp op) {
  static const std::vector<Row>* const rows = new std::vector<Row>(allRows());
  const auto found = std::ranges::lower_bound(*rows, op, {}, &Row::op);
  return found != rows->end() && found->op == op ? &*found : nullptr;
}

void emit(Emitter& emitter, const Instruction& instruction) {
  const Row* row = rowOf(instruction.op);
  if (!row) instruction.fail("is not supported");
  llvm::Value* value = row->emit(emitter, instruction, row->which);
  if (!instruction.result) return;
  llvm::Type* type = emitter.type(instruction);
  if (type->isVoidTy()) return;
  if (type->isAggregateType()) {
    emitter.reader.scalars += emitter.reader.types.get(instruction.type, instruction).scalars;
    instruction.require(emitter.reader.scalars <= kMostScalars,
                        "has one value too many of many components");
  }
  if (emitter.reader.makesBuiltInPointer(instruction))
    emitter.reader.builtInPointers.insert(instruction.result);
  else
    instruction.require(value && value->getType() == type, "has a result of the wrong type");
  applyFlags(emitter.reader, instruction, value);
  emitter.reader.define(instruction, value, instruction.type);
}

}  // namespace weft::compiler::spirv
