// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/lower_printf.h"

#include <llvm/Analysis/ValueTracking.h>

#include "ir/abi_access.h"
#include "ir/names.h"
#include "weft/abi/services.h"
#include "weft/support/checked.h"

namespace weft::compiler {
namespace {

using namespace llvm;
using abi::PrintfArgument;

/// Conversion letters of a format, one for each argument it takes. What is no conversion is text.
SmallVector<char> conversionsOf(StringRef format) {
  SmallVector<char> conversions;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    size_t letter = format.find_first_not_of("-+ #0123456789.vhl", i + 1);
    if (letter == StringRef::npos) break;
    // "ll", "z" and the like of other dialects.
    if (StringRef("jzt").contains(format[letter]) && letter + 1 < format.size()) ++letter;
    if (!StringRef("diouxXfFeEgGaAcsp%").contains(format[letter])) continue;
    if (format[letter] != '%') conversions.push_back(format[letter]);
    i = letter;
  }
  return conversions;
}

PrintfArgument::Kind kindOf(const Value* argument, char conversion) {
  Type* type = argument->getType();
  if (type->isFPOrFPVectorTy()) return PrintfArgument::Float;
  if (!type->isPtrOrPtrVectorTy()) return PrintfArgument::Integer;
  // OpenCL C 6.15.14.2: strings are literals. Their address space tells them from any other
  // memory, which need not end in a zero and is not read. A null pointer is nowhere. Compilers of
  // other languages have literals in global memory, whose contents are known all the same.
  StringRef text;
  const bool isString =
      (type->isPointerTy() && getConstantStringInfo(argument, text, /*TrimAtNul=*/false) &&
       text.contains('\0')) ||
      type->getPointerAddressSpace() == names::kConstant || isa<ConstantPointerNull>(argument);
  return conversion == 's' && isString ? PrintfArgument::String : PrintfArgument::Pointer;
}

struct Packed {
  Value* value;
  PrintfArgument::Kind kind;
  unsigned elements;
  unsigned elementBytes;

  uint64_t payloadBytes() const { return alignUp<uint64_t>(elements * elementBytes, 8); }
};

/// Describes one argument; integers of odd widths are widened to a width the service knows.
Packed pack(IRBuilder<>& builder, Value* argument, char conversion) {
  PrintfArgument::Kind kind = kindOf(argument, conversion);
  auto* vector = dyn_cast<FixedVectorType>(argument->getType());
  unsigned elements = vector ? vector->getNumElements() : 1;
  unsigned bits = argument->getType()->isPtrOrPtrVectorTy()
                      ? 64
                      : std::min<unsigned>(argument->getType()->getScalarSizeInBits(), 64);
  unsigned wide = std::max<unsigned>(8, PowerOf2Ceil(bits));
  if (kind == PrintfArgument::Integer) {
    Type* type = builder.getIntNTy(wide);
    if (vector) type = FixedVectorType::get(type, elements);
    argument = builder.CreateZExtOrTrunc(argument, type);
  }
  return {argument, kind, elements, wide / 8};
}

void storeElements(IRBuilder<>& builder, const Packed& packed, Value* place) {
  auto at = [&](uint64_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), place, offset);
  };
  if (!packed.value->getType()->isVectorTy()) {
    builder.CreateAlignedStore(packed.value, place, Align(8));
    return;
  }
  for (unsigned i = 0; i < packed.elements; ++i)
    builder.CreateAlignedStore(builder.CreateExtractElement(packed.value, i),
                               at(uint64_t{i} * packed.elementBytes), Align(packed.elementBytes));
}

void lowerCall(CallInst& call) {
  Function& function = *call.getFunction();
  IRBuilder<> builder(&call);
  StringRef format;
  SmallVector<char> conversions;
  if (getConstantStringInfo(call.getArgOperand(0), format)) conversions = conversionsOf(format);

  SmallVector<Packed> arguments;
  uint64_t bytes = 0;
  for (unsigned i = 1; i < call.arg_size(); ++i) {
    char conversion = i - 1 < conversions.size() ? conversions[i - 1] : 's';
    if (!format.empty() && i - 1 >= conversions.size()) conversion = 0;
    arguments.push_back(pack(builder, call.getArgOperand(i), conversion));
    bytes += sizeof(PrintfArgument) + arguments.back().payloadBytes();
  }

  IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
  AllocaInst* buffer =
      entry.CreateAlloca(ArrayType::get(builder.getInt8Ty(), std::max<uint64_t>(bytes, 8)));
  buffer->setAlignment(Align(8));
  uint64_t offset = 0;
  auto place = [&] {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), buffer, offset);
  };
  for (const Packed& packed : arguments) {
    // The header's bytes in memory order; x86 is little endian.
    uint64_t header = packed.kind | packed.elementBytes << 8 | packed.elements << 16;
    builder.CreateAlignedStore(builder.getInt64(header), place(), Align(8));
    offset += sizeof(PrintfArgument);
    storeElements(builder, packed, place());
    offset += packed.payloadBytes();
  }
  FunctionCallee service = call.getModule()->getOrInsertFunction(
      abi::kPrintfService, builder.getInt32Ty(), builder.getPtrTy(), builder.getPtrTy(),
      builder.getPtrTy(), builder.getInt64Ty());
  cast<Function>(service.getCallee())->addFnAttr(Attribute::NoUnwind);
  // An instruction even of a constant: variables are replaced in instructions alone.
  Value* formatPointer = builder.Insert(
      CastInst::Create(Instruction::AddrSpaceCast, call.getArgOperand(0), builder.getPtrTy()));
  CallInst* made = builder.CreateCall(
      service, {AbiAccess(builder).item(), formatPointer, buffer, builder.getInt64(bytes)});
  made->setDebugLoc(call.getDebugLoc());
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(builder.CreateZExtOrTrunc(made, call.getType()));
  call.eraseFromParent();
}

}  // namespace

PreservedAnalyses LowerPrintfPass::run(Module& module, ModuleAnalysisManager&) {
  Function* printf = module.getFunction(names::kPrintf);
  if (!printf || !printf->isDeclaration()) return PreservedAnalyses::all();
  for (User* user : make_early_inc_range(printf->users())) {
    auto* call = dyn_cast<CallInst>(user);
    if (call && call->getCalledFunction() == printf && call->arg_size() > 0) lowerCall(*call);
  }
  if (printf->use_empty()) printf->eraseFromParent();
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
