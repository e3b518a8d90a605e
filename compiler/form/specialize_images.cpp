// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/specialize_images.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "base/tuning.h"
#include "ir/image_formats.h"
#include "ir/names.h"
#include "prepare/inline_util.h"
#include "weft/abi/image.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// What is known of an image or a sampler.
struct Known {
  ArgumentKind kind;
  uint64_t number;  ///< its format, or the sampler's number
  friend bool operator==(const Known&, const Known&) = default;
};

/// Follows images and samplers from where they are used to the kernel's arguments.
class Origins {
 public:
  Origins(const KernelInfo& kernel, const ImageClasses& classes, const Function& body)
      : body_(body) {
    const unsigned hidden = names::hasWorkItem(body) ? 1 : 0;
    for (size_t i = 0; i < kernel.imageArguments.size() && i < classes.size(); ++i) {
      if (classes[i] == 0) continue;
      const uint32_t index = kernel.imageArguments[i];
      const ArgumentKind kind = kernel.arguments[index].kind;
      const uint64_t number = kind == ArgumentKind::Sampler ? classes[i] - 1u : classes[i];
      known_.try_emplace(body.getArg(index + hidden), Known{kind, number});
    }
  }

  void add(const Argument& argument, const Known& known) { known_.try_emplace(&argument, known); }

  /// Nothing where it may be one of several that differ.
  std::optional<Known> find(const Value& object) const {
    SmallSetVector<const Value*, 8> pending;
    std::optional<Known> found;
    pending.insert(&object);
    for (size_t i = 0; i < pending.size(); ++i) {
      const std::optional<Known> known = knownOf(*pending[i]);
      if (!known && !addSources(*pending[i], pending)) return std::nullopt;
      if (known && found && *known != *found) return std::nullopt;
      if (known) found = known;
    }
    return found;
  }

 private:
  std::optional<Known> knownOf(const Value& value) const {
    if (const auto* argument = dyn_cast<Argument>(&value)) {
      const auto known = known_.find(argument);
      return known == known_.end() ? std::nullopt : std::optional(known->second);
    }
    // A sampler of the program's.
    if (isa<ConstantPointerNull>(value)) return Known{ArgumentKind::Sampler, 0};
    const auto* cast = dyn_cast<ConstantExpr>(&value);
    if (!cast || cast->getOpcode() != Instruction::IntToPtr) return std::nullopt;
    const auto* number = dyn_cast<ConstantInt>(cast->getOperand(0));
    if (!number || number->getBitWidth() > 64) return std::nullopt;
    return Known{ArgumentKind::Sampler, number->getZExtValue()};
  }

  /// What `value` may be. False when that is not known.
  bool addSources(const Value& value, SmallSetVector<const Value*, 8>& sources) const {
    if (const auto* argument = dyn_cast<Argument>(&value)) return addGiven(*argument, sources);
    if (const auto* phi = dyn_cast<PHINode>(&value)) {
      for (const Use& incoming : phi->incoming_values()) sources.insert(incoming.get());
      return true;
    }
    if (const auto* select = dyn_cast<SelectInst>(&value)) {
      sources.insert(select->getTrueValue());
      sources.insert(select->getFalseValue());
      return true;
    }
    if (const auto* freeze = dyn_cast<FreezeInst>(&value)) {
      sources.insert(freeze->getOperand(0));
      return true;
    }
    const auto* address = dyn_cast<GEPOperator>(&value);
    if (!address || !address->hasAllZeroIndices()) return false;
    sources.insert(address->getPointerOperand());
    return true;
  }

  /// What the callers of its function give an argument.
  bool addGiven(const Argument& argument, SmallSetVector<const Value*, 8>& sources) const {
    const Function& function = *argument.getParent();
    if (&function == &body_ || !function.hasLocalLinkage()) return false;
    for (const Use& use : function.uses()) {
      const auto* call = dyn_cast<CallBase>(use.getUser());
      if (!call || !call->isCallee(&use) || call->arg_size() != function.arg_size()) return false;
      sources.insert(call->getArgOperand(argument.getArgNo()));
    }
    return true;
  }

  const Function& body_;
  DenseMap<const Argument*, Known> known_;
};

/// What is known to be loaded, or to be a sampler's number.
std::optional<uint64_t> knownNumber(const Instruction& instruction, const Origins& origins,
                                    const DataLayout& layout) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) {
    if (!load->isSimple() || !load->getType()->isIntegerTy(32)) return std::nullopt;
    APInt offset(64, 0);
    const Value* image =
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
    if (offset.uge(offsetof(abi::Image, levelCount))) return std::nullopt;
    const auto known = origins.find(*image);
    if (!known || known->kind != ArgumentKind::Image) return std::nullopt;
    return imageField(known->number, offset.getZExtValue());
  }
  if (!isa<PtrToIntInst>(instruction) || !instruction.getType()->isIntegerTy(64))
    return std::nullopt;
  const auto known = origins.find(*instruction.getOperand(0));
  if (!known || known->kind != ArgumentKind::Sampler) return std::nullopt;
  return known->number;
}

/// Makes constants of all that asks for formats and samplers.
bool putConstants(Function& function, const Origins& origins) {
  const DataLayout& layout = function.getParent()->getDataLayout();
  SmallVector<std::pair<WeakVH, Constant*>> known;
  for (Instruction& instruction : instructions(function))
    if (const auto number = knownNumber(instruction, origins, layout))
      known.emplace_back(&instruction, ConstantInt::get(instruction.getType(), *number));
  for (auto& [place, constant] : known) {
    // Simplifying what uses one may have erased the next.
    auto* instruction = dyn_cast_or_null<Instruction>(static_cast<Value*>(place));
    if (!instruction) continue;
    replaceAndRecursivelySimplify(instruction, constant);
    instruction = dyn_cast_or_null<Instruction>(static_cast<Value*>(place));
    if (instruction && instruction->use_empty()) instruction->eraseFromParent();
  }
  return !known.empty();
}

SmallVector<CallBase*> imageCalls(Function& function) {
  SmallVector<CallBase*> calls = callsOfDefinitions(function);
  erase_if(calls, [](const CallBase* call) {
    return !names::isImageFunction(*call->getCalledFunction());
  });
  return calls;
}

/// Copies of image functions for formats, and for constants that they are called with.
class Copies {
 public:
  Copies(Module& module, Origins& origins, FunctionAnalysisManager& analyses)
      : module_(module), origins_(origins), analyses_(analyses) {}

  /// With the same parameters. Null where the image's format is not known.
  Function* find(const CallBase& call) {
    const auto image = call.arg_size() == 0 ? std::nullopt : origins_.find(*call.getArgOperand(0));
    if (!image || image->kind != ArgumentKind::Image) return nullptr;
    Function& original = *call.getCalledFunction();
    Key key{&original, image->number, {}};
    for (const Use& argument : call.args())
      std::get<2>(key).push_back(isa<ConstantInt>(argument.get()) ? argument.get() : nullptr);
    Function*& copy = copies_[key];
    if (!copy) copy = &make(original, *image, std::get<2>(key));
    return copy;
  }

 private:
  using Key = std::tuple<Function*, uint64_t, std::vector<Value*>>;

  /// Inlining does not copy what is not reached with the constants.
  Function& make(Function& original, const Known& image, ArrayRef<Value*> constants) {
    Function& copy =
        *Function::Create(original.getFunctionType(), GlobalValue::InternalLinkage,
                          original.getAddressSpace(), "for." + original.getName(), &module_);
    copy.copyAttributesFrom(&original);
    copy.setDSOLocal(true);
    IRBuilder<> builder(BasicBlock::Create(module_.getContext(), "entry", &copy));
    SmallVector<Value*> arguments;
    for (auto [parameter, constant] : zip_equal(make_pointer_range(copy.args()), constants))
      arguments.push_back(constant ? constant : parameter);
    CallInst* call = builder.CreateCall(&original, arguments);
    call->setCallingConv(original.getCallingConv());
    if (copy.getReturnType()->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(call);
    origins_.add(*copy.getArg(0), image);
    // What the function calls gets the format as a number, once there are constants.
    for (auto calls = imageCalls(copy); !calls.empty(); calls = imageCalls(copy)) {
      for (CallBase* each : calls) inlineCall(*each);
      putConstants(copy, origins_);
    }
    simplify(copy);
    if (isAtAnyCoordinate(copy)) markPixels(copy);
    return copy;
  }

  /// Whether its coordinates are floats of two dimensions, as those of pictures that are turned:
  /// neighbours then read along slanted lines. Volumes are mostly read along their rows, where
  /// asking ahead took a seventh of the speed.
  static bool isAtAnyCoordinate(const Function& copy) {
    return copy.getName().contains("_2d") && copy.arg_size() > 2 &&
           copy.getArg(2)->getType()->getScalarType()->isFloatTy();
  }

  /// Of the pixels that are read, the first and the last: the others lie between or beside them.
  static void markPixels(Function& copy) {
    SmallVector<LoadInst*> pixels;
    for (Instruction& instruction : instructions(copy))
      if (auto* load = dyn_cast<LoadInst>(&instruction);
          load && isa<LoadInst>(getUnderlyingObject(load->getPointerOperand())))
        pixels.push_back(load);
    if (pixels.empty()) return;
    for (LoadInst* pixel : {pixels.front(), pixels.back()})
      pixel->setMetadata(names::kPixel, MDNode::get(copy.getContext(), {}));
  }

  void simplify(Function& copy) {
    FunctionPassManager passes;
    passes.addPass(SimplifyCFGPass());
    passes.addPass(InstCombinePass());
    passes.addPass(SimplifyCFGPass());
    passes.run(copy, analyses_);
    analyses_.clear(copy, copy.getName());
  }

  Module& module_;
  Origins& origins_;
  FunctionAnalysisManager& analyses_;
  std::map<Key, Function*> copies_;
};

}  // namespace

PreservedAnalyses SpecializeImagesPass::run(Module& module, ModuleAnalysisManager& analyses) {
  Function* body = module.getFunction(body_);
  if (!body || body->isDeclaration()) return PreservedAnalyses::all();
  Origins origins(kernel_, classes_, *body);
  SmallVector<CallBase*> calls;
  bool hasChanged = false;
  for (Function& function : module) {
    if (function.isDeclaration() || names::isImageFunction(function)) continue;
    hasChanged |= putConstants(function, origins);
    append_range(calls, imageCalls(function));
  }
  Copies copies(module, origins,
                analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager());
  DenseMap<const Function*, uint64_t> sizes;
  for (CallBase* call : calls) {
    Function* copy = copies.find(*call);
    if (!copy) continue;
    hasChanged = true;
    call->setCalledFunction(copy);
    uint64_t& size = sizes.try_emplace(call->getFunction(), 0).first->second;
    if (size == 0) size = instructionCount(*call->getFunction());
    const uint64_t added = instructionCount(*copy);
    if (size + added > tuning::kInlineBudget && added > tuning::kAlwaysInlined) continue;
    size += added;
    inlineCall(*call);
  }
  // What is no longer called goes with form-kernel.
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
