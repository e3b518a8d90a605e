// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <spirv/unified1/spirv.h>

#include <cstdint>
#include <string>
#include <string_view>

/// Facts about instructions, made at build time from the JSON grammar of SPIR-V's headers, and from
/// cmake/spirv_grammar.py for what is newer than these.
namespace weft::compiler::spirv {

inline constexpr auto kOpConvertFToBF16INTEL = static_cast<SpvOp>(6116);
inline constexpr auto kOpConvertBF16ToFINTEL = static_cast<SpvOp>(6117);
inline constexpr auto kOpArithmeticFenceEXT = static_cast<SpvOp>(6145);
inline constexpr uint32_t kCapabilityBFloat16ConversionINTEL = 6115;
inline constexpr uint32_t kCapabilityArithmeticFenceEXT = 6144;
inline constexpr uint32_t kCapabilityGlobalVariableDecorationsINTEL = 6146;
inline constexpr uint32_t kCapabilityFPMaxErrorINTEL = 6169;
inline constexpr uint32_t kCapabilityGlobalVariableHostAccessINTEL = 6187;
inline constexpr uint32_t kCapabilityGlobalVariableFPGADecorationsINTEL = 6189;
inline constexpr uint32_t kCapabilityCacheControlsINTEL = 6441;
inline constexpr uint32_t kCapabilityRegisterLimitsINTEL = 6460;
inline constexpr uint32_t kExecutionModeMaximumRegistersINTEL = 6461;
inline constexpr uint32_t kExecutionModeMaximumRegistersIdINTEL = 6462;
inline constexpr uint32_t kExecutionModeNamedMaximumRegistersINTEL = 6463;

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
