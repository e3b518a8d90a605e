// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Device-side enqueue: queues, events, and functions that are enqueued as Clang's block kernels
// are.
#include <llvm/IR/Constants.h>

#include "frontend/spirv/reader.h"
#include "ir/names.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Value;

/// What a program captures by name; more is a mistake.
constexpr uint64_t kMostBlockBytes = 1 << 20;

/// A value of an opaque type.
Value* object(Emitter& emitter, const Instruction& i, size_t index, SpvOp op) {
  const TypedValue value = emitter.typed(i.operand(index), i);
  i.require(emitter.reader.types.get(value.type, i).op == op, "has an operand of the wrong type");
  return value.value;
}

Value* number(Emitter& emitter, const Instruction& i, size_t index) {
  Value* value = emitter.operand(i, index);
  i.require(value->getType()->isIntegerTy(32), "has an operand of the wrong type");
  return value;
}

Value* genericPointer(Emitter& emitter, const Instruction& i, size_t index) {
  llvm::IRBuilder<>& b = emitter.builder;
  Value* pointer = emitter.operand(i, index);
  i.require(pointer->getType()->isPointerTy(), "has an operand that is no pointer");
  llvm::Type* wanted = b.getPtrTy(names::kGeneric);
  if (llvm::isa<llvm::ConstantPointerNull>(pointer)) return llvm::Constant::getNullValue(wanted);
  return b.CreateAddrSpaceCast(pointer, wanted);
}

/// A variable of the function, which loops do not make again.
llvm::AllocaInst* place(Emitter& emitter, llvm::Type* type) {
  const llvm::IRBuilder<>::InsertPointGuard guard(emitter.builder);
  llvm::BasicBlock& entry = emitter.builder.GetInsertBlock()->getParent()->getEntryBlock();
  emitter.builder.SetInsertPoint(&entry, entry.getFirstInsertionPt());
  return emitter.builder.CreateAlloca(type);
}

Value* zero(Emitter& emitter) {
  llvm::AllocaInst* made = place(emitter, emitter.builder.getInt64Ty());
  emitter.builder.CreateStore(emitter.builder.getInt64(0), made);
  return made;
}

/// ndrange_t as the library has it: dimensions, offset, global and local size.
llvm::StructType* rangeType(Emitter& emitter) {
  llvm::IRBuilder<>& b = emitter.builder;
  llvm::Type* sizes = llvm::ArrayType::get(b.getInt64Ty(), 3);
  return llvm::StructType::get(emitter.reader.context, {b.getInt32Ty(), sizes, sizes, sizes});
}

/// The address of a range. Translators give the address of a variable where a value is called for.
Value* rangeAt(Emitter& emitter, const Instruction& i, size_t index) {
  const TypedValue range = emitter.typed(i.operand(index), i);
  llvm::Type* type = range.value->getType();
  if (type->isPointerTy()) {
    i.require(type->getPointerAddressSpace() == names::kPrivate,
              "has a range in a wrong storage class");
    const uint32_t pointee = emitter.reader.types.pointee(range.type, i);
    type = emitter.reader.types.memoryType(pointee, i);
    i.require(type == rangeType(emitter), "has a range of the wrong type");
    return range.value;
  }
  i.require(type == rangeType(emitter), "has a range of the wrong type");
  llvm::AllocaInst* made = place(emitter, type);
  emitter.builder.CreateStore(range.value, made);
  return made;
}

/// (global size, local size, offset), each a number or an array of two or three.
Value* buildRange(Emitter& emitter, const Instruction& i, int) {
  llvm::IRBuilder<>& b = emitter.builder;
  llvm::StructType* type = rangeType(emitter);
  i.require(emitter.type(i) == type, "has a result of the wrong type");
  Value* range = llvm::Constant::getNullValue(type);
  constexpr unsigned kMember[] = {2, 3, 1};
  uint64_t dimensions = 0;
  for (unsigned k = 0; k < 3; ++k) {
    Value* sizes = emitter.operand(i, k);
    const auto* array = llvm::dyn_cast<llvm::ArrayType>(sizes->getType());
    llvm::Type* element = array ? array->getElementType() : sizes->getType();
    const uint64_t count = array ? array->getNumElements() : 1;
    i.require(element->isIntegerTy(64) && count <= 3, "has sizes of the wrong type");
    i.require(k == 0 || count == dimensions, "has sizes of different dimensions");
    dimensions = count;
    for (unsigned d = 0; d < count; ++d)
      range = b.CreateInsertValue(range, array ? b.CreateExtractValue(sizes, d) : sizes,
                                  {kMember[k], d});
  }
  // Dimensions there are not are one item wide.
  for (auto d = static_cast<unsigned>(dimensions); d < 3; ++d)
    range = b.CreateInsertValue(range, b.getInt64(1), {2, d});
  // A local size that is given is given for all of them; none at all is zeros.
  Value* isGiven = b.CreateICmpNE(b.CreateExtractValue(range, {3, 0}), b.getInt64(0));
  for (auto d = static_cast<unsigned>(dimensions); d < 3; ++d)
    range = b.CreateInsertValue(range, b.CreateZExt(isGiven, b.getInt64Ty()), {3, d});
  return b.CreateInsertValue(range, b.getInt32(static_cast<uint32_t>(dimensions)), 0);
}

/// The address of the kernel that a function is enqueued as, by which LowerBlocks numbers it.
Value* invoked(Emitter& emitter, const Instruction& i, size_t index) {
  const auto found = emitter.reader.blockKernels.find(i.operand(index));
  i.require(found != emitter.reader.blockKernels.end(),
            "enqueues what is no function of a generic pointer");
  return llvm::ConstantExpr::getAddrSpaceCast(found->second,
                                              emitter.builder.getPtrTy(names::kGeneric));
}

/// The sizes of local arguments, which are numbers, or with translators pointers to them.
Value* localSizes(Emitter& emitter, const Instruction& i, size_t first) {
  llvm::IRBuilder<>& b = emitter.builder;
  const size_t count = i.operands.size() - first;
  if (count == 0) return llvm::ConstantPointerNull::get(b.getPtrTy(names::kPrivate));
  llvm::AllocaInst* sizes = place(emitter, llvm::ArrayType::get(b.getInt64Ty(), count));
  for (size_t k = 0; k < count; ++k) {
    const TypedValue size = emitter.typed(i.operand(first + k), i);
    Value* value = size.value;
    if (value->getType()->isPointerTy()) {
      const uint32_t pointee = emitter.reader.types.pointee(size.type, i);
      value = b.CreateLoad(emitter.reader.types.memoryType(pointee, i), value);
    }
    i.require(value->getType()->isIntegerTy() && !value->getType()->isIntegerTy(1),
              "has a local size that is no integer");
    b.CreateStore(b.CreateZExtOrTrunc(value, b.getInt64Ty()),
                  b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), sizes, k));
  }
  return sizes;
}

/// (queue, flags, range, waits, events, event, function, parameter, its size and alignment, sizes
/// of local arguments...)
Value* enqueueKernel(Emitter& emitter, const Instruction& i, int) {
  llvm::IRBuilder<>& b = emitter.builder;
  constexpr size_t kLocalSizes = 10;
  const uint64_t bytes = emitter.constant(i, 8);
  i.require(bytes <= kMostBlockBytes, "has a parameter that is too large");
  // A function without data is given eight bytes, as children always have some.
  Value* data = bytes == 0 ? b.CreateAddrSpaceCast(zero(emitter), b.getPtrTy(names::kGeneric))
                           : genericPointer(emitter, i, 7);
  const llvm::SmallVector<Value*> arguments = {
      object(emitter, i, 0, SpvOpTypeQueue),
      number(emitter, i, 1),
      rangeAt(emitter, i, 2),
      number(emitter, i, 3),
      genericPointer(emitter, i, 4),
      genericPointer(emitter, i, 5),
      invoked(emitter, i, 6),
      data,
      b.getInt32(static_cast<uint32_t>(bytes == 0 ? sizeof(uint64_t) : bytes)),
      b.getInt32(static_cast<uint32_t>(i.operands.size() - kLocalSizes)),
      localSizes(emitter, i, kLocalSizes)};
  return emitter.call(i, "__weft_enqueue_function", b.getInt32Ty(), arguments);
}

Value* enqueueMarker(Emitter& emitter, const Instruction& i, int) {
  return emitter.call(i, "_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_",
                      emitter.builder.getInt32Ty(),
                      {object(emitter, i, 0, SpvOpTypeQueue), number(emitter, i, 1),
                       genericPointer(emitter, i, 2), genericPointer(emitter, i, 3)});
}

enum Query {
  GroupSize,
  PreferredMultiple,
  SubGroupCount,
  MaxSubGroupSize,
  MaxSubGroups,
  LocalSizeForSubGroups,
};

/// ([range or number,] function, parameter, its size and alignment)
Value* queryKernel(Emitter& emitter, const Instruction& i, int which) {
  constexpr const char* kNames[] = {"__get_kernel_work_group_size_impl",
                                    "__get_kernel_preferred_work_group_size_multiple_impl",
                                    "__get_kernel_sub_group_count_for_ndrange_impl",
                                    "__get_kernel_max_sub_group_size_for_ndrange_impl",
                                    "__weft_kernel_max_sub_groups",
                                    "__weft_kernel_local_size_for_sub_groups"};
  const bool hasRange = which == SubGroupCount || which == MaxSubGroupSize;
  llvm::SmallVector<Value*> arguments;
  if (hasRange) arguments.push_back(rangeAt(emitter, i, 0));
  if (which == LocalSizeForSubGroups) arguments.push_back(number(emitter, i, 0));
  const size_t first = arguments.size();
  arguments.push_back(invoked(emitter, i, first));
  arguments.push_back(genericPointer(emitter, i, first + 1));
  return emitter.call(i, kNames[which], emitter.builder.getInt32Ty(), arguments);
}

Value* defaultQueue(Emitter& emitter, const Instruction& i, int) {
  return emitter.call(i, "_Z17get_default_queuev", emitter.builder.getPtrTy(names::kPrivate), {});
}

Value* createEvent(Emitter& emitter, const Instruction& i, int) {
  return emitter.call(i, "_Z17create_user_eventv", emitter.builder.getPtrTy(names::kPrivate), {});
}

Value* countEvent(Emitter& emitter, const Instruction& i, int isRelease) {
  emitter.call(i, isRelease ? "_Z13release_event12ocl_clkevent" : "_Z12retain_event12ocl_clkevent",
               emitter.builder.getVoidTy(), {object(emitter, i, 0, SpvOpTypeDeviceEvent)});
  return nullptr;
}

Value* isValidEvent(Emitter& emitter, const Instruction& i, int) {
  return emitter.call(i, "_Z14is_valid_event12ocl_clkevent", emitter.builder.getInt1Ty(),
                      {object(emitter, i, 0, SpvOpTypeDeviceEvent)});
}

Value* setEventStatus(Emitter& emitter, const Instruction& i, int) {
  emitter.call(i, "_Z21set_user_event_status12ocl_clkeventi", emitter.builder.getVoidTy(),
               {object(emitter, i, 0, SpvOpTypeDeviceEvent), number(emitter, i, 1)});
  return nullptr;
}

Value* captureProfiling(Emitter& emitter, const Instruction& i, int) {
  Value* target = emitter.operand(i, 2);
  i.require(target->getType() == emitter.builder.getPtrTy(names::kGlobal),
            "has an operand that is no pointer into global memory");
  emitter.call(i, "_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v",
               emitter.builder.getVoidTy(),
               {object(emitter, i, 0, SpvOpTypeDeviceEvent), number(emitter, i, 1), target});
  return nullptr;
}

/// A kernel that only calls the function.
llvm::Function* wrapped(Reader& reader, llvm::Function& function) {
  auto* kernel =
      llvm::Function::Create(function.getFunctionType(), llvm::GlobalValue::InternalLinkage,
                             function.getName() + ".kernel", reader.module);
  kernel->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
  kernel->setConvergent();
  kernel->setDoesNotThrow();
  kernel->addFnAttr("uniform-work-group-size", "false");
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(reader.context, "", kernel));
  llvm::SmallVector<Value*> arguments;
  for (llvm::Argument& argument : kernel->args()) arguments.push_back(&argument);
  llvm::CallInst* call = builder.CreateCall(&function, arguments);
  call->setCallingConv(function.getCallingConv());
  call->setAttributes(function.getAttributes());
  builder.CreateRetVoid();
  return kernel;
}

constexpr Row kRows[] = {
    {SpvOpBuildNDRange, buildRange},
    {SpvOpEnqueueKernel, enqueueKernel},
    {SpvOpEnqueueMarker, enqueueMarker},
    {SpvOpGetKernelWorkGroupSize, queryKernel, GroupSize},
    {SpvOpGetKernelPreferredWorkGroupSizeMultiple, queryKernel, PreferredMultiple},
    {SpvOpGetKernelNDrangeSubGroupCount, queryKernel, SubGroupCount},
    {SpvOpGetKernelNDrangeMaxSubGroupSize, queryKernel, MaxSubGroupSize},
    {SpvOpGetKernelMaxNumSubgroups, queryKernel, MaxSubGroups},
    {SpvOpGetKernelLocalSizeForSubgroupCount, queryKernel, LocalSizeForSubGroups},
    {SpvOpGetDefaultQueue, defaultQueue},
    {SpvOpCreateUserEvent, createEvent},
    {SpvOpRetainEvent, countEvent, 0},
    {SpvOpReleaseEvent, countEvent, 1},
    {SpvOpIsValidEvent, isValidEvent},
    {SpvOpSetUserEventStatus, setEventStatus},
    {SpvOpCaptureEventProfilingInfo, captureProfiling},
};

}  // namespace

std::span<const Row> enqueueRows() { return kRows; }

std::set<uint32_t> invokedFunctions(const Reader& reader) {
  std::set<uint32_t> result;
  for (const Instruction& i : reader.binary.instructions()) {
    if (i.op == SpvOpEnqueueKernel) result.insert(i.operand(6));
    if (i.op == SpvOpGetKernelWorkGroupSize || i.op == SpvOpGetKernelMaxNumSubgroups ||
        i.op == SpvOpGetKernelPreferredWorkGroupSizeMultiple)
      result.insert(i.operand(0));
    if (i.op == SpvOpGetKernelNDrangeSubGroupCount ||
        i.op == SpvOpGetKernelNDrangeMaxSubGroupSize ||
        i.op == SpvOpGetKernelLocalSizeForSubgroupCount)
      result.insert(i.operand(1));
  }
  return result;
}

void findBlockKernels(Reader& reader, const std::set<uint32_t>& invoked) {
  for (const uint32_t id : invoked) {
    const auto found = reader.functions.find(id);
    if (found == reader.functions.end()) continue;  // refused where it is used
    llvm::Function* function = found->second;
    const bool isBlock =
        function->getReturnType()->isVoidTy() && function->arg_size() != 0 &&
        function->getArg(0)->getType() == llvm::PointerType::get(reader.context, names::kGeneric);
    if (!isBlock) continue;
    if (names::isKernel(*function)) {
      reader.blockKernels[id] = function;
      continue;
    }
    // Translators name the body of a kernel, whose name it is exported under.
    const Decoration* linkage = reader.annotations.find(id, SpvDecorationLinkageAttributes);
    llvm::Function* kernel =
        linkage ? reader.module.getFunction(linkage->from->string(linkage->first)) : nullptr;
    if (!kernel || !names::isKernel(*kernel) ||
        kernel->getFunctionType() != function->getFunctionType())
      kernel = wrapped(reader, *function);
    reader.blockKernels[id] = kernel;
  }
}

}  // namespace weft::compiler::spirv
