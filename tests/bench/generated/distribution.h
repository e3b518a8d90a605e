// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a report says of many kernels.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "../report.h"

namespace weft::bench::generated {

/// Of ratios, all above 0.
struct Distribution {
  size_t count = 0;
  double mean = 0;                   ///< geometric
  std::array<double, 11> deciles{};  ///< from the least to the greatest, interpolated
  double percentBelow1 = 0;
  double percentBelow08 = 0;
};
Distribution distributionOf(std::vector<double> ratios);

/// A kernel with seconds on each platform, the one that is compared with the others first.
struct Result {
  std::string name;  ///< family:seed
  std::vector<Figure> seconds;
};

/// How many times faster the first platform is than number `platform`; where either has no figure,
/// why.
Figure ratioOf(const Result& result, size_t platform);

// Tables in Markdown.
std::string resultHeader(const std::vector<std::string>& platforms);
std::string resultLine(const Result& result);
/// The distribution against each platform; means by family; the ten worst kernels against each.
std::string reportOf(const std::vector<std::string>& platforms, const std::vector<Result>& results);

}  // namespace weft::bench::generated
