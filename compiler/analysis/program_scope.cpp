// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/program_scope.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

#include <cstring>

#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

class ImageWriter {
 public:
  ImageWriter(const Module& module, ProgramScope& scope)
      : layout_(module.getDataLayout()), scope_(scope) {}

  /// Writes `value` at `at`; false when it is not data that are known now.
  bool write(const Constant& value, uint64_t at) {
    Type* type = value.getType();
    if (isa<UndefValue>(value)) return true;
    if (type->isPointerTy()) return writePointer(value, at, 0);
    if (value.isNullValue()) return true;
    if (const auto* number = dyn_cast<ConstantInt>(&value))
      return writeBits(number->getValue(), at);
    if (const auto* number = dyn_cast<ConstantFP>(&value))
      return writeBits(number->getValueAPF().bitcastToAPInt(), at);
    if (const auto* structure = dyn_cast<StructType>(type))
      return writeStruct(value, *structure, at);
    if (isa<ArrayType>(type)) return writeElements(value, type->getArrayNumElements(), at);
    if (const auto* vector = dyn_cast<FixedVectorType>(type))
      return writeElements(value, vector->getNumElements(), at);
    return writeExpression(value, at);
  }

 private:
  bool writeBits(const APInt& bits, uint64_t at) {
    char bytes[16] = {};
    const uint64_t size = divideCeil(bits.getBitWidth(), 8);
    if (size > sizeof bytes) return false;
    std::memcpy(bytes, bits.getRawData(), size);  // x86 is little endian
    put(bytes, size, at);
    return true;
  }

  void put(const char* bytes, size_t size, uint64_t at) {
    if (scope_.image.size() < at + size) scope_.image.resize(at + size);
    std::memcpy(scope_.image.data() + at, bytes, size);
  }

  bool writeStruct(const Constant& value, const StructType& type, uint64_t at) {
    const StructLayout& fields = *layout_.getStructLayout(const_cast<StructType*>(&type));
    for (unsigned i = 0; i < type.getNumElements(); ++i) {
      const Constant* field = value.getAggregateElement(i);
      if (!field || !write(*field, at + fields.getElementOffset(i).getFixedValue())) return false;
    }
    return true;
  }

  bool writeElements(const Constant& value, uint64_t count, uint64_t at) {
    if (const auto* data = dyn_cast<ConstantDataSequential>(&value)) {
      const StringRef bytes = data->getRawDataValues();
      put(bytes.data(), bytes.size(), at);
      return true;
    }
    for (uint64_t i = 0; i < count; ++i) {
      const Constant* element = value.getAggregateElement(i);
      if (!element) return false;
      const uint64_t size = layout_.getTypeAllocSize(element->getType());
      if (!write(*element, at + i * size)) return false;
    }
    return true;
  }

  /// An address that was made a number, possibly with another number added.
  bool writeExpression(const Constant& value, uint64_t at) {
    const auto* expression = dyn_cast<ConstantExpr>(&value);
    if (!expression || layout_.getTypeAllocSize(value.getType()) != sizeof(uint64_t)) return false;
    const Constant* operand = expression->getOperand(0);
    if (expression->getOpcode() == Instruction::PtrToInt) return writePointer(*operand, at, 0);
    if (expression->getOpcode() != Instruction::Add) return false;
    const auto* added = dyn_cast<ConstantInt>(expression->getOperand(1));
    const auto* address = dyn_cast<ConstantExpr>(operand);
    return added && address && address->getOpcode() == Instruction::PtrToInt &&
           writePointer(*address->getOperand(0), at, added->getSExtValue());
  }

  bool writePointer(const Constant& value, uint64_t at, int64_t added) {
    APInt offset(64, 0);
    const Value* base = value.stripAndAccumulateConstantOffsets(layout_, offset,
                                                                /*AllowNonInbounds=*/true);
    // Casts between address spaces end the walk above.
    while (const auto* cast = dyn_cast<AddrSpaceCastOperator>(base))
      base = cast->getOperand(0)->stripAndAccumulateConstantOffsets(layout_, offset, true);
    const int64_t distance = offset.getSExtValue() + added;
    if (isa<ConstantPointerNull>(base)) return distance == 0 || writeNumber(distance, at);
    if (const auto* number = dyn_cast<ConstantExpr>(base);
        number && number->getOpcode() == Instruction::IntToPtr)
      if (const auto* bits = dyn_cast<ConstantInt>(number->getOperand(0)))
        return writeNumber(bits->getSExtValue() + distance, at);
    const auto* variable = dyn_cast<GlobalVariable>(base);
    const auto place = variable ? names::programOffset(*variable) : std::nullopt;
    if (!place) return false;
    writeNumber(0, at);
    scope_.pointers.push_back({at, *place + static_cast<uint64_t>(distance)});
    return true;
  }

  bool writeNumber(int64_t number, uint64_t at) {
    put(reinterpret_cast<const char*>(&number), sizeof number, at);
    return true;
  }

  const DataLayout& layout_;
  ProgramScope& scope_;
};

}  // namespace

ProgramScope describeProgramScope(const Module& module, ErrorLog& errors) {
  ProgramScope scope;
  ImageWriter writer(module, scope);
  for (const GlobalVariable& variable : module.globals()) {
    const auto offset = names::programOffset(variable);
    if (!offset) continue;
    const uint64_t size = module.getDataLayout().getTypeAllocSize(variable.getValueType());
    scope.bytes = std::max(scope.bytes, *offset + std::max<uint64_t>(size, 1));
    if (variable.hasInitializer() && !writer.write(*variable.getInitializer(), *offset))
      errors.add("the initialiser of program-scope variable '" + variable.getName() +
                 "' is not a constant");
  }
  return scope;
}

}  // namespace weft::compiler
