// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/likely_rows.h"

#include "lane_fixture.h"

namespace weft::compiler::test {
namespace {

/// Whether the load of a float at index %x of %in is guessed to be one of a row.
bool isLikely(const std::string& index) {
  const LaneLoop loop(R"(
    %narrow = trunc i64 %i to i32
    %loaded = load i32, ptr addrspace(1) %out
    %other = call i32 @anything(ptr addrspace(1) %out)
    )" + index + R"(
    %wide = sext i32 %x to i64
    %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
    %v = load float, ptr addrspace(1) %p
    br label %end)");
  return LikelyRows(loop.loop(), loop.shapes(), loop.privates())
      .contains(llvm::cast<llvm::Instruction>(loop.value("v")));
}

TEST(LikelyRows, AreGuessedThroughWhatChangesIndicesSeldom) {
  EXPECT_TRUE(isLikely("%x = and i32 %narrow, %m"));
  EXPECT_TRUE(isLikely("%x = and i32 %m, %narrow"));
  EXPECT_TRUE(isLikely("%x = urem i32 %narrow, %n"));
  EXPECT_TRUE(isLikely("%y = srem i32 %narrow, %n\n%x = add i32 %y, %m"));
  EXPECT_TRUE(isLikely("%c = icmp slt i32 %narrow, %n\n%x = select i1 %c, i32 %narrow, i32 %m"));
  EXPECT_TRUE(isLikely("%x = call i32 @llvm.smax.i32(i32 %narrow, i32 0)"));
  EXPECT_TRUE(isLikely("%x = call i32 @llvm.abs.i32(i32 %narrow, i1 false)"));
}

TEST(LikelyRows, AreNotGuessedFromWhatIsReadOrScaled) {
  EXPECT_FALSE(isLikely("%x = and i32 %other, %m"));
  EXPECT_FALSE(isLikely("%y = mul i32 %narrow, 2\n%x = and i32 %y, %m"));
  EXPECT_FALSE(isLikely("%y = mul i32 %narrow, %n\n%x = and i32 %y, %m"));
  EXPECT_FALSE(isLikely("%x = and i32 %narrow, %other"));
  EXPECT_FALSE(isLikely("%x = lshr i32 %narrow, 1"));
  EXPECT_FALSE(
      isLikely("%c = icmp slt i32 %narrow, %n\n%x = select i1 %c, i32 %narrow, i32 %other"));
}

TEST(LikelyRows, LeaveKnownShapesAlone) { EXPECT_FALSE(isLikely("%x = add nsw i32 %narrow, %n")); }

}  // namespace
}  // namespace weft::compiler::test
