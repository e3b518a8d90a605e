// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/check_symbols.h"

#include "passes/inline_util.h"
#include "passes/names.h"

namespace weft::compiler {

bool CheckSymbolsPass::isService(llvm::StringRef name) const {
  if (services_.empty()) return !name.starts_with("_Z") && !name.starts_with("__weft_");
  return llvm::any_of(services_,
                      [&](const abi::ServiceSymbol& service) { return name == service.name; });
}

llvm::PreservedAnalyses CheckSymbolsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  eraseUnusedFunctions(module);
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        (names::isKernel(function) || !isService(function.getName())))
      errors_->add("undefined function '" + names::displayName(function) + "'");
  for (llvm::GlobalVariable& global : llvm::make_early_inc_range(module.globals())) {
    if (global.getName().starts_with("llvm.")) continue;
    global.removeDeadConstantUsers();
    if (global.use_empty()) {
      global.eraseFromParent();
    } else if (global.isDeclaration()) {
      errors_->add("undefined variable '" + global.getName() + "'");
    }
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace weft::compiler
