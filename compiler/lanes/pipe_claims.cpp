// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Places in pipes (builtins/pipe): lanes claim a run together, and each has one of it. What costs
/// is the compare-and-swap, for which workers wait in turn.

#include <llvm/IR/PatternMatch.h>

#include "ir/names.h"
#include "lanes/loop_widener.h"
#include "lanes/loop_work.h"

namespace weft::compiler {

using namespace llvm;

bool isPipeClaim(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !names::isLibrary(*callee)) return false;
  StringRef name = callee->getName();
  name.consume_back(names::kFunctionSuffix);
  return (name == "weft_pipe_claim_read" || name == "weft_pipe_claim_write") &&
         match(call->getArgOperand(1), PatternMatch::m_One()) &&
         match(call->getArgOperand(2), PatternMatch::m_One());
}

/// The first lanes get what there is.
bool LoopWidener::emitPipeClaim(CallInst& call) {
  if (!isPipeClaim(call) || !plan_.shapes.of(call.getArgOperand(0)).isUniform() ||
      !plan_.shapes.of(call.getArgOperand(3)).isUniform())
    return false;
  IntegerType* i64 = builder_.getInt64Ty();
  Value* active = builder_.CreateZExt(code_.bits(mask_), i64);
  Value* most = builder_.CreateUnaryIntrinsic(Intrinsic::ctpop, active);
  auto* claim = cast<CallInst>(call.clone());
  claim->setArgOperand(0, scalarOf(call.getArgOperand(0)));
  claim->setArgOperand(1, builder_.CreateTrunc(most, call.getArgOperand(1)->getType()));
  claim->setArgOperand(3, scalarOf(call.getArgOperand(3)));
  builder_.Insert(claim);

  Value* rank = code_.steps(i64, 1);  // of the active lanes before this one
  if (!LaneCode::isFull(mask_)) {
    SmallVector<Constant*, 64> before;
    for (unsigned lane = 0; lane < plan_.width; ++lane)
      before.push_back(builder_.getInt64(maskTrailingOnes<uint64_t>(lane)));
    rank = builder_.CreateUnaryIntrinsic(
        Intrinsic::ctpop, builder_.CreateAnd(code_.splat(active), ConstantVector::get(before)));
  }
  Value* count = builder_.CreateLShr(claim, 32);
  Value* first = builder_.CreateZExt(builder_.CreateTrunc(claim, builder_.getInt32Ty()), i64);
  Value* one = builder_.CreateOr(first, builder_.getInt64(uint64_t{1} << 32));
  Value* mine = builder_.CreateAdd(code_.splat(one), rank);
  Value* hasOne = builder_.CreateICmpULT(rank, code_.splat(count));
  define(call, ArrayRef<Value*>(
                   builder_.CreateSelect(hasOne, mine, Constant::getNullValue(mine->getType()))));
  return true;
}

}  // namespace weft::compiler
