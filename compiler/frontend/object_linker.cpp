// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/object_linker.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

namespace weft::compiler {

void applyMathOptions(llvm::Module& module, const BuildOptions& options) {
  llvm::FastMathFlags flags;
  if (options.fastRelaxedMath) flags.setFast();
  if (options.finiteMath) {
    flags.setNoNaNs();
    flags.setNoInfs();
  }
  if (options.noSignedZeros) flags.setNoSignedZeros();
  if (options.unsafeMath) {
    flags.setNoSignedZeros();
    flags.setAllowReassoc();
    flags.setAllowContract();
    flags.setAllowReciprocal();
    flags.setApproxFunc();
  }
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    if (options.denormsAreZero) {
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    }
    if (options.unsafeMath || options.fastRelaxedMath) {
      function.addFnAttr("unsafe-fp-math", "true");
    }
    if (!flags.any()) continue;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (llvm::isa<llvm::FPMathOperator>(instruction)) {
        instruction.setFastMathFlags(flags | instruction.getFastMathFlags());
      }
    }
  }
}

Expected<std::unique_ptr<IrUnit>, std::string> linkObjects(std::span<const LinkInput> inputs,
                                                           const BuildOptions& options) {
  auto unit = std::make_unique<IrUnit>();
  unit->setModule(std::make_unique<llvm::Module>("program", unit->context()));
  llvm::Linker linker(unit->module());
  for (const LinkInput& input : inputs) {
    const llvm::StringRef bytes(input.bitcode.data(), input.bitcode.size());
    auto module = llvm::parseBitcodeFile({bytes, "object"}, unit->context());
    if (!module) return fail(llvm::toString(module.takeError()) + "\n");
    if (input.takesOptions) applyMathOptions(**module, options);
    if (linker.linkInModule(std::move(*module))) {
      std::string log = unit->takeDiagnostics();
      return fail(log.empty() ? std::string("error: the objects could not be linked\n") : log);
    }
  }
  return unit;
}

}  // namespace weft::compiler
