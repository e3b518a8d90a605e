// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/retarget.h"

#include <llvm/IR/InstIterator.h>

#include "ir/names.h"

namespace weft::compiler {
namespace {

bool isSpirConvention(llvm::CallingConv::ID convention) {
  return convention == llvm::CallingConv::SPIR_FUNC || convention == llvm::CallingConv::SPIR_KERNEL;
}

void dropTargetAttributes(llvm::Function& function) {
  for (const char* name :
       {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "stack-protector-buffer-size",
        "no-trapping-math", "probe-stack", "uniform-work-group-size"})
    function.removeFnAttr(name);
  // noinline comes with optnone; on its own it is the user's wish.
  if (function.hasOptNone()) {
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.removeFnAttr(llvm::Attribute::NoInline);
  }
  // Instructions say what each of them allows. The code generator would take these for leave to
  // change others of the function, which our own code relies on: the library's, and the quotients
  // in floating point that integer divisions of lanes become.
  for (const char* name : {"unsafe-fp-math", "no-nans-fp-math", "no-infs-fp-math",
                           "no-signed-zeros-fp-math", "approx-func-fp-math", "less-precise-fpmad"})
    function.removeFnAttr(name);
  function.removeFnAttr(llvm::Attribute::UWTable);
  function.removeFnAttr(llvm::Attribute::StackProtect);
  function.removeFnAttr(llvm::Attribute::StackProtectStrong);
  function.addFnAttr(llvm::Attribute::NoUnwind);
}

void retargetFunction(llvm::Function& function) {
  if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL) {
    function.addFnAttr(names::kKernelAttribute);
    // Clang's word for OpenCL C before 2.0, and for -cl-uniform-work-group-size.
    if (function.getFnAttribute("uniform-work-group-size").getValueAsString() == "false")
      function.addFnAttr(names::kRaggedAttribute);
  }
  if (isSpirConvention(function.getCallingConv())) function.setCallingConv(llvm::CallingConv::C);
  if (!function.isIntrinsic()) dropTargetAttributes(function);
  if (function.isDeclaration()) return;
  if (!names::isKernel(function)) {
    if (!function.getName().ends_with(names::kFunctionSuffix))
      function.setName(function.getName() + names::kFunctionSuffix);
    function.setComdat(nullptr);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setVisibility(llvm::GlobalValue::DefaultVisibility);
  }
  function.setDSOLocal(true);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call) continue;
    if (isSpirConvention(call->getCallingConv())) call->setCallingConv(llvm::CallingConv::C);
    const llvm::Function* callee = call->getCalledFunction();
    if (callee && !callee->isConvergent()) call->setNotConvergent();
  }
}

/// Clang lists what initialises variables at program scope; each is a kernel of its own.
void markConstructors(llvm::Module& module) {
  llvm::GlobalVariable* list = module.getGlobalVariable("llvm.global_ctors");
  if (!list) return;
  struct Entry {
    uint64_t priority;
    size_t place;
    llvm::Function* function;
  };
  llvm::SmallVector<Entry> entries;
  if (const auto* array = llvm::dyn_cast_or_null<llvm::ConstantArray>(
          list->hasInitializer() ? list->getInitializer() : nullptr)) {
    for (const llvm::Use& element : array->operands()) {
      const auto* fields = llvm::dyn_cast<llvm::ConstantStruct>(element.get());
      if (!fields || fields->getNumOperands() < 2) continue;
      const auto* priority = llvm::dyn_cast<llvm::ConstantInt>(fields->getOperand(0));
      auto* function = llvm::dyn_cast<llvm::Function>(fields->getOperand(1)->stripPointerCasts());
      if (priority && function)
        entries.push_back({priority->getZExtValue(), entries.size(), function});
    }
  }
  list->eraseFromParent();
  // Those of one priority keep their order.
  llvm::sort(entries, [](const Entry& a, const Entry& b) {
    return a.priority != b.priority ? a.priority < b.priority : a.place < b.place;
  });
  for (auto [place, entry] : llvm::enumerate(entries)) {
    entry.function->addFnAttr(names::kConstructorAttribute, std::to_string(place));
    entry.function->removeDeadConstantUsers();
    entry.function->addFnAttr(names::kKernelAttribute);
    entry.function->setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
}

}  // namespace

llvm::PreservedAnalyses RetargetPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  module.setTargetTriple(triple_);
  module.setDataLayout(dataLayout_);
  markConstructors(module);
  for (llvm::Function& function : module) retargetFunction(function);
  for (llvm::GlobalVariable& global : module.globals()) {
    if (global.isDeclaration() || global.hasAppendingLinkage()) continue;
    global.setComdat(nullptr);
    global.setLinkage(llvm::GlobalValue::InternalLinkage);
    global.setVisibility(llvm::GlobalValue::DefaultVisibility);
    global.setDSOLocal(true);
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace weft::compiler
