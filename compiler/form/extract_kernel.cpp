// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/extract_kernel.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace weft::compiler {
namespace {

using namespace llvm;

/// Global values reached from `kernel`, itself first.
class Reachable {
 public:
  explicit Reachable(const Function& kernel) {
    found_.insert(&kernel);
    for (size_t i = 0; i < found_.size(); ++i) {
      if (const auto* function = dyn_cast<Function>(found_[i])) {
        for (const Instruction& instruction : instructions(*function))
          for (const Use& use : instruction.operands()) visit(use.get());
      } else if (const auto* variable = dyn_cast<GlobalVariable>(found_[i])) {
        if (variable->hasInitializer()) visit(variable->getInitializer());
      }
    }
  }

  ArrayRef<const GlobalValue*> values() const { return found_.getArrayRef(); }

 private:
  void visit(const Value* value) {
    SmallVector<const Constant*> pending;
    if (const auto* constant = dyn_cast<Constant>(value)) pending.push_back(constant);
    while (!pending.empty()) {
      const Constant* constant = pending.pop_back_val();
      if (const auto* global = dyn_cast<GlobalValue>(constant)) {
        found_.insert(global);
        continue;
      }
      // Plain numbers are most operands and lead nowhere.
      if (constant->getNumOperands() == 0 || !visited_.insert(constant).second) continue;
      for (const Use& use : constant->operands())
        if (const auto* operand = dyn_cast<Constant>(use.get())) pending.push_back(operand);
    }
  }

  SetVector<const GlobalValue*> found_;
  DenseSet<const Constant*> visited_;
};

}  // namespace

std::string bodyName(StringRef kernel) { return (kernel + ".body").str(); }

std::unique_ptr<Module> extractKernel(const Module& program, const Function& kernel) {
  auto module = std::make_unique<Module>(kernel.getName(), program.getContext());
  module->setTargetTriple(program.getTargetTriple());
  module->setDataLayout(program.getDataLayout());
  if (const NamedMDNode* flags = program.getModuleFlagsMetadata())
    for (const MDNode* flag : flags->operands()) module->addModuleFlag(const_cast<MDNode*>(flag));

  Reachable reachable(kernel);
  ValueToValueMapTy map;
  for (const GlobalValue* value : reachable.values()) {
    if (const auto* function = dyn_cast<Function>(value)) {
      bool body = !function->isDeclaration();
      auto linkage = body ? GlobalValue::InternalLinkage : GlobalValue::ExternalLinkage;
      std::string name =
          function == &kernel ? bodyName(kernel.getName()) : function->getName().str();
      auto* copy = Function::Create(function->getFunctionType(), linkage,
                                    function->getAddressSpace(), name, module.get());
      copy->copyAttributesFrom(function);
      copy->setDSOLocal(body);
      map[function] = copy;
    } else if (const auto* variable = dyn_cast<GlobalVariable>(value)) {
      auto* copy = new GlobalVariable(*module, variable->getValueType(), variable->isConstant(),
                                      variable->getLinkage(), nullptr, variable->getName(), nullptr,
                                      variable->getThreadLocalMode(), variable->getAddressSpace());
      copy->copyAttributesFrom(variable);
      map[variable] = copy;
    }
  }
  for (const GlobalValue* value : reachable.values()) {
    if (const auto* function = dyn_cast<Function>(value); function && !function->isDeclaration()) {
      auto* copy = cast<Function>(map[function]);
      for (auto [from, to] : zip(function->args(), copy->args())) {
        to.setName(from.getName());
        map[&from] = &to;
      }
      SmallVector<ReturnInst*> returns;
      CloneFunctionInto(copy, function, map, CloneFunctionChangeType::DifferentModule, returns);
    } else if (const auto* variable = dyn_cast<GlobalVariable>(value);
               variable && variable->hasInitializer()) {
      cast<GlobalVariable>(map[variable])
          ->setInitializer(MapValue(variable->getInitializer(), map));
    }
  }
  return module;
}

}  // namespace weft::compiler
