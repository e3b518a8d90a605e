// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <spirv/unified1/spirv.h>

#include <cstdint>
#include <string>
#include <string_view>

/// Facts about instructions, made at build time from the JSON grammar of SPIR-V's headers.
namespace weft::compiler::spirv {

struct OpFacts {
  uint16_t op;
  std::string_view name;
  bool hasType;
  bool hasResult;
  uint16_t words;  ///< the fewest that its operands take, type and result included
};

/// Null for a number that is no instruction.
const OpFacts* factsOf(uint32_t op);

/// The name of an instruction of OpenCL.std; empty for a number that is none.
std::string_view standardName(uint32_t number);

/// The name of a capability and of an execution mode; the number where there is none.
std::string capabilityName(uint32_t number);
std::string modeName(uint32_t number);

}  // namespace weft::compiler::spirv
