// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bodies of functions: their blocks, and the instructions that go from one to another.
#include <llvm/IR/Constants.h>
#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <map>

#include "frontend/spirv/lines.h"
#include "frontend/spirv/reader.h"
#include "ir/names.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Value;

constexpr const char* kUnroll = "llvm.loop.unroll.enable";

/// A switch makes as many of one pair of a phi as it has cases.
constexpr uint64_t kMostPhiEdges = uint64_t{1} << 22;

/// Makes a body. Blocks are made first and filled in reverse post-order, in which dominators come
/// before what they dominate, whatever order the module has them in; phis get their values last.
/// What cannot be reached means nothing and is left out.
class BodyReader {
 public:
  BodyReader(Reader& reader, const Body& body, llvm::Function& function)
      : reader_(reader),
        body_(body),
        function_(function),
        emitter_(reader),
        lines_(reader, body.head->result, body.instructions, function) {}

  void run() {
    auto* entry = llvm::BasicBlock::Create(reader_.context, "", &function_);
    emitter_.builder.SetInsertPoint(entry);
    lines_.end(emitter_.builder);
    defineParameters();
    cutIntoBlocks();
    const std::vector<size_t> order = reversePostOrder();
    for (size_t index : order)
      blocks_[index].made = llvm::BasicBlock::Create(reader_.context, "", &function_);
    emitter_.builder.CreateBr(blocks_.front().made);
    for (size_t index : order) {
      emitter_.builder.SetInsertPoint(blocks_[index].made);
      lines_.end(emitter_.builder);
      for (const Instruction& i : blocks_[index].instructions) {
        lines_.read(i, emitter_.builder);
        if (!isNote(i.op)) read(i);
      }
    }
    for (const auto& [phi, made] : phis_) fillPhi(*phi, *made);
    for (size_t index : order) setLoopHints(index, order);
  }

 private:
  struct Block {
    std::span<const Instruction> instructions;  ///< without the label; the last one ends it
    llvm::BasicBlock* made = nullptr;           ///< null: it cannot be reached
  };

  static bool isEnd(SpvOp op) {
    return op == SpvOpBranch || op == SpvOpBranchConditional || op == SpvOpSwitch ||
           op == SpvOpReturn || op == SpvOpReturnValue || op == SpvOpUnreachable;
  }

  void cutIntoBlocks() {
    const std::span<const Instruction> all = body_.instructions;
    for (size_t at = 0; at < all.size();) {
      const Instruction& label = all[at];
      if (isNote(label.op)) {
        ++at;
        continue;
      }
      label.require(label.op == SpvOpLabel, "stands behind the end of a block");
      size_t end = at + 1;
      while (end < all.size() && !isEnd(all[end].op) && all[end].op != SpvOpLabel) {
        if (all[end].op == SpvOpKill || all[end].op == SpvOpTerminateInvocation)
          all[end].fail("is not supported");
        ++end;
      }
      label.require(end < all.size() && isEnd(all[end].op), "begins a block without an end");
      if (!indices_.try_emplace(label.result, blocks_.size()).second ||
          reader_.values.contains(label.result))
        label.fail("has the id of something else");
      blocks_.push_back({all.subspan(at + 1, end - at)});
      at = end + 1;
    }
    body_.head->require(!blocks_.empty(), "has no block");
  }

  size_t indexOf(uint32_t id, const Instruction& user) const {
    const auto found = indices_.find(id);
    if (found == indices_.end()) user.fail("uses %" + std::to_string(id) + ", which is no block");
    return found->second;
  }

  /// Words of a case of a switch; its selector may not have been read yet.
  size_t caseWords(const Instruction& i) const {
    const TypeInfo& type = reader_.types.get(reader_.typeOfResult(i.operand(0), i), i);
    i.require(type.op == SpvOpTypeInt, "has a selector that is no integer");
    const size_t words = type.bytes == 8 ? 2 : 1;
    i.require((i.operands.size() - 2) % (words + 1) == 0, "has operands of the wrong kind");
    return words;
  }

  std::vector<size_t> successors(const Instruction& i) const {
    std::vector<size_t> result;
    const auto add = [&](size_t operand) { result.push_back(indexOf(i.operand(operand), i)); };
    if (i.op == SpvOpBranch) add(0);
    if (i.op == SpvOpBranchConditional || i.op == SpvOpSwitch) add(1);
    if (i.op == SpvOpBranchConditional) add(2);
    if (i.op == SpvOpSwitch) {
      const size_t words = caseWords(i);
      for (size_t k = 2; k < i.operands.size(); k += words + 1) add(k + words);
    }
    return result;
  }

  std::vector<size_t> reversePostOrder() const {
    struct Visit {
      size_t block;
      std::vector<size_t> successors;
    };
    std::vector<bool> seen(blocks_.size());
    std::vector<size_t> order;
    std::vector<Visit> stack;
    const auto visit = [&](size_t block) {
      if (seen[block]) return;
      seen[block] = true;
      stack.push_back({block, successors(blocks_[block].instructions.back())});
    };
    visit(0);
    while (!stack.empty()) {
      if (stack.back().successors.empty()) {
        order.push_back(stack.back().block);
        stack.pop_back();
        continue;
      }
      const size_t next = stack.back().successors.back();
      stack.back().successors.pop_back();
      visit(next);
    }
    std::ranges::reverse(order);
    return order;
  }

  static bool isNote(SpvOp op) {
    return op == SpvOpLine || op == SpvOpNoLine || op == SpvOpNop || op == SpvOpLoopMerge ||
           op == SpvOpSelectionMerge || op == SpvOpLoopControlINTEL;
  }

  /// What a loop's merge asks of unrolling, as Clang has it of its pragma: at the branches back to
  /// the loop's head. That loops are not to be unrolled is what Clang writes of all loops at -O1,
  /// so it means nothing.
  void setLoopHints(size_t head, std::span<const size_t> order) const {
    const auto& instructions = blocks_[head].instructions;
    const auto merge = std::ranges::find(instructions, SpvOpLoopMerge, &Instruction::op);
    if (merge == instructions.end() || !(merge->operand(2) & SpvLoopControlUnrollMask)) return;
    llvm::BasicBlock* header = blocks_[head].made;
    llvm::Metadata* hint =
        llvm::MDNode::get(reader_.context, llvm::MDString::get(reader_.context, kUnroll));
    llvm::MDNode* loop = llvm::MDNode::getDistinct(reader_.context, {nullptr, hint});
    loop->replaceOperandWith(0, loop);
    for (auto at = std::ranges::find(order, head); at != order.end(); ++at) {
      llvm::Instruction* end = blocks_[*at].made->getTerminator();
      if (llvm::is_contained(llvm::successors(end), header))
        end->setMetadata(llvm::LLVMContext::MD_loop, loop);
    }
  }

  llvm::BasicBlock* block(uint32_t id, const Instruction& user) const {
    return blocks_[indexOf(id, user)].made;
  }

  /// Structures that kernels take by value come as pointers to a copy, as Clang has them.
  void defineParameters() {
    for (const auto [parameter, argument] : llvm::zip(body_.parameters, function_.args())) {
      Value* value = &argument;
      llvm::Type* type = reader_.types.llvmType(parameter->type, *parameter);
      if (type != argument.getType()) value = emitter_.builder.CreateLoad(type, value);
      reader_.define(*parameter, value, parameter->type);
    }
  }

  void read(const Instruction& i) {
    switch (i.op) {
      case SpvOpPhi:
        phi(i);
        return;
      case SpvOpFunctionCall:
        call(i);
        return;
      case SpvOpBranch:
        emitter_.builder.CreateBr(block(i.operand(0), i));
        return;
      case SpvOpBranchConditional:
        branch(i);
        return;
      case SpvOpSwitch:
        select(i);
        return;
      case SpvOpReturn:
        i.require(function_.getReturnType()->isVoidTy(), "returns no value");
        emitter_.builder.CreateRetVoid();
        return;
      case SpvOpReturnValue: {
        Value* value = emitter_.operand(i, 0);
        i.require(value->getType() == function_.getReturnType(), "returns the wrong type");
        emitter_.builder.CreateRet(value);
        return;
      }
      case SpvOpUnreachable:
        emitter_.builder.CreateUnreachable();
        return;
      default:
        emit(emitter_, i);
        return;
    }
  }

  void phi(const Instruction& i) {
    llvm::Type* type = emitter_.type(i);
    i.require(!type->isVoidTy() && i.operands.size() % 2 == 0, "has operands of the wrong kind");
    llvm::BasicBlock* here = emitter_.builder.GetInsertBlock();
    i.require(here->empty() || llvm::isa<llvm::PHINode>(here->back()),
              "stands behind another instruction");
    llvm::PHINode* made =
        emitter_.builder.CreatePHI(type, static_cast<unsigned>(i.operands.size() / 2));
    phis_.emplace_back(&i, made);
    reader_.define(i, made, i.type);
  }

  void fillPhi(const Instruction& i, llvm::PHINode& made) {
    std::map<llvm::BasicBlock*, uint32_t> seen;
    for (size_t k = 0; k < i.operands.size(); k += 2) {
      llvm::BasicBlock* from = block(i.operand(k + 1), i);
      if (!from) continue;  // never
      // Some producers write a pair for each edge, some for each block.
      const auto [known, isNew] = seen.try_emplace(from, i.operand(k));
      i.require(known->second == i.operand(k), "has two values for one block");
      if (!isNew) continue;
      emitter_.builder.SetInsertPoint(from->getTerminator());
      Value* value = emitter_.operand(i, k);
      i.require(value->getType() == made.getType(), "has an operand of the wrong type");
      // One edge for each time that a branch names the block.
      const auto edges = llvm::count(llvm::successors(from), made.getParent());
      reader_.phiEdges += static_cast<uint64_t>(edges);
      i.require(reader_.phiEdges <= kMostPhiEdges, "has one edge too many");
      for (auto edge = edges; edge > 0; --edge) made.addIncoming(value, from);
      i.require(edges != 0, "comes from a block that does not go there");
    }
  }

  void branch(const Instruction& i) {
    Value* condition = emitter_.operand(i, 0);
    i.require(condition->getType()->isIntegerTy(1), "has a condition that is no bool");
    llvm::MDNode* weights = nullptr;
    if (i.operands.size() == 5)
      weights = llvm::MDBuilder(reader_.context).createBranchWeights(i.operand(3), i.operand(4));
    emitter_.builder.CreateCondBr(condition, block(i.operand(1), i), block(i.operand(2), i),
                                  weights);
  }

  void select(const Instruction& i) {
    Value* selector = emitter_.operand(i, 0);
    i.require(selector->getType()->isIntegerTy() && !selector->getType()->isIntegerTy(1),
              "has a selector that is no integer");
    auto* type = llvm::cast<llvm::IntegerType>(selector->getType());
    const size_t words = caseWords(i);
    llvm::SwitchInst* made = emitter_.builder.CreateSwitch(selector, block(i.operand(1), i));
    llvm::SmallDenseSet<uint64_t> seen;
    for (size_t k = 2; k < i.operands.size(); k += words + 1) {
      uint64_t literal = i.operand(k);
      if (words == 2) literal |= uint64_t{i.operand(k + 1)} << 32;
      if (type->getBitWidth() < 64) literal &= (uint64_t{1} << type->getBitWidth()) - 1;
      // The last two values of 64 bits are what the set marks its own places with.
      i.require(literal >= ~uint64_t{1} || seen.insert(literal).second, "has a case twice");
      made->addCase(llvm::ConstantInt::get(type, literal), block(i.operand(k + words), i));
    }
  }

  void call(const Instruction& i) {
    const auto found = reader_.functions.find(i.operand(0));
    i.require(found != reader_.functions.end(), "calls what is no function");
    llvm::Function* callee = found->second;
    llvm::SmallVector<Value*> arguments;
    for (size_t k = 1; k < i.operands.size(); ++k) arguments.push_back(emitter_.operand(i, k));
    i.require(arguments.size() == callee->arg_size(), "has a wrong number of arguments");
    for (const auto [argument, parameter] : llvm::zip(arguments, callee->args()))
      i.require(argument->getType() == parameter.getType(), "has an argument of the wrong type");
    i.require(emitter_.type(i) == callee->getReturnType(), "has a result of the wrong type");
    llvm::CallInst* made = emitter_.builder.CreateCall(callee, arguments);
    made->setCallingConv(callee->getCallingConv());
    made->setAttributes(callee->getAttributes());
    if (!made->getType()->isVoidTy()) reader_.define(i, made, i.type);
  }

  Reader& reader_;
  const Body& body_;
  llvm::Function& function_;
  Emitter emitter_;
  Lines lines_;
  std::vector<Block> blocks_;  ///< in the order of the module
  std::unordered_map<uint32_t, size_t> indices_;
  std::vector<std::pair<const Instruction*, llvm::PHINode*>> phis_;
};

}  // namespace

void readBody(Reader& reader, const Body& body, llvm::Function& function) {
  BodyReader(reader, body, function).run();
}

}  // namespace weft::compiler::spirv
