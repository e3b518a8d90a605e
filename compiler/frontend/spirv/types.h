// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>

#include <unordered_map>
#include <vector>

#include "frontend/spirv/decorations.h"
#include "weft/compiler/kernel_info.h"

namespace weft::compiler::spirv {

/// An image's type, in the words of the language.
struct ImageFacts {
  std::string name;          ///< as it is mangled: "14ocl_image2d_ro"
  unsigned dimensions = 1;   ///< without layers
  unsigned coordinates = 1;  ///< components of a position
  bool isArray = false;
  bool isDepth = false;
  ImageType type = ImageType::None;
  AccessQualifier access = AccessQualifier::ReadOnly;
};

/// What an id of a type stands for.
struct TypeInfo {
  SpvOp op = SpvOpTypeVoid;
  llvm::Type* type = nullptr;
  uint32_t element = 0;           ///< of vectors and arrays; what a pointer points to; result
  std::vector<uint32_t> members;  ///< of structures; parameters of functions
  uint32_t storage = SpvStorageClassFunction;  ///< of pointers; any number, in a module from anyone
  uint64_t bytes = 0;                          ///< in memory; 0: none, or not known yet
  uint64_t scalars = 1;                        ///< in it, saturating
  unsigned depth = 0;                          ///< of nesting
  std::optional<ImageFacts> image{};
  AccessQualifier access = AccessQualifier::None;  ///< of pipes
};

/// The types of a module. All that LLVM would not bear is refused here: sizes beyond what can be
/// addressed, and nesting without end.
class Types {
 public:
  Types(llvm::Module& module, const Annotations& annotations)
      : module_(module), annotations_(annotations) {}

  /// Whether `instruction` declares a type, which is then known. `length`: of an array, what its
  /// operand says.
  bool declare(const Instruction& instruction, std::optional<uint64_t> length);

  /// Fails in the name of `user` when the id is no type.
  const TypeInfo& get(uint32_t id, const Instruction& user) const;
  llvm::Type* llvmType(uint32_t id, const Instruction& user) const { return get(id, user).type; }
  /// The same for what can be in memory.
  llvm::Type* memoryType(uint32_t id, const Instruction& user) const;
  /// The same for what can be the value of an instruction.
  llvm::Type* valueType(uint32_t id, const Instruction& user) const;
  /// What the pointer type `id` points to.
  uint32_t pointee(uint32_t id, const Instruction& user) const;
  bool isSigned(uint32_t id) const;

 private:
  void set(const Instruction& instruction, TypeInfo info);
  void declareNumber(const Instruction& instruction);
  void declareStructure(const Instruction& instruction);
  void declareFunction(const Instruction& instruction);
  void declareImage(const Instruction& instruction);
  TypeInfo pointerTo(uint32_t storage, const Instruction& instruction) const;
  void declarePointer(const Instruction& instruction);
  void declareForward(const Instruction& instruction);
  void nest(const Instruction& instruction, TypeInfo& info, uint32_t inner, uint64_t count) const;

  llvm::Module& module_;
  const Annotations& annotations_;
  std::unordered_map<uint32_t, TypeInfo> types_;
};

/// The address space of the language for a storage class; nothing for classes that kernels have no
/// use for.
std::optional<unsigned> addressSpaceOf(uint32_t storage);

}  // namespace weft::compiler::spirv
