// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>

#include "frontend/spirv/binary.h"
#include "weft/compiler/compiler.h"

namespace weft::compiler::spirv {

/// The specialisation constants of a module, by SpecId, as far as its own words tell; those of
/// decorations that mean nothing are left out.
std::vector<SpecializationConstant> specializationConstants(const Binary& binary);

}  // namespace weft::compiler::spirv
