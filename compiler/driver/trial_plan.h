// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/compiler/compiler.h"

namespace weft::compiler {

/// What the trial of a variant came to.
struct TrialRecord {
  uint32_t width = 0;  ///< the fastest; 0: what the compiler chooses
  std::string report;  ///< "16: 0.97, 1: 1.32 (taken)": how many times as fast as the best before
};

/// The same for each class of ranges, as the disk cache keeps them.
struct TrialRecords : std::array<std::optional<TrialRecord>, abi::kRangeClasses> {
  std::string encode() const;
  static std::optional<TrialRecords> decode(std::span<const std::byte> bytes);
};

/// Whether a kernel's work-items may run at one width and then at another, within a launch: where
/// nobody can tell by the results.
bool mayTryWidths(const KernelInfo& kernel, const VariantKey& key);

/// What to compare the compiler's own choice with on this host, the most promising first.
std::vector<uint32_t> widthsToTry(const VariantKey& key);

}  // namespace weft::compiler
