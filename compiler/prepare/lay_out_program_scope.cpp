// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/lay_out_program_scope.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include "ir/names.h"
#include "weft/abi/work_group.h"
#include "weft/support/checked.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Variables that the initialiser of `variable` names.
SmallSetVector<GlobalVariable*, 4> namedBy(const GlobalVariable& variable) {
  SmallSetVector<GlobalVariable*, 4> found;
  if (!variable.hasInitializer()) return found;
  SmallSetVector<Constant*, 16> pending;
  pending.insert(const_cast<Constant*>(variable.getInitializer()));
  for (size_t i = 0; i < pending.size(); ++i) {
    if (auto* global = dyn_cast<GlobalVariable>(pending[i])) {
      found.insert(global);
    } else if (!isa<GlobalValue>(pending[i])) {
      for (Use& operand : pending[i]->operands()) pending.insert(cast<Constant>(operand.get()));
    }
  }
  return found;
}

bool canMove(const GlobalVariable& variable) {
  return !variable.hasAppendingLinkage() && variable.getAddressSpace() != names::kLocal;
}

SmallSetVector<GlobalVariable*, 16> membersOf(Module& module) {
  SmallSetVector<GlobalVariable*, 16> members;
  for (GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == names::kGlobal && !variable.isDeclaration())
      members.insert(&variable);
  if (members.empty()) return members;
  for (bool grown = true; grown;) {
    const size_t before = members.size();
    for (size_t i = 0; i < members.size(); ++i)
      for (GlobalVariable* named : namedBy(*members[i]))
        if (canMove(*named)) members.insert(named);
    for (GlobalVariable& variable : module.globals())
      if (canMove(variable) &&
          any_of(namedBy(variable), [&](GlobalVariable* named) { return members.contains(named); }))
        members.insert(&variable);
    grown = members.size() != before;
  }
  return members;
}

struct Placement {
  GlobalVariable* variable;
  uint64_t bytes;
  uint64_t alignment;
  bool zero;
  size_t order;  ///< of definition
};

}  // namespace

PreservedAnalyses LayOutProgramScopePass::run(Module& module, ModuleAnalysisManager&) {
  const DataLayout& layout = module.getDataLayout();
  SmallVector<Placement> placements;
  for (GlobalVariable* variable : membersOf(module)) {
    const uint64_t bytes = layout.getTypeAllocSize(variable->getValueType());
    const Align alignment = std::max(variable->getAlign().valueOrOne(),
                                     layout.getABITypeAlign(variable->getValueType()));
    if (maxBytes_ != 0 && bytes > maxBytes_)
      errors_->add("program-scope variable '" + variable->getName() + "' takes " + Twine(bytes) +
                   " bytes, but only " + Twine(maxBytes_) + " are available");
    if (alignment.value() > abi::kProgramScopeAlignment)
      errors_->add("alignment of program-scope variable '" + variable->getName() +
                   "' is too large");
    const bool zero = !variable->hasInitializer() || variable->getInitializer()->isNullValue();
    placements.push_back(
        {variable, std::max<uint64_t>(bytes, 1), alignment.value(), zero, placements.size()});
  }
  // Widest alignment first leaves no holes.
  sort(placements, [](const Placement& a, const Placement& b) {
    if (a.zero != b.zero) return b.zero;
    return a.alignment != b.alignment ? a.alignment > b.alignment : a.order < b.order;
  });
  uint64_t end = 0;
  for (const Placement& placement : placements) {
    const uint64_t offset = alignUp(end, placement.alignment);
    names::setProgramOffset(*placement.variable, offset);
    end = offset + placement.bytes;
  }
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
