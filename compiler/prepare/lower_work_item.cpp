// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/lower_work_item.h"

#include "ir/abi_access.h"
#include "ir/names.h"
#include "ir/sub_groups.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

using namespace llvm;
using names::WorkItemFunction;

/// Emits the values of one call's work-item functions.
class WorkItemLowering {
 public:
  explicit WorkItemLowering(CallBase& call) : builder_(&call), abi_(builder_) {}

  Value* lower(WorkItemFunction function, CallBase& call) {
    switch (function) {
      case WorkItemFunction::WorkDim:
        return abi_.launchField(builder_.getInt32Ty(), offsetof(abi::Launch, workDim));
      case WorkItemFunction::GlobalLinearId:
        return globalLinearId();
      case WorkItemFunction::LocalLinearId:
        return abi_.localLinearId();
      case WorkItemFunction::MaxSubGroupSize:
        return abi_.subGroupSize();
      case WorkItemFunction::SubGroupSize:
        return subGroupSize();
      case WorkItemFunction::NumSubGroups:
        return subGroupsIn(itemsOf(WorkItemFunction::LocalSize));
      case WorkItemFunction::EnqueuedNumSubGroups:
        return subGroupsIn(itemsOf(WorkItemFunction::EnqueuedLocalSize));
      case WorkItemFunction::SubGroupId:
        return place(names::kSubGroupNumber);
      case WorkItemFunction::SubGroupLocalId:
        return place(names::kSubGroupLane);
      default:
        return inDimension(function, call.getArgOperand(0));
    }
  }

 private:
  static uint64_t outOfRange(WorkItemFunction function) {
    switch (function) {
      case WorkItemFunction::GlobalSize:
      case WorkItemFunction::LocalSize:
      case WorkItemFunction::EnqueuedLocalSize:
      case WorkItemFunction::NumGroups:
        return 1;
      default:
        return 0;
    }
  }

  Value* inDimension(WorkItemFunction function, Value* dimension) {
    Value* fallback = builder_.getInt64(outOfRange(function));
    if (auto* constant = dyn_cast<ConstantInt>(dimension))
      return constant->getValue().ult(3) ? field(function, constant->getZExtValue()) : fallback;
    Value* result = fallback;
    for (unsigned d = 0; d < 3; ++d) {
      Value* matches = builder_.CreateICmpEQ(dimension, ConstantInt::get(dimension->getType(), d));
      result = builder_.CreateSelect(matches, field(function, d), result);
    }
    return result;
  }

  Value* field(WorkItemFunction function, unsigned d) {
    Type* i64 = builder_.getInt64Ty();
    switch (function) {
      case WorkItemFunction::GlobalSize:
        return abi_.launchField(i64, offsetof(abi::Launch, globalSize) + 8 * d);
      case WorkItemFunction::GlobalOffset:
        return abi_.launchField(i64, offsetof(abi::Launch, globalOffset) + 8 * d);
      case WorkItemFunction::EnqueuedLocalSize:
        return abi_.launchField(i64, offsetof(abi::Launch, enqueuedLocalSize) + 8 * d);
      case WorkItemFunction::NumGroups:
        return abi_.launchField(i64, offsetof(abi::Launch, numGroups) + 8 * d);
      case WorkItemFunction::GroupId:
        return abi_.groupField(i64, offsetof(abi::Group, groupId) + 8 * d);
      case WorkItemFunction::LocalSize:
        return abi_.localSize(d);
      case WorkItemFunction::GlobalId:
        return abi_.itemField(offsetof(abi::WorkItem, globalId) + 8 * d);
      case WorkItemFunction::LocalId:
        return abi_.itemField(offsetof(abi::WorkItem, localId) + 8 * d);
      default:
        break;
    }
    llvm_unreachable("not a function of one dimension");
  }

  Value* globalLinearId() {
    auto distance = [&](unsigned d) {
      return builder_.CreateSub(field(WorkItemFunction::GlobalId, d),
                                field(WorkItemFunction::GlobalOffset, d));
    };
    Value* plane = builder_.CreateAdd(
        builder_.CreateMul(distance(2), field(WorkItemFunction::GlobalSize, 1)), distance(1));
    return builder_.CreateAdd(builder_.CreateMul(plane, field(WorkItemFunction::GlobalSize, 0)),
                              distance(0));
  }

  /// Of a group.
  Value* itemsOf(WorkItemFunction size) {
    return builder_.CreateMul(builder_.CreateMul(field(size, 0), field(size, 1)), field(size, 2));
  }

  /// Of the work-item among others: what lanes tell without arithmetic.
  Value* place(const char* function) {
    Function* made = subGroupFunction(*builder_.GetInsertBlock()->getModule(), function);
    return builder_.CreateCall(made, {abi_.localLinearId()});
  }

  Value* subGroupsIn(Value* items) {
    Value* size = builder_.CreateZExt(abi_.subGroupSize(), items->getType());
    Value* rounded = builder_.CreateSub(builder_.CreateAdd(items, size), builder_.getInt64(1));
    return builder_.CreateUDiv(rounded, size);
  }

  /// The last sub-group of a group has what is left.
  Value* subGroupSize() {
    Value* size = builder_.CreateZExt(abi_.subGroupSize(), builder_.getInt64Ty());
    Value* number = builder_.CreateZExt(place(names::kSubGroupNumber), builder_.getInt64Ty());
    Value* left =
        builder_.CreateSub(itemsOf(WorkItemFunction::LocalSize), builder_.CreateMul(number, size));
    return builder_.CreateBinaryIntrinsic(Intrinsic::umin, left, size);
  }

  IRBuilder<> builder_;
  AbiAccess abi_;
};

}  // namespace

/// Who a service is called by, for all work-items of a group the same.
static void lowerGroupAddress(Module& module) {
  Function* function = module.getFunction(names::kGroupAddress);
  if (!function) return;
  for (User* user : make_early_inc_range(function->users())) {
    auto* call = dyn_cast<CallBase>(user);
    if (!call || call->getCalledFunction() != function) continue;
    if (!names::hasWorkItem(*call->getFunction())) continue;
    IRBuilder<> builder(call);
    call->replaceAllUsesWith(AbiAccess(builder).group());
    call->eraseFromParent();
  }
  if (function->use_empty()) function->eraseFromParent();
}

PreservedAnalyses LowerWorkItemPass::run(Module& module, ModuleAnalysisManager&) {
  lowerGroupAddress(module);
  for (Function& function : make_early_inc_range(module)) {
    auto kind = names::workItemFunction(function);
    if (!kind) continue;
    for (User* user : make_early_inc_range(function.users())) {
      auto* call = dyn_cast<CallBase>(user);
      if (!call || call->getCalledFunction() != &function) continue;
      if (!names::hasWorkItem(*call->getFunction())) continue;
      Value* value = WorkItemLowering(*call).lower(*kind, *call);
      // A 32-bit declaration of a foreign front end is served too.
      IRBuilder<> builder(call);
      call->replaceAllUsesWith(builder.CreateZExtOrTrunc(value, call->getType()));
      call->eraseFromParent();
    }
    if (function.use_empty()) function.eraseFromParent();
  }
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
