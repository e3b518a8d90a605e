// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Conversions between numbers, and between numbers and pointers.
#include "frontend/spirv/mangle.h"
#include "frontend/spirv/reader.h"
#include "ir/names.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Value;

unsigned lanesOf(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// The language's name of a type that functions convert to.
std::string conversionTarget(const llvm::Type* type, bool isSigned) {
  const llvm::Type* scalar = type->getScalarType();
  std::string name = scalar->isHalfTy()     ? "half"
                     : scalar->isFloatTy()  ? "float"
                     : scalar->isDoubleTy() ? "double"
                                            : "";
  if (scalar->isIntegerTy()) {
    const unsigned width = scalar->getIntegerBitWidth();
    name = width == 8 ? "char" : width == 16 ? "short" : width == 32 ? "int" : "long";
    if (!isSigned) name.insert(0, "u");
  }
  if (lanesOf(type) != 1) name += std::to_string(lanesOf(type));
  return name;
}

const char* roundingSuffix(const Emitter& emitter, const Instruction& i) {
  const auto mode = emitter.reader.annotations.number(i.result, SpvDecorationFPRoundingMode);
  if (!mode) return "";
  constexpr const char* kSuffixes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
  i.require(*mode < std::size(kSuffixes), "has an unknown rounding mode");
  return kSuffixes[*mode];
}

/// The library's function for conversions that saturate or round in their own way.
Value* convertByLibrary(Emitter& emitter, const Instruction& i, Value* value, bool fromSigned,
                        bool toSigned, bool saturates) {
  llvm::Type* type = emitter.type(i);
  const std::string name = "convert_" + conversionTarget(type, toSigned) +
                           (saturates ? "_sat" : "") + roundingSuffix(emitter, i);
  const MangledType parameter = MangledType::of(value->getType(), fromSigned);
  i.require(!parameter.empty(), "has an operand of the wrong type");
  return emitter.call(i, mangledName(name, std::array{parameter}), type, {value}, true);
}

enum Which { FToU, FToS, SToF, UToF, UToU, SToS, FToF };

Value* convert(Emitter& emitter, const Instruction& i, int which) {
  Value* value = emitter.operand(i, 0);
  llvm::Type* from = value->getType();
  llvm::Type* to = emitter.type(i);
  const bool fromFloat = which == FToU || which == FToS || which == FToF;
  const bool toFloat = which == SToF || which == UToF || which == FToF;
  const auto isRight = [](const llvm::Type* type, bool isFloat) {
    return isFloat ? type->isFPOrFPVectorTy()
                   : type->isIntOrIntVectorTy() && !type->isIntOrIntVectorTy(1);
  };
  i.require(isRight(from, fromFloat) && isRight(to, toFloat) && lanesOf(from) == lanesOf(to) &&
                from->isVectorTy() == to->isVectorTy(),
            "converts between the wrong types");
  const bool isSigned = which == FToS || which == SToF || which == SToS;
  const bool saturates = emitter.reader.annotations.has(i.result, SpvDecorationSaturatedConversion);
  if (saturates || *roundingSuffix(emitter, i) != '\0')
    return convertByLibrary(emitter, i, value, isSigned, isSigned, saturates);
  llvm::IRBuilder<>& b = emitter.builder;
  switch (which) {
    case FToU:
    case FToS: {
      // What does not fit gives any value, as the functions of the language do, and no poison.
      Value* made = which == FToU ? b.CreateFPToUI(value, to) : b.CreateFPToSI(value, to);
      return llvm::isa<llvm::Constant>(made) ? made : b.CreateFreeze(made);
    }
    case SToF:
      return b.CreateSIToFP(value, to);
    case UToF:
      return b.CreateUIToFP(value, to);
    case UToU:
      return b.CreateZExtOrTrunc(value, to);
    case SToS:
      return b.CreateSExtOrTrunc(value, to);
    default:
      return b.CreateFPCast(value, to);
  }
}

Value* saturate(Emitter& emitter, const Instruction& i, int fromSigned) {
  Value* value = emitter.operand(i, 0);
  i.require(value->getType()->isIntOrIntVectorTy() && emitter.type(i)->isIntOrIntVectorTy(),
            "converts between the wrong types");
  return convertByLibrary(emitter, i, value, fromSigned != 0, fromSigned == 0, true);
}

/// The upper half of a float, rounded to the nearest even; NaNs stay NaNs.
Value* toBfloat(Emitter& emitter, const Instruction& i, int) {
  Value* value = emitter.operand(i, 0);
  llvm::Type* from = value->getType();
  i.require(from->getScalarType()->isFloatTy() && emitter.type(i)->isIntOrIntVectorTy(16) &&
                lanesOf(from) == lanesOf(emitter.type(i)),
            "converts between the wrong types");
  llvm::IRBuilder<>& b = emitter.builder;
  llvm::Type* type = emitter.type(i)->getWithNewBitWidth(32);
  const auto number = [&](uint64_t bits) { return llvm::ConstantInt::get(type, bits); };
  Value* bits = b.CreateBitCast(value, type);
  Value* upper = b.CreateLShr(bits, number(16));
  Value* isOdd = b.CreateAnd(upper, number(1));
  Value* rounded = b.CreateLShr(b.CreateAdd(bits, b.CreateAdd(isOdd, number(0x7fff))), number(16));
  Value* quiet = b.CreateOr(upper, number(0x40));
  return b.CreateTrunc(b.CreateSelect(b.CreateFCmpUNO(value, value), quiet, rounded),
                       emitter.type(i));
}

Value* fromBfloat(Emitter& emitter, const Instruction& i, int) {
  Value* value = emitter.operand(i, 0);
  i.require(value->getType()->isIntOrIntVectorTy(16) &&
                emitter.type(i)->getScalarType()->isFloatTy() &&
                lanesOf(value->getType()) == lanesOf(emitter.type(i)),
            "converts between the wrong types");
  llvm::IRBuilder<>& b = emitter.builder;
  llvm::Type* bits = value->getType()->getWithNewBitWidth(32);
  return b.CreateBitCast(b.CreateShl(b.CreateZExt(value, bits), 16), emitter.type(i));
}

/// What is left of a float that has been a half.
Value* quantize(Emitter& emitter, const Instruction& i, int) {
  Value* value = emitter.operand(i, 0);
  i.require(value->getType()->isFPOrFPVectorTy() && value->getType()->getScalarType()->isFloatTy(),
            "has an operand of the wrong type");
  llvm::Type* half = llvm::Type::getHalfTy(emitter.reader.context);
  if (value->getType()->isVectorTy())
    half = llvm::FixedVectorType::get(half, lanesOf(value->getType()));
  return emitter.builder.CreateFPExt(emitter.builder.CreateFPTrunc(value, half), value->getType());
}

Value* pointerToInteger(Emitter& emitter, const Instruction& i, int) {
  Value* value = emitter.operand(i, 0);
  i.require(value->getType()->isPointerTy() && emitter.type(i)->isIntegerTy(),
            "converts between the wrong types");
  return emitter.builder.CreatePtrToInt(value, emitter.type(i));
}

Value* integerToPointer(Emitter& emitter, const Instruction& i, int) {
  Value* value = emitter.operand(i, 0);
  i.require(value->getType()->isIntegerTy() && emitter.type(i)->isPointerTy(),
            "converts between the wrong types");
  return emitter.builder.CreateIntToPtr(value, emitter.type(i));
}

Value* castSpace(Emitter& emitter, const Instruction& i, int) {
  Value* value = emitter.operand(i, 0);
  i.require(value->getType()->isPointerTy() && emitter.type(i)->isPointerTy(),
            "converts between the wrong types");
  return emitter.builder.CreateAddrSpaceCast(value, emitter.type(i));
}

/// The pointer itself where it points into the wanted storage class, else null.
Value* castIfInside(Emitter& emitter, const Instruction& i, int) {
  Value* value = emitter.operand(i, 0);
  llvm::Type* to = emitter.type(i);
  i.require(value->getType()->isPointerTy() && value->getType()->getPointerAddressSpace() == 4 &&
                to->isPointerTy() && to->getPointerAddressSpace() != 4,
            "converts between the wrong types");
  llvm::IRBuilder<>& b = emitter.builder;
  Value* segment = emitter.call(i, "__weft_segment", b.getInt32Ty(), {value}, true);
  const unsigned space = to->getPointerAddressSpace();
  return b.CreateSelect(b.CreateICmpEQ(segment, b.getInt32(space)),
                        b.CreateAddrSpaceCast(value, to), llvm::Constant::getNullValue(to));
}

/// The bits of memory semantics for the memory that a pointer points into, as get_fence of the
/// language has them.
Value* memoryOf(Emitter& emitter, const Instruction& i, int) {
  Value* value = emitter.operand(i, 0);
  llvm::IRBuilder<>& b = emitter.builder;
  i.require(value->getType() == b.getPtrTy(names::kGeneric),
            "has an operand that is no generic pointer");
  Value* segment = emitter.call(i, "__weft_segment", b.getInt32Ty(), {value}, true);
  return b.CreateSelect(b.CreateICmpEQ(segment, b.getInt32(names::kLocal)),
                        b.getInt32(SpvMemorySemanticsWorkgroupMemoryMask),
                        b.getInt32(SpvMemorySemanticsCrossWorkgroupMemoryMask));
}

Value* bitcast(Emitter& emitter, const Instruction& i, int) {
  Value* value = emitter.operand(i, 0);
  llvm::Type* from = value->getType();
  llvm::Type* to = emitter.type(i);
  llvm::IRBuilder<>& b = emitter.builder;
  if (emitter.reader.makesBuiltInPointer(i)) return value;
  if (from->isPointerTy() && to->isIntegerTy()) return b.CreatePtrToInt(value, to);
  if (from->isIntegerTy() && to->isPointerTy()) return b.CreateIntToPtr(value, to);
  const auto isWord = [](const llvm::Type* type) {
    return type->isVectorTy() && type->getPrimitiveSizeInBits() == 64;
  };
  if (from->isPointerTy() && isWord(to))
    return b.CreateBitCast(b.CreatePtrToInt(value, b.getInt64Ty()), to);
  if (isWord(from) && to->isPointerTy())
    return b.CreateIntToPtr(b.CreateBitCast(value, b.getInt64Ty()), to);
  const llvm::DataLayout& layout = emitter.reader.module.getDataLayout();
  i.require(from == to || (!from->isAggregateType() && !to->isAggregateType() &&
                           llvm::CastInst::isBitOrNoopPointerCastable(from, to, layout)),
            "converts between the wrong types");
  return from == to ? value : b.CreateBitOrPointerCast(value, to);
}

/// The same value under another type of the same shape; only names may differ here.
Value* copyLogical(Emitter& emitter, const Instruction& i, int) { return emitter.operand(i, 0); }

constexpr Row kRows[] = {
    {SpvOpConvertFToU, convert, FToU},
    {SpvOpConvertFToS, convert, FToS},
    {SpvOpConvertSToF, convert, SToF},
    {SpvOpConvertUToF, convert, UToF},
    {SpvOpUConvert, convert, UToU},
    {SpvOpSConvert, convert, SToS},
    {SpvOpFConvert, convert, FToF},
    {SpvOpSatConvertSToU, saturate, 1},
    {SpvOpSatConvertUToS, saturate, 0},
    {SpvOpQuantizeToF16, quantize},
    {kOpConvertFToBF16INTEL, toBfloat},
    {kOpConvertBF16ToFINTEL, fromBfloat},
    {SpvOpConvertPtrToU, pointerToInteger},
    {SpvOpConvertUToPtr, integerToPointer},
    {SpvOpPtrCastToGeneric, castSpace},
    {SpvOpGenericCastToPtr, castSpace},
    {SpvOpGenericCastToPtrExplicit, castIfInside},
    {SpvOpGenericPtrMemSemantics, memoryOf},
    {SpvOpBitcast, bitcast},
    {SpvOpCopyLogical, copyLogical},
    {SpvOpCopyObject, copyLogical},
};

}  // namespace

std::span<const Row> conversionRows() { return kRows; }

}  // namespace weft::compiler::spirv
