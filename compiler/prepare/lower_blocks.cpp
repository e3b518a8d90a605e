// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/lower_blocks.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

bool isGenericPointer(const Type* type) {
  return type->isPointerTy() && type->getPointerAddressSpace() == names::kGeneric;
}

bool isBlockKernel(const Function& function) {
  return names::isKernel(function) && !function.isDeclaration() && function.arg_size() != 0 &&
         isGenericPointer(function.getArg(0)->getType());
}

/// Puts what `replacement` makes for a type in place of the function's address wherever it is not
/// called.
void replaceAddress(Function& function, function_ref<Constant*(PointerType*)> replacement) {
  SmallVector<ConstantExpr*> casts;
  for (User* user : function.users())
    if (auto* cast = dyn_cast<ConstantExpr>(user)) casts.push_back(cast);
  for (ConstantExpr* cast : casts)
    if (auto* type = dyn_cast<PointerType>(cast->getType())) {
      cast->replaceAllUsesWith(replacement(type));
      cast->destroyConstant();
    }
  function.replaceUsesWithIf(replacement(function.getType()), [](Use& use) {
    const auto* call = dyn_cast<CallBase>(use.getUser());
    return !call || !call->isCallee(&use);
  });
}

}  // namespace

PreservedAnalyses LowerBlocksPass::run(Module& module, ModuleAnalysisManager&) {
  unsigned number = 0;
  for (Function& function : module) {
    if (isBlockKernel(function)) {
      function.addFnAttr(names::kBlockAttribute, std::to_string(number));
      function.setLinkage(GlobalValue::ExternalLinkage);
      Type* i64 = Type::getInt64Ty(module.getContext());
      replaceAddress(function, [&](PointerType* type) {
        return ConstantExpr::getIntToPtr(ConstantInt::get(i64, number), type);
      });
      ++number;
    } else if (function.getName().contains("_block_invoke")) {
      replaceAddress(function, [](PointerType* type) { return ConstantPointerNull::get(type); });
    }
  }
  return number == 0 ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

}  // namespace weft::compiler
