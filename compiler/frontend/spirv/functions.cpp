// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions: what they are called and take, and which modes kernels have.
#include <llvm/IR/Constants.h>

#include <algorithm>

#include "frontend/spirv/reader.h"
#include "ir/names.h"
#include "weft/abi/work_group.h"

namespace weft::compiler::spirv {
namespace {

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
        readBody(reader_, body, *reader_.functions.at(body.head->result));
    leaveFlushingToKernels();
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
    if (llvm::Function* known = importOfLlvm(body, type)) return add(head, *known);
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
    add(head, *function);
  }

  void add(const Instruction& head, llvm::Function& function) {
    if (!reader_.functions.try_emplace(head.result, &function).second)
      head.fail("has the id of another function");
  }

  llvm::Function* importOfLlvm(const Body& body, llvm::FunctionType* type) {
    const Decoration* linkage =
        reader_.annotations.find(body.head->result, SpvDecorationLinkageAttributes);
    if (!linkage || !body.instructions.empty()) return nullptr;
    return functionOfLlvm(reader_.module, linkage->from->string(linkage->first), type);
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

  /// What a parameter's type says, and a check that the host can set it at all.
  ArgumentNote noteOf(const Instruction& parameter, bool isBlockData) {
    ArgumentNote note;
    const TypeInfo& info = reader_.types.get(parameter.type, parameter);
    parameter.require(!info.type->isIntOrIntVectorTy(1), "is a kernel's argument of type bool");
    if (info.op == SpvOpTypeImage) {
      note.kind = ArgumentKind::Image;
      note.image = info.image->type;
      note.access = info.image->access;
      return note;
    }
    if (info.op == SpvOpTypeSampler || info.op == SpvOpTypePipe || info.op == SpvOpTypeQueue) {
      note.kind = info.op == SpvOpTypeSampler ? ArgumentKind::Sampler
                  : info.op == SpvOpTypePipe  ? ArgumentKind::Pipe
                                              : ArgumentKind::Queue;
      note.access = info.access;
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
    std::vector<ArgumentNote> notes;
    const bool isBlock = isBlockKernel(body, kernel);
    for (const Instruction* parameter : body.parameters)
      notes.push_back(noteOf(*parameter, isBlock && parameter == body.parameters.front()));
    noteQualifiers(reader_, kernel.name, body.parameters, notes);
    setArgumentNotes(function, notes);
    setArgumentNames(reader_, function, kernel.name, body.parameters);
    function.addFnAttr("uniform-work-group-size", "false");
    function.addFnAttr(names::kIlAttribute);
    for (const Instruction* mode : kernel.modes) readMode(*mode, function);
    setFlushing(kernel, function);
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
      case SpvExecutionModeSubgroupsPerWorkgroup:
      case SpvExecutionModeSubgroupsPerWorkgroupId:
        mode.require(modeOperand(mode, 2) != 0, "asks for groups without sub-groups");
        return setNumbers(function, mode, names::kReqdSubGroups, 1);
      // Wishes of compilers for other processors, and promises that nothing here makes use of.
      case SpvExecutionModeVecTypeHint:
      case SpvExecutionModeMaxWorkgroupSizeINTEL:
      case SpvExecutionModeMaxWorkDimINTEL:
      case SpvExecutionModeNoGlobalOffsetINTEL:
      case SpvExecutionModeNumSIMDWorkitemsINTEL:
      case SpvExecutionModeSchedulerTargetFmaxMhzINTEL:
      case kExecutionModeMaximumRegistersINTEL:
      case kExecutionModeMaximumRegistersIdINTEL:
      case kExecutionModeNamedMaximumRegistersINTEL:
      // setFlushing() sees to it.
      case SpvExecutionModeDenormFlushToZero:
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

  /// The processor flushes denormal floats and doubles or neither; halves are computed as floats,
  /// whose range has room for theirs.
  void setFlushing(const Annotations::EntryPoint& kernel, llvm::Function& function) {
    bool flushes = false;
    const Instruction* preserves = nullptr;
    for (const Instruction* mode : kernel.modes) {
      const uint32_t kind = mode->operand(1);
      if (kind != SpvExecutionModeDenormFlushToZero && kind != SpvExecutionModeDenormPreserve)
        continue;
      const uint32_t width = mode->operand(2);
      mode->require(width == 16 || width == 32 || width == 64, "is of no width that there is");
      if (kind == SpvExecutionModeDenormPreserve) {
        if (width != 16) preserves = mode;
        continue;
      }
      mode->require(width != 16, "has mode DenormFlushToZero for halves, which is not supported");
      function.addFnAttr(width == 32 ? kFlushesFloats : kFlushesAll, kFlushes);
      flushes = true;
    }
    if (flushes && preserves)
      preserves->fail(
          "has mode DenormPreserve beside DenormFlushToZero of another width, which is not "
          "supported");
    flushes_ |= flushes;
  }

  /// What several kernels may call flushes as each of them does.
  void leaveFlushingToKernels() {
    if (!flushes_) return;
    for (llvm::Function& function : reader_.module)
      if (!function.isDeclaration() && function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL)
        for (const char* name : {kFlushesFloats, kFlushesAll})
          function.addFnAttr(name, "dynamic,dynamic");
  }

  static constexpr const char* kFlushesFloats = "denormal-fp-math-f32";
  static constexpr const char* kFlushesAll = "denormal-fp-math";
  static constexpr const char* kFlushes = "preserve-sign,preserve-sign";

  Reader& reader_;
  bool flushes_ = false;  ///< some kernel flushes denormal numbers
  std::vector<Body> bodies_;
  std::set<uint32_t> invoked_;  ///< functions that kernels enqueue
};

}  // namespace

void readFunctions(Reader& reader) { FunctionReader(reader).run(); }

}  // namespace weft::compiler::spirv
