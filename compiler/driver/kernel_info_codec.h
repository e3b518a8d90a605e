// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/compiler/kernel_info.h"

namespace weft::compiler {

/// Appends the kernels to `out`, little-endian, strings with their lengths.
void encodeKernels(std::span<const KernelInfo> kernels, std::string& out);

/// Reads what encodeKernels wrote; nothing when the bytes are not exactly that. Safe for any
/// bytes: lengths are checked before memory is taken for them.
std::optional<std::vector<KernelInfo>> decodeKernels(std::span<const std::byte> bytes);

}  // namespace weft::compiler
