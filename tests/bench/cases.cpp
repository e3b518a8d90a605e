// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cases.h"

#include <cstdint>

namespace weft::bench {

std::optional<Half> halfOf(const Case& measured) {
  if (*measured.tags == 0) return std::nullopt;
  uint64_t hash = 0xcbf29ce484222325;
  for (const char* c = measured.name; *c != 0 && *c != ' ' && *c != ','; ++c)
    hash = (hash ^ static_cast<unsigned char>(*c)) * 0x100000001b3;
  return hash % 2 == 0 ? Half::Tuning : Half::HeldOut;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::span<const Case> family :
       {hostCases(), imageCommandCases(), buildCases(), frontEndCases(), mathCases(),
        commandBufferCases(), gemmCases(), arithmeticCases(), imageCases(), filterCases(),
        hashCases(), chainCases(), divergenceCases(), memoryCases(), groupCases(), subGroupCases(),
        localSizeCases(), deviceCases()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

}  // namespace weft::bench
