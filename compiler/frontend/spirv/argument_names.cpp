// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What modules say of kernels' arguments in words, for clGetKernelArgInfo.
#include <llvm/IR/Metadata.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <utility>

#include "frontend/spirv/reader.h"

namespace weft::compiler::spirv {
namespace {

using Words = llvm::SmallVector<std::string>;

/// What follows "kind.kernel." in a string of the module, between commas: one for each argument, as
/// translators write it when they are asked to keep such metadata.
std::optional<Words> wordsOf(const Reader& reader, const std::string& kind,
                             const std::string& kernel, size_t count) {
  const std::string prefix = kind + "." + kernel + ".";
  for (const auto& [id, text] : reader.strings) {
    if (!text.starts_with(prefix)) continue;
    Words words;
    std::string word;
    int depth = 0;  // commas inside of types' own brackets end nothing
    for (const char c : text.substr(prefix.size())) {
      depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
      if (c == ',' && depth == 0)
        words.push_back(std::exchange(word, {}));
      else
        word += c;
    }
    if (word.empty() && words.size() == count) return words;
  }
  return std::nullopt;
}

void setWords(llvm::Function& kernel, const char* kind, const Words& words) {
  llvm::SmallVector<llvm::Metadata*> nodes;
  for (const std::string& word : words)
    nodes.push_back(llvm::MDString::get(kernel.getContext(), word));
  kernel.setMetadata(kind, llvm::MDNode::get(kernel.getContext(), nodes));
}

bool hasWord(std::string_view text, std::string_view wanted) {
  return std::ranges::any_of(text | std::views::split(' '), [&](const auto& word) {
    return std::string_view(word.begin(), word.end()) == wanted;
  });
}

}  // namespace

void setArgumentNames(const Reader& reader, llvm::Function& kernel, const std::string& name,
                      std::span<const Instruction* const> parameters) {
  Words names;
  for (const Instruction* parameter : parameters) {
    names.emplace_back(reader.annotations.name(parameter->result));
    if (names.back().empty()) return;
  }
  // SPIR-V's own types do not say which integers have signs, nor what structures are called.
  const auto types = wordsOf(reader, "kernel_arg_type", name, names.size());
  if (!types) return;
  setWords(kernel, "kernel_arg_name", names);
  setWords(kernel, "kernel_arg_type", *types);
}

void noteQualifiers(const Reader& reader, const std::string& name,
                    std::span<const Instruction* const> parameters, std::span<ArgumentNote> notes) {
  const auto said = wordsOf(reader, "kernel_arg_type_qual", name, notes.size());
  for (size_t k = 0; k < notes.size(); ++k) {
    const uint32_t id = parameters[k]->result;
    if (said) {
      notes[k].isConst = hasWord((*said)[k], "const");
      notes[k].isRestrict = hasWord((*said)[k], "restrict");
      notes[k].isVolatile = hasWord((*said)[k], "volatile");
    } else {
      // That nothing is written through a pointer is found by optimisers, and not the same as
      // const.
      notes[k].isRestrict =
          reader.annotations.hasAttribute(id, SpvFunctionParameterAttributeNoAlias);
      notes[k].isVolatile = reader.annotations.has(id, SpvDecorationVolatile);
    }
  }
}

}  // namespace weft::compiler::spirv
