// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/generated/distribution.h"

#include <gtest/gtest.h>

namespace weft::bench::generated {
namespace {

TEST(Distribution, DecilesMeanAndShares) {
  const Distribution all = distributionOf({8, 0.5, 2, 0.9, 1});
  EXPECT_EQ(all.count, 5u);
  EXPECT_NEAR(all.mean, 1.4841, 1e-4);  // the fifth root of 7.2
  EXPECT_DOUBLE_EQ(all.deciles[0], 0.5);
  EXPECT_DOUBLE_EQ(all.deciles[5], 1);
  EXPECT_DOUBLE_EQ(all.deciles[10], 8);
  EXPECT_NEAR(all.deciles[1], 0.66, 1e-12);  // 0.4 of the way from 0.5 to 0.9
  EXPECT_DOUBLE_EQ(all.percentBelow1, 40);
  EXPECT_DOUBLE_EQ(all.percentBelow08, 20);
}

TEST(Distribution, OfOneAndOfNone) {
  EXPECT_EQ(distributionOf({}).count, 0u);
  const Distribution one = distributionOf({3});
  EXPECT_DOUBLE_EQ(one.mean, 3);
  EXPECT_DOUBLE_EQ(one.deciles[0], 3);
  EXPECT_DOUBLE_EQ(one.deciles[9], 3);
}

TEST(Distribution, RatiosSayWhatIsMissing) {
  const Result result{"sort:1", {2.0, 3.0, std::unexpected(Missing::Wrong)}};
  EXPECT_DOUBLE_EQ(*ratioOf(result, 1), 1.5);
  EXPECT_EQ(ratioOf(result, 2).error(), Missing::Wrong);
  const Result own{"sort:2", {std::unexpected(Missing::Failed), 3.0}};
  EXPECT_EQ(ratioOf(own, 1).error(), Missing::Failed);
}

TEST(Distribution, ReportNamesTheWorst) {
  std::vector<Result> results;
  for (int i = 1; i <= 12; ++i)
    results.push_back({(i < 7 ? "sort:" : "scan:") + std::to_string(i), {0.001, 0.001 * i}});
  results.push_back({"scan:wrong", {std::unexpected(Missing::Wrong), 0.001}});
  const std::string report = reportOf({"Weft", "Other"}, results);
  EXPECT_NE(report.find("| Other | 12 |"), std::string::npos) << report;
  EXPECT_NE(report.find("| sort | 2.99x (1.00x) |"), std::string::npos) << report;
  EXPECT_NE(report.find("| 1 | 1.00x sort:1 |"), std::string::npos) << report;
  EXPECT_NE(report.find("| 10 | 10.00x scan:10 |"), std::string::npos) << report;
  EXPECT_EQ(report.find("| 11 |"), std::string::npos) << report;
  EXPECT_NE(resultLine(results.back()).find("| WRONG | WRONG |"), std::string::npos);
  EXPECT_EQ(resultLine(results[1]), "| sort:2 | 1 | 2.00x |\n");
}

}  // namespace
}  // namespace weft::bench::generated
