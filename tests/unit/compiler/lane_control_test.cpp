// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which branches lanes take together, which blocks need masks, and which variables are private.
#include "lane_fixture.h"

namespace weft::compiler::test {
namespace {

TEST(ItemLoops, AreRecognised) {
  const LaneLoop loop("br label %end");
  ASSERT_TRUE(loop.items());
  EXPECT_EQ(loop.items()->index, &loop.value("i"));
  EXPECT_EQ(loop.items()->count, &loop.value("count"));
}

TEST(ItemLoops, EndEveryTurn) {
  const LaneLoop loop(R"(
    %odd = trunc i64 %i to i1
    br i1 %odd, label %forever, label %end
  forever:
    br label %forever)");
  EXPECT_FALSE(loop.items());
}

TEST(LaneUniformity, KnowsWhatLanesShare) {
  const LaneLoop loop(R"(
    %shared = mul i32 %n, %m
    %p = getelementptr i32, ptr addrspace(1) %in, i64 %w
    %loaded = load i32, ptr addrspace(1) %p
    %q = getelementptr i32, ptr addrspace(1) %in, i64 %i
    %own = load i32, ptr addrspace(1) %q
    %test = icmp slt i32 %loaded, %shared
    br i1 %test, label %a, label %b
  a:
    %ownTest = icmp slt i32 %own, %shared
    br i1 %ownTest, label %b, label %c
  b:
    br label %c
  c:
    br label %end)");
  EXPECT_TRUE(loop.isUniform("shared"));
  EXPECT_TRUE(loop.isUniform("loaded"));
  EXPECT_FALSE(loop.isUniform("own"));
  EXPECT_TRUE(loop.uniformity().endsUniformly(loop.block("iteration")));
  EXPECT_FALSE(loop.uniformity().endsUniformly(loop.block("a")));
}

TEST(LaneUniformity, SeesWhereLoopsAreLeftApart) {
  const LaneLoop loop(R"(
    %narrow = trunc i64 %i to i32
    br label %loop
  loop:
    %k = phi i32 [ 0, %iteration ], [ %k.next, %loop ]
    %k.next = add i32 %k, 1
    %more = icmp slt i32 %k.next, %narrow
    br i1 %more, label %loop, label %left
  left:
    %trips = add i32 %k.next, 0
    br label %end)");
  EXPECT_TRUE(loop.isUniform("k"));
  // The same in each iteration for those that are in it, but not all leave in the same one.
  EXPECT_FALSE(loop.isUniform("trips"));
  EXPECT_FALSE(loop.uniformity().endsUniformly(loop.block("loop")));
}

TEST(MaskPlan, LeavesUniformBranchesAlone) {
  const LaneLoop loop(R"(
    %test = icmp slt i32 %n, %m
    br i1 %test, label %a, label %b
  a:
    br label %b
  b:
    br label %end)");
  EXPECT_TRUE(loop.masks().isSound());
  EXPECT_EQ(loop.masks().maskedBlocks(), 0u);
  EXPECT_EQ(loop.masks().order().front(), &loop.block("iteration"));
  EXPECT_EQ(loop.masks().order().back(), &loop.block("end"));
}

constexpr const char* kDiamond = R"(
    %odd = trunc i64 %i to i1
    br i1 %odd, label %yes, label %no
  yes:
    %test = icmp slt i32 %n, %m
    br i1 %test, label %inner, label %join
  inner:
    br label %join
  no:
    br label %join
  join:
    br label %end)";

TEST(MaskPlan, RunsBothSidesOfADivergentBranch) {
  const LaneLoop loop(kDiamond);
  for (const char* name : {"yes", "inner", "no"}) EXPECT_TRUE(loop.isMasked(name)) << name;
  for (const char* name : {"iteration", "join", "end"}) EXPECT_FALSE(loop.isMasked(name)) << name;
  // One after the other, whatever lies on which side, then all are back together.
  const llvm::BasicBlock* block = loop.masks().firstAfter(loop.block("iteration"));
  llvm::SmallPtrSet<const llvm::BasicBlock*, 4> seen;
  while (loop.masks().isMasked(*block)) {
    EXPECT_TRUE(seen.insert(block).second);
    block = loop.masks().next(*block);
  }
  EXPECT_EQ(seen.size(), 3u);
  EXPECT_EQ(block, &loop.block("join"));
  EXPECT_LT(loop.masks().positionOf(loop.block("yes")),
            loop.masks().positionOf(loop.block("inner")));
}

TEST(MaskPlan, MasksLoopsThatLanesLeaveOneByOne) {
  const LaneLoop loop(R"(
    %narrow = trunc i64 %i to i32
    br label %header
  header:
    %k = phi i32 [ 0, %iteration ], [ %k.next, %latch ]
    %early = icmp eq i32 %k, %narrow
    br i1 %early, label %found, label %latch
  latch:
    %k.next = add i32 %k, 1
    %more = icmp slt i32 %k.next, %n
    br i1 %more, label %header, label %missed
  found:
    br label %after
  missed:
    br label %after
  after:
    br label %end)");
  EXPECT_TRUE(loop.masks().isSound());
  for (const char* name : {"header", "latch", "found", "missed"})
    EXPECT_TRUE(loop.isMasked(name)) << name;
  EXPECT_FALSE(loop.isMasked("after"));
  // The loop's blocks stay together.
  EXPECT_EQ(loop.masks().positionOf(loop.block("latch")),
            loop.masks().positionOf(loop.block("header")) + 1);
  EXPECT_NE(loop.masks().innerLoopHeadedBy(loop.block("header")), nullptr);
  EXPECT_EQ(loop.masks().innerLoopHeadedBy(loop.block("iteration")), nullptr);
}

TEST(MaskPlan, KeepsUniformLoopsWithDivergentBodies) {
  const LaneLoop loop(R"(
    br label %header
  header:
    %k = phi i32 [ 0, %iteration ], [ %k.next, %latch ]
    %odd = trunc i64 %i to i1
    br i1 %odd, label %some, label %latch
  some:
    br label %latch
  latch:
    %k.next = add i32 %k, 1
    %more = icmp slt i32 %k.next, %n
    br i1 %more, label %header, label %end)");
  EXPECT_TRUE(loop.isMasked("some"));
  EXPECT_FALSE(loop.isMasked("header"));
  EXPECT_FALSE(loop.isMasked("latch"));
}

TEST(PrivateVariables, AlternateWhereElementsAreWhole) {
  const LaneLoop loop(R"(
    %narrow = trunc i64 %i to i32
    %p = getelementptr [4 x i32], ptr %whole, i64 0, i64 %w
    store i32 %narrow, ptr %p
    %q = getelementptr [4 x i32], ptr %mixed, i64 0, i64 %w
    store i32 %narrow, ptr %q
    %r = getelementptr i8, ptr %mixed, i64 3
    store i8 1, ptr %r
    store ptr %escaped, ptr %holder
    br label %end)",
                      R"(
    %whole = alloca [4 x i32]
    %mixed = alloca [4 x i32]
    %escaped = alloca i32
    %holder = alloca ptr
    %outside = alloca i32
    store i32 1, ptr %outside)");
  EXPECT_EQ(loop.layout("whole").elementBytes, 4u);
  EXPECT_EQ(loop.layout("whole").bytes, 16u);
  EXPECT_EQ(loop.layout("mixed").elementBytes, 0u);
  EXPECT_EQ(loop.layout("mixed").bytes, 16u);
  EXPECT_EQ(loop.layout("escaped").elementBytes, 0u);
  EXPECT_FALSE(loop.isPrivate("outside"));
}

}  // namespace
}  // namespace weft::compiler::test
