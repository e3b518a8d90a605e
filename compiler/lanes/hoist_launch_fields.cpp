// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/hoist_launch_fields.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>

#include <map>
#include <tuple>

#include "ir/abi_access.h"
#include "ir/item_loops.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

using namespace llvm;

class FieldHoister {
 public:
  explicit FieldHoister(Function& function)
      : function_(function),
        layout_(function.getDataLayout()),
        end_(function.getEntryBlock().getTerminator()) {}

  bool run() {
    bool changed = false;
    // A launch is read of the group before its fields are.
    for (BasicBlock* block : ReversePostOrderTraversal<Function*>(&function_))
      for (Instruction& instruction : make_early_inc_range(*block)) {
        auto* load = dyn_cast<LoadInst>(&instruction);
        const InvariantField field = load ? fieldOf(*load) : InvariantField{};
        if (field.base) changed |= hoist(*load, field);
      }
    return changed;
  }

 private:
  /// The field of the group or of its launch that is loaded; without a base where it is anything
  /// else.
  InvariantField fieldOf(const LoadInst& load) const {
    const InvariantField field = invariantField(&load);
    if (!field.base || !load.isSimple() || !load.hasMetadata(LLVMContext::MD_noundef)) return {};
    const uint64_t size = field.base == function_.getArg(0) ? sizeof(abi::Group)
                          : isLaunch(*field.base)           ? sizeof(abi::Launch)
                                                            : 0;
    const uint64_t bytes = layout_.getTypeStoreSize(load.getType());
    return field.offset < size && field.offset + bytes <= size ? field : InvariantField{};
  }

  /// Whether this is where the launch has been loaded, in the entry block by now.
  bool isLaunch(const Value& value) const {
    const auto* load = dyn_cast<LoadInst>(&value);
    if (!load || load->getParent() != end_->getParent()) return false;
    const InvariantField field = fieldOf(*load);
    return field.base == function_.getArg(0) && field.offset == offsetof(abi::Group, launch);
  }

  bool hoist(LoadInst& load, const InvariantField& field) {
    LoadInst*& known = known_[{field.base, field.offset, load.getType()}];
    if (known) {
      load.replaceAllUsesWith(known);
      load.eraseFromParent();
      return true;
    }
    known = &load;
    if (load.getParent() == end_->getParent()) return false;
    IRBuilder<> builder(end_);
    load.setOperand(LoadInst::getPointerOperandIndex(),
                    builder.CreateConstInBoundsGEP1_64(
                        builder.getInt8Ty(), const_cast<Value*>(field.base), field.offset));
    load.moveBefore(end_);
    // What scopes and loops say of it ends where they do.
    load.setMetadata(LLVMContext::MD_alias_scope, nullptr);
    load.setMetadata(LLVMContext::MD_noalias, nullptr);
    load.setMetadata(LLVMContext::MD_access_group, nullptr);
    return true;
  }

  Function& function_;
  const DataLayout& layout_;
  Instruction* end_;
  std::map<std::tuple<const Value*, uint64_t, Type*>, LoadInst*> known_;
};

}  // namespace

PreservedAnalyses HoistLaunchFieldsPass::run(Function& function,
                                             FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<LoopAnalysis>(function);
  const bool isEntry = function.arg_size() == 1 &&
                       any_of(loops.getLoopsInPreorder(),
                              [](const Loop* loop) { return ItemLoops::isItemLoop(*loop); });
  if (!isEntry || !FieldHoister(function).run()) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace weft::compiler
