// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/lines.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DIBuilder.h>

namespace weft::compiler::spirv {
namespace {

/// Numbers of the instructions in both sets for debuggers.
enum : uint32_t {
  kDebugFunction = 20,
  kDebugSource = 35,
  kDebugFunctionDefinition = 101,
  kDebugLine = 103,
  kDebugNoLine = 104,
};

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

void readDebugNotes(Reader& reader) {
  DebugNotes& debug = reader.debug;
  if (debug.sets.empty()) return;
  std::unordered_map<uint32_t, uint32_t> names;  // strings, by DebugFunction
  for (const Instruction& i : reader.binary.instructions()) {
    if (i.op != SpvOpExtInst || !debug.sets.contains(i.operand(0))) continue;
    const size_t count = i.operands.size();
    switch (i.operand(1)) {
      case kDebugSource:
        if (count > 2) debug.files[i.result] = i.operand(2);
        break;
      case kDebugFunction:
        if (count > 2) names[i.result] = i.operand(2);
        if (count > 11 && !debug.shaderSets.contains(i.operand(0)))
          debug.names[i.operand(11)] = i.operand(2);
        break;
      case kDebugFunctionDefinition:
        if (count > 3 && names.contains(i.operand(2)))
          debug.names[i.operand(3)] = names[i.operand(2)];
        break;
      default:
        break;
    }
  }
}

Lines::Lines(Reader& reader, uint32_t function, std::span<const Instruction> body,
             llvm::Function& made)
    : reader_(reader) {
  std::optional<Place> first;
  for (const Instruction& i : body)
    if ((first = placeOf(i))) break;
  if (!first) return;
  llvm::StringRef name = made.getName();
  const auto said = reader.debug.names.find(function);
  if (said != reader.debug.names.end())
    if (const auto text = reader.strings.find(said->second); text != reader.strings.end())
      name = text->second;
  if (name.empty()) name = llvm::StringRef(reader.annotations.name(function));
  llvm::DIFile* file = fileOf(reader, first->file);
  llvm::DIBuilder builder(reader.module, /*AllowUnresolved=*/true, unitOf(reader, file));
  llvm::DISubroutineType* type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  function_ = builder.createFunction(file, name, "", file, first->line, type, first->line,
                                     llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition);
  builder.finalizeSubprogram(function_);
  made.setSubprogram(function_);
}

uint32_t Lines::number(uint32_t id) const {
  const auto found = reader_.values.find(id);
  const auto* value = found == reader_.values.end()
                          ? nullptr
                          : llvm::dyn_cast<llvm::ConstantInt>(found->second.value);
  return value ? static_cast<uint32_t>(value->getValue().getLimitedValue(UINT32_MAX)) : 0;
}

std::optional<Lines::Place> Lines::placeOf(const Instruction& i) const {
  if (i.op == SpvOpLine) return Place{i.operand(0), i.operand(1), i.operand(2)};
  if (i.op != SpvOpExtInst || !reader_.debug.shaderSets.contains(i.operand(0)) ||
      i.operand(1) != kDebugLine || i.operands.size() < 7)
    return std::nullopt;
  const auto file = reader_.debug.files.find(i.operand(2));
  return Place{file == reader_.debug.files.end() ? 0 : file->second, number(i.operand(3)),
               number(i.operand(5))};
}

void Lines::read(const Instruction& i, llvm::IRBuilder<>& builder) {
  if (!function_) return;
  if (const auto place = placeOf(i))
    builder.SetCurrentDebugLocation(
        llvm::DILocation::get(reader_.context, place->line, place->column,
                              llvm::DILexicalBlockFile::get(reader_.context, function_,
                                                            fileOf(reader_, place->file), 0)));
  else if (i.op == SpvOpNoLine ||
           (i.op == SpvOpExtInst && reader_.debug.shaderSets.contains(i.operand(0)) &&
            i.operand(1) == kDebugNoLine))
    end(builder);
}

void Lines::end(llvm::IRBuilder<>& builder) {
  if (function_)
    builder.SetCurrentDebugLocation(llvm::DILocation::get(reader_.context, 0, 0, function_));
}

}  // namespace weft::compiler::spirv
