// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

namespace weft::compiler {

/// Prefix of files that are being written.
inline constexpr std::string_view kTemporaryPrefix = "tmp-";

/// Removes abandoned temporary files, then the entries that were used longest ago until at most
/// `targetBytes` are left, if there are more than `limitBytes`. Returns the bytes left. Files
/// that the cache cannot have made are neither counted nor touched.
uint64_t evictOldest(int directory, uint64_t limitBytes, uint64_t targetBytes);

}  // namespace weft::compiler
