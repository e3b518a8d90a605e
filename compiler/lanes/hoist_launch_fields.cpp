// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/hoist_launch_fields.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>

#include <map>
#include <optional>
#include <tuple>

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
        const auto field = load ? fieldOf(*load) : std::nullopt;
        if (field) changed |= hoist(*load, *field);
      }
    return changed;
  }

 private:
  struct Field {
    Value* base;  ///< the group or its launch
    uint64_t offset;
  };

  /// The field of the group or of its launch that is loaded; none where it is anything else.
  std::optional<Field> fieldOf(LoadInst& load) const {
    if (!load.isSimple() || !load.hasMetadata(LLVMContext::MD_invariant_load) ||
        !load.hasMetadata(LLVMContext::MD_noundef))
      return std::nullopt;
    APInt offset(64, 0);
    Value* base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(
        layout_, offset, /*AllowNonInbounds=*/false);
    const uint64_t end = offset.getZExtValue() + layout_.getTypeStoreSize(load.getType());
    const uint64_t size = base == function_.getArg(0) ? sizeof(abi::Group)
                          : isLaunch(*base)           ? sizeof(abi::Launch)
                                                      : 0;
    if (offset.isNegative() || end > size) return std::nullopt;
    return Field{base, offset.getZExtValue()};
  }

  /// Whether this is where the launch has been loaded, in the entry block by now.
  bool isLaunch(Value& value) const {
    auto* load = dyn_cast<LoadInst>(&value);
    if (!load || load->getParent() != end_->getParent()) return false;
    const auto field = fieldOf(*load);
    return field && field->base == function_.getArg(0) &&
           field->offset == offsetof(abi::Group, launch);
  }

  bool hoist(LoadInst& load, const Field& field) {
    LoadInst*& known = known_[{field.base, field.offset, load.getType()}];
    if (known) {
      load.replaceAllUsesWith(known);
      load.eraseFromParent();
      return true;
    }
    known = &load;
    if (load.getParent() == end_->getParent()) return false;
    IRBuilder<> builder(end_);
    load.setOperand(
        LoadInst::getPointerOperandIndex(),
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), field.base, field.offset));
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
  std::map<std::tuple<Value*, uint64_t, Type*>, LoadInst*> known_;
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
