// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/add_work_item_parameter.h"

#include <llvm/IR/ReplaceConstant.h>

#include "ir/call_graph.h"
#include "ir/names.h"
#include "prepare/inline_util.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Functions that use a variable of the group's or the program's memory in an instruction.
DenseSet<const Function*> usersOfPlacedVariables(Module& module) {
  SmallVector<Constant*> placed;
  for (GlobalVariable& global : module.globals())
    if (global.getAddressSpace() == names::kLocal || names::programOffset(global))
      placed.push_back(&global);
  // Initialisers that use one another are lowered with the variables.
  convertUsersOfConstantsToInstructions(placed, /*RestrictToFunc=*/nullptr,
                                        /*RemoveDeadConstants=*/true);
  DenseSet<const Function*> users;
  for (Constant* variable : placed)
    for (const User* user : variable->users())
      if (const auto* instruction = dyn_cast<Instruction>(user))
        users.insert(instruction->getFunction());
  return users;
}

bool isStateFunction(const Function& function) {
  return function.isDeclaration() &&
         (names::workItemFunction(function) || names::isNumberedBarrier(function) ||
          names::isSubGroupOperation(function) || function.getName() == names::kPrintf ||
          function.getName() == names::kSegment || function.getName() == names::kGroupAddress);
}

AttributeList shiftedAttributes(LLVMContext& context, AttributeList old, unsigned parameters,
                                AttributeSet first) {
  SmallVector<AttributeSet> sets{first};
  for (unsigned i = 0; i < parameters; ++i) sets.push_back(old.getParamAttrs(i));
  return AttributeList::get(context, old.getFnAttrs(), old.getRetAttrs(), sets);
}

/// Nobody writes to a work-item while compiled code runs with it.
AttributeSet itemAttributes(LLVMContext& context) {
  AttrBuilder builder(context);
  builder.addAttribute(Attribute::NoAlias)
      .addAttribute(Attribute::NoCapture)
      .addAttribute(Attribute::ReadOnly)
      .addAttribute(Attribute::NoUndef)
      .addAttribute(Attribute::NonNull)
      .addAlignmentAttr(Align(alignof(abi::WorkItem)))
      .addDereferenceableAttr(sizeof(abi::WorkItem));
  return AttributeSet::get(context, builder);
}

/// A copy of `old` with the parameter; takes over body, name and metadata.
Function* withParameter(Function& old) {
  LLVMContext& context = old.getContext();
  SmallVector<Type*> types{PointerType::get(context, names::kPrivate)};
  append_range(types, old.getFunctionType()->params());
  auto* type = FunctionType::get(old.getReturnType(), types, old.isVarArg());
  Function* made = Function::Create(type, old.getLinkage(), old.getAddressSpace());
  old.getParent()->getFunctionList().insert(old.getIterator(), made);
  made->copyAttributesFrom(&old);
  made->setAttributes(
      shiftedAttributes(context, old.getAttributes(), old.arg_size(), itemAttributes(context)));
  made->addFnAttr(names::kWorkItemAttribute);
  // Facts Clang derived from the declaration of a const function hold no more.
  made->removeFnAttr(Attribute::Memory);
  made->takeName(&old);
  made->splice(made->begin(), &old);
  made->copyMetadata(&old, 0);
  made->getArg(0)->setName("item");
  for (Argument& argument : old.args()) {
    Argument* moved = made->getArg(argument.getArgNo() + 1);
    moved->takeName(&argument);
    argument.replaceAllUsesWith(moved);
  }
  return made;
}

void passItemOn(CallBase& call, Function& callee) {
  SmallVector<Value*> arguments{call.getFunction()->getArg(0)};
  append_range(arguments, call.args());
  SmallVector<OperandBundleDef> bundles;
  call.getOperandBundlesAsDefs(bundles);
  auto* made = CallInst::Create(callee.getFunctionType(), &callee, arguments, bundles, "", &call);
  made->setCallingConv(call.getCallingConv());
  made->setAttributes(
      shiftedAttributes(call.getContext(), call.getAttributes(), call.arg_size(), AttributeSet()));
  made->removeFnAttr(Attribute::Memory);
  made->copyMetadata(call);
  made->takeName(&call);
  call.replaceAllUsesWith(made);
  call.eraseFromParent();
}

}  // namespace

PreservedAnalyses AddWorkItemParameterPass::run(Module& module, ModuleAnalysisManager&) {
  DenseSet<const Function*> variableUsers = usersOfPlacedVariables(module);
  CallGraph graph(module);
  auto needy = graph.reaching([&](const Function& function) {
    return isStateFunction(function) || variableUsers.contains(&function);
  });

  MapVector<Function*, Function*> replaced;
  for (Function* function : graph.bottomUp()) {
    if (!needy.contains(function) || names::hasWorkItem(*function)) continue;
    replaced[function] = withParameter(*function);
  }
  for (auto [old, made] : replaced) {
    for (User* user : make_early_inc_range(old->users())) {
      auto* call = dyn_cast<CallBase>(user);
      if (call && call->getCalledFunction() == old)
        passItemOn(*call, *made);
      else
        errors_->add("the address of function '" + names::displayName(*made) + "' is used");
    }
    if (!old->use_empty()) old->replaceAllUsesWith(PoisonValue::get(old->getType()));
    old->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
