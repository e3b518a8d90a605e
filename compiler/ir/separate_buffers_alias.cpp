// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/separate_buffers_alias.h"

#include <llvm/Analysis/ValueTracking.h>

#include "ir/abi_access.h"
#include "ir/names.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {

using namespace llvm;

AnalysisKey SeparateBuffersAA::Key;

namespace {

/// Where in the argument block a value has been loaded from.
std::optional<uint64_t> argumentOffset(const Value& value) {
  const InvariantField argument = invariantField(&value);
  if (!argument.base) return std::nullopt;
  const InvariantField block = invariantField(argument.base);
  if (!block.base || block.offset != offsetof(abi::Launch, arguments)) return std::nullopt;
  const InvariantField launch = invariantField(block.base);
  if (!isa_and_nonnull<Argument>(launch.base) || launch.offset != offsetof(abi::Group, launch))
    return std::nullopt;
  return argument.offset;
}

}  // namespace

void markSeparateBuffers(Function& entry, const KernelInfo& kernel) {
  std::string offsets;
  for (const ArgumentInfo& argument : kernel.arguments)
    if (argument.kind == ArgumentKind::GlobalPointer)
      offsets += (offsets.empty() ? "" : ",") + std::to_string(argument.offset);
  entry.addFnAttr(names::kSeparateBuffersAttribute, offsets);
}

/// Finds all buffers that a pointer may point into; false where it may come from elsewhere, or from
/// none.
bool SeparateBuffersAAResult::collect(const Value& pointer,
                                      SmallVectorImpl<uint64_t>& buffers) const {
  SmallVector<const Value*, 4> objects;
  getUnderlyingObjects(&pointer, objects);
  for (const Value* object : objects) {
    if (isa<ConstantPointerNull, UndefValue>(object)) continue;
    const auto offset = argumentOffset(*object);
    if (!offset || !is_contained(offsets_, *offset)) return false;
    buffers.push_back(*offset);
  }
  return !buffers.empty();
}

AliasResult SeparateBuffersAAResult::alias(const MemoryLocation& a, const MemoryLocation& b,
                                           AAQueryInfo&, const Instruction*) {
  if (offsets_.empty()) return AliasResult::MayAlias;
  SmallVector<uint64_t, 4> ofA, ofB;
  if (!collect(*a.Ptr, ofA) || !collect(*b.Ptr, ofB)) return AliasResult::MayAlias;
  const bool meet = any_of(ofA, [&](uint64_t offset) { return is_contained(ofB, offset); });
  return meet ? AliasResult::MayAlias : AliasResult::NoAlias;
}

SeparateBuffersAAResult SeparateBuffersAA::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<StringRef> texts;
  function.getFnAttribute(names::kSeparateBuffersAttribute)
      .getValueAsString()
      .split(texts, ',', -1, /*KeepEmpty=*/false);
  SmallVector<uint64_t> offsets;
  for (const StringRef text : texts)
    if (uint64_t offset = 0; !text.getAsInteger(10, offset)) offsets.push_back(offset);
  return SeparateBuffersAAResult(std::move(offsets));
}

}  // namespace weft::compiler
