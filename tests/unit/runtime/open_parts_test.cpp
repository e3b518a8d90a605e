// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft/runtime/open_parts.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace weft::runtime::test {
namespace {

TEST(OpenParts, AreTakenInTheirOrder) {
  OpenParts parts;
  EXPECT_TRUE(parts.take(3).parts.isEmpty());
  parts.open({2, 9});
  for (const auto& [first, last] : {std::pair{2u, 5u}, {5u, 8u}, {8u, 9u}}) {
    const OpenParts::Taken taken = parts.take(3);
    EXPECT_EQ(taken.parts.first, first);
    EXPECT_EQ(taken.parts.last, last);
    EXPECT_EQ(taken.isLast, last == 9);
  }
  EXPECT_TRUE(parts.all().isEmpty());
  EXPECT_TRUE(parts.take(1).parts.isEmpty());
  EXPECT_FALSE(parts.take(1).isLast);
}

TEST(OpenParts, AreTakenOnce) {
  constexpr uint32_t kParts = 100'000;
  OpenParts parts;
  parts.open({0, kParts});
  std::vector<std::atomic<int>> hits(kParts);
  std::atomic<int> lasts{0};
  std::vector<std::thread> threads;
  for (uint32_t t = 1; t <= 4; ++t)
    threads.emplace_back([&, t] {
      for (OpenParts::Taken taken; !(taken = parts.take(t)).parts.isEmpty();) {
        for (uint32_t i = taken.parts.first; i != taken.parts.last; ++i) ++hits[i];
        lasts += taken.isLast ? 1 : 0;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(lasts, 1);
  for (const auto& hit : hits) ASSERT_EQ(hit, 1);
}

}  // namespace
}  // namespace weft::runtime::test
