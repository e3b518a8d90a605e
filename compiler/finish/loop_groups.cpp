// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/loop_groups.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

#include "base/tuning.h"
#include "ir/names.h"
#include "prepare/inline_util.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

using namespace llvm;

constexpr uint64_t kId = offsetof(abi::Group, groupId);
constexpr uint64_t kBase = offsetof(abi::Group, globalBase);
constexpr uint64_t kFieldBytes = 8;

class GroupLoop {
 public:
  explicit GroupLoop(Function& function)
      : function_(function),
        group_(*function.getArg(0)),
        body_(function.getEntryBlock()),
        start_(BasicBlock::Create(function.getContext(), "groups", &function, &body_)) {}

  void build() {
    const bool growsStack = moveVariables();
    IRBuilder<> start(start_);
    Value* firstId = field(start, kId);
    Value* firstBase = field(start, kBase);
    Value* size = field(start, offsetof(abi::Group, localSize));
    Value* end = field(start, offsetof(abi::Group, boxEnd));
    start.CreateBr(&body_);
    IRBuilder<> iteration(&body_, body_.begin());
    id_ = iteration.CreatePHI(iteration.getInt64Ty(), 2, "group.id");
    base_ = iteration.CreatePHI(iteration.getInt64Ty(), 2, "group.base");
    Value* stack = growsStack ? iteration.CreateStackSave() : nullptr;

    BasicBlock* next = BasicBlock::Create(function_.getContext(), "next.group", &function_);
    BasicBlock* done = BasicBlock::Create(function_.getContext(), "groups.done", &function_);
    for (BasicBlock& block : function_)
      if (auto* leave = dyn_cast_if_present<ReturnInst>(block.getTerminator()))
        ReplaceInstWithInst(leave, BranchInst::Create(next));
    IRBuilder<> latch(next);
    if (stack) latch.CreateStackRestore(stack);
    Value* nextId = latch.CreateAdd(id_, latch.getInt64(1), "", /*NUW=*/true);
    Value* nextBase = latch.CreateAdd(base_, size);
    latch.CreateCondBr(latch.CreateICmpULT(nextBase, end), &body_, done);
    IRBuilder<>(done).CreateRetVoid();
    id_->addIncoming(firstId, start_);
    id_->addIncoming(nextId, next);
    base_->addIncoming(firstBase, start_);
    base_->addIncoming(nextBase, next);

    followFields(group_, 0);
    if (!others_.empty()) giveCopy(iteration);
    hoistShared();
    if (!others_.empty()) admitChanges();
  }

 private:
  /// Moves the function's variables to its new start. Whether there are some of varying size.
  bool moveVariables() {
    bool varies = false;
    SmallVector<AllocaInst*> variables;
    for (BasicBlock& block : function_)
      for (Instruction& instruction : block)
        if (auto* variable = dyn_cast<AllocaInst>(&instruction)) {
          if (&block == &body_ && isa<ConstantInt>(variable->getArraySize()))
            variables.push_back(variable);
          else
            varies = true;
        }
    for (AllocaInst* variable : variables) {
      variable->removeFromParent();
      variable->insertInto(start_, start_->end());
    }
    return varies;
  }

  Value* field(IRBuilder<>& builder, uint64_t offset) {
    LoadInst* load = builder.CreateAlignedLoad(
        builder.getInt64Ty(),
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &group_, offset), Align(8));
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(function_.getContext(), {}));
    return load;
  }

  /// Replaces loads of what changes from group to group, and collects uses of another kind.
  void followFields(Value& pointer, uint64_t offset) {
    for (Use& use : make_early_inc_range(pointer.uses())) {
      auto* user = cast<Instruction>(use.getUser());
      if (user->getParent() == start_) continue;
      APInt more(64, 0);
      auto* address = dyn_cast<GetElementPtrInst>(user);
      auto* load = dyn_cast<LoadInst>(user);
      if (address && address->accumulateConstantOffset(function_.getDataLayout(), more))
        followFields(*address, offset + more.getZExtValue());
      else if (load && load->isSimple())
        follow(*load, offset);
      else
        others_.emplace_back(&use, offset);
    }
  }

  static bool overlaps(uint64_t begin, uint64_t end, uint64_t field) {
    return begin < field + kFieldBytes && field < end;
  }

  /// Puts what changes into what is loaded `offset` bytes into the group: the optimiser loads parts
  /// of fields, and several at once.
  void follow(LoadInst& load, uint64_t offset) {
    const uint64_t bytes = function_.getDataLayout().getTypeStoreSize(load.getType());
    if (!overlaps(offset, offset + bytes, kId) && !overlaps(offset, offset + bytes, kBase)) return;
    const auto parts = changingParts(load, offset, bytes);
    if (!parts) return readFromCopy(load, offset);
    IRBuilder<> builder(load.getNextNode());
    // The rest is the same for all groups, and loaded before the loop.
    Value* whole = &load;
    SmallPtrSet<const Value*, 8> own;
    for (const Part& part : *parts) {
      Value* shifted = part.bits ? builder.CreateLShr(part.field, part.bits) : part.field;
      Value* value = builder.CreateTrunc(shifted, load.getType()->getScalarType());
      whole = load.getType()->isVectorTy() ? builder.CreateInsertElement(whole, value, part.element)
                                           : value;
      own.insert(whole);
    }
    load.replaceUsesWithIf(whole, [&](const Use& use) { return !own.contains(use.getUser()); });
    if (load.use_empty()) load.eraseFromParent();
  }

  /// One element of what is loaded: a field, from so many bits on.
  struct Part {
    unsigned element;
    Value* field;
    uint64_t bits;
  };

  /// Nothing where elements hold more than a part of one field each.
  std::optional<SmallVector<Part>> changingParts(const LoadInst& load, uint64_t offset,
                                                 uint64_t bytes) const {
    const auto* vector = dyn_cast<FixedVectorType>(load.getType());
    const auto* element = dyn_cast<IntegerType>(load.getType()->getScalarType());
    const unsigned count = vector ? vector->getNumElements() : 1;
    if (!element || element->getBitWidth() % 8 != 0 || element->getBitWidth() / 8 * count != bytes)
      return std::nullopt;
    SmallVector<Part> parts;
    for (unsigned i = 0; i < count; ++i) {
      const uint64_t begin = offset + i * (bytes / count);
      const uint64_t end = begin + bytes / count;
      for (auto [field, value] : {std::pair(kId, id_), std::pair(kBase, base_)}) {
        if (!overlaps(begin, end, field)) continue;
        if (begin < field || end > field + kFieldBytes) return std::nullopt;
        parts.push_back({i, value, 8 * (begin - field)});
      }
    }
    return parts;
  }

  void readFromCopy(LoadInst& load, uint64_t offset) {
    others_.emplace_back(&load.getOperandUse(LoadInst::getPointerOperandIndex()), offset);
  }

  /// Functions out of line that ask where they are get a group that is kept up to date.
  void giveCopy(IRBuilder<>& iteration) {
    IRBuilder<> start(start_->getTerminator());
    AllocaInst* copy =
        start.CreateAlloca(ArrayType::get(start.getInt8Ty(), sizeof(abi::Group)), nullptr, "group");
    copy->setAlignment(Align(alignof(abi::Group)));
    start.CreateMemCpyInline(copy, copy->getAlign(), &group_, copy->getAlign(),
                             start.getInt64(sizeof(abi::Group)));
    auto at = [&](uint64_t offset) {
      return iteration.CreateConstInBoundsGEP1_64(iteration.getInt8Ty(), copy, offset);
    };
    iteration.CreateStore(id_, at(kId));
    iteration.CreateStore(base_, at(kBase));
    for (auto [use, offset] : others_) use->set(offset == 0 ? copy : at(offset));
  }

  /// What is left in the loop may be loaded from the copy, by addresses that nobody can follow: the
  /// code generator must not move it before the loop.
  void admitChanges() {
    for (BasicBlock& block : function_) {
      if (&block == start_) continue;
      for (Instruction& instruction : block)
        if (isa<LoadInst>(instruction))
          instruction.setMetadata(LLVMContext::MD_invariant_load, nullptr);
    }
  }

  /// Moves loads of what no group changes, the arguments of the kernel among them, before the loop.
  void hoistShared() {
    for (Instruction& instruction : make_early_inc_range(body_)) {
      const bool isShared =
          isa<GetElementPtrInst>(instruction) ||
          (isa<LoadInst>(instruction) && instruction.hasMetadata(LLVMContext::MD_invariant_load));
      const bool isKnown = all_of(instruction.operands(), [&](const Value* operand) {
        const auto* value = dyn_cast<Instruction>(operand);
        return isa<Constant>(operand) || operand == &group_ ||
               (value && value->getParent() == start_ && !isa<AllocaInst>(value));
      });
      if (isShared && isKnown) instruction.moveBefore(start_->getTerminator());
    }
  }

  Function& function_;
  Argument& group_;
  BasicBlock& body_;
  BasicBlock* start_;
  PHINode* id_ = nullptr;
  PHINode* base_ = nullptr;
  SmallVector<std::pair<Use*, uint64_t>> others_;  ///< with the offset of what is used
};

/// Whether the way to a group and back may matter beside what it does.
bool isShort(const Function& function) {
  SmallVector<std::pair<const BasicBlock*, const BasicBlock*>> back;
  FindFunctionBackedges(function, back);
  return back.empty() && instructionCount(function) <= tuning::kLoopedEntry;
}

/// A function that calls `entry`, in its place.
Function& makeCaller(Function& entry) {
  const std::string name = entry.getName().str();
  entry.setName(name + ".group");
  Function* caller =
      Function::Create(entry.getFunctionType(), entry.getLinkage(), name, entry.getParent());
  caller->copyAttributesFrom(&entry);
  caller->getArg(0)->setName(entry.getArg(0)->getName());
  entry.setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> builder(BasicBlock::Create(entry.getContext(), "entry", caller));
  builder.CreateCall(&entry, {caller->getArg(0)});
  builder.CreateRetVoid();
  return *caller;
}

}  // namespace

PreservedAnalyses LoopGroupsPass::run(Module& module, ModuleAnalysisManager&) {
  SmallVector<Function*> entries;
  for (Function& function : module)
    if (function.hasFnAttribute(names::kWholeGroupsAttribute)) entries.push_back(&function);
  for (Function* entry : entries) {
    entry->removeFnAttr(names::kWholeGroupsAttribute);
    const bool isLoop = how_ == How::Best && isShort(*entry);
    GroupLoop(isLoop ? *entry : makeCaller(*entry)).build();
  }
  return entries.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

}  // namespace weft::compiler
