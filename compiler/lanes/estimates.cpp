// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/estimates.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/VFABIDemangler.h>

#include "ir/names.h"
#include "prepare/inline_util.h"

namespace weft::compiler {
namespace {

using namespace llvm;

constexpr const char* kPrefix = "weft_estimate_";
constexpr const char* kKinds[] = {"rsqrt", "recip",    "sqrt",        "divide",
                                  "scale", "exponent", "significand", "logresult"};
/// The library's question whether the host has them.
constexpr const char* kOnHost = "onhost";
/// Function attribute: which of the library's functions it is, or has the lanes of.
/// Whatever number of lanes the vectorisers may choose.
constexpr unsigned kLanes[] = {2, 4, 8, 16, 32, 64};

/// Which function of the library's math/estimate.h it is: "rsqrt" of `_Z19weft_estimate_rsqrtf.fn`,
/// the last letters being the types of its parameters and a suffix of retarget's.
StringRef kindOf(const Function& function) {
  const StringRef kind = function.getName().split(kPrefix).second.split('.').first;
  return kind.drop_back(std::min<size_t>(function.arg_size(), kind.size()));
}

/// An estimate's form for lanes, which has no body.
Function* form(Function& scalar, unsigned lanes) {
  Module& module = *scalar.getParent();
  const std::string name = (scalar.getName() + ".x" + Twine(lanes)).str();
  if (Function* known = module.getFunction(name)) return known;
  const SmallVector<Type*> parameters(scalar.arg_size(),
                                      FixedVectorType::get(scalar.getReturnType(), lanes));
  auto* type = FunctionType::get(parameters.front(), parameters, /*isVarArg=*/false);
  Function* made = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  made->setAttributes(
      AttributeList::get(module.getContext(), AttributeList::FunctionIndex,
                         AttrBuilder(module.getContext(), scalar.getAttributes().getFnAttrs())));
  return made;
}

SmallVector<CallInst*> callsOf(Function& function) {
  SmallVector<CallInst*> calls;
  for (User* user : function.users())
    if (auto* call = dyn_cast<CallInst>(user); call && call->getCalledFunction() == &function)
      calls.push_back(call);
  return calls;
}

void answerYes(Function& question) {
  question.deleteBody();
  question.setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> builder(BasicBlock::Create(question.getContext(), "entry", &question));
  builder.CreateRet(ConstantInt::get(question.getReturnType(), 1));
}

/// The code of one call.
class Expansion {
 public:
  explicit Expansion(IRBuilder<>& builder) : builder_(builder) {}

  Value* of(StringRef kind, ArrayRef<Value*> operands) {
    Value* x = operands[0];
    if (kind == "scale") return operationOnHost(builder_, HostOperation::Scale, operands);
    if (kind == "exponent") return operationOnHost(builder_, HostOperation::Exponent, operands);
    if (kind == "significand")
      return operationOnHost(builder_, HostOperation::Significand, operands);
    if (kind == "logresult") return operationOnHost(builder_, HostOperation::LogResult, operands);
    if (kind == "rsqrt") return inverseRoot(x);
    if (kind == "recip") return reciprocal(x);
    return kind == "divide" ? quotient(x, operands[1]) : root(x);
  }

 private:
  // A step of Newton's doubles the bits that are right. None has a value where the estimate is
  // infinite or zero, which stays as it is.

  Value* host(HostEstimate estimate, Value* x) { return estimateOnHost(builder_, estimate, x); }

  /// y + y (1 - x y). For small denormal x, y is infinite and the error too.
  Value* reciprocal(Value* x) {
    Value* y = host(HostEstimate::Recip, x);
    Value* error = fma(builder_.CreateFNeg(x), y, of(x, 1.0));
    return builder_.CreateSelect(builder_.CreateFCmpOGT(error, of(x, -0.5)), fma(y, error, y), y);
  }

  /// x times 1 / y, where that is a number for the largest y too: it is denormal.
  Value* quotient(Value* x, Value* y) {
    const Function& function = *builder_.GetInsertBlock()->getParent();
    const bool flushes = function.getDenormalMode(APFloat::IEEEsingle()) != DenormalMode::getIEEE();
    return flushes ? builder_.CreateFDiv(x, y) : builder_.CreateFMul(x, reciprocal(y));
  }

  /// With s = x y: s + s (1/2 - s y/2). For x of zero or infinity y is the other and half of it the
  /// same; they are their own roots.
  Value* root(Value* x) {
    Value* y = host(HostEstimate::Rsqrt, x);
    Value* s = builder_.CreateFMul(x, y);
    Value* half = builder_.CreateFMul(y, of(x, 0.5));
    Value* error = fma(builder_.CreateFNeg(s), half, of(x, 0.5));
    return builder_.CreateSelect(builder_.CreateFCmpOEQ(half, y), x, fma(s, error, s));
  }

  /// y + y/2 (1 - x y^2).
  Value* inverseRoot(Value* x) {
    Value* y = host(HostEstimate::Rsqrt, x);
    Value* error = fma(builder_.CreateFNeg(builder_.CreateFMul(x, y)), y, of(x, 1.0));
    // Any number does where it is none; it is next to zero else. Written so that it is one
    // instruction.
    error = builder_.CreateSelect(builder_.CreateFCmpOLT(error, of(x, 0.5)), error, of(x, 0.5));
    return fma(builder_.CreateFMul(y, of(x, 0.5)), error, y);
  }

  static Constant* of(Value* like, double value) { return ConstantFP::get(like->getType(), value); }
  Value* fma(Value* a, Value* b, Value* c) {
    return builder_.CreateIntrinsic(Intrinsic::fma, {a->getType()}, {a, b, c});
  }

  IRBuilder<>& builder_;
};

Value* expand(StringRef kind, Instruction& before, ArrayRef<Value*> operands) {
  IRBuilder<> builder(&before);
  return Expansion(builder).of(kind, operands);
}

/// The vector of which `call` takes an element, and its place there.
std::optional<std::pair<Value*, uint64_t>> elementOf(const CallInst& call) {
  auto* extract = dyn_cast<ExtractElementInst>(call.getArgOperand(0));
  if (!extract || call.arg_size() != 1 || !isa<FixedVectorType>(extract->getVectorOperandType()))
    return std::nullopt;
  const auto* index = dyn_cast<ConstantInt>(extract->getIndexOperand());
  if (!index) return std::nullopt;
  return std::pair(extract->getVectorOperand(), index->getZExtValue());
}

/// Calls for elements of one vector, in one block.
using Elements = MapVector<std::pair<Value*, BasicBlock*>, SmallVector<CallInst*>>;

void replace(CallInst& call, Value* value) {
  call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

void expandElements(StringRef kind, Value* vector, ArrayRef<CallInst*> calls) {
  CallInst* first = *min_element(
      calls, [](const CallInst* a, const CallInst* b) { return a != b && a->comesBefore(b); });
  Value* all = expand(kind, *first, vector);
  for (CallInst* call : calls)
    replace(*call, IRBuilder<>(call).CreateExtractElement(all, elementOf(*call)->second));
}

void expandCalls(Function& function) {
  const std::string kind =
      function.getFnAttribute(names::kEstimateAttribute).getValueAsString().str();
  Elements elements;
  for (CallInst* call : callsOf(function)) {
    if (const auto element = elementOf(*call))
      elements[{element->first, call->getParent()}].push_back(call);
    else
      replace(*call, expand(kind, *call, SmallVector<Value*>(call->args())));
  }
  for (const auto& [place, calls] : elements) {
    if (calls.size() > 1)
      expandElements(kind, place.first, calls);
    else
      replace(*calls[0], expand(kind, *calls[0], calls[0]->getArgOperand(0)));
  }
}

}  // namespace

bool isEstimate(const Function& function) {
  return function.hasFnAttribute(names::kEstimateAttribute);
}

Function* vectorEstimate(const CallInst& call, unsigned lanes) {
  Function* scalar = call.getCalledFunction();
  return scalar && isEstimate(*scalar) ? form(*scalar, lanes) : nullptr;
}

PreservedAnalyses MarkEstimatesPass::run(Module& module, ModuleAnalysisManager&) {
  bool changed = false;
  for (Function& function : module) {
    if (function.isDeclaration() || !names::isLibrary(function) ||
        !function.getName().contains(kPrefix))
      continue;
    changed = true;
    const bool isQuestion = function.getName().contains((Twine(kPrefix) + kOnHost).str());
    if (isQuestion && hostHasEstimates()) answerYes(function);
    if (!hostHasEstimates() || isQuestion || !is_contained(kKinds, kindOf(function))) {
      function.removeFnAttr(Attribute::NoInline);
      continue;
    }
    function.addFnAttr(names::kEstimateAttribute, kindOf(function));
    // Nobody is to see what is in there, only that it can be called at any time.
    for (Argument& argument : function.args()) argument.removeAttr(Attribute::Returned);
    function.setDoesNotAccessMemory();
    function.setDoesNotThrow();
    function.setWillReturn();
    function.addFnAttr(Attribute::Speculatable);
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses DeclareEstimatesPass::run(Module& module, ModuleAnalysisManager&) {
  SmallVector<Function*> estimates;
  for (Function& function : module)
    if (isEstimate(function) && !function.use_empty() && !function.getReturnType()->isVectorTy())
      estimates.push_back(&function);
  for (Function* scalar : estimates) {
    const std::string parameters(scalar->arg_size(), 'v');
    SmallVector<std::string> mappings;
    for (const unsigned lanes : kLanes)
      mappings.push_back(("_ZGV_LLVM_N" + Twine(lanes) + parameters + "_" + scalar->getName() +
                          "(" + form(*scalar, lanes)->getName() + ")")
                             .str());
    for (CallInst* call : callsOf(*scalar)) VFABI::setVectorVariantNames(call, mappings);
  }
  return estimates.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

PreservedAnalyses ExpandEstimatesPass::run(Module& module, ModuleAnalysisManager&) {
  SmallVector<Function*> estimates;
  for (Function& function : module)
    if (isEstimate(function)) estimates.push_back(&function);
  for (Function* function : estimates) expandCalls(*function);
  if (estimates.empty()) return PreservedAnalyses::all();
  eraseUnusedFunctions(module);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
