// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/image_arguments.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include "weft/abi/image.h"

namespace weft::compiler {

using namespace llvm;

static_assert(offsetof(abi::Image, format) == 0);

/// Whether only fields of the image behind its format are read by way of `use`: its sizes, and what
/// queries ask for.
static bool asksForOthers(const Use& use, const DataLayout& layout) {
  const auto* address = dyn_cast<GEPOperator>(use.getUser());
  if (!address || use.getOperandNo() != 0) return false;
  APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  return address->accumulateConstantOffset(layout, offset) &&
         offset.uge(sizeof(abi::Image::format)) && offset.ult(sizeof(abi::Image));
}

std::vector<uint32_t> imageArgumentsOf(const Function& kernel,
                                       const std::vector<ArgumentInfo>& arguments) {
  const DataLayout& layout = kernel.getParent()->getDataLayout();
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < arguments.size() && found.size() < kMostImageArguments; ++i) {
    const Argument& argument = *kernel.getArg(i);
    const bool decides =
        (arguments[i].kind == ArgumentKind::Sampler && !argument.use_empty()) ||
        (arguments[i].kind == ArgumentKind::Image &&
         any_of(argument.uses(), [&](const Use& use) { return !asksForOthers(use, layout); }));
    if (decides) found.push_back(i);
  }
  return found;
}

}  // namespace weft::compiler
