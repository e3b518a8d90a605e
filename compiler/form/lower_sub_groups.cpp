// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/lower_sub_groups.h"

#include <llvm/IR/InstIterator.h>

#include "analysis/call_instances.h"
#include "ir/abi_access.h"
#include "ir/names.h"
#include "ir/sub_groups.h"
#include "weft/abi/services.h"
#include "weft/abi/sub_group.h"

namespace weft::compiler {
namespace {

using namespace llvm;
using Kind = SubGroupOperation::Kind;

/// Replaces the operations in one function.
class MeetingCode {
 public:
  MeetingCode(Function& function, unsigned size) : function_(function), size_(size) {}

  void run() {
    SmallVector<CallInst*> calls;
    for (Instruction& instruction : instructions(function_))
      if (subGroupOperation(instruction)) calls.push_back(cast<CallInst>(&instruction));
    if (calls.empty()) return;
    const CallInstances instances(function_, calls);
    makeVariables(instances.mostWords());
    for (CallInst* call : calls) replace(*call, instances.of(*call));
  }

 private:
  void makeVariables(unsigned words) {
    IRBuilder<> builder(&*function_.getEntryBlock().begin());
    auto* bytes = ArrayType::get(builder.getInt8Ty(), sizeof(abi::SubGroupMeeting));
    meeting_ = builder.CreateAlloca(bytes, nullptr, "meeting");
    meeting_->setAlignment(Align(alignof(abi::SubGroupMeeting)));
    words_ = builder.CreateAlloca(ArrayType::get(builder.getInt32Ty(), words), nullptr, "instance");
  }

  Value* field(IRBuilder<>& builder, uint64_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), meeting_, offset);
  }

  void replace(CallInst& call, ArrayRef<Value*> instance) {
    IRBuilder<> builder(&call);
    const SubGroupOperation operation = *subGroupOperation(call);
    Value* item = function_.getArg(0);
    for (unsigned i = 0; i < instance.size(); ++i)
      builder.CreateStore(instance[i],
                          builder.CreateConstInBoundsGEP1_64(builder.getInt32Ty(), words_, i));
    builder.CreateStore(words_, field(builder, offsetof(abi::SubGroupMeeting, instance)));
    builder.CreateStore(builder.getInt32(instance.size()),
                        field(builder, offsetof(abi::SubGroupMeeting, instanceWords)));
    Value* brought = builder.getInt64(0);
    if (operation.kind != Kind::Barrier) brought = inWord(builder, call.getArgOperand(0));
    builder.CreateStore(brought, field(builder, offsetof(abi::SubGroupMeeting, value)));
    FunctionCallee service = function_.getParent()->getOrInsertFunction(
        abi::kSubGroupService, builder.getVoidTy(), builder.getPtrTy(), builder.getPtrTy());
    cast<Function>(service.getCallee())->setDoesNotThrow();
    builder.CreateCall(service, {item, meeting_});
    if (Value* result = resultOf(builder, operation, call)) call.replaceAllUsesWith(result);
    call.eraseFromParent();
  }

  static Value* inWord(IRBuilder<>& builder, Value* value) {
    Type* bits = builder.getIntNTy(value->getType()->getScalarSizeInBits());
    return builder.CreateZExt(builder.CreateBitCast(value, bits), builder.getInt64Ty());
  }
  /// A value of `type`, or vector of such, that inWord() made words of.
  static Value* outOfWords(IRBuilder<>& builder, Value* words, Type* type) {
    Type* bits = words->getType()->getWithNewBitWidth(type->getScalarSizeInBits());
    return builder.CreateBitCast(builder.CreateTrunc(words, bits),
                                 words->getType()->getWithNewType(type));
  }

  Value* resultOf(IRBuilder<>& builder, const SubGroupOperation& operation, CallInst& call) {
    Type* i64 = builder.getInt64Ty();
    Value* values = field(builder, offsetof(abi::SubGroupMeeting, values));
    SubGroupCode code(builder, size_);
    switch (operation.kind) {
      case Kind::Barrier:
        return nullptr;
      case Kind::Shuffle:
      case Kind::Broadcast: {  // those who take no part have brought zeros
        Value* place = builder.CreateAnd(call.getArgOperand(1), size_ - 1);
        Value* word = builder.CreateLoad(i64, builder.CreateInBoundsGEP(i64, values, place));
        return outOfWords(builder, word, call.getType());
      }
      default:
        break;
    }
    Value* words = builder.CreateAlignedLoad(FixedVectorType::get(i64, size_), values,
                                             Align(alignof(uint64_t)));
    if (operation.kind == Kind::Ballot) return code.bits(builder.CreateIsNotNull(words));
    Value* active = builder.CreateLoad(i64, field(builder, offsetof(abi::SubGroupMeeting, active)));
    active = builder.CreateBitCast(builder.CreateTrunc(active, builder.getIntNTy(size_)),
                                   FixedVectorType::get(builder.getInt1Ty(), size_));
    Value* argument = operation.kind == Kind::Cluster ? call.getArgOperand(1) : nullptr;
    Value* result =
        code.combine(operation, outOfWords(builder, words, call.getType()), active, argument);
    if (operation.isUniform()) return result;
    Value* lane =
        builder.CreateAnd(AbiAccess(builder, function_.getArg(0)).localLinearId(), size_ - 1);
    return builder.CreateExtractElement(result, lane);
  }

  Function& function_;
  const unsigned size_;
  AllocaInst* meeting_ = nullptr;
  AllocaInst* words_ = nullptr;
};

/// Tells a work-item's place by arithmetic.
void replacePlaces(Function& function, unsigned size) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    const bool isLane = isCallOf(instruction, names::kSubGroupLane);
    if (!isLane && !isCallOf(instruction, names::kSubGroupNumber)) continue;
    IRBuilder<> builder(&instruction);
    Value* linear =
        builder.CreateTrunc(cast<CallInst>(instruction).getArgOperand(0), builder.getInt32Ty());
    instruction.replaceAllUsesWith(isLane ? builder.CreateAnd(linear, size - 1)
                                          : builder.CreateLShr(linear, Log2_32(size)));
    instruction.eraseFromParent();
  }
}

void fixSize(Function& function, uint32_t size) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (!instruction.hasMetadata(names::kSubGroupSizeLoad)) continue;
    instruction.replaceAllUsesWith(ConstantInt::get(instruction.getType(), size));
    instruction.eraseFromParent();
  }
}

bool meets(Function& function) {
  return any_of(instructions(function), [](const Instruction& instruction) {
    return subGroupOperation(instruction).has_value();
  });
}

}  // namespace

PreservedAnalyses LowerSubGroupsPass::run(Module& module, ModuleAnalysisManager&) {
  if (size_ == 0) return PreservedAnalyses::all();
  for (Function& function : module) {
    if (function.isDeclaration()) continue;
    fixSize(function, size_);
    if (!isLast_ && function.hasFnAttribute(names::kSubGroupLanesAttribute)) continue;
    if (!hasFibers_ && meets(function)) {
      const StringRef why =
          function.getFnAttribute(names::kNoSubGroupLanesAttribute).getValueAsString();
      errors_->add("function '" + Twine(names::displayName(function)) +
                   "': its work-items, which meet in sub-groups, cannot be in lanes" +
                   (why.empty() ? "" : ": ") + why);
      return PreservedAnalyses::none();
    }
    MeetingCode(function, size_).run();
    replacePlaces(function, size_);
  }
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
