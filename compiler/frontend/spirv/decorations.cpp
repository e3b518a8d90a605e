// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/decorations.h"

#include <algorithm>

namespace weft::compiler::spirv {

/// Decorations that ids have through groups, in all. Groups that decorate groups would otherwise
/// make a number that is exponential in the size of the module.
static constexpr size_t kMostGrouped = size_t{1} << 20;

Annotations::Annotations(const Binary& binary) {
  for (const Instruction& instruction : binary.instructions()) {
    const auto operand = [&](size_t i) { return instruction.operand(i); };
    switch (instruction.op) {
      case SpvOpName:
        names_[operand(0)] = instruction.string(1);
        break;
      case SpvOpDecorate:
      case SpvOpDecorateId:
      case SpvOpDecorateString:
        decorations_[operand(0)].push_back({operand(1), std::nullopt, &instruction, 2});
        break;
      case SpvOpMemberDecorate:
      case SpvOpMemberDecorateString:
        decorations_[operand(0)].push_back({operand(2), operand(1), &instruction, 3});
        break;
      case SpvOpGroupDecorate:
        for (size_t i = 1; i < instruction.operands.size(); ++i)
          addGroup(instruction, operand(i), std::nullopt);
        break;
      case SpvOpGroupMemberDecorate:
        for (size_t i = 1; i + 1 < instruction.operands.size(); i += 2)
          addGroup(instruction, operand(i), operand(i + 1));
        break;
      case SpvOpEntryPoint:
        instruction.require(operand(0) == SpvExecutionModelKernel,
                            "is of an execution model other than Kernel");
        instruction.require(entryPointOf_.try_emplace(operand(1), entryPoints_.size()).second,
                            "names a function that is a kernel already");
        entryPoints_.push_back({operand(1), instruction.string(2), {}});
        break;
      case SpvOpExecutionMode:
      case SpvOpExecutionModeId: {
        const auto kernel = entryPointOf_.find(operand(0));
        instruction.require(kernel != entryPointOf_.end(), "is of no kernel");
        entryPoints_[kernel->second].modes.push_back(&instruction);
        break;
      }
      case SpvOpFunction:
        return;
      default:
        break;
    }
  }
}

void Annotations::addGroup(const Instruction& instruction, uint32_t target,
                           std::optional<uint32_t> member) {
  const uint32_t group = instruction.operand(0);
  const auto found = decorations_.find(group);
  if (found == decorations_.end() || group == target) return;
  grouped_ += found->second.size();
  instruction.require(grouped_ <= kMostGrouped, "decorates too many ids");
  // The table may move when the target's row is made.
  for (Decoration decoration : std::vector(found->second)) {
    if (member) decoration.member = member;
    decorations_[target].push_back(decoration);
  }
}

std::span<const Decoration> Annotations::of(uint32_t id) const {
  const auto found = decorations_.find(id);
  if (found == decorations_.end()) return {};
  return found->second;
}

const Decoration* Annotations::find(uint32_t id, SpvDecoration kind) const {
  for (const Decoration& decoration : of(id))
    if (decoration.kind == kind && !decoration.member) return &decoration;
  return nullptr;
}

std::optional<uint32_t> Annotations::number(uint32_t id, SpvDecoration kind) const {
  const Decoration* decoration = find(id, kind);
  return decoration ? std::optional(decoration->operand(0)) : std::nullopt;
}

bool Annotations::hasAttribute(uint32_t id, SpvFunctionParameterAttribute attribute) const {
  return std::ranges::any_of(of(id), [&](const Decoration& decoration) {
    return decoration.kind == SpvDecorationFuncParamAttr && decoration.operand(0) == attribute;
  });
}

std::string_view Annotations::name(uint32_t id) const {
  const auto found = names_.find(id);
  return found == names_.end() ? std::string_view() : std::string_view(found->second);
}

const Annotations::EntryPoint* Annotations::entryPoint(uint32_t function) const {
  const auto found = entryPointOf_.find(function);
  return found == entryPointOf_.end() ? nullptr : &entryPoints_[found->second];
}

}  // namespace weft::compiler::spirv
