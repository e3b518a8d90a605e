// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/form_kernel.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>

#include "passes/abi_access.h"
#include "passes/inline_util.h"
#include "passes/names.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// One counted loop under construction: [0, count), bottom-tested.
struct CountedLoop {
  PHINode* index;
  BasicBlock* latch;  ///< where the body must end up; holds the back branch
};

/// Builds one entry function.
class EntryBuilder {
 public:
  EntryBuilder(Module& module, Function& body, const KernelInfo& kernel, const VariantKey& key,
               const std::string& symbol)
      : context_(module.getContext()), body_(body), kernel_(kernel), key_(key), builder_(context_) {
    auto* type = FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy()}, false);
    entry_ = Function::Create(type, GlobalValue::ExternalLinkage, symbol, &module);
    entry_->setDSOLocal(true);
    entry_->addFnAttr(Attribute::NoUnwind);
    for (const char* name : {"denormal-fp-math", "denormal-fp-math-f32", "unsafe-fp-math"})
      if (body.hasFnAttribute(name)) entry_->addFnAttr(body.getFnAttribute(name));
    for (Attribute::AttrKind kind :
         {Attribute::NoUndef, Attribute::NonNull, Attribute::NoAlias, Attribute::NoCapture})
      entry_->addParamAttr(0, kind);
    if (key.form != Form::Fibers) entry_->addParamAttr(0, Attribute::ReadOnly);
    start_ = BasicBlock::Create(context_, "entry", entry_);
    exit_ = BasicBlock::Create(context_, "exit", entry_);
    builder_.SetInsertPoint(exit_);
    builder_.CreateRetVoid();
    builder_.SetInsertPoint(start_);
  }

  void build() {
    key_.form == Form::Fibers ? buildFiber() : buildLoops();
    inlineCall(*call_);
    if (key_.form != Form::Fibers) markParallel();
  }

 private:
  void buildFiber() {
    entry_->getArg(0)->setName("item");
    AbiAccess abi(builder_, entry_->getArg(0));
    callBody(entry_->getArg(0), loadArguments(abi));
    builder_.CreateBr(exit_);
  }

  void buildLoops() {
    Argument* group = entry_->getArg(0);
    group->setName("group");
    item_ = builder_.CreateAlloca(ArrayType::get(builder_.getInt8Ty(), sizeof(abi::WorkItem)),
                                  nullptr, "item");
    item_->setAlignment(Align(alignof(abi::WorkItem)));
    AbiAccess abi(builder_, item_);
    abi.setGroup(group);
    SmallVector<Value*> arguments = loadArguments(abi);
    std::array<Value*, 3> bases{};
    std::array<Value*, 3> counts{};
    for (unsigned d = 0; d < 3; ++d) {
      bases[d] = abi.groupField(builder_.getInt64Ty(), offsetof(abi::Group, globalBase) + 8 * d);
      counts[d] = countOf(abi, bases[d], d);
    }
    storeToItem(group, offsetof(abi::WorkItem, group));
    storeToItem(builder_.CreateIntrinsic(Intrinsic::frameaddress, {builder_.getPtrTy()},
                                         {builder_.getInt32(0)}),
                offsetof(abi::WorkItem, privateEnd));
    if (key_.form == Form::Flat) skipEmptyBox(counts);
    CountedLoop rows = openLoop(builder_.CreateMul(counts[1], counts[2]), exit_, "row");
    auto [y, z] = rowIds(rows, counts[1]);
    items_ = openLoop(counts[0], rows.latch, "item");
    const std::array<Value*, 3> ids{items_.index, y, z};
    for (unsigned d = 0; d < 3; ++d) {
      storeToItem(builder_.CreateAdd(bases[d], ids[d], "", /*NUW=*/true),
                  offsetof(abi::WorkItem, globalId) + 8 * d);
      storeToItem(ids[d], offsetof(abi::WorkItem, localId) + 8 * d);
    }
    callBody(item_, arguments);
    builder_.CreateBr(items_.latch);
  }

  /// Ids in dimensions 1 and 2 of the row that the loop has come to.
  std::pair<Value*, Value*> rowIds(const CountedLoop& rows, Value* countY) {
    Type* i64 = builder_.getInt64Ty();
    BasicBlock* header = rows.index->getParent();
    PHINode* y = builder_.CreatePHI(i64, 2, "id.y");
    PHINode* z = builder_.CreatePHI(i64, 2, "id.z");
    IRBuilder<> latch(rows.latch, rows.latch->getFirstInsertionPt());
    Value* next = latch.CreateAdd(y, latch.getInt64(1), "", /*NUW=*/true, /*NSW=*/true);
    Value* wraps = latch.CreateICmpEQ(next, countY);
    for (BasicBlock* before : predecessors(header)) {
      bool again = before == rows.latch;
      y->addIncoming(
          again ? latch.CreateSelect(wraps, latch.getInt64(0), next) : builder_.getInt64(0),
          before);
      z->addIncoming(again ? latch.CreateAdd(z, latch.CreateZExt(wraps, i64), "", /*NUW=*/true)
                           : builder_.getInt64(0),
                     before);
    }
    return {y, z};
  }

  Value* countOf(AbiAccess& abi, Value* base, unsigned d) {
    if (key_.form == Form::Flat)
      return builder_.CreateNUWSub(
          abi.groupField(builder_.getInt64Ty(), offsetof(abi::Group, boxEnd) + 8 * d), base);
    if (key_.localSize[d] != 0) return builder_.getInt64(key_.localSize[d]);
    return abi.localSize(d);
  }

  /// The loops test at the bottom; a group is never empty but a box might be.
  void skipEmptyBox(const std::array<Value*, 3>& counts) {
    Value* empty = builder_.getFalse();
    for (Value* count : counts)
      empty = builder_.CreateOr(empty, builder_.CreateICmpEQ(count, builder_.getInt64(0)));
    BasicBlock* loops = BasicBlock::Create(context_, "loops", entry_, exit_);
    builder_.CreateCondBr(empty, exit_, loops);
    builder_.SetInsertPoint(loops);
  }

  /// Opens a loop that goes on to `after`; what is emitted next is its body.
  CountedLoop openLoop(Value* count, BasicBlock* after, const char* name) {
    BasicBlock* before = builder_.GetInsertBlock();
    BasicBlock* header = BasicBlock::Create(context_, Twine("loop.") + name, entry_, exit_);
    BasicBlock* latch = BasicBlock::Create(context_, Twine("next.") + name, entry_, exit_);
    builder_.CreateBr(header);
    builder_.SetInsertPoint(latch);
    PHINode* index = PHINode::Create(builder_.getInt64Ty(), 2, Twine("id.") + name, header);
    Value* next = builder_.CreateAdd(index, builder_.getInt64(1), "", /*NUW=*/true, /*NSW=*/true);
    builder_.CreateCondBr(builder_.CreateICmpEQ(next, count), after, header);
    index->addIncoming(builder_.getInt64(0), before);
    index->addIncoming(next, latch);
    builder_.SetInsertPoint(header);
    return {index, latch};
  }

  void storeToItem(Value* value, uint64_t offset) {
    builder_.CreateAlignedStore(
        value, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), item_, offset), Align(8));
  }

  SmallVector<Value*> loadArguments(AbiAccess& abi) {
    SmallVector<Value*> values;
    if (kernel_.arguments.empty()) return values;
    Value* block = abi.launchField(builder_.getPtrTy(), offsetof(abi::Launch, arguments));
    unsigned hidden = names::hasWorkItem(body_) ? 1 : 0;
    for (unsigned i = 0; i < kernel_.arguments.size(); ++i) {
      const ArgumentInfo& info = kernel_.arguments[i];
      Argument* parameter = body_.getArg(i + hidden);
      Value* place = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), block, info.offset);
      if (info.kind == ArgumentKind::LocalPointer) {
        Value* offset = loadArgument(builder_.getInt64Ty(), place, 8);
        values.push_back(
            builder_.CreateInBoundsGEP(builder_.getInt8Ty(), abi.localMemory(), offset));
      } else if (parameter->hasByValAttr()) {
        values.push_back(place);  // the call copies it
      } else {
        values.push_back(loadArgument(parameter->getType(), place, info.alignment));
      }
      values.back()->setName(parameter->getName());
    }
    return values;
  }

  Value* loadArgument(Type* type, Value* place, uint64_t alignment) {
    LoadInst* load = builder_.CreateAlignedLoad(type, place, Align(alignment));
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
    return load;
  }

  void callBody(Value* item, SmallVector<Value*> arguments) {
    if (names::hasWorkItem(body_)) arguments.insert(arguments.begin(), item);
    call_ = builder_.CreateCall(&body_, arguments);
    for (Argument& parameter : body_.args())
      if (parameter.hasByValAttr())
        call_->addParamAttr(parameter.getArgNo(),
                            Attribute::getWithByValType(context_, parameter.getParamByValType()));
    // byval copies with the alignment of the call.
    for (Argument& parameter : body_.args())
      if (parameter.hasByValAttr())
        call_->addParamAttr(
            parameter.getArgNo(),
            Attribute::getWithAlignment(context_, parameter.getParamAlign().valueOrOne()));
  }

  /// Whether an access through `pointer` cannot meet a variable that the turns of the loop
  /// share. The entry's own variables are all there is of those.
  static bool isIndependent(const Value* pointer) {
    switch (pointer->getType()->getPointerAddressSpace()) {
      case names::kGlobal:
      case names::kConstant:
      case names::kLocal:
        return true;
      default:
        break;
    }
    SmallVector<const Value*> objects;
    getUnderlyingObjects(pointer, objects);
    return all_of(objects, [](const Value* object) {
      if (isa<Argument>(object)) return true;
      const auto* load = dyn_cast<LoadInst>(object);
      return load && load->hasMetadata(LLVMContext::MD_invariant_load);
    });
  }

  void markParallel() {
    MDNode* accessGroup = MDNode::getDistinct(context_, {});
    for (Instruction& instruction : instructions(*entry_)) {
      const Value* pointer = getLoadStorePointerOperand(&instruction);
      if (pointer && isIndependent(pointer))
        instruction.setMetadata(LLVMContext::MD_access_group, accessGroup);
    }
    MDNode* parallel = MDNode::get(
        context_, {MDString::get(context_, "llvm.loop.parallel_accesses"), accessGroup});
    MDNode* loop = MDNode::getDistinct(context_, {nullptr, parallel});
    loop->replaceOperandWith(0, loop);
    items_.latch->getTerminator()->setMetadata(LLVMContext::MD_loop, loop);
  }

  LLVMContext& context_;
  Function& body_;
  const KernelInfo& kernel_;
  const VariantKey& key_;
  IRBuilder<> builder_;
  Function* entry_ = nullptr;
  BasicBlock* start_ = nullptr;
  BasicBlock* exit_ = nullptr;
  AllocaInst* item_ = nullptr;
  CallInst* call_ = nullptr;
  CountedLoop items_{};
};

/// Replaces loads of the local size where the variant fixes it.
void fixLocalSize(Module& module, const std::array<uint32_t, 3>& sizes) {
  for (Function& function : module) {
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      const MDNode* node = instruction.getMetadata(names::kLocalSizeLoad);
      if (!node) continue;
      uint64_t dimension = mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue();
      if (dimension >= sizes.size() || sizes[dimension] == 0) continue;
      instruction.replaceAllUsesWith(ConstantInt::get(instruction.getType(), sizes[dimension]));
      instruction.eraseFromParent();
    }
  }
}

/// In the fiber form the executor fills the item before the call and nobody changes it, so its
/// ids need not be loaded again after a barrier.
void fixItem(Module& module) {
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      if (instruction.hasMetadata(names::kItemLoad))
        instruction.setMetadata(LLVMContext::MD_invariant_load,
                                MDNode::get(module.getContext(), {}));
}

/// Why `key` cannot be had for the kernel; empty when it can.
std::string objection(const KernelInfo& kernel, const VariantKey& key) {
  if (key.width != 1) return "SIMD width " + std::to_string(key.width) + " is not supported";
  switch (key.form) {
    case Form::Flat:
      return kernel.observesGroup || kernel.usesBarrier
                 ? "a kernel that observes its work-group has no flat form"
                 : "";
    case Form::GroupLoop:
      return kernel.usesBarrier ? "a kernel with barriers has no group-loop form" : "";
    case Form::Fibers:
      return "";
    case Form::BarrierLoops:
      return "the barrier-loop form is not supported";
  }
  return "unknown form";
}

}  // namespace

PreservedAnalyses FormKernelPass::run(Module& module, ModuleAnalysisManager&) {
  std::string reason = objection(kernel_, key_);
  Function* body = module.getFunction(body_);
  if (reason.empty() && (!body || body->isDeclaration())) reason = "it has no body";
  if (reason.empty() &&
      body->arg_size() != kernel_.arguments.size() + (names::hasWorkItem(*body) ? 1 : 0))
    reason = "its description does not match its code";
  if (!reason.empty()) {
    errors_->add("kernel '" + kernel_.name + "': " + reason);
    return PreservedAnalyses::all();
  }
  body->setLinkage(GlobalValue::InternalLinkage);
  body->removeFnAttr(Attribute::NoInline);
  EntryBuilder(module, *body, kernel_, key_, symbol_).build();
  fixLocalSize(module, key_.localSize);
  if (key_.form == Form::Fibers) fixItem(module);
  eraseUnusedFunctions(module);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
