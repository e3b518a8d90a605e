// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/form_kernel.h"

#include <llvm/IR/InstIterator.h>

#include <expected>

#include "base/tuning.h"
#include "form/form_barrier_loops.h"
#include "form/lower_collectives.h"
#include "ir/abi_access.h"
#include "ir/barriers.h"
#include "ir/item_loops.h"
#include "ir/names.h"
#include "ir/separate_buffers_alias.h"
#include "prepare/inline_util.h"
#include "weft/abi/work_group.h"
#include "weft/compiler/launch_plan.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Whether work-groups are single rows.
bool isRow(const VariantKey& key) { return key.localSize[1] == 1 && key.localSize[2] == 1; }

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
    for (Attribute::AttrKind kind :
         {Attribute::NoUndef, Attribute::NonNull, Attribute::NoAlias, Attribute::NoCapture})
      entry_->addParamAttr(0, kind);
    if (key.form != Form::Fibers) entry_->addParamAttr(0, Attribute::ReadOnly);
    if (key.separateBuffers) markSeparateBuffers(*entry_, kernel);
    if (key.form == Form::Fibers && key.width != 1) entry_->addFnAttr(names::kLanesAttribute, "1");
    if (kernel.meetsInSubGroups && key.width != 1)
      entry_->addFnAttr(names::kSubGroupLanesAttribute);
    if (key.form == Form::GroupLoop || key.form == Form::BarrierLoops)
      entry_->addFnAttr(names::kWholeGroupsAttribute);
    start_ = BasicBlock::Create(context_, "entry", entry_);
    exit_ = BasicBlock::Create(context_, "exit", entry_);
    builder_.SetInsertPoint(exit_);
    builder_.CreateRetVoid();
    builder_.SetInsertPoint(start_);
  }

  /// Fails when the body's control flow does not suit the form.
  std::expected<void, std::string> build() {
    if (key_.form != Form::Fibers) return buildLoops();
    if (key_.width == 1)
      buildFiber();
    else
      buildLaneGroup();
    return {};
  }

 private:
  void buildFiber() {
    entry_->getArg(0)->setName("item");
    AbiAccess abi(builder_, entry_->getArg(0));
    CallInst* call = callBody(entry_->getArg(0), loadArguments(abi));
    builder_.CreateBr(exit_);
    inlineCall(*call);
  }

  /// A loop over the work-items of one fiber. It is not for running: barriers in it are for all of
  /// them at once, so that they have to become lanes, or one.
  void buildLaneGroup() {
    Argument* lanes = entry_->getArg(0);
    lanes->setName("lanes");
    AbiAccess first(builder_, lanes);
    auto constant = [&](Value* field) {
      for (const unsigned fact : {LLVMContext::MD_invariant_load, LLVMContext::MD_noundef})
        cast<LoadInst>(field)->setMetadata(fact, MDNode::get(context_, {}));
      return field;
    };
    std::array<Value*, 3> bases{};
    std::array<Value*, 3> localIds{};
    for (unsigned d = 0; d < 3; ++d) {
      bases[d] = constant(first.itemField(offsetof(abi::WorkItem, globalId) + 8 * d));
      localIds[d] = constant(first.itemField(offsetof(abi::WorkItem, localId) + 8 * d));
    }
    AbiAccess abi = makeItem(constant(first.group()));
    SmallVector<Value*> arguments = loadArguments(abi);
    Value* size = builder_.getInt64(key_.knownSize(0));
    if (key_.knownSize(0) == 0) size = abi.localSize(0);
    Value* left = builder_.CreateNUWSub(size, localIds[0]);
    FunctionCallee most =
        entry_->getParent()->getOrInsertFunction(names::kLaneCount, builder_.getInt64Ty());
    auto* placeholder = cast<Function>(most.getCallee());
    placeholder->setDoesNotAccessMemory();
    placeholder->setDoesNotThrow();
    placeholder->setWillReturn();
    Value* count = builder_.CreateBinaryIntrinsic(Intrinsic::umin, left, builder_.CreateCall(most));
    const ItemLoops loops(*item_, bases, {count, nullptr, nullptr});
    const ItemLoops::Nest nest = loops.openRow(*builder_.GetInsertBlock(), *exit_, localIds);
    builder_.SetInsertPoint(nest.body->getTerminator());
    inlineCall(*callBody(item_, arguments));
    // What waits is the fiber.
    for (Instruction& instruction : instructions(*entry_))
      if (isBarrier(instruction)) instruction.setOperand(0, lanes);
    ItemLoops::markParallel(*entry_, nest, {});
    ItemLoops::markLaneGroup(*nest.latch);
  }

  /// Makes the variable that holds the work-item, and all of it that work-items do not differ in.
  AbiAccess makeItem(Value* group) {
    item_ = builder_.CreateAlloca(ArrayType::get(builder_.getInt8Ty(), sizeof(abi::WorkItem)),
                                  nullptr, "item");
    item_->setAlignment(Align(alignof(abi::WorkItem)));
    item_->setMetadata(names::kItemVariable, MDNode::get(context_, {}));
    AbiAccess abi(builder_, item_);
    abi.setGroup(group);
    abi.setItemField(offsetof(abi::WorkItem, group), group);
    abi.setItemField(offsetof(abi::WorkItem, privateEnd),
                     builder_.CreateIntrinsic(Intrinsic::frameaddress, {builder_.getPtrTy()},
                                              {builder_.getInt32(0)}));
    return abi;
  }

  std::expected<void, std::string> buildLoops() {
    Argument* group = entry_->getArg(0);
    group->setName("group");
    AbiAccess abi = makeItem(group);
    SmallVector<Value*> arguments = loadArguments(abi);
    std::array<Value*, 3> bases{};
    std::array<Value*, 3> counts{};
    for (unsigned d = 0; d < 3; ++d) {
      bases[d] = abi.groupField(builder_.getInt64Ty(), offsetof(abi::Group, globalBase) + 8 * d);
      counts[d] = countOf(abi, bases[d], d);
    }
    if (key_.form == Form::Flat) skipEmptyBox(counts);
    ItemLoops loops(*item_, bases, counts, key_.rowDimension);
    if (runsRowsAsOne()) loops.joinRows(key_.localSize);
    if (key_.form == Form::BarrierLoops) {
      callBetween(*builder_.GetInsertBlock(), arguments);
      return formBarrierLoops(*entry_, *item_, loops, mostItems(), isRow(key_), key_.divergent);
    }
    const ItemLoops::Nest nest = loops.open(*builder_.GetInsertBlock(), *exit_);
    builder_.SetInsertPoint(nest.body->getTerminator());
    inlineCall(*callBody(item_, arguments));
    ItemLoops::markParallel(*entry_, nest, {});
    return {};
  }

  /// Calls the body on the way from `before` to the exit.
  void callBetween(BasicBlock& before, const SmallVector<Value*>& arguments) {
    BasicBlock* work = BasicBlock::Create(context_, "work", entry_, exit_);
    builder_.SetInsertPoint(&before);
    builder_.CreateBr(work);
    builder_.SetInsertPoint(work);
    CallInst* call = callBody(item_, arguments);
    builder_.CreateBr(exit_);
    inlineCall(*call);
  }

  /// Whether lanes would be idle in every row of a group, but not in a group as a whole, or
  /// sub-groups, which lanes are, span rows.
  bool runsRowsAsOne() const {
    const uint32_t rowItems = key_.localSize[key_.rowDimension];
    if (key_.width == 1 || key_.smallerGroups || mostItems() == rowItems) return false;
    return kernel_.meetsInSubGroups ? rowItems % key_.subGroupSize != 0
                                    : rowItems < tuning::kTinyRow;
  }

  /// Of a group, where that is known.
  uint64_t mostItems() const {
    return uint64_t{key_.localSize[0]} * key_.localSize[1] * key_.localSize[2];
  }

  Value* countOf(AbiAccess& abi, Value* base, unsigned d) {
    if (key_.knownSize(d) != 0) return builder_.getInt64(key_.knownSize(d));
    Value* count = nullptr;
    if (key_.form == Form::Flat)
      count = builder_.CreateNUWSub(
          abi.groupField(builder_.getInt64Ty(), offsetof(abi::Group, boxEnd) + 8 * d), base);
    else
      count = key_.localSize[d] != 0 ? abi.localSize(d, key_.localSize[d]) : abi.localSize(d);
    if (!key_.wholeRows || d != key_.rowDimension) return count;
    // As it is: said for the vectorisers.
    return builder_.CreateAnd(count, builder_.getInt64(-uint64_t{abi::kRowMultiple}));
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

  CallInst* callBody(Value* item, SmallVector<Value*> arguments) {
    if (names::hasWorkItem(body_)) arguments.insert(arguments.begin(), item);
    CallInst* call = builder_.CreateCall(&body_, arguments);
    for (Argument& parameter : body_.args())
      if (parameter.hasByValAttr())
        call->addParamAttr(parameter.getArgNo(),
                           Attribute::getWithByValType(context_, parameter.getParamByValType()));
    // byval copies with the alignment of the call.
    for (Argument& parameter : body_.args())
      if (parameter.hasByValAttr())
        call->addParamAttr(
            parameter.getArgNo(),
            Attribute::getWithAlignment(context_, parameter.getParamAlign().valueOrOne()));
    return call;
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
};

/// In the fiber form at width 1 the executor fills the item before the call and nobody changes it,
/// so its ids need not be loaded again after a barrier.
void fixItem(Module& module) {
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      if (instruction.hasMetadata(names::kItemLoad))
        instruction.setMetadata(LLVMContext::MD_invariant_load,
                                MDNode::get(module.getContext(), {}));
}

/// Denormal numbers are zeros in all functions of a kernel or in none, wherever they come from:
/// MXCSR is set when the kernel is run. It covers doubles as well and not half, which share an
/// attribute that is left alone: for doubles nothing depends on what LLVM assumes.
void settleDenormals(Module& module, bool areZero) {
  for (Function& function : module) {
    if (function.isDeclaration()) continue;
    function.removeFnAttr("denormal-fp-math");
    if (areZero)
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    else
      function.removeFnAttr("denormal-fp-math-f32");
  }
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
  if (key_.form == Form::Fibers) lowerCollectives(module);
  if (auto built = EntryBuilder(module, *body, kernel_, key_, symbol_).build(); !built) {
    errors_->add("kernel '" + kernel_.name + "': " + built.error());
    return PreservedAnalyses::none();
  }
  if (key_.form == Form::Fibers && key_.width == 1) fixItem(module);
  settleDenormals(module, kernel_.denormsAreZero);
  eraseUnusedFunctions(module);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
