// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/lines.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DIBuilder.h>

namespace weft::compiler::spirv {
namespace {

llvm::DIFile* fileOf(Reader& reader, uint32_t id) {
  const auto found = reader.strings.find(id);
  const bool hasName = found != reader.strings.end() && !found->second.empty();
  return llvm::DIFile::get(reader.context, hasName ? llvm::StringRef(found->second) : "-", "");
}

/// One for the module, as Clang makes it where only places are wanted.
llvm::DICompileUnit* unitOf(Reader& reader, llvm::DIFile* file) {
  if (const auto* units = reader.module.getNamedMetadata("llvm.dbg.cu"))
    return llvm::cast<llvm::DICompileUnit>(units->getOperand(0));
  llvm::DIBuilder builder(reader.module);
  llvm::DICompileUnit* unit =
      builder.createCompileUnit(llvm::dwarf::DW_LANG_OpenCL, file, "", /*isOptimized=*/true, "", 0,
                                "", llvm::DICompileUnit::NoDebug);
  builder.finalize();
  reader.module.addModuleFlag(llvm::Module::Warning, "Debug Info Version",
                              llvm::DEBUG_METADATA_VERSION);
  return unit;
}

}  // namespace

Lines::Lines(Reader& reader, std::span<const Instruction> body, llvm::Function& function)
    : reader_(reader) {
  const auto line = std::ranges::find(body, SpvOpLine, &Instruction::op);
  if (line == body.end()) return;
  llvm::DIFile* file = fileOf(reader, line->operand(0));
  llvm::DIBuilder builder(reader.module, /*AllowUnresolved=*/true, unitOf(reader, file));
  llvm::DISubroutineType* type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  function_ = builder.createFunction(file, function.getName(), "", file, line->operand(1), type,
                                     line->operand(1), llvm::DINode::FlagZero,
                                     llvm::DISubprogram::SPFlagDefinition);
  builder.finalizeSubprogram(function_);
  function.setSubprogram(function_);
}

void Lines::at(const Instruction* line, llvm::IRBuilder<>& builder) {
  if (!function_) return;
  builder.SetCurrentDebugLocation(
      line ? llvm::DILocation::get(
                 reader_.context, line->operand(1), line->operand(2),
                 llvm::DILexicalBlockFile::get(reader_.context, function_,
                                               fileOf(reader_, line->operand(0)), 0))
           : llvm::DILocation::get(reader_.context, 0, 0, function_));
}

}  // namespace weft::compiler::spirv
