// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lane_fixture.h"

namespace weft::compiler::test {

void PrintTo(const LaneShape& shape, std::ostream* out) {
  *out << (shape.isUniform()   ? "uniform"
           : shape.isVarying() ? "varying"
                               : "affine, " + std::to_string(shape.stride));
}

namespace {

constexpr LaneShape kUniform{LaneShape::Uniform, 0}, kVarying{LaneShape::Varying, 0};
LaneShape affine(int64_t stride) { return LaneShape::affine(stride); }

TEST(LaneShapes, FollowArithmetic) {
  const LaneLoop loop(R"(
    %sum = add i64 %i, %w
    %twice = shl i64 %sum, 1
    %down = sub i64 %w, %i
    %five = mul i64 %i, 5
    %six = mul i64 6, %i
    %both = add i64 %five, %twice
    %scaled = mul i64 %i, %w
    %squared = mul i64 %i, %i
    %low = and i64 %i, 7
    %uniform = mul i64 %w, %w
    br label %end)");
  EXPECT_EQ(loop.shape("i"), affine(1));
  EXPECT_EQ(loop.shape("sum"), affine(1));
  EXPECT_EQ(loop.shape("twice"), affine(2));
  EXPECT_EQ(loop.shape("down"), affine(-1));
  EXPECT_EQ(loop.shape("five"), affine(5));
  EXPECT_EQ(loop.shape("six"), affine(6));
  EXPECT_EQ(loop.shape("both"), affine(7));
  EXPECT_EQ(loop.shape("scaled"), kVarying);
  EXPECT_EQ(loop.shape("squared"), kVarying);
  EXPECT_EQ(loop.shape("low"), kVarying);
  EXPECT_EQ(loop.shape("uniform"), kUniform);
}

TEST(LaneShapes, FollowCasts) {
  const LaneLoop loop(R"(
    %narrow = trunc i64 %i to i32
    %back = zext i32 %narrow to i64
    %moved = add nsw i32 %narrow, %n
    %signed = sext i32 %moved to i64
    %wraps = add i32 %narrow, %n
    %unsigned = zext i32 %wraps to i64
    %byte = trunc i64 %i to i8
    %wide = zext i8 %byte to i64
    %number = uitofp i64 %i to float
    br label %end)");
  EXPECT_EQ(loop.shape("narrow"), affine(1));
  EXPECT_EQ(loop.shape("back"), affine(1));
  EXPECT_EQ(loop.shape("signed"), affine(1));
  // 32 bits may come round to 0 between two lanes, 8 bits do.
  EXPECT_EQ(loop.shape("unsigned"), kVarying);
  EXPECT_EQ(loop.shapes().ofIndex(&loop.value("unsigned"), /*isLocal=*/false), kVarying);
  EXPECT_EQ(loop.shapes().ofIndex(&loop.value("unsigned"), /*isLocal=*/true), affine(1));
  EXPECT_EQ(loop.shape("wide"), kVarying);
  EXPECT_EQ(loop.shape("number"), kVarying);
}

// Lane 0 may be idle where it wraps: the others then are not what follows from it.
TEST(LaneShapes, FollowSignedNumbersThatAreExactInLaneZero) {
  const std::string body = R"(
    %id = trunc i64 %i to i32
    %after = add nsw i32 %id, %n
    %exact = sext i32 %after to i64
    %behind = add nsw i32 %id, -1
    %one = sext i32 %behind to i64
    %down = sub nsw i32 8, %id
    %sum = add nsw i32 %down, %n
    %wraps = sext i32 %sum to i64
    %before = add nsw i32 %after, -1
    %below = sext i32 %before to i64
    %reversed = sub nsw i32 %n, %after
    %free = add i32 %id, %n
    %unpromised = sext i32 %free to i64
    %even = shl nsw i32 %sum, 1
    %odd = or disjoint i32 %even, 1
    %odd.wide = sext i32 %odd to i64
    %odd.p = getelementptr i8, ptr addrspace(1) %in, i64 %odd.wide
    %far = sub i64 %wraps, %w
    %near.p = getelementptr i8, ptr addrspace(1) %in, i64 %wraps
    %far.p = getelementptr i8, ptr addrspace(1) %in, i64 %far
    %free.p = getelementptr i8, ptr addrspace(1) %in, i64 %unpromised
    br label %end)";
  const LaneLoop loop(body);
  EXPECT_EQ(loop.shape("exact"), affine(1)) << "at most too small, which it is not";
  EXPECT_EQ(loop.shape("one"), affine(1));
  EXPECT_EQ(loop.shape("wraps"), kVarying) << "too large in lane 0, perhaps";
  EXPECT_EQ(loop.shape("below"), kVarying);
  EXPECT_EQ(loop.shape("unpromised"), kVarying);
  EXPECT_EQ(loop.shape("near.p"), affine(-1)) << "computed in 64 bits";
  EXPECT_EQ(loop.shape("far.p"), affine(-1));
  EXPECT_EQ(loop.shape("odd.wide"), kVarying);
  EXPECT_EQ(loop.shape("odd.p"), affine(-2));
  EXPECT_EQ(loop.shape("free.p"), kVarying);
  EXPECT_TRUE(loop.shapes().isExact(&loop.value("after")));
  EXPECT_FALSE(loop.shapes().isExact(&loop.value("sum")));
  EXPECT_TRUE(loop.shapes().isOnlyIndex(&loop.value("wraps")));
  EXPECT_TRUE(loop.shapes().isOnlyIndex(&loop.value("far")));
  EXPECT_FALSE(loop.shapes().isOnlyIndex(&loop.value("unpromised")));
}

TEST(LaneShapes, FollowNumbersThatAreCutWithoutLoss) {
  const LaneLoop loop(R"(
    %four = shl i64 %i, 2
    %cut = trunc i64 %four to i32
    %exact = trunc nsw i64 %four to i32
    %some = sext i32 %cut to i64
    %sum = add nsw i32 %exact, %n
    %all = sext i32 %sum to i64
    %p = getelementptr i8, ptr addrspace(1) %in, i64 %some
    %q = getelementptr i8, ptr addrspace(1) %in, i64 %all
    br label %end)");
  EXPECT_EQ(loop.shape("p"), kVarying);
  EXPECT_EQ(loop.shape("q"), affine(4));
}

TEST(LaneShapes, FollowSignedSteps) {
  const LaneLoop loop(R"(
    %id = trunc i64 %i to i32
    br label %loop
  loop:
    %up = phi i32 [ %id, %iteration ], [ %up.next, %loop ]
    %any = phi i32 [ %id, %iteration ], [ %any.next, %loop ]
    %up.wide = sext i32 %up to i64
    %any.wide = sext i32 %any to i64
    %up.sum = add i64 %up.wide, %w
    %any.sum = add i64 %any.wide, %w
    %p = getelementptr i8, ptr addrspace(1) %in, i64 %up.sum
    %q = getelementptr i8, ptr addrspace(1) %in, i64 %any.wide
    %r = getelementptr i8, ptr addrspace(1) %in, i64 %any.sum
    %up.next = add nsw i32 %up, 64
    %any.next = add nsw i32 %any, %n
    %more = icmp slt i32 %m, %n
    br i1 %more, label %loop, label %end)");
  EXPECT_EQ(loop.shape("up.wide"), affine(1)) << "never falls";
  EXPECT_EQ(loop.shape("p"), affine(1));
  EXPECT_EQ(loop.shape("any.wide"), kVarying);
  EXPECT_EQ(loop.shape("q"), kVarying);
  EXPECT_EQ(loop.shape("r"), kVarying);
}

TEST(LaneShapes, FollowNoIndexThatMayWrapButIntoLocalMemory) {
  const LaneLoop loop(R"(
    %id = trunc i64 %i to i32
    %known = zext i32 %id to i64
    %sum = add i32 %id, %n
    %wraps = zext i32 %sum to i64
    %a = getelementptr i8, ptr addrspace(1) %in, i64 %known
    %b = getelementptr i8, ptr addrspace(1) %in, i64 %wraps
    %c = getelementptr i8, ptr addrspace(3) %l, i64 %wraps
    br label %end)");
  EXPECT_EQ(loop.shape("a"), affine(1));
  EXPECT_EQ(loop.shape("b"), kVarying);
  EXPECT_EQ(loop.shape("c"), affine(1)) << "local memory is small";
}

TEST(LaneShapes, FollowAddresses) {
  const LaneLoop loop(R"(
    %float = getelementptr float, ptr addrspace(1) %in, i64 %i
    %field = getelementptr {i32, [3 x i16]}, ptr addrspace(1) %in, i64 %i, i32 1, i64 2
    %reversed = sub i64 %w, %i
    %backwards = getelementptr i64, ptr addrspace(1) %in, i64 %reversed
    %same = getelementptr float, ptr addrspace(1) %in, i64 %w
    %column = mul i64 %i, %w
    %row = getelementptr float, ptr addrspace(1) %in, i64 %column
    %x = load i32, ptr addrspace(1) %float
    %y = load i32, ptr addrspace(1) %same
    %index = sext i32 %x to i64
    %gather = getelementptr float, ptr addrspace(1) %in, i64 %index
    br label %end)");
  EXPECT_EQ(loop.shape("float"), affine(4));
  EXPECT_EQ(loop.shape("field"), affine(12));
  EXPECT_EQ(loop.shape("backwards"), affine(-8));
  EXPECT_EQ(loop.shape("same"), kUniform);
  EXPECT_EQ(loop.shape("row"), kVarying);
  EXPECT_EQ(loop.shape("x"), kVarying);
  EXPECT_EQ(loop.shape("y"), kUniform);
  EXPECT_EQ(loop.shape("gather"), kVarying);
}

TEST(LaneShapes, FollowPhis) {
  const LaneLoop loop(R"(
    br label %loop
  loop:
    %k = phi i32 [ 0, %iteration ], [ %k.next, %loop ]
    %at = phi i64 [ %i, %iteration ], [ %at.next, %loop ]
    %sum = phi float [ 0.0, %iteration ], [ %sum.next, %loop ]
    %p = getelementptr float, ptr addrspace(1) %in, i64 %at
    %x = load float, ptr addrspace(1) %p
    %sum.next = fadd float %sum, %x
    %at.next = add i64 %at, %w
    %k.next = add i32 %k, 1
    %more = icmp slt i32 %k.next, %n
    br i1 %more, label %loop, label %end)");
  EXPECT_EQ(loop.shape("k"), kUniform);
  EXPECT_EQ(loop.shape("at"), affine(1));
  EXPECT_EQ(loop.shape("p"), affine(4));
  EXPECT_EQ(loop.shape("sum"), kVarying);
}

TEST(LaneShapes, VaryWhereLanesComeFromDifferentSides) {
  const LaneLoop loop(R"(
    %odd = trunc i64 %i to i1
    br i1 %odd, label %yes, label %join
  yes:
    br label %join
  join:
    %choice = phi i32 [ %n, %yes ], [ %m, %iteration ]
    %all = icmp slt i32 %n, %m
    br i1 %all, label %there, label %both
  there:
    br label %both
  both:
    %agreed = phi i32 [ %n, %there ], [ %m, %join ]
    br label %end)");
  EXPECT_EQ(loop.shape("choice"), kVarying);
  EXPECT_EQ(loop.shape("agreed"), kUniform);
}

TEST(LaneShapes, KnowWhatAtomicsAndCallsReturn) {
  const LaneLoop loop(R"(
    %old = atomicrmw add ptr addrspace(1) %in, i32 1 monotonic
    %called = call i32 @anything(ptr addrspace(1) %in)
    %first = load i32, ptr addrspace(1) %in
    %shared = load volatile i32, ptr addrspace(1) %in
    br label %end)");
  EXPECT_EQ(loop.shape("old"), kVarying);
  EXPECT_EQ(loop.shape("called"), kVarying);
  EXPECT_EQ(loop.shape("first"), kUniform);
  EXPECT_EQ(loop.shape("shared"), kVarying);
}

TEST(LaneShapes, LayElementsOfPrivateArraysSideBySide) {
  const LaneLoop loop(R"(
    %narrow = trunc i64 %i to i32
    %same = getelementptr [8 x i32], ptr %array, i64 0, i64 %w
    %own = and i64 %i, 7
    %different = getelementptr [8 x i32], ptr %array, i64 0, i64 %own
    store i32 %narrow, ptr %same
    store i32 %narrow, ptr %different
    br label %end)",
                      "%array = alloca [8 x i32]");
  EXPECT_EQ(loop.shape("same"), affine(4));
  EXPECT_EQ(loop.shape("different"), kVarying);
  EXPECT_EQ(loop.shapes().interleaved(&loop.value("same")), &loop.value("array"));
}

}  // namespace
}  // namespace weft::compiler::test
