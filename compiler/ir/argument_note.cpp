// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/argument_note.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

#include "ir/names.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

using namespace llvm;

enum Field : unsigned { kKind, kAlignment, kImage, kAccess, kQualifiers, kFields };
enum Qualifier : uint32_t { kConst = 1, kRestrict = 2, kVolatile = 4 };

}  // namespace

void setArgumentNotes(Function& kernel, ArrayRef<ArgumentNote> notes) {
  Type* type = Type::getInt32Ty(kernel.getContext());
  SmallVector<Metadata*> fields;
  const auto add = [&](auto value) {
    fields.push_back(ConstantAsMetadata::get(ConstantInt::get(type, static_cast<uint32_t>(value))));
  };
  for (const ArgumentNote& note : notes) {
    add(note.kind);
    add(note.alignment);
    add(note.image);
    add(note.access);
    add((note.isConst ? kConst : 0) | (note.isRestrict ? kRestrict : 0) |
        (note.isVolatile ? kVolatile : 0));
  }
  kernel.setMetadata(names::kArgumentNotes, MDNode::get(kernel.getContext(), fields));
}

std::optional<ArgumentNote> argumentNote(const Argument& argument) {
  const MDNode* notes = argument.getParent()->getMetadata(names::kArgumentNotes);
  if (!notes || notes->getNumOperands() != kFields * argument.getParent()->arg_size())
    return std::nullopt;
  uint32_t values[kFields];
  for (unsigned field = 0; field < kFields; ++field) {
    const auto* number = mdconst::dyn_extract_or_null<ConstantInt>(
        notes->getOperand(kFields * argument.getArgNo() + field));
    if (!number) return std::nullopt;
    values[field] = static_cast<uint32_t>(number->getZExtValue());
  }
  if (values[kKind] > static_cast<uint32_t>(ArgumentKind::Queue) ||
      !isPowerOf2_32(values[kAlignment]) || values[kAlignment] > abi::kLocalMemoryAlignment ||
      values[kImage] > static_cast<uint32_t>(ImageType::Image3D) ||
      values[kAccess] > static_cast<uint32_t>(AccessQualifier::ReadWrite))
    return std::nullopt;
  return ArgumentNote{.kind = static_cast<ArgumentKind>(values[kKind]),
                      .alignment = values[kAlignment],
                      .image = static_cast<ImageType>(values[kImage]),
                      .access = static_cast<AccessQualifier>(values[kAccess]),
                      .isConst = (values[kQualifiers] & kConst) != 0,
                      .isRestrict = (values[kQualifiers] & kRestrict) != 0,
                      .isVolatile = (values[kQualifiers] & kVolatile) != 0};
}

}  // namespace weft::compiler
