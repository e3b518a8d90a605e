// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/lower_collectives.h"

#include <llvm/IR/InstIterator.h>

#include "ir/abi_access.h"
#include "ir/barriers.h"
#include "ir/names.h"
#include "weft/abi/services.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Operands of what lower-sync leaves.
enum Operand : unsigned { kItem, kId, kCombine, kLinearId, kBrought };
/// The last operand in barrier loops.
constexpr unsigned kCell = 3;
constexpr const char* kCells = "weft_collective_cells";
static_assert(std::string_view(kCells).starts_with(names::kLoweredCollectivePrefix));

SmallVector<CallInst*> collectivesOf(Function& function) {
  SmallVector<CallInst*> calls;
  for (Instruction& instruction : instructions(function))
    if (isCollective(instruction)) calls.push_back(cast<CallInst>(&instruction));
  return calls;
}

Function* declare(Module& module, const char* name, ArrayRef<Type*> parameters) {
  Type* result = Type::getInt64Ty(module.getContext());
  auto* function = cast<Function>(
      module.getOrInsertFunction(name, FunctionType::get(result, parameters, false)).getCallee());
  function->addFnAttr(Attribute::Convergent);
  function->addFnAttr(Attribute::NoUnwind);
  return function;
}

/// A call in the place of `call`, with its operands up to the combining function.
CallInst* callInstead(CallInst& call, const char* name, Value* last) {
  IRBuilder<> builder(&call);
  SmallVector<Value*> operands{call.getArgOperand(kItem), call.getArgOperand(kId),
                               call.getArgOperand(kCombine)};
  operands.push_back(last);
  SmallVector<Type*> types;
  for (const Value* operand : operands) types.push_back(operand->getType());
  CallInst* made = builder.CreateCall(declare(*call.getModule(), name, types), operands);
  made->setConvergent();
  return made;
}

/// Gives what uses `call` its value, which all work-items share or each has in its `cell`.
void replace(CallInst& call, CallInst& shared, Value* cell, Instruction& behind) {
  if (!call.use_empty()) {
    IRBuilder<> builder(&behind);
    Value* value = isSharedResult(call)
                       ? static_cast<Value*>(&shared)
                       : builder.CreateLoad(call.getType(), cell, call.getName() + ".scanned");
    call.replaceAllUsesWith(value);
  }
  call.eraseFromParent();
}

void lowerForFibers(CallInst& call) {
  IRBuilder<> builder(&call);
  AbiAccess abi(builder, call.getArgOperand(kItem));
  Type* byte = builder.getInt8Ty();
  Value* cells = abi.groupField(builder.getPtrTy(), offsetof(abi::Group, collectiveCells));
  Value* arrivals = abi.groupField(builder.getPtrTy(), offsetof(abi::Group, collectiveArrivals));
  Value* linear = call.getArgOperand(kLinearId);
  Value* brought = call.getArgOperand(kBrought);
  Value* area = builder.getInt32(abi::collectiveArea(brought->getType()->getIntegerBitWidth() / 8));
  Value* place = builder.CreateMul(builder.CreatePtrDiff(byte, arrivals, cells),
                                   builder.CreateZExt(area, builder.getInt64Ty()));
  Value* cell = builder.CreateInBoundsGEP(
      brought->getType(), builder.CreateInBoundsGEP(byte, cells, place), linear, "cell");
  builder.CreateStore(brought, cell);
  builder.CreateStore(builder.getInt8(1),
                      builder.CreateInBoundsGEP(byte, arrivals, linear, "arrival"));
  CallInst* made = callInstead(call, abi::kCollectiveService, area);
  replace(call, *made, cell, call);
}

}  // namespace

void lowerCollectives(Module& module) {
  for (Function& function : module)
    for (CallInst* call : collectivesOf(function)) lowerForFibers(*call);
}

void exposeCollectives(Function& entry) {
  for (CallInst* call : collectivesOf(entry)) {
    IRBuilder<> start(&*entry.getEntryBlock().begin());
    Value* brought = call->getArgOperand(kBrought);
    AllocaInst* cell = start.CreateAlloca(brought->getType(), nullptr, "cell");
    BasicBlock* before = call->getParent()->getSinglePredecessor();
    new StoreInst(brought, cell, before->getTerminator()->getIterator());
    CallInst* made = callInstead(*call, kCells, cell);
    Instruction& behind = *call->getParent()->getSingleSuccessor()->getFirstInsertionPt();
    replace(*call, *made, cell, behind);
  }
}

bool isCollectiveCell(const AllocaInst& variable) {
  return any_of(variable.users(), [&](const User* user) {
    const auto* call = dyn_cast<CallInst>(user);
    return call && isCollective(*call) && call->getArgOperand(kCell) == &variable;
  });
}

CallInst* combineCells(CallInst& call, Value* cells, Value* items) {
  IRBuilder<> builder(&call);
  auto* combine = cast<Function>(call.getArgOperand(kCombine));
  return builder.CreateCall(combine, {cells, items, ConstantPointerNull::get(builder.getPtrTy())});
}

}  // namespace weft::compiler
