// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/simplify_powers.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

constexpr int kLeast = -1, kMost = 4;

bool isPower(const Function& function) {
  if (!names::isLibrary(function)) return false;
  constexpr const char* kNames[] = {"_Z3pow", "_Z4pown", "_Z16weft_relaxed_pow",
                                    "_Z17weft_relaxed_pown"};
  return any_of(kNames, [&](const char* name) { return function.getName().starts_with(name); });
}

/// The exponent of a call, if it is a small integer that is known.
std::optional<int> exponentOf(const CallInst& call) {
  const auto* constant = dyn_cast<Constant>(call.getArgOperand(1));
  if (constant && constant->getType()->isVectorTy()) constant = constant->getSplatValue();
  if (!constant) return std::nullopt;
  for (int exponent = kLeast; exponent <= kMost; ++exponent) {
    if (const auto* number = dyn_cast<ConstantFP>(constant);
        number && number->isExactlyValue(exponent))
      return exponent;
    if (const auto* number = dyn_cast<ConstantInt>(constant);
        number && number->getSExtValue() == exponent)
      return exponent;
  }
  return std::nullopt;
}

Value* power(Value* x, int exponent, IRBuilder<>& builder) {
  switch (exponent) {
    case -1:
      return builder.CreateFDiv(ConstantFP::get(x->getType(), 1), x);
    case 0:
      return ConstantFP::get(x->getType(), 1);
    case 1:
      return x;
    default: {
      Value* square = builder.CreateFMul(x, x);
      if (exponent == 2) return square;
      return builder.CreateFMul(square, exponent == 3 ? x : square);
    }
  }
}

}  // namespace

PreservedAnalyses SimplifyPowersPass::run(Function& function, FunctionAnalysisManager&) {
  bool hasChanged = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* call = dyn_cast<CallInst>(&instruction);
    const Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !isPower(*callee) || call->arg_size() != 2) continue;
    const auto exponent = exponentOf(*call);
    if (!exponent) continue;
    IRBuilder<> builder(call);
    // No part of a sum: that is one with fma() in some forms only.
    FastMathFlags flags = call->getFastMathFlags();
    flags.setAllowContract(false);
    builder.setFastMathFlags(flags);
    call->replaceAllUsesWith(power(call->getArgOperand(0), *exponent, builder));
    call->eraseFromParent();
    hasChanged = true;
  }
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
