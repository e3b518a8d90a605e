// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/codegen.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/OptBisect.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>

#include <map>
#include <utility>

#include "base/tuning.h"

namespace weft::compiler {
namespace {

/// The passes of code generation, which write an object file to memory. To set them up takes as
/// long as to run them for a small kernel, so that one list serves module after module.
class ObjectWriter {
 public:
  /// Null when the target cannot write object files.
  static std::unique_ptr<ObjectWriter> create(llvm::TargetMachine& machine) {
    std::unique_ptr<ObjectWriter> writer(new ObjectWriter);
    if (machine.addPassesToEmitFile(writer->passes_, writer->stream_, nullptr,
                                    llvm::CodeGenFileType::ObjectFile, /*DisableVerify=*/true))
      return nullptr;
    return writer;
  }

  llvm::SmallVector<char, 0> write(llvm::Module& module) {
    passes_.run(module);
    return std::exchange(bytes_, {});
  }

 private:
  ObjectWriter() = default;

  llvm::SmallVector<char, 0> bytes_;
  llvm::raw_svector_ostream stream_{bytes_};
  llvm::legacy::PassManager passes_;
};

/// Leaves out the pass that asks of every scalar whether it had better be in a mask register: with
/// AVX-512 it takes time in the square of the scalars that depend on each other.
class NoMaskSearch final : public llvm::OptPassGate {
 public:
  static NoMaskSearch& instance() {
    static NoMaskSearch gate;
    return gate;
  }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) override {
    return pass != "X86 Domain Reassignment Pass";
  }
  bool isEnabled() const override { return true; }
};

/// What a writer has taken of memory for more instructions than this is given back.
constexpr size_t kMaxInstructionsToKeep = 20'000;

/// The calling thread's writers that are at rest, one for each target machine.
std::map<const llvm::TargetMachine*, std::unique_ptr<ObjectWriter>>& restingWriters() {
  thread_local std::map<const llvm::TargetMachine*, std::unique_ptr<ObjectWriter>> writers;
  return writers;
}

}  // namespace

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> generateCode(llvm::Module& module,
                                                                 llvm::TargetMachine& machine) {
  // Code generation warns about relaxation hints that it cannot keep. Services are called through
  // their address in the table of the object, without a stub in between.
  size_t instructions = 0;
  for (llvm::Function& function : module) {
    instructions += function.getInstructionCount();
    if (function.isDeclaration() && !function.isIntrinsic())
      function.addFnAttr(llvm::Attribute::NonLazyBind);
    for (llvm::Instruction& instruction : llvm::instructions(function))
      instruction.setMetadata(llvm::LLVMContext::MD_mmra, nullptr);
  }
  if (instructions > tuning::kMostForMaskSearch)
    module.getContext().setOptPassGate(NoMaskSearch::instance());

  std::unique_ptr<ObjectWriter>& resting = restingWriters()[&machine];
  if (!resting) resting = ObjectWriter::create(machine);
  if (!resting)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "internal error: the target cannot write object files\n");
  // One that a fatal error interrupts is left as it was, and never used again.
  ObjectWriter* writer = resting.release();
  llvm::SmallVector<char, 0> bytes = writer->write(module);
  std::unique_ptr<ObjectWriter> done(writer);
  if (instructions <= kMaxInstructionsToKeep) resting = std::move(done);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(bytes), module.getName(),
                                                         /*RequiresNullTerminator=*/false);
}

}  // namespace weft::compiler
