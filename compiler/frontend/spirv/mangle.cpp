// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/mangle.h"

#include <llvm/IR/DerivedTypes.h>

#include <algorithm>

namespace weft::compiler::spirv {

MangledType MangledType::of(const llvm::Type* type, bool isSigned) {
  MangledType result;
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    result.lanes_ = vector->getNumElements();
    type = vector->getElementType();
  }
  if (type->isHalfTy()) result.scalar_ = "Dh";
  if (type->isFloatTy()) result.scalar_ = "f";
  if (type->isDoubleTy()) result.scalar_ = "d";
  if (type->isIntegerTy(8)) result.scalar_ = isSigned ? "c" : "h";
  if (type->isIntegerTy(16)) result.scalar_ = isSigned ? "s" : "t";
  if (type->isIntegerTy(32)) result.scalar_ = isSigned ? "i" : "j";
  if (type->isIntegerTy(64)) result.scalar_ = isSigned ? "l" : "m";
  return result.scalar_.empty() ? MangledType() : result;
}

MangledType MangledType::pointer(unsigned addressSpace, std::string_view qualifiers,
                                 const MangledType& pointee) {
  MangledType result;
  if (addressSpace != 0) result.qualifiers_ = "U3AS" + std::to_string(addressSpace);
  result.qualifiers_ += qualifiers;
  result.pointee_ = std::make_shared<const MangledType>(pointee);
  return result;
}

/// Writes names, and what has been written once as a reference to that.
class NameMangler {
 public:
  std::string run(std::string_view name, std::span<const MangledType> parameters) {
    out_ = "_Z" + std::to_string(name.size()) + std::string(name);
    for (const MangledType& parameter : parameters) write(parameter);
    return parameters.empty() ? out_ + "v" : out_;
  }

 private:
  static std::string spelled(const MangledType& type) {
    if (type.pointee_) return "P" + type.qualifiers_ + spelled(*type.pointee_);
    return type.lanes_ ? "Dv" + std::to_string(type.lanes_) + "_" + type.scalar_ : type.scalar_;
  }

  bool writeKnown(const std::string& key) {
    const auto found = std::ranges::find(known_, key);
    if (found == known_.end()) return false;
    const auto index = found - known_.begin();
    out_ += index == 0 ? "S_" : "S" + std::to_string(index - 1) + "_";
    return true;
  }

  void write(const MangledType& type) {
    const std::string key = spelled(type);
    // Named types (enumerations, images, events) are referred to, letters are repeated.
    const bool isNamed = !type.scalar_.empty() && type.scalar_[0] >= '0' && type.scalar_[0] <= '9';
    const bool isBuiltin = !type.pointee_ && type.lanes_ == 0 && !isNamed;
    if (isBuiltin) {
      out_ += key;
      return;
    }
    if (writeKnown(key)) return;
    if (type.pointee_) {
      out_ += "P";
      const std::string qualified = type.qualifiers_ + spelled(*type.pointee_);
      if (type.qualifiers_.empty()) {
        write(*type.pointee_);
      } else if (!writeKnown(qualified)) {
        out_ += type.qualifiers_;
        write(*type.pointee_);
        known_.push_back(qualified);
      }
    } else {
      out_ += key;
    }
    known_.push_back(key);
  }

  std::string out_;
  std::vector<std::string> known_;
};

std::string mangledName(std::string_view name, std::span<const MangledType> parameters) {
  return NameMangler().run(name, parameters);
}

}  // namespace weft::compiler::spirv
