// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/rare_calls.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/VFABIDemangler.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "ir/arithmetic.h"
#include "ir/names.h"
#include "lanes/vector_body.h"
#include "prepare/inline_util.h"

namespace weft::compiler {
namespace {

using namespace llvm;

// Part of the name of functions that are called for rare arguments only; the builtins library's
// each_width.h says what they are for.
constexpr const char* kRarePrefix = "weft_rare_";

// Whatever number of lanes the vectoriser may choose.
constexpr unsigned kLanes[] = {2, 4, 8, 16, 32, 64};

/// Function attribute of the masked forms: the name of the scalar function.
constexpr const char* kFormAttribute = "weft-rare-form";

std::string formName(const Function& scalar, unsigned lanes) {
  return (scalar.getName() + ".x" + Twine(lanes)).str();
}

/// A function like `scalar` on vectors, with a mask as its last argument if it `isMasked`.
Function* create(const Function& scalar, unsigned lanes, bool isMasked,
                 GlobalValue::LinkageTypes linkage, const Twine& name, Module& module) {
  SmallVector<Type*> parameters;
  for (const Argument& argument : scalar.args())
    parameters.push_back(FixedVectorType::get(argument.getType(), lanes));
  if (isMasked)
    parameters.push_back(FixedVectorType::get(Type::getInt1Ty(scalar.getContext()), lanes));
  auto* type = FunctionType::get(FixedVectorType::get(scalar.getReturnType(), lanes), parameters,
                                 /*isVarArg=*/false);
  Function* wide = Function::Create(type, linkage, name, module);
  wide->setDoesNotThrow();
  wide->setDoesNotAccessMemory();
  wide->setWillReturn();
  return wide;
}

/// Gives the out-of-line half a loop that calls `scalar` for each lane of the mask.
void loopOverLanes(Function& scalar, unsigned lanes, Function* slow) {
  LLVMContext& context = scalar.getContext();
  IRBuilder<> builder(BasicBlock::Create(context, "entry", slow));
  BasicBlock* loop = BasicBlock::Create(context, "lane", slow);
  BasicBlock* call = BasicBlock::Create(context, "call", slow);
  BasicBlock* next = BasicBlock::Create(context, "next", slow);
  BasicBlock* done = BasicBlock::Create(context, "done", slow);
  Type* resultType = slow->getReturnType();
  Argument* mask = slow->getArg(scalar.arg_size());
  BasicBlock* entry = builder.GetInsertBlock();
  builder.CreateBr(loop);

  builder.SetInsertPoint(loop);
  PHINode* lane = builder.CreatePHI(builder.getInt32Ty(), 2, "lane");
  PHINode* result = builder.CreatePHI(resultType, 2, "result");
  builder.CreateCondBr(builder.CreateExtractElement(mask, lane), call, next);

  builder.SetInsertPoint(call);
  SmallVector<Value*> arguments;
  for (unsigned i = 0; i < scalar.arg_size(); ++i)
    arguments.push_back(builder.CreateExtractElement(slow->getArg(i), lane));
  CallInst* value = builder.CreateCall(&scalar, arguments);
  value->setCallingConv(scalar.getCallingConv());
  Value* inserted = builder.CreateInsertElement(result, value, lane);
  builder.CreateBr(next);

  builder.SetInsertPoint(next);
  PHINode* merged = builder.CreatePHI(resultType, 2);
  merged->addIncoming(result, loop);
  merged->addIncoming(inserted, call);
  Value* following = builder.CreateAdd(lane, builder.getInt32(1));
  builder.CreateCondBr(builder.CreateICmpEQ(following, builder.getInt32(lanes)), done, loop);

  builder.SetInsertPoint(done);
  builder.CreateRet(merged);
  lane->addIncoming(builder.getInt32(0), entry);
  lane->addIncoming(following, next);
  result->addIncoming(Constant::getNullValue(resultType), entry);
  result->addIncoming(merged, next);
}

/// The out-of-line half: all lanes at once where `scalar` is a line of arithmetic, else those of
/// the mask, one after the other. Of functions that are shared there is no mask.
Function* outOfLine(Function& scalar, unsigned lanes, const Twine& name) {
  Function* slow = create(scalar, lanes, isRareFunction(scalar), GlobalValue::InternalLinkage, name,
                          *scalar.getParent());
  slow->addFnAttr(Attribute::NoInline);
  if (isRareFunction(scalar)) slow->addFnAttr(Attribute::Cold);
  copyTarget(scalar, *slow);
  if (isArithmetic(scalar))
    vectorBody(scalar, lanes, *slow);
  else
    loopOverLanes(scalar, lanes, slow);
  return slow;
}

/// The value of which a masked call's result is taken where its mask is set: null when that is not
/// all that becomes of the result, or it is not known before the call.
Value* instead(const CallBase& call, SelectInst& select) {
  const Value* mask = call.getArgOperand(call.arg_size() - 1);
  if (select.getCondition() != mask || select.getTrueValue() != &call) return nullptr;
  Value* other = select.getFalseValue();
  const auto* made = dyn_cast<Instruction>(other);
  const bool isKnown = !made || (made->getParent() == call.getParent() && made->comesBefore(&call));
  return isKnown ? other : nullptr;
}

/// Replaces a call of a masked form by its question, and the call of `slow` where the answer is
/// yes. What is chosen by the mask is chosen there too: the usual way has nothing but the question.
void expand(CallBase& call, Function& slow) {
  SmallVector<SelectInst*> selects;
  for (User* user : call.users())
    if (auto* select = dyn_cast<SelectInst>(user); select && instead(call, *select))
      selects.push_back(select);
  IRBuilder<> builder(&call);
  BasicBlock* before = call.getParent();
  Value* mask = call.getArgOperand(call.arg_size() - 1);
  Instruction* end =
      SplitBlockAndInsertIfThen(builder.CreateOrReduce(mask), &call, /*Unreachable=*/false,
                                MDBuilder(call.getContext()).createUnlikelyBranchWeights());
  builder.SetInsertPoint(end);
  Value* value = builder.CreateCall(&slow, SmallVector<Value*>(call.args()));
  SmallVector<Value*> chosen;
  for (SelectInst* select : selects)
    chosen.push_back(builder.CreateSelect(mask, value, select->getFalseValue()));
  builder.SetInsertPoint(&call);
  auto merge = [&](Value* usual, Value* rare) {
    PHINode* merged = builder.CreatePHI(call.getType(), 2);
    merged->addIncoming(usual, before);
    merged->addIncoming(rare, end->getParent());
    return merged;
  };
  for (const auto [select, rare] : zip(selects, chosen)) {
    select->replaceAllUsesWith(merge(select->getFalseValue(), rare));
    select->eraseFromParent();
  }
  if (!call.use_empty())
    call.replaceAllUsesWith(merge(Constant::getNullValue(call.getType()), value));
  call.eraseFromParent();
}

/// Replaces a call of a masked form by one of `all`, whatever the mask.
void callAlways(CallBase& call, Function& all) {
  IRBuilder<> builder(&call);
  SmallVector<Value*> arguments(call.args());
  arguments.pop_back();
  call.replaceAllUsesWith(builder.CreateCall(&all, arguments));
  call.eraseFromParent();
}

/// Declares the masked forms of one function; most will be of no use, so none has a body yet.
void widen(Function& scalar) {
  SmallVector<CallInst*> calls;
  for (User* user : scalar.users())
    if (auto* call = dyn_cast<CallInst>(user); call && call->getCalledFunction() == &scalar)
      calls.push_back(call);
  if (calls.empty()) return;
  SmallVector<std::string> mappings;
  // The vectoriser finds the forms by name, and the function is needed when they get their bodies:
  // nothing else keeps them until then.
  SmallVector<GlobalValue*> kept{&scalar};
  const std::string parameters(scalar.arg_size(), 'v');
  for (unsigned lanes : kLanes) {
    const std::string name = formName(scalar, lanes);
    Function* form = create(scalar, lanes, /*isMasked=*/true, GlobalValue::ExternalLinkage, name,
                            *scalar.getParent());
    form->addFnAttr(kFormAttribute, scalar.getName());
    kept.push_back(form);
    mappings.push_back(
        ("_ZGV_LLVM_M" + Twine(lanes) + parameters + "_" + scalar.getName() + "(" + name + ")")
            .str());
  }
  for (CallInst* call : calls) VFABI::setVectorVariantNames(call, mappings);
  appendToCompilerUsed(*scalar.getParent(), kept);
}

bool isForm(const Function& function) { return function.hasFnAttribute(kFormAttribute); }

/// Calls of a masked form, which are the vectoriser's.
SmallVector<CallBase*> callsOf(Function& form) {
  SmallVector<CallBase*> calls;
  for (User* user : form.users())
    if (auto* call = dyn_cast<CallBase>(user)) calls.push_back(call);
  return calls;
}

}  // namespace

bool isRareFunction(const Function& function) {
  return !function.isDeclaration() && function.getName().contains(kRarePrefix) &&
         names::isLibrary(function) && function.doesNotAccessMemory() && function.doesNotThrow() &&
         function.willReturn() && isOfScalars(function);
}

bool hasLaneForms(const Function& function) {
  return function.hasFnAttribute(names::kSharedAttribute) || isRareFunction(function);
}

Function* maskedForm(const CallInst& call, unsigned lanes) {
  const Function* scalar = call.getCalledFunction();
  Function* form = scalar ? call.getModule()->getFunction(formName(*scalar, lanes)) : nullptr;
  return form && isForm(*form) ? form : nullptr;
}

PreservedAnalyses WidenRareCallsPass::run(Module& module, ModuleAnalysisManager&) {
  SmallVector<Function*> functions;
  for (Function& function : module)
    if (hasLaneForms(function)) functions.push_back(&function);
  for (Function* function : functions) widen(*function);
  return functions.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

PreservedAnalyses SettleRareCallsPass::run(Module& module, ModuleAnalysisManager&) {
  SmallVector<Function*> forms;
  for (Function& function : module)
    if (isForm(function)) forms.push_back(&function);
  if (forms.empty()) return PreservedAnalyses::all();
  for (Function* form : forms) {
    const SmallVector<CallBase*> calls = callsOf(*form);
    if (calls.empty()) continue;
    Function* scalar = module.getFunction(form->getFnAttribute(kFormAttribute).getValueAsString());
    auto lanes = cast<FixedVectorType>(form->getReturnType())->getNumElements();
    Function* slow = outOfLine(*scalar, lanes, form->getName() + ".lanes");
    for (CallBase* call : calls) {
      if (isRareFunction(*scalar))
        expand(*call, *slow);
      else
        callAlways(*call, *slow);
    }
  }
  removeFromUsedLists(module, [](Constant* constant) {
    const auto* function = dyn_cast<Function>(constant->stripPointerCasts());
    return function && (isForm(*function) || hasLaneForms(*function));
  });
  // The list was a constant too, and those are not freed with their uses.
  for (Function& function : module)
    if (isForm(function) || hasLaneForms(function)) function.removeDeadConstantUsers();
  eraseUnusedFunctions(module);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
