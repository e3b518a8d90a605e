// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/lower_target_types.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "ir/names.h"

namespace weft::compiler {
namespace {

/// Maps every type that contains a target type.
class TypeMap : public llvm::ValueMapTypeRemapper {
 public:
  explicit TypeMap(llvm::LLVMContext& context)
      : object_(llvm::PointerType::get(context, names::kPrivate)),
        pipe_(llvm::PointerType::get(context, names::kGlobal)),
        image_(llvm::PointerType::get(context, names::kConstant)) {}

  llvm::Type* remapType(llvm::Type* type) override {
    if (auto known = map_.find(type); known != map_.end()) return known->second;
    llvm::Type* mapped = compute(type);
    map_[type] = mapped;
    return mapped;
  }

 private:
  llvm::Type* compute(llvm::Type* type) {
    if (auto* object = llvm::dyn_cast<llvm::TargetExtType>(type)) return pointerFor(*object);
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      return llvm::ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    }
    if (auto* function = llvm::dyn_cast<llvm::FunctionType>(type)) {
      llvm::SmallVector<llvm::Type*, 8> params;
      for (llvm::Type* param : function->params()) params.push_back(remapType(param));
      return llvm::FunctionType::get(remapType(function->getReturnType()), params,
                                     function->isVarArg());
    }
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) return computeStruct(structure);
    return type;
  }

  llvm::Type* pointerFor(const llvm::TargetExtType& object) const {
    if (object.getName() == "spirv.Pipe") return pipe_;
    if (object.getName() == "spirv.Image" || object.getName() == "spirv.Sampler") return image_;
    return object_;
  }

  llvm::Type* computeStruct(llvm::StructType* type) {
    if (type->isOpaque()) return type;
    llvm::SmallVector<llvm::Type*, 8> elements;
    bool changed = false;
    for (llvm::Type* element : type->elements()) {
      elements.push_back(remapType(element));
      changed |= elements.back() != element;
    }
    if (!changed) return type;
    if (type->isLiteral()) {
      return llvm::StructType::get(type->getContext(), elements, type->isPacked());
    }
    std::string name = type->getName().str();
    type->setName("");
    return llvm::StructType::create(type->getContext(), elements, name, type->isPacked());
  }

  llvm::PointerType* object_;
  llvm::PointerType* pipe_;   ///< the library reads and writes what it points to
  llvm::PointerType* image_;  ///< the library reads what it points to; samplers are numbers
  llvm::DenseMap<llvm::Type*, llvm::Type*> map_;
};

/// Clang 19 writes CLK_NULL_EVENT and the like as a bitcast of an integer to a target type.
class NullObjects : public llvm::ValueMaterializer {
 public:
  explicit NullObjects(TypeMap& types) : types_(types) {}

  llvm::Value* materialize(llvm::Value* value) override {
    auto* expr = llvm::dyn_cast<llvm::ConstantExpr>(value);
    if (!expr || expr->getOpcode() != llvm::Instruction::BitCast) return nullptr;
    llvm::Type* type = types_.remapType(expr->getType());
    if (type == expr->getType()) return nullptr;
    auto* operand = llvm::dyn_cast<llvm::Constant>(expr->getOperand(0));
    if (!operand->getType()->isIntegerTy()) return llvm::Constant::getNullValue(type);
    return llvm::ConstantExpr::getIntToPtr(operand, type);
  }

 private:
  TypeMap& types_;
};

/// Whether any value of the module has a type that the map changes.
bool needsLowering(const llvm::Module& module, TypeMap& types) {
  auto changes = [&](llvm::Type* type) { return types.remapType(type) != type; };
  for (const llvm::GlobalVariable& global : module.globals()) {
    if (changes(global.getValueType())) return true;
  }
  for (const llvm::Function& function : module) {
    if (changes(function.getFunctionType())) return true;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (changes(instruction.getType())) return true;
      for (const llvm::Value* operand : instruction.operands()) {
        if (changes(operand->getType())) return true;
      }
      if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
        if (changes(slot->getAllocatedType())) return true;
      }
    }
  }
  return false;
}

/// Makes a function of the new type in place of `old` and moves the body there. Pointers to a
/// function do not depend on its type, so its users need no change of theirs. `old` is left empty
/// and unused: its parameters are keys of `map`, which forgets them when they go.
void replaceFunction(llvm::Function& old, llvm::FunctionType* type, llvm::ValueToValueMapTy& map) {
  llvm::Function* made =
      llvm::Function::Create(type, old.getLinkage(), old.getAddressSpace(), "", old.getParent());
  made->takeName(&old);
  made->copyAttributesFrom(&old);
  made->copyMetadata(&old, 0);
  made->setComdat(old.getComdat());
  made->splice(made->end(), &old);
  for (auto [from, to] : llvm::zip(old.args(), made->args())) {
    to.takeName(&from);
    map[&from] = &to;
  }
  old.replaceAllUsesWith(made);
}

/// Makes a variable of the new type in place of `old`; the initialiser keeps its old type.
void replaceGlobal(llvm::GlobalVariable& old, llvm::Type* type, llvm::ValueMapper& mapper) {
  auto* made =
      new llvm::GlobalVariable(*old.getParent(), type, old.isConstant(), old.getLinkage(), nullptr,
                               "", &old, old.getThreadLocalMode(), old.getAddressSpace());
  made->takeName(&old);
  made->copyAttributesFrom(&old);
  old.replaceAllUsesWith(made);
  if (old.hasInitializer()) made->setInitializer(mapper.mapConstant(*old.getInitializer()));
  old.eraseFromParent();
}

}  // namespace

void lowerTargetTypes(llvm::Module& module) {
  TypeMap types(module.getContext());
  if (!needsLowering(module, types)) return;
  NullObjects nulls(types);
  llvm::ValueToValueMapTy map;
  llvm::SmallVector<llvm::Function*> replaced;
  for (llvm::Function& function : module) {
    if (types.remapType(function.getFunctionType()) != function.getFunctionType())
      replaced.push_back(&function);
  }
  for (llvm::Function* function : replaced) {
    auto* type = llvm::cast<llvm::FunctionType>(types.remapType(function->getFunctionType()));
    replaceFunction(*function, type, map);
  }
  llvm::ValueMapper mapper(map, llvm::RF_IgnoreMissingLocals | llvm::RF_ReuseAndMutateDistinctMDs,
                           &types, &nulls);
  for (llvm::GlobalVariable& global : llvm::make_early_inc_range(module.globals())) {
    llvm::Type* type = types.remapType(global.getValueType());
    if (type != global.getValueType()) {
      replaceGlobal(global, type, mapper);
    } else if (global.hasInitializer()) {
      global.setInitializer(mapper.mapConstant(*global.getInitializer()));
    }
  }
  for (llvm::Function& function : module) mapper.remapFunction(function);
  for (llvm::Function* function : replaced) function->eraseFromParent();
}

}  // namespace weft::compiler
