// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Type.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::compiler::spirv {

/// A parameter's type as the library's names spell it.
class MangledType {
 public:
  /// Integers, floating-point numbers and vectors of them; empty for other types.
  static MangledType of(const llvm::Type* type, bool isSigned);
  static MangledType letter(std::string_view text) { return MangledType(std::string(text)); }
  /// `qualifiers`: "", "K" or "V".
  static MangledType pointer(unsigned addressSpace, std::string_view qualifiers,
                             const MangledType& pointee);

  bool empty() const { return scalar_.empty() && !pointee_; }

 private:
  friend class NameMangler;
  MangledType() = default;
  explicit MangledType(std::string scalar) : scalar_(std::move(scalar)) {}

  std::string scalar_;  ///< of a vector, what its elements are
  unsigned lanes_ = 0;  ///< 0: no vector
  std::string qualifiers_;
  std::shared_ptr<const MangledType> pointee_;
};

/// Itanium's name of a function, as Clang has it for spir64.
std::string mangledName(std::string_view name, std::span<const MangledType> parameters);

}  // namespace weft::compiler::spirv
