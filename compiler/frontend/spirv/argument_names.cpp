// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is to be told of kernels' arguments (clGetKernelArgInfo), in the words of Clang's metadata.
#include <llvm/IR/Constants.h>

#include <optional>
#include <utility>

#include "frontend/spirv/reader.h"
#include "ir/names.h"

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

/// Address spaces, and what kernels may do with images and pipes. Objects are where Clang says that
/// they are, whatever the library is given for them.
void setPlaces(const Reader& reader, llvm::Function& kernel,
               std::span<const Instruction* const> parameters) {
  constexpr const char* kNames[] = {"none", "read_only", "write_only", "read_write"};
  llvm::Type* number = llvm::Type::getInt32Ty(reader.context);
  llvm::SmallVector<llvm::Metadata*> spaces;
  llvm::SmallVector<llvm::Metadata*> accesses;
  for (const Instruction* parameter : parameters) {
    const TypeInfo& info = reader.types.get(parameter->type, *parameter);
    const bool isByValue =
        reader.annotations.hasAttribute(parameter->result, SpvFunctionParameterAttributeByVal);
    unsigned space = names::kPrivate;
    if (info.op == SpvOpTypeImage || info.op == SpvOpTypePipe) space = names::kGlobal;
    if (info.op == SpvOpTypePointer && !isByValue) space = info.type->getPointerAddressSpace();
    spaces.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(number, space)));
    const auto access = info.image ? info.image->access : info.access;
    accesses.push_back(llvm::MDString::get(reader.context, kNames[static_cast<size_t>(access)]));
  }
  kernel.setMetadata("kernel_arg_addr_space", llvm::MDNode::get(reader.context, spaces));
  kernel.setMetadata("kernel_arg_access_qual", llvm::MDNode::get(reader.context, accesses));
}

void setNames(const Reader& reader, llvm::Function& kernel, const std::string& name,
              std::span<const Instruction* const> parameters) {
  Words names;
  for (const Instruction* parameter : parameters) {
    names.emplace_back(reader.annotations.name(parameter->result));
    if (names.back().empty()) return;
  }
  // SPIR-V's own types do not say which integers have signs, nor what structures are called.
  const auto types = wordsOf(reader, "kernel_arg_type", name, names.size());
  if (!types) return;
  Words qualifiers(names.size());
  if (const auto said = wordsOf(reader, "kernel_arg_type_qual", name, names.size())) {
    qualifiers = *said;
  } else {
    for (size_t k = 0; k < names.size(); ++k) {
      const uint32_t id = parameters[k]->result;
      // That nothing is written through a pointer is found by optimisers, and not the same as
      // const.
      if (reader.annotations.hasAttribute(id, SpvFunctionParameterAttributeNoAlias))
        qualifiers[k] = "restrict";
      if (reader.annotations.has(id, SpvDecorationVolatile))
        qualifiers[k] += qualifiers[k].empty() ? "volatile" : " volatile";
    }
  }
  setWords(kernel, "kernel_arg_name", names);
  setWords(kernel, "kernel_arg_type", *types);
  setWords(kernel, "kernel_arg_type_qual", qualifiers);
}

}  // namespace

void setArgumentMetadata(const Reader& reader, llvm::Function& kernel, const std::string& name,
                         std::span<const Instruction* const> parameters) {
  setPlaces(reader, kernel, parameters);
  setNames(reader, kernel, name, parameters);
}

}  // namespace weft::compiler::spirv
