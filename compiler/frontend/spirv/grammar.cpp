// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/grammar.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

namespace weft::compiler::spirv {
namespace {

constexpr OpFacts kOps[] = {
#define WEFT_SPIRV_OP(number, name, hasType, hasResult, words) \
  {number, name, hasType, hasResult, words},
#include "spirv_grammar.inc"
#undef WEFT_SPIRV_OP
};

struct NamedNumber {
  uint32_t number;
  std::string_view name;
};
constexpr NamedNumber kStandardNames[] = {
#define WEFT_SPIRV_STD(number, name) {number, name},
#include "spirv_grammar.inc"
#undef WEFT_SPIRV_STD
};
constexpr NamedNumber kCapabilities[] = {
#define WEFT_SPIRV_CAPABILITY(number, name) {number, name},
#include "spirv_grammar.inc"
#undef WEFT_SPIRV_CAPABILITY
};
constexpr NamedNumber kModes[] = {
#define WEFT_SPIRV_MODE(number, name) {number, name},
#include "spirv_grammar.inc"
#undef WEFT_SPIRV_MODE
};

std::string_view nameIn(std::span<const NamedNumber> names, uint32_t number) {
  const auto found = std::ranges::lower_bound(names, number, {}, &NamedNumber::number);
  return found != names.end() && found->number == number ? found->name : std::string_view();
}

std::string nameOrNumber(std::span<const NamedNumber> names, uint32_t number) {
  const std::string_view name = nameIn(names, number);
  return name.empty() ? std::to_string(number) : std::string(name);
}

}  // namespace

const OpFacts* factsOf(uint32_t op) {
  const auto* found = std::ranges::lower_bound(kOps, op, {}, &OpFacts::op);
  return found != std::end(kOps) && found->op == op ? found : nullptr;
}

std::string_view standardName(uint32_t number) { return nameIn(kStandardNames, number); }

std::string capabilityName(uint32_t number) { return nameOrNumber(kCapabilities, number); }
std::string modeName(uint32_t number) { return nameOrNumber(kModes, number); }

}  // namespace weft::compiler::spirv
