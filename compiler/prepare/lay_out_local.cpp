// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/lay_out_local.h"

#include <llvm/ADT/MapVector.h>

#include "ir/call_graph.h"
#include "ir/names.h"
#include "weft/abi/work_group.h"
#include "weft/support/checked.h"

namespace weft::compiler {
namespace {

using namespace llvm;

struct Variable {
  GlobalVariable* global;
  uint64_t size;
  uint64_t alignment;
  uint64_t offset = 0;
  SmallPtrSet<Function*, 4> kernels = {};  ///< kernels that may reach a use

  uint64_t end() const { return offset + size; }
  bool sharesKernel(const Variable& other) const {
    return any_of(kernels, [&](Function* kernel) { return other.kernels.contains(kernel); });
  }
};

/// Functions whose instructions use `value`, through constant expressions too.
void collectUsers(const Value& value, SmallPtrSetImpl<Function*>& functions) {
  for (const User* user : value.users()) {
    if (const auto* instruction = dyn_cast<Instruction>(user))
      functions.insert(const_cast<Function*>(instruction->getFunction()));
    else if (isa<ConstantExpr>(user))
      collectUsers(*user, functions);
  }
}

/// Lowest offset where `variable` meets no placed variable of a common kernel.
void place(Variable& variable, ArrayRef<Variable*> placed) {
  for (bool moved = true; moved;) {
    moved = false;
    for (const Variable* other : placed) {
      if (variable.offset >= other->end() || other->offset >= variable.end()) continue;
      if (!variable.sharesKernel(*other)) continue;
      variable.offset = alignUp(other->end(), variable.alignment);
      moved = true;
    }
  }
}

MDNode* numberNode(LLVMContext& context, uint64_t number) {
  return MDNode::get(context,
                     ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(context), number)));
}

std::vector<Variable> collectVariables(Module& module, ErrorLog& errors) {
  CallGraph graph(module);
  DenseMap<Function*, SmallVector<Function*>> kernelsOf;
  for (Function& function : module)
    if (names::isKernel(function) && !function.isDeclaration())
      for (Function* reached : graph.reachable(&function)) kernelsOf[reached].push_back(&function);

  std::vector<Variable> variables;
  for (GlobalVariable& global : make_early_inc_range(module.globals())) {
    if (global.getAddressSpace() != names::kLocal) continue;
    global.removeDeadConstantUsers();
    if (global.use_empty()) {
      global.eraseFromParent();
      continue;
    }
    if (global.isDeclaration()) errors.add("undefined local variable '" + global.getName() + "'");
    const DataLayout& layout = module.getDataLayout();
    Align alignment =
        std::max(global.getAlign().valueOrOne(), layout.getABITypeAlign(global.getValueType()));
    uint64_t size = layout.getTypeAllocSize(global.getValueType());
    Variable variable{&global, std::max<uint64_t>(size, 1), alignment.value()};
    if (variable.alignment > abi::kLocalMemoryAlignment) {
      variable.size += variable.alignment - abi::kLocalMemoryAlignment;
      variable.alignment = abi::kLocalMemoryAlignment;
    }
    SmallPtrSet<Function*, 4> functions;
    collectUsers(global, functions);
    for (Function* function : functions)
      for (Function* kernel : kernelsOf[function]) variable.kernels.insert(kernel);
    variables.push_back(std::move(variable));
  }
  return variables;
}

}  // namespace

PreservedAnalyses LayOutLocalPass::run(Module& module, ModuleAnalysisManager&) {
  LLVMContext& context = module.getContext();
  std::vector<Variable> variables = collectVariables(module, *errors_);
  // Widest alignment first leaves no holes.
  sort(variables, [](const Variable& a, const Variable& b) { return a.alignment > b.alignment; });
  MapVector<Function*, uint64_t> bytes;
  SmallVector<Variable*> placed;
  for (Variable& variable : variables) {
    place(variable, placed);
    placed.push_back(&variable);
    variable.global->setMetadata(names::kLocalOffset, numberNode(context, variable.offset));
    for (Function* kernel : variable.kernels)
      bytes[kernel] = std::max(bytes[kernel], variable.end());
  }
  for (auto [kernel, size] : bytes) {
    kernel->setMetadata(names::kStaticLocalBytes, numberNode(context, size));
    if (maxBytes_ != 0 && size > maxBytes_)
      errors_->add("kernel '" + kernel->getName() + "' needs " + Twine(size) +
                   " bytes of local memory, but only " + Twine(maxBytes_) + " are available");
  }
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
