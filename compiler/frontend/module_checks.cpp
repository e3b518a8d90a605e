// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/module_checks.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "base/tuning.h"
#include "frontend/check_module.h"
#include "frontend/lower_target_types.h"
#include "ir/names.h"

namespace weft::compiler {

Expected<void, std::string> checkModule(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(module, &stream)) {
    return fail("error: the front end made an invalid module: " + text + "\n");
  }
  return {};
}

/// Whether it is gone once variables are values, as far as that is seen at once: front ends differ
/// in what they leave in memory.
static bool isVariableTraffic(const llvm::Instruction& instruction) {
  const llvm::Value* place = llvm::getLoadStorePointerOperand(&instruction);
  return llvm::isa<llvm::AllocaInst, llvm::DbgInfoIntrinsic>(instruction) ||
         (place && llvm::isa<llvm::AllocaInst>(place));
}

const llvm::Function* enormousFunction(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    if (function.size() > tuning::kMostBlocks) return &function;
    for (const llvm::BasicBlock& block : function)
      if (block.size() > tuning::kMostInBlock &&
          block.size() - size_t(llvm::count_if(block, isVariableTraffic)) > tuning::kMostInBlock)
        return &function;
  }
  return nullptr;
}

/// Clang's kernels of blocks are found by what refers to them: objects that are linked may have
/// some of the same name.
static void hideBlocks(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL || function.isDeclaration() ||
        function.arg_empty())
      continue;
    const llvm::Type* first = function.getArg(0)->getType();
    if (first->isPointerTy() && first->getPointerAddressSpace() == names::kGeneric)
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

Expected<void, std::string> finishSourceModule(llvm::Module& module) {
  if (std::string refused = checkSourceModule(module); !refused.empty()) {
    return fail(std::move(refused));
  }
  hideBlocks(module);
  lowerTargetTypes(module);
  return checkModule(module);
}

}  // namespace weft::compiler
