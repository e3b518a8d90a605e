// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/codegen.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>

namespace weft::compiler {

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> generateCode(llvm::Module& module,
                                                                 llvm::TargetMachine& machine) {
  // Code generation warns about relaxation hints that it cannot keep. Services are called through
  // their address in the table of the object, without a stub in between.
  for (llvm::Function& function : module) {
    if (function.isDeclaration() && !function.isIntrinsic())
      function.addFnAttr(llvm::Attribute::NonLazyBind);
    for (llvm::Instruction& instruction : llvm::instructions(function))
      instruction.setMetadata(llvm::LLVMContext::MD_mmra, nullptr);
  }

  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile,
                                  /*DisableVerify=*/true))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "internal error: the target cannot write object files\n");
  passes.run(module);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(bytes), module.getName(),
                                                         /*RequiresNullTerminator=*/false);
}

}  // namespace weft::compiler
