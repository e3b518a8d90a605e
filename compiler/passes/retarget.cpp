// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/retarget.h"

#include <llvm/IR/InstIterator.h>

#include "passes/names.h"

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
  function.removeFnAttr(llvm::Attribute::UWTable);
  function.removeFnAttr(llvm::Attribute::StackProtect);
  function.removeFnAttr(llvm::Attribute::StackProtectStrong);
  function.addFnAttr(llvm::Attribute::NoUnwind);
}

void retargetFunction(llvm::Function& function) {
  if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
    function.addFnAttr(names::kKernelAttribute);
  if (isSpirConvention(function.getCallingConv())) function.setCallingConv(llvm::CallingConv::C);
  if (!function.isIntrinsic()) dropTargetAttributes(function);
  if (function.isDeclaration()) return;
  if (!names::isKernel(function)) {
    if (!function.getName().ends_with(kFunctionSuffix))
      function.setName(function.getName() + kFunctionSuffix);
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

}  // namespace

llvm::PreservedAnalyses RetargetPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  module.setTargetTriple(triple_);
  module.setDataLayout(dataLayout_);
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
