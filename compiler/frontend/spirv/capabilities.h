// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

/// What modules may declare that they need; what of it is reported is in
/// weft/compiler/il_support.h.
namespace weft::compiler::spirv {

/// All that follows from such a capability has a row in a table, or is refused where it stands.
bool takesCapability(uint32_t capability) noexcept;

/// Sets of instructions that may be imported. Those of other sets than OpenCL.std only inform.
bool takesInstructionSet(std::string_view name) noexcept;

}  // namespace weft::compiler::spirv
