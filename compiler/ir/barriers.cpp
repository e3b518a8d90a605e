// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/barriers.h"

#include "ir/abi_access.h"
#include "ir/names.h"
#include "weft/abi/services.h"

namespace weft::compiler {

using namespace llvm;

namespace {

StringRef calleeName(const Value& value) {
  const auto* call = dyn_cast<CallInst>(&value);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : StringRef();
}

}  // namespace

bool isBarrier(const Instruction& instruction) {
  return calleeName(instruction) == abi::kBarrierService || isCollective(instruction);
}

CallInst* createBarrier(IRBuilder<>& builder, Value* id) {
  Module& module = *builder.GetInsertBlock()->getModule();
  FunctionCallee service = module.getOrInsertFunction(abi::kBarrierService, builder.getVoidTy(),
                                                      builder.getPtrTy(), builder.getInt32Ty());
  auto* function = cast<Function>(service.getCallee());
  function->addFnAttr(Attribute::Convergent);
  function->addFnAttr(Attribute::NoUnwind);
  function->addParamAttr(0, Attribute::NoCapture);
  function->addParamAttr(0, Attribute::ReadOnly);
  CallInst* made = builder.CreateCall(service, {AbiAccess(builder).item(), id});
  made->setConvergent();
  return made;
}

bool isCollective(const Instruction& instruction) {
  StringRef name = calleeName(instruction);
  return name == abi::kCollectiveService || name.starts_with(names::kLoweredCollectivePrefix);
}

bool isSharedResult(const Value& value) {
  StringRef name = calleeName(value);
  if (name == abi::kCollectiveService) return true;
  return name.consume_front(names::kLoweredCollectivePrefix) && !name.starts_with("scan_");
}

CallInst* barrierIn(BasicBlock& block) {
  for (Instruction& instruction : block)
    if (isBarrier(instruction)) return cast<CallInst>(&instruction);
  return nullptr;
}

bool hasBarriers(const Loop& loop) {
  return any_of(loop.blocks(), [](BasicBlock* block) { return barrierIn(*block) != nullptr; });
}

}  // namespace weft::compiler
