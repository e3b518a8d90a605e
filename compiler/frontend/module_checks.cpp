// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/module_checks.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "frontend/check_module.h"
#include "frontend/lower_target_types.h"

namespace weft::compiler {

Expected<void, std::string> checkModule(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(module, &stream)) {
    return fail("error: the front end made an invalid module: " + text + "\n");
  }
  return {};
}

Expected<void, std::string> finishSourceModule(llvm::Module& module) {
  if (std::string refused = checkSourceModule(module); !refused.empty()) {
    return fail(std::move(refused));
  }
  lowerTargetTypes(module);
  return checkModule(module);
}

}  // namespace weft::compiler
