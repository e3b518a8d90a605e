// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/spirv/binary.h"

namespace weft::compiler::spirv {

/// One decoration of an id, or of a member of a structure.
struct Decoration {
  uint32_t kind = 0;                  ///< an SpvDecoration
  std::optional<uint32_t> member;     ///< of a structure
  const Instruction* from = nullptr;  ///< whose operands, from `first` on, are the decoration's
  size_t first = 0;

  uint32_t operand(size_t index) const { return from->operand(first + index); }
};

/// All that the annotations of a module say: decorations, names, and the kernels that it has.
class Annotations {
 public:
  explicit Annotations(const Binary& binary);

  std::span<const Decoration> of(uint32_t id) const;
  /// The first decoration of a kind of the id itself; null: it has none.
  const Decoration* find(uint32_t id, SpvDecoration kind) const;
  bool has(uint32_t id, SpvDecoration kind) const { return find(id, kind) != nullptr; }
  /// The first operand of such a decoration.
  std::optional<uint32_t> number(uint32_t id, SpvDecoration kind) const;
  /// FuncParamAttr, of which a parameter may have several.
  bool hasAttribute(uint32_t id, SpvFunctionParameterAttribute attribute) const;
  /// What OpName says; empty: nothing.
  std::string_view name(uint32_t id) const;

  struct EntryPoint {
    uint32_t function = 0;
    std::string name;
    std::vector<const Instruction*> modes;
  };
  std::span<const EntryPoint> entryPoints() const { return entryPoints_; }
  const EntryPoint* entryPoint(uint32_t function) const;

 private:
  /// Gives `target`, or a member of it, the decorations of the instruction's group.
  void addGroup(const Instruction& instruction, uint32_t target, std::optional<uint32_t> member);

  std::unordered_map<uint32_t, std::vector<Decoration>> decorations_;
  std::unordered_map<uint32_t, std::string> names_;
  std::vector<EntryPoint> entryPoints_;
  std::unordered_map<uint32_t, size_t> entryPointOf_;  ///< indices, by function
  size_t grouped_ = 0;                                 ///< decorations made by addGroup()
};

}  // namespace weft::compiler::spirv
