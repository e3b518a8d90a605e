// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/check_module.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/raw_ostream.h>

#include <optional>

#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Its initial value is made in memory, though all of it but one element may be zero.
constexpr uint64_t kMostVariableBytes = uint64_t{1} << 30;

/// Intrinsics that the passes know, or treat as any function without effects, and that the code
/// generator has instructions for on every host.
bool isKnown(Intrinsic::ID id) {
  switch (id) {
    case Intrinsic::fabs:
    case Intrinsic::copysign:
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
    case Intrinsic::minimum:
    case Intrinsic::maximum:
    case Intrinsic::floor:
    case Intrinsic::ceil:
    case Intrinsic::trunc:
    case Intrinsic::rint:
    case Intrinsic::nearbyint:
    case Intrinsic::round:
    case Intrinsic::roundeven:
    case Intrinsic::sqrt:
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
    case Intrinsic::powi:
    case Intrinsic::lrint:
    case Intrinsic::is_fpclass:
    case Intrinsic::get_rounding:
    case Intrinsic::arithmetic_fence:
    case Intrinsic::convert_from_fp16:
    case Intrinsic::convert_to_fp16:
    case Intrinsic::abs:
    case Intrinsic::smin:
    case Intrinsic::smax:
    case Intrinsic::umin:
    case Intrinsic::umax:
    case Intrinsic::ctpop:
    case Intrinsic::ctlz:
    case Intrinsic::cttz:
    case Intrinsic::bswap:
    case Intrinsic::bitreverse:
    case Intrinsic::fshl:
    case Intrinsic::fshr:
    case Intrinsic::sadd_sat:
    case Intrinsic::uadd_sat:
    case Intrinsic::ssub_sat:
    case Intrinsic::usub_sat:
    case Intrinsic::sadd_with_overflow:
    case Intrinsic::uadd_with_overflow:
    case Intrinsic::ssub_with_overflow:
    case Intrinsic::usub_with_overflow:
    case Intrinsic::smul_with_overflow:
    case Intrinsic::umul_with_overflow:
    case Intrinsic::vector_reduce_add:
    case Intrinsic::vector_reduce_mul:
    case Intrinsic::vector_reduce_and:
    case Intrinsic::vector_reduce_or:
    case Intrinsic::vector_reduce_xor:
    case Intrinsic::vector_reduce_smin:
    case Intrinsic::vector_reduce_smax:
    case Intrinsic::vector_reduce_umin:
    case Intrinsic::vector_reduce_umax:
    case Intrinsic::vector_reduce_fmin:
    case Intrinsic::vector_reduce_fmax:
    case Intrinsic::memcpy:
    case Intrinsic::memcpy_inline:
    case Intrinsic::memmove:
    case Intrinsic::memset:
    case Intrinsic::memset_inline:
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::invariant_start:
    case Intrinsic::invariant_end:
    case Intrinsic::launder_invariant_group:
    case Intrinsic::strip_invariant_group:
    case Intrinsic::assume:
    case Intrinsic::expect:
    case Intrinsic::expect_with_probability:
    case Intrinsic::is_constant:
    case Intrinsic::objectsize:
    case Intrinsic::ptrmask:
    case Intrinsic::prefetch:
    case Intrinsic::readcyclecounter:
    case Intrinsic::readsteadycounter:
    case Intrinsic::sideeffect:
    case Intrinsic::experimental_noalias_scope_decl:
      return true;
    default:
      return false;
  }
}

/// Whether the program is as well off without this call, whose result nobody can need.
bool isDispensable(Intrinsic::ID id) {
  switch (id) {
    case Intrinsic::debugtrap:  // a breakpoint, and no debugger looks
    case Intrinsic::var_annotation:
    case Intrinsic::codeview_annotation:
    case Intrinsic::clear_cache:
    case Intrinsic::pseudoprobe:
      return true;
    default:
      return false;
  }
}

/// The function of the language that does what this intrinsic does.
StringRef libraryName(Intrinsic::ID id) {
  switch (id) {
    case Intrinsic::sin:
      return "sin";
    case Intrinsic::cos:
      return "cos";
    case Intrinsic::tan:
      return "tan";
    case Intrinsic::asin:
      return "asin";
    case Intrinsic::acos:
      return "acos";
    case Intrinsic::atan:
      return "atan";
    case Intrinsic::sinh:
      return "sinh";
    case Intrinsic::cosh:
      return "cosh";
    case Intrinsic::tanh:
      return "tanh";
    case Intrinsic::exp:
      return "exp";
    case Intrinsic::exp2:
      return "exp2";
    case Intrinsic::exp10:
      return "exp10";
    case Intrinsic::log:
      return "log";
    case Intrinsic::log2:
      return "log2";
    case Intrinsic::log10:
      return "log10";
    case Intrinsic::pow:
      return "pow";
    case Intrinsic::ldexp:
      return "ldexp";
    default:
      return {};
  }
}

std::string mangled(Type* type) {
  if (auto* vector = dyn_cast<FixedVectorType>(type))
    return "Dv" + std::to_string(vector->getNumElements()) + "_" +
           mangled(vector->getElementType());
  return type->isFloatTy() ? "f" : type->isDoubleTy() ? "d" : type->isHalfTy() ? "Dh" : "i";
}

/// Itanium's name of a function of the library for these arguments.
std::string librarySymbol(StringRef name, ArrayRef<Value*> arguments) {
  std::string symbol = "_Z" + std::to_string(name.size()) + name.str();
  Type* first = arguments[0]->getType();
  symbol += mangled(first);
  if (arguments.size() == 2) {
    Type* second = arguments[1]->getType();
    // A vector that was named before is a substitution.
    symbol += second == first && second->isVectorTy() ? "S_" : mangled(second);
  }
  return symbol;
}

/// Replaces an operation on floating-point numbers by a call of the library.
void callLibrary(Instruction& operation, ArrayRef<Value*> arguments, StringRef name) {
  SmallVector<Type*, 2> types;
  for (Value* argument : arguments) types.push_back(argument->getType());
  FunctionCallee callee = operation.getModule()->getOrInsertFunction(
      librarySymbol(name, arguments), FunctionType::get(operation.getType(), types, false));
  auto* function = cast<Function>(callee.getCallee());
  function->setCallingConv(CallingConv::SPIR_FUNC);
  function->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> builder(&operation);
  CallInst* call = builder.CreateCall(callee, arguments);
  call->setCallingConv(CallingConv::SPIR_FUNC);
  call->copyFastMathFlags(&operation);
  call->takeName(&operation);
  operation.replaceAllUsesWith(call);
  operation.eraseFromParent();
}

/// What the type holds that no host computes with as the language would; null for nothing.
const char* foreignType(Type* type) {
  type = type->getScalarType();
  if (type->isFP128Ty() || type->isX86_FP80Ty() || type->isPPC_FP128Ty()) return "long double";
  if (type->isBFloatTy()) return "__bf16";
  if (type->isX86_AMXTy() || type->isX86_MMXTy()) return "a type of x86";
  for (Type* part : type->subtypes())
    if (!part->isFunctionTy())
      if (const char* name = foreignType(part)) return name;
  return nullptr;
}

class Checker {
 public:
  explicit Checker(Module& module) : module_(module) {}

  std::string run() {
    if (!module_.getModuleInlineAsm().empty()) refuse("assembly at file scope");
    resolveAliases();
    for (GlobalVariable& global : make_early_inc_range(module_.globals())) check(global);
    for (Function& function : module_) {
      check(function);
      for (Instruction& instruction : make_early_inc_range(instructions(function)))
        check(instruction);
    }
    return std::move(log_);
  }

 private:
  void refuse(const Twine& what) { log_ += ("error: " + what + " is not supported\n").str(); }

  void refuse(const Instruction& where, const Twine& what) {
    std::string place;
    if (const DILocation* at = where.getDebugLoc())
      place = (at->getFilename() + ":" + Twine(at->getLine()) + ":" + Twine(at->getColumn()) + ": ")
                  .str();
    std::string line = (Twine(place) + "error: " + what + " is not supported\n").str();
    // Macros repeat themselves.
    if (log_.find(line) == std::string::npos) log_ += line;
  }

  void resolveAliases() {
    for (GlobalIFunc& ifunc : module_.ifuncs())
      refuse("'" + ifunc.getName() + "', whose attribute 'ifunc' asks for code at load time,");
    for (GlobalAlias& alias : make_early_inc_range(module_.aliases())) {
      Constant* target = alias.getAliasee();
      Constant* object = target->stripPointerCasts();
      const auto* function = dyn_cast<Function>(object);
      if (function && function->getCallingConv() == CallingConv::SPIR_KERNEL) {
        refuse("'" + alias.getName() + "', an alias of a kernel,");
        continue;
      }
      // Clang has the alias itself in no address space, and casts where it is used.
      for (User* user : make_early_inc_range(alias.users()))
        if (auto* cast = dyn_cast<ConstantExpr>(user);
            cast && cast->isCast() && cast->getType() == object->getType())
          cast->replaceAllUsesWith(object);
      alias.removeDeadConstantUsers();
      alias.replaceAllUsesWith(target);
      alias.eraseFromParent();
    }
  }

  void check(GlobalVariable& global) {
    // Lists for linkers and debuggers; constructors alone mean something here.
    if (global.hasAppendingLinkage() || global.getSection() == "llvm.metadata") {
      if (global.getName() != "llvm.global_ctors" && global.getName().starts_with("llvm."))
        return dropList(global);
    }
    global.setSection("");
    const uint64_t bytes = module_.getDataLayout().getTypeAllocSize(global.getValueType());
    if (bytes > kMostVariableBytes)
      refuse("'" + global.getName() + "', a variable of " + Twine(bytes) + " bytes,");
    if (global.isThreadLocal()) refuse("'" + global.getName() + "', which is thread-local,");
    if (const char* type = foreignType(global.getValueType()))
      refuse("the type " + Twine(type) + " of '" + global.getName() + "'");
  }

  static void dropList(GlobalVariable& global) {
    if (global.use_empty()) global.eraseFromParent();
  }

  /// Names of what the compiler lowers, and of services: with a prototype of the program's own they
  /// would be taken for those.
  static bool isLibraryName(StringRef name) {
    constexpr const char* kServices[] = {"barrier", "collective", "device_", "divergence",
                                         "printf"};
    if (name.starts_with("__weft_")) return true;
    return name.consume_front("weft_") &&
           any_of(kServices, [&](const char* service) { return name.starts_with(service); });
  }

  void check(Function& function) {
    function.setSection("");
    if (function.isDeclaration() && isLibraryName(function.getName()))
      refuse("'" + function.getName() + "', an undefined function with a name of the library's,");
    if (function.hasFnAttribute(Attribute::Naked))
      refuse("the attribute 'naked' of '" + names::displayName(function) + "'");
    if (function.hasGC()) function.clearGC();
    // Kernels are not entered from C, and code is instrumented by nobody.
    AttributeMask unwanted;
    for (Attribute attribute : function.getAttributes().getFnAttrs())
      if (attribute.isStringAttribute() && !isOurs(attribute.getKindAsString()))
        unwanted.addAttribute(attribute.getKindAsString());
    function.removeFnAttrs(unwanted);
    if (function.isIntrinsic()) return;
    if (const char* type = foreignType(function.getReturnType()))
      refuse("the type " + Twine(type) + " of '" + names::displayName(function) + "'");
    for (const Argument& argument : function.args())
      if (const char* type = foreignType(argument.getType()))
        refuse("the type " + Twine(type) + " of a parameter of '" + names::displayName(function) +
               "'");
  }

  /// String attributes that say how to compute.
  static bool isOurs(StringRef name) {
    return name.contains("-math") || name.contains("-fpmad") || name.starts_with("no-builtin") ||
           name == "uniform-work-group-size" || name == "frame-pointer";
  }

  void check(Instruction& instruction) {
    if (const char* type = typeOf(instruction))
      return refuse(instruction, "the type " + Twine(type));
    if (auto* slot = dyn_cast<AllocaInst>(&instruction)) {
      if (!slot->isStaticAlloca()) refuse(instruction, "private memory whose size is not constant");
      return;
    }
    switch (instruction.getOpcode()) {
      // The remainder of Clang's fmod; the language has no operator for it.
      case Instruction::FRem:
        return callLibrary(instruction, {instruction.getOperand(0), instruction.getOperand(1)},
                           "fmod");
      case Instruction::IndirectBr:
        return refuse(instruction, "a goto to a computed label");
      case Instruction::VAArg:
        return refuse(instruction, "a function with a variable number of arguments");
      case Instruction::Invoke:
      case Instruction::CallBr:
      case Instruction::LandingPad:
      case Instruction::Resume:
        return refuse(instruction, "an exception");
      default:
        break;
    }
    auto* call = dyn_cast<CallInst>(&instruction);
    if (!call) return;
    if (call->isMustTailCall()) call->setTailCallKind(CallInst::TCK_None);
    if (call->isInlineAsm()) return refuse(instruction, "assembly");
    if (auto* intrinsic = dyn_cast<IntrinsicInst>(call)) check(*intrinsic);
  }

  static const char* typeOf(const Instruction& instruction) {
    if (const auto* slot = dyn_cast<AllocaInst>(&instruction))
      return foreignType(slot->getAllocatedType());
    if (const char* type = foreignType(instruction.getType())) return type;
    for (const Use& operand : instruction.operands())
      if (const char* type = foreignType(operand->getType())) return type;
    return nullptr;
  }

  void check(IntrinsicInst& call) {
    const Intrinsic::ID id = call.getIntrinsicID();
    if (isa<DbgInfoIntrinsic>(call) || isKnown(id)) return;
    if (id == Intrinsic::annotation || id == Intrinsic::ptr_annotation) {
      call.replaceAllUsesWith(call.getArgOperand(0));
      call.eraseFromParent();
      return;
    }
    if (isDispensable(id)) {
      call.eraseFromParent();
      return;
    }
    if (id == Intrinsic::trap)
      return refuse(call, "'__builtin_trap', which would end the application,");
    if (const StringRef name = libraryName(id); !name.empty())
      return callLibrary(call, SmallVector<Value*, 2>(call.args()), name);
    refuse(call, "a builtin function of the compiler ('" + Intrinsic::getBaseName(id) +
                     "') that is no part of OpenCL");
  }

  Module& module_;
  std::string log_;
};

}  // namespace

std::string checkSourceModule(Module& module) { return Checker(module).run(); }

}  // namespace weft::compiler
