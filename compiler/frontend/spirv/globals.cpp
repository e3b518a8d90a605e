// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What stands before the functions: capabilities, types, constants and variables.
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>

#include <algorithm>
#include <cstring>

#include "frontend/spirv/capabilities.h"
#include "frontend/spirv/lines.h"
#include "frontend/spirv/reader.h"
#include "ir/names.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Constant;

constexpr uint64_t kMostVariableBytes = uint64_t{1} << 30;

class GlobalReader {
 public:
  explicit GlobalReader(Reader& reader) : reader_(reader) {}

  void run() {
    SpvOp last = SpvOpNop;
    for (const Instruction& instruction : reader_.binary.instructions()) {
      if (instruction.op == SpvOpFunction) break;
      if (!goesOn(instruction.op)) {
        read(instruction);
        last = instruction.op;
      } else {
        instruction.require(last == SpvOpConstantComposite || last == SpvOpSpecConstantComposite,
                            "goes on with nothing");
      }
    }
    if (scratch_) scratch_->eraseFromParent();
  }

 private:
  void read(const Instruction& i) {
    switch (i.op) {
      case SpvOpCapability:
        if (!takesCapability(i.operand(0)))
          i.fail(capabilityName(i.operand(0)) + " is not supported");
        return;
      case SpvOpExtInstImport:
        return import(i);
      case SpvOpString:
        reader_.strings[i.result] = i.string(0);
        return;
      case SpvOpMemoryModel:
        i.require(i.operand(0) == SpvAddressingModelPhysical64,
                  "has an addressing model other than Physical64");
        i.require(i.operand(1) == SpvMemoryModelOpenCL, "has a memory model other than OpenCL");
        return;
      case SpvOpConstantTrue:
      case SpvOpConstantFalse:
      case SpvOpSpecConstantTrue:
      case SpvOpSpecConstantFalse:
      case SpvOpConstant:
      case SpvOpSpecConstant:
      case SpvOpConstantComposite:
      case SpvOpSpecConstantComposite:
      case SpvOpConstantNull:
      case SpvOpConstantSampler:
      case SpvOpUndef:
        return reader_.define(i, constant(i), i.type);
      case SpvOpSpecConstantOp:
        return reader_.define(i, operation(i), i.type);
      case SpvOpVariable:
        return variable(i);
      case SpvOpExtInst:
        i.require(reader_.extensionSets.contains(i.operand(0)), "names no set of instructions");
        i.require(!reader_.extensionSets[i.operand(0)], "stands outside of functions");
        return;
      default:
        break;
    }
    if (isIgnored(i.op)) return;
    if (!reader_.types.declare(i, lengthOf(i))) i.fail("is not supported");
  }

  /// What is read elsewhere, or only informs.
  static bool isIgnored(SpvOp op) {
    switch (op) {
      case SpvOpNop:
      case SpvOpExtension:
      case SpvOpEntryPoint:
      case SpvOpExecutionMode:
      case SpvOpExecutionModeId:
      case SpvOpSource:
      case SpvOpSourceContinued:
      case SpvOpSourceExtension:
      case SpvOpName:
      case SpvOpMemberName:
      case SpvOpModuleProcessed:
      case SpvOpDecorate:
      case SpvOpDecorateId:
      case SpvOpDecorateString:
      case SpvOpMemberDecorate:
      case SpvOpMemberDecorateString:
      case SpvOpDecorationGroup:
      case SpvOpGroupDecorate:
      case SpvOpGroupMemberDecorate:
      case SpvOpLine:
      case SpvOpNoLine:
      case SpvOpAliasDomainDeclINTEL:
      case SpvOpAliasScopeDeclINTEL:
      case SpvOpAliasScopeListDeclINTEL:
        return true;
      default:
        return false;
    }
  }

  void import(const Instruction& i) {
    const std::string name = i.string(0);
    if (!takesInstructionSet(name))
      i.fail("asks for the set '" + name + "', which is not supported");
    reader_.extensionSets[i.result] = name == "OpenCL.std";
    if (name == "OpenCL.DebugInfo.100") reader_.debug.sets.insert(i.result);
    if (name == "NonSemantic.Shader.DebugInfo.100") {
      reader_.debug.sets.insert(i.result);
      reader_.debug.shaderSets.insert(i.result);
    }
  }

  std::optional<uint64_t> lengthOf(const Instruction& i) const {
    if (i.op != SpvOpTypeArray) return std::nullopt;
    const auto found = reader_.values.find(i.operand(1));
    if (found == reader_.values.end()) return std::nullopt;
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(found->second.value);
    return number ? std::optional(number->getValue().getLimitedValue()) : std::nullopt;
  }

  /// What the application has set a specialisation constant to.
  std::optional<uint64_t> specialized(const Instruction& i) const {
    const auto id = reader_.annotations.number(i.result, SpvDecorationSpecId);
    if (!id) return std::nullopt;
    const auto found = reader_.specialization.find(*id);
    return found == reader_.specialization.end() ? std::nullopt : std::optional(found->second);
  }

  Constant* constant(const Instruction& i) {
    llvm::Type* type = reader_.types.memoryType(i.type, i);
    switch (i.op) {
      case SpvOpConstantTrue:
      case SpvOpConstantFalse:
        i.require(type->isIntegerTy(1), "has a type other than bool");
        return llvm::ConstantInt::getBool(reader_.context, i.op == SpvOpConstantTrue);
      case SpvOpSpecConstantTrue:
      case SpvOpSpecConstantFalse:
        i.require(type->isIntegerTy(1), "has a type other than bool");
        return llvm::ConstantInt::getBool(
            reader_.context, specialized(i).value_or(i.op == SpvOpSpecConstantTrue ? 1U : 0U) != 0);
      case SpvOpConstant:
      case SpvOpSpecConstant:
        return number(i, type);
      case SpvOpConstantNull:
        return Constant::getNullValue(type);
      case SpvOpUndef:
        return llvm::UndefValue::get(type);
      case SpvOpConstantSampler:
        return sampler(i, type);
      default:
        return composite(i, type);
    }
  }

  /// A number, of which the bits are those of the language's CLK_ constants.
  Constant* sampler(const Instruction& i, llvm::Type* type) {
    i.require(reader_.types.get(i.type, i).op == SpvOpTypeSampler, "has a type that is no sampler");
    const uint32_t addressing = i.operand(0), normalized = i.operand(1), filter = i.operand(2);
    i.require(addressing <= SpvSamplerAddressingModeRepeatMirrored && normalized <= 1 &&
                  filter <= SpvSamplerFilterModeLinear,
              "has an unknown mode");
    const uint64_t bits = addressing * 2 + normalized + (filter == 0 ? 0x10 : 0x20);
    return llvm::ConstantExpr::getIntToPtr(
        llvm::ConstantInt::get(llvm::Type::getInt64Ty(reader_.context), bits), type);
  }

  Constant* number(const Instruction& i, llvm::Type* type) {
    i.require((type->isIntegerTy() && !type->isIntegerTy(1)) || type->isFloatingPointTy(),
              "has a type that is no number");
    const unsigned bits = type->getScalarSizeInBits();
    uint64_t value = i.operand(0);
    if (bits == 64) value |= uint64_t{i.operand(1)} << 32;
    if (i.op == SpvOpSpecConstant) value = specialized(i).value_or(value);
    if (bits < 64) value &= (uint64_t{1} << bits) - 1;
    if (type->isIntegerTy()) return llvm::ConstantInt::get(type, value);
    return llvm::ConstantFP::get(type,
                                 llvm::APFloat(type->getFltSemantics(), llvm::APInt(bits, value)));
  }

  /// The parts of a composite, with those of the instructions behind it that go on with them: one
  /// has room for 65,000.
  std::vector<uint32_t> partsOf(const Instruction& i) const {
    std::vector<uint32_t> parts(i.operands.begin(), i.operands.end());
    const std::span<const Instruction> all = reader_.binary.instructions();
    for (auto next = static_cast<size_t>(&i - all.data()) + 1; next < all.size(); ++next) {
      if (!goesOn(all[next].op)) break;
      parts.insert(parts.end(), all[next].operands.begin(), all[next].operands.end());
    }
    return parts;
  }

  static bool goesOn(SpvOp op) {
    return op == SpvOpConstantCompositeContinuedINTEL ||
           op == SpvOpSpecConstantCompositeContinuedINTEL;
  }

  Constant* composite(const Instruction& i, llvm::Type* type) {
    llvm::SmallVector<Constant*> parts;
    for (uint32_t id : partsOf(i)) {
      const auto found = reader_.values.find(id);
      auto* part =
          found == reader_.values.end() ? nullptr : llvm::dyn_cast<Constant>(found->second.value);
      i.require(part != nullptr && !reader_.pointsIntoBuiltIn(id),
                "has a part that is no constant");
      parts.push_back(part);
    }
    const auto areParts = [&](size_t count, auto&& partType) {
      i.require(parts.size() == count, "has a wrong number of parts");
      for (size_t k = 0; k < count; ++k)
        i.require(parts[k]->getType() == partType(k), "has a part of the wrong type");
    };
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      areParts(structure->getNumElements(),
               [&](size_t k) { return structure->getElementType(static_cast<unsigned>(k)); });
      return llvm::ConstantStruct::get(structure, parts);
    }
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      areParts(array->getNumElements(), [&](size_t) { return array->getElementType(); });
      return llvm::ConstantArray::get(array, parts);
    }
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    i.require(vector != nullptr, "has a type without parts");
    areParts(vector->getNumElements(), [&](size_t) { return vector->getElementType(); });
    return llvm::ConstantVector::get(parts);
  }

  /// An operation on constants: made as in a function, and folded.
  Constant* operation(const Instruction& i) {
    Instruction inner = i;
    const OpFacts* facts = factsOf(i.operand(0));
    i.require(facts && facts->hasType && facts->hasResult && facts->op != SpvOpVariable &&
                  facts->op != SpvOpLoad,
              "has no operation that is known");
    inner.op = static_cast<SpvOp>(facts->op);
    inner.name = facts->name;
    inner.operands = i.operands.subspan(1);
    i.require(inner.operands.size() + 2 >= facts->words, "has too few operands");
    const Row* row = rowOf(inner.op);
    if (!row) inner.fail("is not supported");
    if (reader_.makesBuiltInPointer(inner)) {
      reader_.builtInPointers.insert(i.result);
      reader_.builtInOperations.emplace(i.result, inner);
      return llvm::PoisonValue::get(reader_.types.valueType(i.type, i));
    }
    // Some operations are intrinsics, which belong to a module.
    if (!scratch_)
      scratch_ = llvm::Function::Create(
          llvm::FunctionType::get(llvm::Type::getVoidTy(reader_.context), false),
          llvm::GlobalValue::InternalLinkage, "", reader_.module);
    auto* block = llvm::BasicBlock::Create(reader_.context, "", scratch_);
    Emitter emitter(reader_);
    emitter.builder.SetInsertPoint(block);
    const llvm::DataLayout& layout = reader_.module.getDataLayout();
    llvm::Value* value = row->emit(emitter, inner, row->which);
    for (llvm::Instruction& made : llvm::make_early_inc_range(*block)) {
      Constant* folded = llvm::ConstantFoldInstruction(&made, layout);
      if (!folded) continue;
      if (value == &made) value = folded;
      made.replaceAllUsesWith(folded);
      made.eraseFromParent();
    }
    const bool isConstant = value && llvm::isa<Constant>(value) && block->empty();
    llvm::Type* type = emitter.type(i);
    inner.require(isConstant, "is no operation on constants");
    inner.require(value->getType() == type, "has a result of the wrong type");
    block->eraseFromParent();
    return llvm::cast<Constant>(value);
  }

  void variable(const Instruction& i) {
    const TypeInfo& pointer = reader_.types.get(i.type, i);
    i.require(pointer.op == SpvOpTypePointer && pointer.storage == i.operand(0),
              "has a type that is no pointer of its storage class");
    if (const auto which = reader_.annotations.number(i.result, SpvDecorationBuiltIn)) {
      reader_.builtIns[i.result] = *which;
      // Its value is made where it is used.
      return reader_.define(i, llvm::PoisonValue::get(pointer.type), i.type);
    }
    i.require(pointer.storage == SpvStorageClassCrossWorkgroup ||
                  pointer.storage == SpvStorageClassUniformConstant ||
                  pointer.storage == SpvStorageClassWorkgroup,
              "has a storage class that variables of programs cannot have");
    llvm::Type* type = reader_.types.memoryType(pointer.element, i);
    const uint64_t bytes = reader_.module.getDataLayout().getTypeAllocSize(type);
    i.require(bytes <= kMostVariableBytes, "is a variable that is too large");
    reader_.define(i, global(i, pointer, type), i.type);
  }

  Constant* initialValue(const Instruction& i, const TypeInfo& pointer, llvm::Type* type) {
    if (pointer.storage == SpvStorageClassWorkgroup) return llvm::UndefValue::get(type);
    if (i.operands.size() < 2) return Constant::getNullValue(type);
    const auto found = reader_.values.find(i.operand(1));
    auto* initial = found == reader_.values.end() || reader_.pointsIntoBuiltIn(i.operand(1))
                        ? nullptr
                        : llvm::dyn_cast<Constant>(found->second.value);
    i.require(initial && initial->getType() == type,
              "has an initial value that is no constant of its type");
    return initial;
  }

  llvm::GlobalVariable* global(const Instruction& i, const TypeInfo& pointer, llvm::Type* type) {
    const Decoration* linkage = reader_.annotations.find(i.result, SpvDecorationLinkageAttributes);
    uint32_t linkageType = SpvLinkageTypeExport;
    std::string name(reader_.annotations.name(i.result));
    if (linkage) {
      size_t next = 0;
      name = linkage->from->string(linkage->first, &next);
      linkageType = linkage->from->operand(next);
      i.require(!name.empty() && !isReservedName(name), "has a name that programs cannot use");
      i.require(!reader_.module.getNamedValue(name), "has the name of something else");
    } else if (isReservedName(name)) {
      name.clear();
    }
    const bool isImport = linkageType == SpvLinkageTypeImport;
    const bool isConstant = pointer.storage == SpvStorageClassUniformConstant ||
                            reader_.annotations.has(i.result, SpvDecorationConstant);
    auto* made = new llvm::GlobalVariable(
        reader_.module, type, isConstant,
        linkage && pointer.storage != SpvStorageClassWorkgroup ? llvm::GlobalValue::ExternalLinkage
                                                               : llvm::GlobalValue::InternalLinkage,
        isImport ? nullptr : initialValue(i, pointer, type), name, nullptr,
        llvm::GlobalValue::NotThreadLocal, pointer.type->getPointerAddressSpace());
    if (isImport) made->setLinkage(llvm::GlobalValue::ExternalLinkage);
    if (linkageType == SpvLinkageTypeLinkOnceODR && made->hasExternalLinkage())
      made->setLinkage(llvm::GlobalValue::WeakODRLinkage);
    const auto alignment = reader_.annotations.number(i.result, SpvDecorationAlignment);
    if (alignment)
      i.require(llvm::isPowerOf2_32(*alignment) && *alignment <= 4096,
                "has an alignment that is no power of two, or too large");
    made->setAlignment(std::max(reader_.module.getDataLayout().getABITypeAlign(type),
                                llvm::Align(alignment.value_or(1))));
    return made;
  }

  Reader& reader_;
  llvm::Function* scratch_ = nullptr;  ///< where operations on constants are made
};

}  // namespace

bool isReservedName(std::string_view name) {
  constexpr std::string_view kPrefixes[] = {"llvm.", "__weft_", "weft_", "weft."};
  return name == names::kPrintf || name.find('\0') != std::string_view::npos ||
         std::ranges::any_of(kPrefixes, [&](auto prefix) { return name.starts_with(prefix); });
}

void readGlobals(Reader& reader) {
  GlobalReader(reader).run();
  readDebugNotes(reader);
}

}  // namespace weft::compiler::spirv
