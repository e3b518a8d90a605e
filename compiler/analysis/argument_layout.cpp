// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/argument_layout.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Module.h>

#include <optional>

#include "ir/names.h"
#include "weft/abi/work_group.h"
#include "weft/support/checked.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// The kernel_arg_* metadata of one argument.
struct Annotation {
  unsigned addressSpace = 0;
  StringRef access;
  StringRef type;
  StringRef qualifiers;
  StringRef name;
};

StringRef stringOf(const Function& kernel, const char* kind, unsigned index) {
  const MDNode* node = kernel.getMetadata(kind);
  if (!node || index >= node->getNumOperands()) return {};
  const auto* text = dyn_cast_or_null<MDString>(node->getOperand(index));
  return text ? text->getString() : StringRef();
}

Annotation annotationOf(const Function& kernel, unsigned index) {
  Annotation result;
  const MDNode* spaces = kernel.getMetadata("kernel_arg_addr_space");
  if (spaces && index < spaces->getNumOperands()) {
    if (auto* number = mdconst::dyn_extract_or_null<ConstantInt>(spaces->getOperand(index)))
      result.addressSpace = number->getZExtValue();
  } else if (auto* pointer = dyn_cast<PointerType>(kernel.getArg(index)->getType())) {
    result.addressSpace = pointer->getAddressSpace();
  }
  result.access = stringOf(kernel, "kernel_arg_access_qual", index);
  result.type = stringOf(kernel, "kernel_arg_type", index);
  result.qualifiers = stringOf(kernel, "kernel_arg_type_qual", index);
  result.name = stringOf(kernel, "kernel_arg_name", index);
  return result;
}

bool hasQualifier(StringRef qualifiers, StringRef wanted) {
  SmallVector<StringRef> words;
  qualifiers.split(words, ' ');
  return is_contained(words, wanted);
}

/// One of the three numbers that the front end has noted for an argument.
std::optional<uint32_t> noteOf(const Argument& argument, unsigned field) {
  const MDNode* notes = argument.getParent()->getMetadata(names::kArgumentNotes);
  const unsigned index = 3 * argument.getArgNo() + field;
  if (!notes || index >= notes->getNumOperands()) return std::nullopt;
  const auto* number = mdconst::dyn_extract_or_null<ConstantInt>(notes->getOperand(index));
  if (!number) return std::nullopt;
  return static_cast<uint32_t>(number->getZExtValue());
}

ArgumentKind kindOf(const Argument& argument) {
  const auto noted = static_cast<ArgumentKind>(
      noteOf(argument, 0).value_or(static_cast<uint32_t>(ArgumentKind::Value)));
  if (noted != ArgumentKind::Value) return noted;
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

/// Alignment of what a local pointer points to; the widest where nobody has noted it.
uint32_t pointeeAlignment(const Argument& argument) {
  const uint32_t noted = noteOf(argument, 1).value_or(0);
  const bool isSane = noted != 0 && isPowerOf2_32(noted) && noted <= abi::kLocalMemoryAlignment;
  return isSane ? noted : abi::kLocalMemoryAlignment;
}

ImageType imageTypeOf(const Argument& argument) {
  const uint32_t noted = noteOf(argument, 2).value_or(0);
  return noted <= static_cast<uint32_t>(ImageType::Image3D) ? static_cast<ImageType>(noted)
                                                            : ImageType::None;
}

AddressQualifier addressOf(unsigned addressSpace) {
  switch (addressSpace) {
    case names::kGlobal:
      return AddressQualifier::Global;
    case names::kConstant:
      return AddressQualifier::Constant;
    case names::kLocal:
      return AddressQualifier::Local;
    default:
      return AddressQualifier::Private;
  }
}

AccessQualifier accessOf(StringRef text) {
  return StringSwitch<AccessQualifier>(text)
      .Cases("read_only", "__read_only", AccessQualifier::ReadOnly)
      .Cases("write_only", "__write_only", AccessQualifier::WriteOnly)
      .Cases("read_write", "__read_write", AccessQualifier::ReadWrite)
      .Default(AccessQualifier::None);
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
  bool named = kernel.hasMetadata("kernel_arg_name");
  uint64_t end = 0;
  for (const Argument& argument : kernel.args()) {
    Annotation annotation = annotationOf(kernel, argument.getArgNo());
    ArgumentInfo info;
    info.kind = kindOf(argument);
    auto [size, alignment] = extentOf(argument);
    info.offset = alignUp(end, alignment);
    end = info.offset + size;
    info.size = info.kind == ArgumentKind::LocalPointer ? 0 : size;
    info.alignment =
        info.kind == ArgumentKind::LocalPointer ? pointeeAlignment(argument) : alignment;
    info.address = addressOf(annotation.addressSpace);
    info.access = accessOf(annotation.access);
    info.image = imageTypeOf(argument);
    info.isConst = hasQualifier(annotation.qualifiers, "const");
    info.isRestrict = hasQualifier(annotation.qualifiers, "restrict");
    info.isVolatile = hasQualifier(annotation.qualifiers, "volatile");
    if (named) {
      info.name = annotation.name.str();
      // "As it was declared with any whitespace removed", which leaves "structS" of "struct S".
      info.typeName = annotation.type.str();
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
