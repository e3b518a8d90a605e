// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/vector_body.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "lanes/estimates.h"

namespace weft::compiler {

using namespace llvm;

void vectorBody(const Function& scalar, unsigned lanes, Function& wide) {
  const auto count = ElementCount::getFixed(lanes);
  IRBuilder<> builder(BasicBlock::Create(wide.getContext(), "entry", &wide));
  DenseMap<const Value*, Value*> vectors;
  for (const Argument& argument : scalar.args())
    vectors[&argument] = wide.getArg(argument.getArgNo());
  auto vectorOf = [&](Value* value) -> Value* {
    if (auto* constant = dyn_cast<Constant>(value))
      return ConstantVector::getSplat(count, constant);
    return vectors.lookup(value);
  };
  for (const Instruction& instruction : scalar.front().instructionsWithoutDebug()) {
    if (const auto* result = dyn_cast<ReturnInst>(&instruction)) {
      builder.CreateRet(vectorOf(result->getReturnValue()));
      continue;
    }
    Type* type = VectorType::get(instruction.getType(), count);
    if (const auto* call = dyn_cast<IntrinsicInst>(&instruction)) {
      SmallVector<Value*> arguments;
      for (Value* argument : call->args()) arguments.push_back(vectorOf(argument));
      // Which kinds is a constant.
      if (call->getIntrinsicID() == Intrinsic::is_fpclass) arguments[1] = call->getArgOperand(1);
      CallInst* made =
          builder.CreateIntrinsic(call->getIntrinsicID(), {arguments[0]->getType()}, arguments);
      made->copyIRFlags(call);
      vectors[&instruction] = made;
      continue;
    }
    if (const auto* call = dyn_cast<CallInst>(&instruction)) {
      SmallVector<Value*> arguments;
      for (Value* argument : call->args()) arguments.push_back(vectorOf(argument));
      vectors[&instruction] = builder.CreateCall(vectorEstimate(*call, lanes), arguments);
      continue;
    }
    Instruction* made = instruction.clone();
    made->mutateType(type);
    made->dropUnknownNonDebugMetadata();
    for (Use& use : made->operands()) use.set(vectorOf(use.get()));
    vectors[&instruction] = builder.Insert(made);
  }
}

}  // namespace weft::compiler
