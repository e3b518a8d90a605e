// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/barriers.h"

#include "weft/abi/services.h"

namespace weft::compiler {

using namespace llvm;

bool isBarrier(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == abi::kBarrierService;
}

CallInst* barrierIn(BasicBlock& block) {
  for (Instruction& instruction : block)
    if (isBarrier(instruction)) return cast<CallInst>(&instruction);
  return nullptr;
}

}  // namespace weft::compiler
