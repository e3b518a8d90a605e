// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/lower_segment.h"

#include <llvm/Analysis/ValueTracking.h>

#include "ir/abi_access.h"
#include "ir/names.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Leaf functions may use so many bytes below the stack pointer.
constexpr uint64_t kRedZone = 128;

Value* isWithin(IRBuilder<>& builder, Value* address, Value* begin, Value* bytes) {
  return builder.CreateICmpULE(builder.CreateSub(address, begin), bytes);
}

/// The address space found from where the pointer points.
Value* segmentOfAddress(IRBuilder<>& builder, Value* pointer) {
  AbiAccess abi(builder);
  Type* i64 = builder.getInt64Ty();
  Value* address = builder.CreatePtrToInt(pointer, i64);
  Value* localBegin = builder.CreatePtrToInt(abi.localMemory(), i64);
  Value* localBytes = abi.groupField(i64, offsetof(abi::Group, localBytes));
  Value* isLocal = isWithin(builder, address, localBegin, localBytes);
  Value* stackBegin = builder.CreateSub(builder.CreatePtrToInt(builder.CreateStackSave(), i64),
                                        builder.getInt64(kRedZone));
  Value* stackEnd = abi.itemField(offsetof(abi::WorkItem, privateEnd));
  Value* isPrivate =
      isWithin(builder, address, stackBegin, builder.CreateSub(stackEnd, stackBegin));
  Value* segment = builder.CreateSelect(isPrivate, builder.getInt32(names::kPrivate),
                                        builder.getInt32(names::kGlobal));
  return builder.CreateSelect(isLocal, builder.getInt32(names::kLocal), segment);
}

Value* segmentOf(CallInst& call) {
  IRBuilder<> builder(&call);
  Value* pointer = call.getArgOperand(0);
  const Value* object = getUnderlyingObject(pointer, 0);
  const unsigned space = object->getType()->getPointerAddressSpace();
  const bool isVariable = isa<AllocaInst>(object) || isa<GlobalVariable>(object);
  // The host's own pointers (arguments by value) have no other number than private ones.
  const bool isKnown = isVariable || (space != names::kGeneric && space != names::kPrivate);
  Value* segment = isKnown ? builder.getInt32(space) : segmentOfAddress(builder, pointer);
  if (isVariable) return segment;
  return builder.CreateSelect(builder.CreateIsNull(pointer), builder.getInt32(names::kGeneric),
                              segment);
}

}  // namespace

PreservedAnalyses LowerSegmentPass::run(Module& module, ModuleAnalysisManager&) {
  Function* function = module.getFunction(names::kSegment);
  if (!function || !function->isDeclaration()) return PreservedAnalyses::all();
  for (User* user : make_early_inc_range(function->users())) {
    auto* call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledFunction() != function) continue;
    call->replaceAllUsesWith(segmentOf(*call));
    call->eraseFromParent();
  }
  if (function->use_empty()) function->eraseFromParent();
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
