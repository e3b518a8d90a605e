// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Pipes and reservations: the calls that Clang makes of the language's functions, which are told
// how large a packet is and how it is aligned.
#include <string>

#include "frontend/spirv/mangle.h"
#include "frontend/spirv/reader.h"
#include "ir/names.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Value;

/// What an operation asks for between the pipe and the packet's size.
class PipeCall {
 public:
  PipeCall(Emitter& emitter, const Instruction& i, size_t first)
      : emitter_(emitter), i_(i), next_(first) {}

  AccessQualifier addPipe() {
    const TypedValue pipe = emitter_.typed(i_.operand(next_++), i_);
    const TypeInfo& type = emitter_.reader.types.get(pipe.type, i_);
    i_.require(type.op == SpvOpTypePipe, "has an operand that is no pipe");
    arguments_.push_back(pipe.value);
    return type.access;
  }
  void requirePipe(bool isWrite) {
    const AccessQualifier wanted = isWrite ? AccessQualifier::WriteOnly : AccessQualifier::ReadOnly;
    i_.require(addPipe() == wanted, "has a pipe for another direction");
  }
  void addReservation() {
    const TypedValue id = emitter_.typed(i_.operand(next_++), i_);
    i_.require(emitter_.reader.types.get(id.type, i_).op == SpvOpTypeReserveId,
               "has an operand that is no reservation");
    arguments_.push_back(id.value);
  }
  void addNumber() {
    Value* number = emitter_.operand(i_, next_++);
    i_.require(number->getType()->isIntegerTy(32), "has an operand of the wrong type");
    arguments_.push_back(number);
  }
  void addPacket() {
    llvm::IRBuilder<>& b = emitter_.builder;
    Value* pointer = emitter_.operand(i_, next_++);
    i_.require(pointer->getType()->isPointerTy(), "has a packet that is no pointer");
    i_.require(pointer->getType()->getPointerAddressSpace() != names::kConstant,
               "has a packet in constant memory");
    arguments_.push_back(b.CreateAddrSpaceCast(pointer, b.getPtrTy(names::kGeneric)));
  }
  Value* make(const std::string& name, llvm::Type* result) {
    // The library trusts these as it does Clang's.
    for (size_t k = 0; k < 2; ++k) {
      const uint64_t number = emitter_.constant(i_, next_ + k);
      i_.require(number != 0 && number <= UINT32_MAX, "has a packet's size that cannot be");
      arguments_.push_back(emitter_.builder.getInt32(static_cast<uint32_t>(number)));
    }
    return emitter_.call(i_, name, result, arguments_);
  }

 private:
  Emitter& emitter_;
  const Instruction& i_;
  size_t next_;
  llvm::SmallVector<Value*> arguments_;
};

std::string named(const char* before, int isWrite, const char* after) {
  return std::string(before) + (isWrite ? "write" : "read") + after;
}

Value* transfer(Emitter& emitter, const Instruction& i, int isWrite) {
  PipeCall call(emitter, i, 0);
  call.requirePipe(isWrite);
  call.addPacket();
  return call.make(named("__", isWrite, "_pipe_2"), emitter.builder.getInt32Ty());
}

Value* reservedTransfer(Emitter& emitter, const Instruction& i, int isWrite) {
  PipeCall call(emitter, i, 0);
  call.requirePipe(isWrite);
  call.addReservation();
  call.addNumber();
  call.addPacket();
  return call.make(named("__", isWrite, "_pipe_4"), emitter.builder.getInt32Ty());
}

std::string groupPrefix(Emitter& emitter, const Instruction& i) {
  const uint64_t scope = emitter.constant(i, 0);
  i.require(scope == SpvScopeWorkgroup || scope == SpvScopeSubgroup,
            "has a scope other than work-group and sub-group");
  return scope == SpvScopeWorkgroup ? "__work_group_" : "__sub_group_";
}

Value* reserve(Emitter& emitter, const Instruction& i, const std::string& prefix, int isWrite,
               size_t first) {
  PipeCall call(emitter, i, first);
  call.requirePipe(isWrite);
  call.addNumber();
  return call.make(named((prefix + "reserve_").c_str(), isWrite, "_pipe"),
                   emitter.builder.getPtrTy(names::kPrivate));
}
Value* reserveAlone(Emitter& emitter, const Instruction& i, int isWrite) {
  return reserve(emitter, i, "__", isWrite, 0);
}
Value* reserveInGroup(Emitter& emitter, const Instruction& i, int isWrite) {
  return reserve(emitter, i, groupPrefix(emitter, i), isWrite, 1);
}

Value* commit(Emitter& emitter, const Instruction& i, const std::string& prefix, int isWrite,
              size_t first) {
  PipeCall call(emitter, i, first);
  call.requirePipe(isWrite);
  call.addReservation();
  call.make(named((prefix + "commit_").c_str(), isWrite, "_pipe"), emitter.builder.getVoidTy());
  return nullptr;
}
Value* commitAlone(Emitter& emitter, const Instruction& i, int isWrite) {
  return commit(emitter, i, "__", isWrite, 0);
}
Value* commitInGroup(Emitter& emitter, const Instruction& i, int isWrite) {
  return commit(emitter, i, groupPrefix(emitter, i), isWrite, 1);
}

Value* count(Emitter& emitter, const Instruction& i, int isMost) {
  PipeCall call(emitter, i, 0);
  const bool isWrite = call.addPipe() == AccessQualifier::WriteOnly;
  return call.make(std::string(isMost ? "__get_pipe_max_packets" : "__get_pipe_num_packets") +
                       (isWrite ? "_wo" : "_ro"),
                   emitter.builder.getInt32Ty());
}

Value* isValidReservation(Emitter& emitter, const Instruction& i, int) {
  const TypedValue id = emitter.typed(i.operand(0), i);
  i.require(emitter.reader.types.get(id.type, i).op == SpvOpTypeReserveId,
            "has an operand that is no reservation");
  const std::array types = {MangledType::letter("13ocl_reserveid")};
  return emitter.call(i, mangledName("is_valid_reserve_id", types), emitter.builder.getInt1Ty(),
                      {id.value});
}

constexpr Row kRows[] = {
    {SpvOpReadPipe, transfer, 0},
    {SpvOpWritePipe, transfer, 1},
    {SpvOpReservedReadPipe, reservedTransfer, 0},
    {SpvOpReservedWritePipe, reservedTransfer, 1},
    {SpvOpReserveReadPipePackets, reserveAlone, 0},
    {SpvOpReserveWritePipePackets, reserveAlone, 1},
    {SpvOpCommitReadPipe, commitAlone, 0},
    {SpvOpCommitWritePipe, commitAlone, 1},
    {SpvOpIsValidReserveId, isValidReservation},
    {SpvOpGetNumPipePackets, count, 0},
    {SpvOpGetMaxPipePackets, count, 1},
    {SpvOpGroupReserveReadPipePackets, reserveInGroup, 0},
    {SpvOpGroupReserveWritePipePackets, reserveInGroup, 1},
    {SpvOpGroupCommitReadPipe, commitInGroup, 0},
    {SpvOpGroupCommitWritePipe, commitInGroup, 1},
};

}  // namespace

std::span<const Row> pipeRows() { return kRows; }

}  // namespace weft::compiler::spirv
