// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/check_symbols.h"

#include "ir/names.h"
#include "prepare/inline_util.h"

namespace weft::compiler {

bool CheckSymbolsPass::isService(llvm::StringRef name) const {
  // The service for these is called once the form is known.
  if (name.starts_with(names::kLoweredCollectivePrefix)) name = abi::kCollectiveService;
  if (services_.empty()) return !name.starts_with("_Z") && !name.starts_with("__weft_");
  return llvm::any_of(services_,
                      [&](const abi::ServiceSymbol& service) { return name == service.name; });
}

namespace {

/// What is to be said of a function that nobody has defined.
std::string undefined(const llvm::Function& function) {
  const std::string name = names::displayName(function);
  if (name == "__cxa_atexit")
    return "an object that outlives the kernel has a destructor, which is not supported";
  if (name == "__cxa_guard_acquire" || name == "__cxa_guard_release")
    return "a variable that is initialised where it is first met is not supported";
  return "undefined function '" + name + "'";
}

/// What depends on the size of sub-groups and on lanes.
bool isLoweredLater(const llvm::Function& function) {
  return names::isSubGroupOperation(function) || function.getName() == names::kSubGroupLane ||
         function.getName() == names::kSubGroupNumber;
}

}  // namespace

llvm::PreservedAnalyses CheckSymbolsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  eraseUnusedFunctions(module);
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && !isLoweredLater(function) &&
        (names::isKernel(function) || !isService(function.getName())))
      errors_->add(undefined(function));
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
