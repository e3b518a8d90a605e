// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions: what they are called and take, and the control flow of their bodies.
#include <llvm/IR/Constants.h>
#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <map>

#include "frontend/argument_notes.h"
#include "frontend/spirv/lines.h"
#include "frontend/spirv/reader.h"
#include "ir/names.h"
#include "weft/abi/work_group.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Value;

/// One function as it stands in the module.
struct Body {
  const Instruction* head = nullptr;
  std::vector<const Instruction*> parameters;
  std::span<const Instruction> instructions;  ///< from the first label to the end
};

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
        lines_(reader, body.instructions, function) {}

  void run() {
    auto* entry = llvm::BasicBlock::Create(reader_.context, "", &function_);
    emitter_.builder.SetInsertPoint(entry);
    lines_.at(nullptr, emitter_.builder);
    defineParameters();
    cutIntoBlocks();
    const std::vector<size_t> order = reversePostOrder();
    for (size_t index : order)
      blocks_[index].made = llvm::BasicBlock::Create(reader_.context, "", &function_);
    emitter_.builder.CreateBr(blocks_.front().made);
    for (size_t index : order) {
      emitter_.builder.SetInsertPoint(blocks_[index].made);
      lines_.at(nullptr, emitter_.builder);
      for (const Instruction& i : blocks_[index].instructions) {
        if (i.op == SpvOpLine) lines_.at(&i, emitter_.builder);
        if (i.op == SpvOpNoLine) lines_.at(nullptr, emitter_.builder);
        if (!isNote(i.op)) read(i);
      }
    }
    for (const auto& [phi, made] : phis_) fillPhi(*phi, *made);
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

class FunctionReader {
 public:
  explicit FunctionReader(Reader& reader) : reader_(reader) {}

  void run() {
    collect();
    invoked_ = invokedFunctions(reader_);
    for (const Body& body : bodies_) declare(body);
    findBlockKernels(reader_, invoked_);
    for (const auto& kernel : reader_.annotations.entryPoints())
      if (!reader_.functions.contains(kernel.function) || kernel.name.empty())
        throw ReadError("error: SPIR-V entry point '" + kernel.name + "' is no function\n");
    for (const Body& body : bodies_)
      if (!body.instructions.empty())
        BodyReader(reader_, body, *reader_.functions.at(body.head->result)).run();
    notes_.attach(reader_.module);
  }

 private:
  void collect() {
    const std::span<const Instruction> all = reader_.binary.instructions();
    Body* open = nullptr;
    size_t first = 0;
    for (size_t at = 0; at < all.size(); ++at) {
      const Instruction& i = all[at];
      if (i.op == SpvOpFunction) {
        i.require(!open, "stands inside of a function");
        open = &bodies_.emplace_back();
        open->head = &i;
      } else if (i.op == SpvOpFunctionParameter) {
        i.require(open && first == 0, "stands at no function's head");
        open->parameters.push_back(&i);
      } else if (i.op == SpvOpLabel && open && first == 0) {
        first = at;
      } else if (i.op == SpvOpFunctionEnd) {
        i.require(open != nullptr, "ends no function");
        if (first != 0) open->instructions = all.subspan(first, at - first);
        open = nullptr;
        first = 0;
      } else if (!open && !bodies_.empty()) {
        i.require(i.op == SpvOpLine || i.op == SpvOpNoLine || i.op == SpvOpNop,
                  "stands between functions");
      }
    }
    if (open) open->head->fail("has no end");
  }

  bool isByValue(const Instruction& parameter) const {
    return reader_.annotations.hasAttribute(parameter.result, SpvFunctionParameterAttributeByVal);
  }

  void declare(const Body& body) {
    const Instruction& head = *body.head;
    const TypeInfo& info = reader_.types.get(head.operand(1), head);
    head.require(info.op == SpvOpTypeFunction && info.element == head.type &&
                     info.members.size() == body.parameters.size(),
                 "has a type that is not its own");
    const Annotations::EntryPoint* kernel = reader_.annotations.entryPoint(head.result);
    auto* type = llvm::cast<llvm::FunctionType>(info.type);
    llvm::SmallVector<llvm::Type*> parameters(type->params());
    for (size_t k = 0; k < parameters.size(); ++k) {
      body.parameters[k]->require(body.parameters[k]->type == info.members[k],
                                  "has another type than its function says");
      if (kernel && parameters[k]->isAggregateType())
        parameters[k] = llvm::PointerType::get(reader_.context, names::kPrivate);
    }
    if (kernel) head.require(type->getReturnType()->isVoidTy(), "is a kernel that returns a value");
    type = llvm::FunctionType::get(type->getReturnType(), parameters, false);
    auto* function =
        llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "", reader_.module);
    function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    function->setConvergent();
    function->setDoesNotThrow();
    if (head.operand(0) & SpvFunctionControlDontInlineMask)
      function->addFnAttr(llvm::Attribute::NoInline);
    else if (head.operand(0) & SpvFunctionControlInlineMask)
      function->addFnAttr(llvm::Attribute::InlineHint);
    setName(body, *function, kernel);
    for (size_t k = 0; k < parameters.size(); ++k)
      declareParameter(*body.parameters[k], *function->getArg(static_cast<unsigned>(k)));
    if (kernel) declareKernel(body, *function, *kernel);
    if (!reader_.functions.try_emplace(head.result, function).second)
      head.fail("has the id of another function");
  }

  void giveName(const Instruction& head, llvm::Function& function, const std::string& name) {
    head.require(!name.empty() && !isReservedName(name), "has a name that programs cannot use");
    llvm::GlobalValue* other = reader_.module.getNamedValue(name);
    if (other && other->hasLocalLinkage()) {
      other->setName("");
      other = nullptr;
    }
    head.require(!other, "has the name of something else");
    function.setName(name);
    function.setLinkage(llvm::GlobalValue::ExternalLinkage);
  }

  void setName(const Body& body, llvm::Function& function, const Annotations::EntryPoint* kernel) {
    const Instruction& head = *body.head;
    const Decoration* linkage =
        reader_.annotations.find(head.result, SpvDecorationLinkageAttributes);
    if (kernel) {
      head.require(!body.instructions.empty(), "is a kernel without a body");
      function.setCallingConv(llvm::CallingConv::SPIR_KERNEL);
      return giveName(head, function, kernel->name);
    }
    if (linkage) {
      size_t next = 0;
      const std::string name = linkage->from->string(linkage->first, &next);
      const uint32_t type = linkage->from->operand(next);
      // Translators export the body of a kernel under the kernel's name, beside the kernel.
      const bool isOfKernel = std::ranges::any_of(
          reader_.annotations.entryPoints(), [&](const auto& entry) { return entry.name == name; });
      head.require(!body.instructions.empty() || type == SpvLinkageTypeImport,
                   "has neither a body nor an import");
      // They are all but always inlined: what was not to be optimised says otherwise.
      if (isOfKernel) function.removeFnAttr(llvm::Attribute::NoInline);
      if (!isOfKernel) {
        giveName(head, function, name);
        // Other objects may import it, though this one does not use it.
        if (type == SpvLinkageTypeLinkOnceODR)
          function.setLinkage(llvm::GlobalValue::WeakODRLinkage);
        return;
      }
    }
    head.require(!body.instructions.empty(), "has neither a body nor an import");
    const std::string_view name = reader_.annotations.name(head.result);
    // The program's own names never stand for functions of the library.
    function.setName(llvm::Twine(isReservedName(name) ? "function" : name) + ".spirv");
  }

  void declareParameter(const Instruction& parameter, llvm::Argument& argument) {
    const Annotations& notes = reader_.annotations;
    const uint32_t id = parameter.result;
    llvm::AttrBuilder attributes(reader_.context);
    if (notes.hasAttribute(id, SpvFunctionParameterAttributeZext) &&
        argument.getType()->isIntegerTy())
      attributes.addAttribute(llvm::Attribute::ZExt);
    else if (notes.hasAttribute(id, SpvFunctionParameterAttributeSext) &&
             argument.getType()->isIntegerTy())
      attributes.addAttribute(llvm::Attribute::SExt);
    if (argument.getType()->isPointerTy()) {
      const uint32_t alignment = notes.number(id, SpvDecorationAlignment).value_or(0);
      const bool isSane = llvm::isPowerOf2_32(alignment) && alignment <= 4096;
      llvm::Type* type = reader_.types.llvmType(parameter.type, parameter);
      if (type->isAggregateType()) {
        attributes.addByValAttr(type);
        attributes.addAlignmentAttr(reader_.module.getDataLayout().getABITypeAlign(type));
      } else if (isByValue(parameter)) {
        llvm::Type* pointee =
            reader_.types.memoryType(reader_.types.pointee(parameter.type, parameter), parameter);
        parameter.require(type->getPointerAddressSpace() == names::kPrivate,
                          "is passed by value in a wrong storage class");
        attributes.addByValAttr(pointee);
        attributes.addAlignmentAttr(
            std::max(reader_.module.getDataLayout().getABITypeAlign(pointee),
                     llvm::Align(isSane ? alignment : 1)));
      } else if (isSane) {
        attributes.addAlignmentAttr(llvm::Align(alignment));
      }
      if (notes.hasAttribute(id, SpvFunctionParameterAttributeNoAlias))
        attributes.addAttribute(llvm::Attribute::NoAlias);
    }
    argument.addAttrs(attributes);
  }

  /// What a local pointer's memory must be aligned to, and a check that the host can set it at all.
  ArgumentNotes::Note noteOf(const Instruction& parameter, bool isBlockData) {
    ArgumentNotes::Note note;
    const TypeInfo& info = reader_.types.get(parameter.type, parameter);
    parameter.require(!info.type->isIntOrIntVectorTy(1), "is a kernel's argument of type bool");
    if (info.op == SpvOpTypeImage) {
      note.kind = ArgumentKind::Image;
      note.image = info.image->type;
      return note;
    }
    if (info.op == SpvOpTypeSampler || info.op == SpvOpTypePipe || info.op == SpvOpTypeQueue) {
      note.kind = info.op == SpvOpTypeSampler ? ArgumentKind::Sampler
                  : info.op == SpvOpTypePipe  ? ArgumentKind::Pipe
                                              : ArgumentKind::Queue;
      return note;
    }
    if (info.op != SpvOpTypePointer) {
      parameter.require(info.op != SpvOpTypeEvent && info.op != SpvOpTypeSampledImage &&
                            info.op != SpvOpTypeDeviceEvent && info.op != SpvOpTypeReserveId,
                        "is a kernel's argument of a wrong type");
      return note;
    }
    const unsigned space = info.type->getPointerAddressSpace();
    parameter.require(space == names::kGlobal || space == names::kConstant ||
                          space == names::kLocal || isByValue(parameter) ||
                          (isBlockData && space == names::kGeneric),
                      "is a kernel's argument that points into a wrong storage class");
    const uint32_t declared =
        reader_.annotations.number(parameter.result, SpvDecorationAlignment).value_or(0);
    note.alignment = abi::kLocalMemoryAlignment;
    llvm::Type* pointee = nullptr;
    if (info.element != 0 && info.element != parameter.type) {
      const TypeInfo& inner = reader_.types.get(info.element, parameter);
      if (inner.bytes != 0) pointee = inner.type;
    }
    if (pointee)
      note.alignment = static_cast<uint32_t>(std::min<uint64_t>(
          std::max<uint64_t>(reader_.module.getDataLayout().getABITypeAlign(pointee).value(),
                             llvm::isPowerOf2_32(declared) ? declared : 1),
          abi::kLocalMemoryAlignment));
    return note;
  }

  uint32_t modeOperand(const Instruction& mode, size_t index) {
    if (mode.op == SpvOpExecutionMode) return mode.operand(index);
    const auto found = reader_.values.find(mode.operand(index));
    const auto* number = found == reader_.values.end()
                             ? nullptr
                             : llvm::dyn_cast<llvm::ConstantInt>(found->second.value);
    mode.require(number != nullptr, "has an operand that is no constant");
    return static_cast<uint32_t>(number->getValue().getLimitedValue(UINT32_MAX));
  }

  /// Whether kernels enqueue it, or the function that translators write beside it; blocks that
  /// nothing enqueues any more have Clang's names.
  bool isBlockKernel(const Body& body, const Annotations::EntryPoint& kernel) const {
    if (body.parameters.empty()) return false;
    return invoked_.contains(kernel.function) ||
           kernel.name.find("_block_invoke") != std::string::npos ||
           std::ranges::any_of(invoked_, [&](uint32_t id) {
             const Decoration* linkage =
                 reader_.annotations.find(id, SpvDecorationLinkageAttributes);
             return linkage && linkage->from->string(linkage->first) == kernel.name;
           });
  }

  void declareKernel(const Body& body, llvm::Function& function,
                     const Annotations::EntryPoint& kernel) {
    std::vector<ArgumentNotes::Note> notes;
    const bool isBlock = isBlockKernel(body, kernel);
    for (const Instruction* parameter : body.parameters)
      notes.push_back(noteOf(*parameter, isBlock && parameter == body.parameters.front()));
    notes_.add(kernel.name, std::move(notes));
    setArgumentMetadata(reader_, function, kernel.name, body.parameters);
    function.addFnAttr("uniform-work-group-size", "false");
    for (const Instruction* mode : kernel.modes) readMode(*mode, function);
  }

  void setNumbers(llvm::Function& function, const Instruction& mode, const char* kind,
                  unsigned count) {
    llvm::SmallVector<llvm::Metadata*> numbers;
    llvm::Type* type = llvm::Type::getInt32Ty(reader_.context);
    for (unsigned k = 0; k < count; ++k)
      numbers.push_back(
          llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(type, modeOperand(mode, 2 + k))));
    function.setMetadata(kind, llvm::MDNode::get(reader_.context, numbers));
  }

  /// A type hint is a number: components in its upper half, what they are in its lower.
  void setTypeHint(llvm::Function& function, const Instruction& mode) {
    const uint32_t hint = mode.operand(2);
    llvm::LLVMContext& context = reader_.context;
    llvm::Type* const types[] = {llvm::Type::getInt8Ty(context),  llvm::Type::getInt16Ty(context),
                                 llvm::Type::getInt32Ty(context), llvm::Type::getInt64Ty(context),
                                 llvm::Type::getHalfTy(context),  llvm::Type::getFloatTy(context),
                                 llvm::Type::getDoubleTy(context)};
    const uint32_t lanes = hint >> 16;
    if ((hint & 0xffff) >= std::size(types) || lanes > 16) return;
    llvm::Type* type = types[hint & 0xffff];
    if (lanes > 1) type = llvm::FixedVectorType::get(type, lanes);
    auto* isSigned = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 1);
    function.setMetadata(
        "vec_type_hint",
        llvm::MDNode::get(context, {llvm::ConstantAsMetadata::get(llvm::UndefValue::get(type)),
                                    llvm::ConstantAsMetadata::get(isSigned)}));
  }

  void readMode(const Instruction& mode, llvm::Function& function) {
    switch (mode.operand(1)) {
      case SpvExecutionModeLocalSize:
      case SpvExecutionModeLocalSizeId:
        return setNumbers(function, mode, "reqd_work_group_size", 3);
      case SpvExecutionModeLocalSizeHint:
      case SpvExecutionModeLocalSizeHintId:
        return setNumbers(function, mode, "work_group_size_hint", 3);
      case SpvExecutionModeSubgroupSize:
        return setNumbers(function, mode, "intel_reqd_sub_group_size", 1);
      case SpvExecutionModeVecTypeHint:
        return setTypeHint(function, mode);
      // Nothing is contracted that the module does not name.
      case SpvExecutionModeContractionOff:
      // What code does here in any case, for every width.
      case SpvExecutionModeDenormPreserve:
      case SpvExecutionModeSignedZeroInfNanPreserve:
      case SpvExecutionModeRoundingModeRTE:
        return;
      default:
        mode.fail("has mode " + modeName(mode.operand(1)) + ", which is not supported");
    }
  }

  Reader& reader_;
  std::vector<Body> bodies_;
  std::set<uint32_t> invoked_;  ///< functions that kernels enqueue
  ArgumentNotes notes_;
};

}  // namespace

void readFunctions(Reader& reader) { FunctionReader(reader).run(); }

}  // namespace weft::compiler::spirv
