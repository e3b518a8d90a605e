// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// OpenCL.std: from an instruction's name and the types of its operands to the library's function.
#include <llvm/ADT/StringSwitch.h>

#include "frontend/spirv/mangle.h"
#include "frontend/spirv/reader.h"
#include "ir/names.h"

namespace weft::compiler::spirv {
namespace {

using llvm::StringRef;
using llvm::Value;

/// How the operands of an instruction are spelled.
enum class Shape {
  Plain,           ///< all by their types
  SignedLast,      ///< an integer, signed, in the end: pown
  UnsignedLast,    ///< the same, unsigned: shuffle
  PointerLast,     ///< a pointer to the type of the first operand: fract
  IntPointerLast,  ///< a pointer to as many ints: frexp
  Printf,
  Nothing,  ///< a hint that is not taken
  VectorLoad,
  VectorStore,
  HalfLoad,
  HalfStore,
};

/// What the name of an instruction does not say by itself.
struct Special {
  std::string_view instruction;
  const char* function;
  Shape shape;
};
constexpr Special kSpecials[] = {
    {"fclamp", "clamp", Shape::Plain},
    {"fmax_common", "max", Shape::Plain},
    {"fmin_common", "min", Shape::Plain},
    {"ldexp", "ldexp", Shape::SignedLast},
    {"pown", "pown", Shape::SignedLast},
    {"rootn", "rootn", Shape::SignedLast},
    {"nan", "nan", Shape::UnsignedLast},
    {"fract", "fract", Shape::PointerLast},
    {"modf", "modf", Shape::PointerLast},
    {"sincos", "sincos", Shape::PointerLast},
    {"frexp", "frexp", Shape::IntPointerLast},
    {"lgamma_r", "lgamma_r", Shape::IntPointerLast},
    {"remquo", "remquo", Shape::IntPointerLast},
    {"s_upsample", "upsample", Shape::UnsignedLast},
    {"shuffle", "shuffle", Shape::UnsignedLast},
    {"shuffle2", "shuffle2", Shape::UnsignedLast},
    {"printf", "printf", Shape::Printf},
    {"prefetch", "prefetch", Shape::Nothing},
    {"vloadn", "vload", Shape::VectorLoad},
    {"vstoren", "vstore", Shape::VectorStore},
    {"vload_half", "vload_half", Shape::HalfLoad},
    {"vload_halfn", "vload_half", Shape::HalfLoad},
    {"vloada_halfn", "vloada_half", Shape::HalfLoad},
    {"vstore_half", "vstore_half", Shape::HalfStore},
    {"vstore_half_r", "vstore_half", Shape::HalfStore},
    {"vstore_halfn", "vstore_half", Shape::HalfStore},
    {"vstore_halfn_r", "vstore_half", Shape::HalfStore},
    {"vstorea_halfn", "vstorea_half", Shape::HalfStore},
    {"vstorea_halfn_r", "vstorea_half", Shape::HalfStore},
};

/// Operands of OpExtInst before those of the instruction itself.
constexpr size_t kFirst = 2;

/// An instruction of the set, and where its operands are.
struct Extended {
  Emitter& emitter;
  const Instruction& i;
  std::string_view name;

  size_t count() const { return i.operands.size() - kFirst; }
  Value* operand(size_t index) const { return emitter.operand(i, kFirst + index); }
  [[noreturn]] void fail(std::string_view what) const {
    i.fail(std::string(name) + " " + std::string(what));
  }
  void require(bool condition, std::string_view what) const {
    if (!condition) fail(what);
  }
  MangledType spelled(const Value* value, bool isSigned) const {
    const MangledType type = MangledType::of(value->getType(), isSigned);
    require(!type.empty(), "has an operand of the wrong type");
    return type;
  }
  unsigned spaceOf(const Value* pointer) const {
    require(pointer->getType()->isPointerTy(), "has an operand that is no pointer");
    return pointer->getType()->getPointerAddressSpace();
  }
  /// Functions that give back nothing but have an id.
  llvm::Type* resultType() const { return emitter.type(i); }
};

Value* plainCall(const Extended& e, StringRef function, Shape shape, bool isSigned) {
  llvm::SmallVector<Value*> arguments;
  std::vector<MangledType> types;
  for (size_t k = 0; k < e.count(); ++k) {
    Value* value = e.operand(k);
    const bool isLast = k + 1 == e.count();
    arguments.push_back(value);
    if (isLast && (shape == Shape::PointerLast || shape == Shape::IntPointerLast)) {
      e.require(k != 0, "has too few operands");
      llvm::Type* pointee = arguments[0]->getType();
      if (shape == Shape::IntPointerLast) {
        llvm::Type* number = e.emitter.builder.getInt32Ty();
        const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(pointee);
        pointee = vector ? llvm::FixedVectorType::get(number, vector->getNumElements()) : number;
      }
      const MangledType inner = MangledType::of(pointee, true);
      e.require(!inner.empty(), "has an operand of the wrong type");
      types.push_back(MangledType::pointer(e.spaceOf(value), "", inner));
      continue;
    }
    const bool asSigned = isLast && shape == Shape::SignedLast     ? true
                          : isLast && shape == Shape::UnsignedLast ? false
                                                                   : isSigned;
    types.push_back(e.spelled(value, asSigned));
  }
  const std::string symbol = mangledName({function.data(), function.size()}, types);
  // What writes through a pointer is not pure.
  const bool isPure = shape != Shape::PointerLast && shape != Shape::IntPointerLast;
  return e.emitter.call(e.i, symbol, e.resultType(), arguments, isPure);
}

/// Arguments are promoted as those of a variadic function of C are.
Value* callPrintf(const Extended& e) {
  llvm::IRBuilder<>& b = e.emitter.builder;
  e.require(e.count() >= 1, "has no format");
  llvm::SmallVector<Value*> arguments = {e.operand(0)};
  // SPV_EXT_relaxed_printf_string_address_space: memory of any kind.
  if (e.spaceOf(arguments[0]) != names::kConstant)
    arguments[0] = b.CreateAddrSpaceCast(arguments[0], b.getPtrTy(names::kConstant));
  for (size_t k = 1; k < e.count(); ++k) {
    Value* value = e.operand(k);
    llvm::Type* type = value->getType();
    if (type->isHalfTy() || type->isFloatTy()) value = b.CreateFPExt(value, b.getDoubleTy());
    if (type->isIntegerTy() && type->getIntegerBitWidth() < 32)
      value = b.CreateZExt(value, b.getInt32Ty());
    e.require(!type->isAggregateType(), "has an operand of the wrong type");
    arguments.push_back(value);
  }
  auto* type = llvm::FunctionType::get(b.getInt32Ty(), {arguments[0]->getType()}, true);
  llvm::Module& module = e.emitter.reader.module;
  llvm::Function* function = module.getFunction(names::kPrintf);
  if (!function) {
    e.require(!module.getNamedValue(names::kPrintf), "needs a name that a variable has");
    function =
        llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, names::kPrintf, module);
    function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    function->setConvergent();
    function->setDoesNotThrow();
  }
  e.require(function->getFunctionType() == type && function->isDeclaration(),
            "needs a name that another function has");
  llvm::CallInst* made = b.CreateCall(function, arguments);
  made->setCallingConv(function->getCallingConv());
  made->setConvergent();
  made->setDoesNotThrow();
  return made;
}

std::string widthOf(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? std::to_string(vector->getNumElements()) : "";
}

Value* offsetOf(const Extended& e, size_t index) {
  Value* offset = e.operand(index);
  e.require(offset->getType()->isIntegerTy(), "has an offset that is no integer");
  return e.emitter.builder.CreateZExtOrTrunc(offset, e.emitter.builder.getInt64Ty());
}

/// (offset, pointer, n)
Value* vectorLoad(const Extended& e, std::string name, bool isHalf) {
  llvm::Type* type = e.resultType();
  Value* pointer = e.operand(1);
  const auto element =
      isHalf ? MangledType::letter("Dh") : MangledType::of(type->getScalarType(), true);
  e.require(!element.empty(), "has a result of the wrong type");
  name += widthOf(type);
  const std::array types = {MangledType::letter("m"),
                            MangledType::pointer(e.spaceOf(pointer), "K", element)};
  return e.emitter.call(e.i, mangledName(name, types), type, {offsetOf(e, 0), pointer});
}

/// (data, offset, pointer[, rounding])
Value* vectorStore(const Extended& e, std::string name, bool isHalf) {
  constexpr const char* kRounding[] = {"_rte", "_rtz", "_rtp", "_rtn"};
  Value* data = e.operand(0);
  Value* pointer = e.operand(2);
  const auto element =
      isHalf ? MangledType::letter("Dh") : MangledType::of(data->getType()->getScalarType(), true);
  e.require(!element.empty(), "has an operand of the wrong type");
  name += widthOf(data->getType());
  if (e.name.ends_with("_r")) {
    const uint32_t mode = e.i.operand(kFirst + 3);
    e.require(mode < std::size(kRounding), "has an unknown rounding mode");
    name += kRounding[mode];
  }
  const std::array types = {e.spelled(data, true), MangledType::letter("m"),
                            MangledType::pointer(e.spaceOf(pointer), "", element)};
  e.emitter.call(e.i, mangledName(name, types), e.emitter.builder.getVoidTy(),
                 {data, offsetOf(e, 1), pointer});
  return nullptr;
}

Value* callStandard(const Extended& e) {
  const auto* special = std::ranges::find(kSpecials, e.name, &Special::instruction);
  if (special == std::end(kSpecials)) {
    StringRef function(e.name.data(), e.name.size());
    // Types do not say whether integers have signs; names do where it matters.
    const bool isUnsigned = function.consume_front("u_");
    if (!isUnsigned) function.consume_front("s_");
    return plainCall(e, function, Shape::Plain, !isUnsigned);
  }
  switch (special->shape) {
    case Shape::Printf:
      return callPrintf(e);
    case Shape::Nothing:
      return nullptr;
    case Shape::VectorLoad:
      return vectorLoad(e, special->function, false);
    case Shape::VectorStore:
      return vectorStore(e, special->function, false);
    case Shape::HalfLoad:
      return vectorLoad(e, special->function, true);
    case Shape::HalfStore:
      return vectorStore(e, special->function, true);
    default:
      return plainCall(e, special->function, special->shape, true);
  }
}

Value* extendedInstruction(Emitter& emitter, const Instruction& i, int) {
  const auto set = emitter.reader.extensionSets.find(i.operand(0));
  i.require(set != emitter.reader.extensionSets.end(), "names no set of instructions");
  if (!set->second) {  // notes for debuggers
    i.require(emitter.type(i)->isVoidTy(), "of a set without a meaning has a value");
    return nullptr;
  }
  const std::string_view name = standardName(i.operand(1));
  if (name.empty()) i.fail("has unknown number " + std::to_string(i.operand(1)));
  return callStandard({emitter, i, name});
}

Value* expect(Emitter& emitter, const Instruction& i, int) {
  Value* value = emitter.operand(i, 0);
  Value* expected = emitter.operand(i, 1);
  i.require(value->getType() == expected->getType(), "has operands of different types");
  if (!value->getType()->isIntegerTy()) return value;
  return emitter.builder.CreateIntrinsic(llvm::Intrinsic::expect, {value->getType()},
                                         {value, expected});
}

Value* assume(Emitter& emitter, const Instruction& i, int) {
  Value* condition = emitter.operand(i, 0);
  i.require(condition->getType()->isIntegerTy(1), "has a condition of the wrong type");
  emitter.builder.CreateAssumption(condition);
  return nullptr;
}

/// Keeps fast mathematics on both sides apart.
Value* arithmeticFence(Emitter& emitter, const Instruction& i, int) {
  Value* value = emitter.operand(i, 0);
  i.require(value->getType()->isFPOrFPVectorTy(), "has an operand of the wrong type");
  return emitter.builder.CreateArithmeticFence(value, value->getType());
}

constexpr Row kRows[] = {
    {SpvOpExtInst, extendedInstruction},
    {kOpArithmeticFenceEXT, arithmeticFence},
    {SpvOpExpectKHR, expect},
    {SpvOpAssumeTrueKHR, assume},
};

}  // namespace

std::span<const Row> extendedRows() { return kRows; }

}  // namespace weft::compiler::spirv
