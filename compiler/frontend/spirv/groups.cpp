// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What work-items of a group or a sub-group do together: calls of the library's functions.
#include "frontend/spirv/mangle.h"
#include "frontend/spirv/reader.h"
#include "ir/names.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Value;

bool isSubGroup(Emitter& emitter, const Instruction& i) {
  const uint64_t scope = emitter.constant(i, 0);
  i.require(scope == SpvScopeWorkgroup || scope == SpvScopeSubgroup,
            "has a scope other than work-group and sub-group");
  return scope == SpvScopeSubgroup;
}

std::string groupPrefix(Emitter& emitter, const Instruction& i) {
  return isSubGroup(emitter, i) ? "sub_group_" : "work_group_";
}

/// The function for scalars, for each component.
template <class CallScalar>
Value* eachLane(Emitter& emitter, Value* value, CallScalar&& callScalar) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  if (!vector) return callScalar(value);
  Value* all = nullptr;
  for (unsigned lane = 0; lane < vector->getNumElements(); ++lane) {
    Value* part = callScalar(emitter.builder.CreateExtractElement(value, lane));
    if (!all)
      all = llvm::PoisonValue::get(
          llvm::FixedVectorType::get(part->getType(), vector->getNumElements()));
    all = emitter.builder.CreateInsertElement(all, part, lane);
  }
  return all;
}

MangledType spelled(const Instruction& i, const llvm::Type* type, bool isSigned = true) {
  const MangledType result = MangledType::of(type, isSigned);
  i.require(!result.empty(), "has an operand of the wrong type");
  return result;
}

/// A call of name(x, numbers...) where the numbers have the types of `letters`.
Value* callWith(Emitter& emitter, const Instruction& i, const std::string& name, Value* x,
                bool isSigned, llvm::ArrayRef<Value*> numbers, std::string_view letters) {
  llvm::IRBuilder<>& b = emitter.builder;
  std::vector<MangledType> types = {spelled(i, x->getType(), isSigned)};
  llvm::SmallVector<Value*> arguments = {x};
  for (size_t k = 0; k < numbers.size(); ++k) {
    i.require(numbers[k]->getType()->isIntegerTy(), "has an operand that is no integer");
    arguments.push_back(
        b.CreateZExtOrTrunc(numbers[k], letters[k] == 'm' ? b.getInt64Ty() : b.getInt32Ty()));
    types.push_back(MangledType::letter(letters.substr(k, 1)));
  }
  return emitter.call(i, mangledName(name, types), x->getType(), arguments);
}

/// Functions of a predicate, which is an int in the language.
Value* callPredicate(Emitter& emitter, const Instruction& i, const std::string& name,
                     Value* predicate) {
  i.require(predicate->getType()->isIntegerTy(1), "has a predicate of the wrong type");
  llvm::IRBuilder<>& b = emitter.builder;
  Value* result = emitter.call(i, mangledName(name, std::array{MangledType::letter("i")}),
                               b.getInt32Ty(), {b.CreateZExt(predicate, b.getInt32Ty())});
  return b.CreateICmpNE(result, b.getInt32(0));
}

Value* vote(Emitter& emitter, const Instruction& i, int isAny) {
  return callPredicate(emitter, i, groupPrefix(emitter, i) + (isAny ? "any" : "all"),
                       emitter.operand(i, 1));
}

Value* broadcast(Emitter& emitter, const Instruction& i, int) {
  const bool inSubGroup = isSubGroup(emitter, i);
  Value* id = emitter.operand(i, 2);
  llvm::SmallVector<Value*> ids;
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(id->getType())) {
    for (unsigned lane = 0; lane < vector->getNumElements(); ++lane)
      ids.push_back(emitter.builder.CreateExtractElement(id, lane));
  } else {
    ids.push_back(id);
  }
  i.require(ids.size() <= (inSubGroup ? 1 : 3), "has an id of too many dimensions");
  return eachLane(emitter, emitter.operand(i, 1), [&](Value* x) {
    return inSubGroup ? callWith(emitter, i, "sub_group_broadcast", x, true, ids, "j")
                      : callWith(emitter, i, "work_group_broadcast", x, true, ids, "mmm");
  });
}

struct Arithmetic {
  const char* name;
  bool isSigned;
};
enum ArithmeticKind { AddK, SMinK, UMinK, SMaxK, UMaxK, FMinK, FMaxK, MulK, AndK, OrK, XorK };
constexpr Arithmetic kArithmetic[] = {{"add", true},  {"min", true}, {"min", false}, {"max", true},
                                      {"max", false}, {"min", true}, {"max", true},  {"mul", true},
                                      {"and", true},  {"or", true},  {"xor", true}};
constexpr int kLogical = 0x100;
constexpr int kNonUniform = 0x200;

/// Reductions and scans.
Value* reduce(Emitter& emitter, const Instruction& i, int which) {
  const bool inSubGroup = isSubGroup(emitter, i);
  const uint32_t operation = i.operand(1);
  constexpr const char* kOperations[] = {"reduce_", "scan_inclusive_", "scan_exclusive_"};
  const bool isClustered = operation == SpvGroupOperationClusteredReduce;
  i.require(operation <= SpvGroupOperationExclusiveScan || (isClustered && inSubGroup),
            "has a group operation that is not supported");
  const Arithmetic& arithmetic = kArithmetic[which & 0xff];
  std::string name = inSubGroup ? "sub_group_" : "work_group_";
  if (isClustered)
    name += "clustered_reduce_";
  else
    name += std::string(which & kNonUniform ? "non_uniform_" : "") + kOperations[operation];
  if (which & kLogical) name += "logical_";
  name += arithmetic.name;
  llvm::IRBuilder<>& b = emitter.builder;
  llvm::SmallVector<Value*, 1> cluster;
  if (isClustered) cluster.push_back(b.getInt32(static_cast<uint32_t>(emitter.constant(i, 3))));
  return eachLane(emitter, emitter.operand(i, 2), [&](Value* x) -> Value* {
    if (!(which & kLogical))
      return callWith(emitter, i, name, x, arithmetic.isSigned, cluster, "j");
    i.require(x->getType()->isIntegerTy(1), "has an operand of the wrong type");
    Value* result = callWith(emitter, i, name, b.CreateZExt(x, b.getInt32Ty()), true, cluster, "j");
    return b.CreateICmpNE(result, b.getInt32(0));
  });
}

void requireSubGroup(Emitter& emitter, const Instruction& i) {
  i.require(isSubGroup(emitter, i), "has a scope other than sub-group");
}

Value* elect(Emitter& emitter, const Instruction& i, int) {
  requireSubGroup(emitter, i);
  llvm::IRBuilder<>& b = emitter.builder;
  return b.CreateICmpNE(emitter.call(i, mangledName("sub_group_elect", {}), b.getInt32Ty(), {}),
                        b.getInt32(0));
}

Value* nonUniformVote(Emitter& emitter, const Instruction& i, int isAny) {
  requireSubGroup(emitter, i);
  return callPredicate(emitter, i,
                       isAny ? "sub_group_non_uniform_any" : "sub_group_non_uniform_all",
                       emitter.operand(i, 1));
}

Value* allEqual(Emitter& emitter, const Instruction& i, int) {
  requireSubGroup(emitter, i);
  llvm::IRBuilder<>& b = emitter.builder;
  Value* equal = eachLane(emitter, emitter.operand(i, 1), [&](Value* x) {
    if (x->getType()->isIntegerTy(1)) x = b.CreateZExt(x, b.getInt32Ty());
    const std::array types = {spelled(i, x->getType())};
    Value* result =
        emitter.call(i, mangledName("sub_group_non_uniform_all_equal", types), b.getInt32Ty(), {x});
    return b.CreateICmpNE(result, b.getInt32(0));
  });
  return equal->getType()->isVectorTy() ? b.CreateAndReduce(equal) : equal;
}

enum Move { NonUniformBroadcast, First, Shuffle, ShuffleXor, ShuffleUp, ShuffleDown, Rotate };

/// Values that come from other work-items of the sub-group.
Value* move(Emitter& emitter, const Instruction& i, int which) {
  constexpr const char* kNames[] = {"sub_group_non_uniform_broadcast",
                                    "sub_group_broadcast_first",
                                    "sub_group_shuffle",
                                    "sub_group_shuffle_xor",
                                    "sub_group_shuffle_up",
                                    "sub_group_shuffle_down",
                                    "sub_group_rotate"};
  requireSubGroup(emitter, i);
  llvm::IRBuilder<>& b = emitter.builder;
  llvm::SmallVector<Value*, 2> numbers;
  for (size_t k = 2; k < i.operands.size(); ++k) numbers.push_back(emitter.operand(i, k));
  std::string name = kNames[which];
  std::string_view letters = which == Rotate ? "ij" : "j";
  if (which == Rotate && numbers.size() == 2) name = "sub_group_clustered_rotate";
  const bool isClustered = which == Rotate && numbers.size() == 2;
  i.require(numbers.size() == (which == First ? 0
                               : isClustered  ? 2
                                              : 1),
            "has a wrong number of operands");
  return eachLane(emitter, emitter.operand(i, 1), [&](Value* x) -> Value* {
    const bool isBool = x->getType()->isIntegerTy(1);
    Value* moved = callWith(emitter, i, name, isBool ? b.CreateZExt(x, b.getInt32Ty()) : x, true,
                            numbers, letters);
    return isBool ? b.CreateICmpNE(moved, b.getInt32(0)) : moved;
  });
}

Value* ballot(Emitter& emitter, const Instruction& i, int) {
  requireSubGroup(emitter, i);
  llvm::IRBuilder<>& b = emitter.builder;
  Value* predicate = emitter.operand(i, 1);
  i.require(predicate->getType()->isIntegerTy(1), "has a predicate of the wrong type");
  return emitter.call(i, mangledName("sub_group_ballot", std::array{MangledType::letter("i")}),
                      llvm::FixedVectorType::get(b.getInt32Ty(), 4),
                      {b.CreateZExt(predicate, b.getInt32Ty())});
}

enum BallotUse { Inverse, Bit, Count, FindLsb, FindMsb };

Value* useBallot(Emitter& emitter, const Instruction& i, int which) {
  requireSubGroup(emitter, i);
  llvm::IRBuilder<>& b = emitter.builder;
  constexpr const char* kNames[] = {"inverse_ballot", "ballot_bit_extract", "ballot_bit_count",
                                    "ballot_find_lsb", "ballot_find_msb"};
  constexpr const char* kScans[] = {"ballot_bit_count", "ballot_inclusive_scan",
                                    "ballot_exclusive_scan"};
  size_t next = 1;
  std::string name = kNames[which];
  if (which == Count) {
    const uint32_t operation = i.operand(next++);
    i.require(operation < std::size(kScans), "has a group operation that is not supported");
    name = kScans[operation];
  }
  Value* mask = emitter.operand(i, next++);
  llvm::Type* maskType = llvm::FixedVectorType::get(b.getInt32Ty(), 4);
  i.require(mask->getType() == maskType, "has an operand of the wrong type");
  std::vector<MangledType> types = {spelled(i, maskType, false)};
  llvm::SmallVector<Value*, 2> arguments = {mask};
  if (which == Bit) {
    Value* index = emitter.operand(i, next);
    i.require(index->getType()->isIntegerTy(), "has an operand of the wrong type");
    arguments.push_back(b.CreateZExtOrTrunc(index, b.getInt32Ty()));
    types.push_back(MangledType::letter("j"));
  }
  Value* result =
      emitter.call(i, mangledName("sub_group_" + name, types), b.getInt32Ty(), arguments);
  return which == Inverse || which == Bit ? b.CreateICmpNE(result, b.getInt32(0)) : result;
}

/// The library's copies are of elements; SPIR-V has one instruction for both.
Value* asyncCopy(Emitter& emitter, const Instruction& i, int) {
  llvm::IRBuilder<>& b = emitter.builder;
  Value* to = emitter.operand(i, 1);
  Value* from = emitter.operand(i, 2);
  i.require(to->getType()->isPointerTy() && from->getType()->isPointerTy(),
            "has an operand that is no pointer");
  const Types& types = emitter.reader.types;
  const uint32_t pointee = types.pointee(emitter.typed(i.operand(1), i).type, i);
  const MangledType element = spelled(i, types.memoryType(pointee, i));
  llvm::SmallVector<Value*> arguments = {to, from};
  std::vector<MangledType> spelling = {
      MangledType::pointer(to->getType()->getPointerAddressSpace(), "", element),
      MangledType::pointer(from->getType()->getPointerAddressSpace(), "K", element)};
  const auto* stride = llvm::dyn_cast<llvm::ConstantInt>(emitter.operand(i, 4));
  const bool isStrided = !stride || !stride->isOne();
  for (size_t k = 3; k < (isStrided ? 5 : 4); ++k) {
    Value* number = emitter.operand(i, k);
    i.require(number->getType()->isIntegerTy(), "has an operand that is no integer");
    arguments.push_back(b.CreateZExtOrTrunc(number, b.getInt64Ty()));
    spelling.push_back(MangledType::letter("m"));
  }
  Value* event = emitter.operand(i, 5);
  i.require(event->getType() == b.getPtrTy(), "has an operand that is no event");
  arguments.push_back(event);
  spelling.push_back(MangledType::letter("9ocl_event"));
  const char* name = isStrided ? "async_work_group_strided_copy" : "async_work_group_copy";
  return emitter.call(i, mangledName(name, spelling), b.getPtrTy(), arguments);
}

Value* waitForEvents(Emitter& emitter, const Instruction& i, int) {
  llvm::IRBuilder<>& b = emitter.builder;
  Value* count = emitter.operand(i, 1);
  Value* list = emitter.operand(i, 2);
  i.require(count->getType()->isIntegerTy() && list->getType()->isPointerTy(),
            "has operands of the wrong types");
  const unsigned space = list->getType()->getPointerAddressSpace();
  const std::array types = {MangledType::letter("i"),
                            MangledType::pointer(space, "", MangledType::letter("9ocl_event"))};
  emitter.call(i, mangledName("wait_group_events", types), b.getVoidTy(),
               {b.CreateZExtOrTrunc(count, b.getInt32Ty()), list});
  return nullptr;
}

constexpr Row kRows[] = {
    {SpvOpGroupAll, vote, 0},
    {SpvOpGroupAny, vote, 1},
    {SpvOpGroupBroadcast, broadcast},
    {SpvOpGroupIAdd, reduce, AddK},
    {SpvOpGroupFAdd, reduce, AddK},
    {SpvOpGroupFMin, reduce, FMinK},
    {SpvOpGroupUMin, reduce, UMinK},
    {SpvOpGroupSMin, reduce, SMinK},
    {SpvOpGroupFMax, reduce, FMaxK},
    {SpvOpGroupUMax, reduce, UMaxK},
    {SpvOpGroupSMax, reduce, SMaxK},
    {SpvOpGroupIMulKHR, reduce, MulK},
    {SpvOpGroupFMulKHR, reduce, MulK},
    {SpvOpGroupBitwiseAndKHR, reduce, AndK},
    {SpvOpGroupBitwiseOrKHR, reduce, OrK},
    {SpvOpGroupBitwiseXorKHR, reduce, XorK},
    {SpvOpGroupLogicalAndKHR, reduce, AndK | kLogical},
    {SpvOpGroupLogicalOrKHR, reduce, OrK | kLogical},
    {SpvOpGroupLogicalXorKHR, reduce, XorK | kLogical},
    {SpvOpGroupNonUniformIAdd, reduce, AddK | kNonUniform},
    {SpvOpGroupNonUniformFAdd, reduce, AddK | kNonUniform},
    {SpvOpGroupNonUniformIMul, reduce, MulK | kNonUniform},
    {SpvOpGroupNonUniformFMul, reduce, MulK | kNonUniform},
    {SpvOpGroupNonUniformSMin, reduce, SMinK | kNonUniform},
    {SpvOpGroupNonUniformUMin, reduce, UMinK | kNonUniform},
    {SpvOpGroupNonUniformFMin, reduce, FMinK | kNonUniform},
    {SpvOpGroupNonUniformSMax, reduce, SMaxK | kNonUniform},
    {SpvOpGroupNonUniformUMax, reduce, UMaxK | kNonUniform},
    {SpvOpGroupNonUniformFMax, reduce, FMaxK | kNonUniform},
    {SpvOpGroupNonUniformBitwiseAnd, reduce, AndK | kNonUniform},
    {SpvOpGroupNonUniformBitwiseOr, reduce, OrK | kNonUniform},
    {SpvOpGroupNonUniformBitwiseXor, reduce, XorK | kNonUniform},
    {SpvOpGroupNonUniformLogicalAnd, reduce, AndK | kNonUniform | kLogical},
    {SpvOpGroupNonUniformLogicalOr, reduce, OrK | kNonUniform | kLogical},
    {SpvOpGroupNonUniformLogicalXor, reduce, XorK | kNonUniform | kLogical},
    {SpvOpGroupNonUniformElect, elect},
    {SpvOpGroupNonUniformAll, nonUniformVote, 0},
    {SpvOpGroupNonUniformAny, nonUniformVote, 1},
    {SpvOpGroupNonUniformAllEqual, allEqual},
    {SpvOpGroupNonUniformBroadcast, move, NonUniformBroadcast},
    {SpvOpGroupNonUniformBroadcastFirst, move, First},
    {SpvOpGroupNonUniformShuffle, move, Shuffle},
    {SpvOpGroupNonUniformShuffleXor, move, ShuffleXor},
    {SpvOpGroupNonUniformShuffleUp, move, ShuffleUp},
    {SpvOpGroupNonUniformShuffleDown, move, ShuffleDown},
    {SpvOpGroupNonUniformRotateKHR, move, Rotate},
    {SpvOpGroupNonUniformBallot, ballot},
    {SpvOpGroupNonUniformInverseBallot, useBallot, Inverse},
    {SpvOpGroupNonUniformBallotBitExtract, useBallot, Bit},
    {SpvOpGroupNonUniformBallotBitCount, useBallot, Count},
    {SpvOpGroupNonUniformBallotFindLSB, useBallot, FindLsb},
    {SpvOpGroupNonUniformBallotFindMSB, useBallot, FindMsb},
    {SpvOpGroupAsyncCopy, asyncCopy},
    {SpvOpGroupWaitEvents, waitForEvents},
};

}  // namespace

std::span<const Row> groupRows() { return kRows; }

}  // namespace weft::compiler::spirv
