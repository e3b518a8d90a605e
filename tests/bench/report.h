// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables that the benchmark prints and records.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cases.h"

namespace weft::bench {

enum class Missing {
  Failed,   ///< an error, a crash or, of what does not tell it apart, a wrong result
  Wrong,    ///< a wrong result
  NotThere  ///< the platform has no such thing
};
using Figure = std::expected<double, Missing>;

/// A failure among the samples is a failed case.
Figure median(const std::vector<Figure>& samples);

/// A case with the figures of all platforms, the one that the others are compared with first.
struct Row {
  Case measured;
  std::vector<Figure> figures;
};

// Lines of tables in Markdown.
std::string headerOf(const std::vector<std::string>& platforms);
std::string lineOf(const Row& row);

/// For each half of the kernels and each tag the geometric mean of how much better the first
/// platform is than the others, and each case that is there to be compared with other cases
/// (Case::relativeTo) beside those.
std::string summaryOf(const std::vector<std::string>& platforms, const std::vector<Row>& rows);

}  // namespace weft::bench
