// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cases.h"

namespace weft::bench {

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::span<const Case> family :
       {hostCases(), buildCases(), mathCases(), commandBufferCases(), gemmCases(),
        arithmeticCases(), imageCases(), hashCases(), chainCases(), divergenceCases(),
        memoryCases(), groupCases(), localSizeCases()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

}  // namespace weft::bench
