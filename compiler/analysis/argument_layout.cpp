// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/argument_layout.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Module.h>

#include "ir/argument_note.h"
#include "ir/names.h"
#include "weft/abi/work_group.h"
#include "weft/support/checked.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// The widest alignment where nobody has said what is pointed to.
constexpr ArgumentNote kNothingNoted{.alignment = abi::kLocalMemoryAlignment};

StringRef stringOf(const Function& kernel, const char* kind, unsigned index) {
  const MDNode* node = kernel.getMetadata(kind);
  if (!node || index >= node->getNumOperands()) return {};
  const auto* text = dyn_cast_or_null<MDString>(node->getOperand(index));
  return text ? text->getString() : StringRef();
}

ArgumentKind kindOf(const Argument& argument, const ArgumentNote& note) {
  if (note.kind != ArgumentKind::Value) return note.kind;
  if (argument.hasByValAttr() || !argument.getType()->isPointerTy()) return ArgumentKind::Value;
  switch (argument.getType()->getPointerAddressSpace()) {
    case names::kLocal:
      return ArgumentKind::LocalPointer;
    case names::kConstant:
      return ArgumentKind::ConstantPointer;
    case names::kGlobal:
      return ArgumentKind::GlobalPointer;
    default:
      return ArgumentKind::Value;
  }
}

/// Objects are where the language has them, whatever the kernel is given for them.
AddressQualifier addressOf(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::GlobalPointer:
    case ArgumentKind::Image:
    case ArgumentKind::Pipe:
      return AddressQualifier::Global;
    case ArgumentKind::ConstantPointer:
      return AddressQualifier::Constant;
    case ArgumentKind::LocalPointer:
      return AddressQualifier::Local;
    case ArgumentKind::Value:
    case ArgumentKind::Sampler:
    case ArgumentKind::Queue:
      return AddressQualifier::Private;
  }
  return AddressQualifier::Private;
}

/// Size and alignment in the block.
std::pair<uint64_t, uint64_t> extentOf(const Argument& argument) {
  const DataLayout& layout = argument.getParent()->getParent()->getDataLayout();
  Type* type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
  Align alignment = layout.getABITypeAlign(type);
  if (argument.hasByValAttr())
    alignment = std::max(alignment, argument.getParamAlign().valueOrOne());
  return {layout.getTypeAllocSize(type),
          std::min<uint64_t>(alignment.value(), abi::kArgumentAlignment)};
}

}  // namespace

std::vector<ArgumentInfo> describeArguments(const Function& kernel) {
  std::vector<ArgumentInfo> arguments;
  const bool named = kernel.hasMetadata("kernel_arg_name");
  uint64_t end = 0;
  for (const Argument& argument : kernel.args()) {
    const ArgumentNote note = argumentNote(argument).value_or(kNothingNoted);
    ArgumentInfo info;
    info.kind = kindOf(argument, note);
    auto [size, alignment] = extentOf(argument);
    info.offset = alignUp(end, alignment);
    end = info.offset + size;
    info.size = info.kind == ArgumentKind::LocalPointer ? 0 : size;
    info.alignment = info.kind == ArgumentKind::LocalPointer ? note.alignment : alignment;
    info.address = addressOf(info.kind);
    info.access = note.access;
    info.image = note.image;
    info.isConst = note.isConst;
    info.isRestrict = note.isRestrict;
    info.isVolatile = note.isVolatile;
    if (named) {
      info.name = stringOf(kernel, "kernel_arg_name", argument.getArgNo()).str();
      // "As it was declared with any whitespace removed", which leaves "structS" of "struct S".
      info.typeName = stringOf(kernel, "kernel_arg_type", argument.getArgNo()).str();
      std::erase_if(info.typeName, [](char c) { return c == ' '; });
    }
    arguments.push_back(std::move(info));
  }
  return arguments;
}

uint32_t argumentBlockBytes(const std::vector<ArgumentInfo>& arguments) {
  uint32_t end = 0;
  for (const ArgumentInfo& info : arguments)
    end = std::max(end, info.offset + (info.kind == ArgumentKind::LocalPointer ? 8 : info.size));
  return end;
}

}  // namespace weft::compiler
