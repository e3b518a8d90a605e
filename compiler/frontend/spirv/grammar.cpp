// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/grammar.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace weft::compiler::spirv {
namespace {

constexpr OpFacts kOps[] = {
#define WEFT_SPIRV_OP(number, name, hasType, hasResult, words) \
  {number, name, hasType, hasResult, words},
#include "spirv_grammar.inc"
#undef WEFT_SPIRV_OP
};

struct StandardName {
  uint32_t number;
  std::string_view name;
};
constexpr StandardName kStandardNames[] = {
#define WEFT_SPIRV_STD(number, name) {number, name},
#include "spirv_grammar.inc"
#undef WEFT_SPIRV_STD
};

}  // namespace

const OpFacts* factsOf(uint32_t op) {
  const auto* found = std::ranges::lower_bound(kOps, op, {}, &OpFacts::op);
  return found != std::end(kOps) && found->op == op ? found : nullptr;
}

std::string_view standardName(uint32_t number) {
  const auto* found = std::ranges::lower_bound(kStandardNames, number, {}, &StandardName::number);
  return found != std::end(kStandardNames) && found->number == number ? found->name
                                                                      : std::string_view();
}

}  // namespace weft::compiler::spirv
