// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields of structures that follow each other, in every size of structure, register and section.
#include "lanes/strided_code.h"

#include <gtest/gtest.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace weft::compiler::test {
namespace {

using namespace llvm;

constexpr uint64_t kAll = ~uint64_t{0};

/// Shuffles of constants, which the builder folds.
class StridedCode : public testing::Test {
 protected:
  /// A vector of `length` numbers, the first `first` and each `step` more.
  Constant* numbers(unsigned first, unsigned step, unsigned length) {
    SmallVector<uint32_t> values;
    for (unsigned i = 0; i < length; ++i) values.push_back(first + i * step);
    return ConstantDataVector::get(context_, values);
  }

  LLVMContext context_;
  Module module_{"strided", context_};
  LaneBuilder builder_{context_, InstSimplifyFolder(module_.getDataLayout())};
};

/// Calls `test` with factors, lengths of registers, and of sections that divide them.
template <class Test>
void forAllShapes(Test test) {
  for (unsigned factor = 1; factor <= 24; ++factor)
    for (unsigned length = 2; length <= 32; length *= 2)
      for (unsigned section = 2; section <= length; section *= 2) {
        SCOPED_TRACE(testing::Message()
                     << "factor " << factor << ", length " << length << ", section " << section);
        test(factor, length, section);
      }
}

TEST_F(StridedCode, TakesFieldsApart) {
  forAllShapes([&](unsigned factor, unsigned length, unsigned section) {
    for (const uint64_t some : {kAll, uint64_t{1}, uint64_t{0b100110}}) {
      const uint64_t wanted = some & ((uint64_t{1} << factor) - 1);
      Pieces pieces;
      for (unsigned i = 0; i < factor; ++i)
        pieces.push_back(hasWanted(i, factor, length, wanted) ? numbers(i * length, 1, length)
                                                              : nullptr);
      const Pieces fields = takeApart(builder_, pieces, wanted, section);
      ASSERT_EQ(fields.size(), factor);
      for (unsigned k = 0; k < factor; ++k) {
        if ((wanted >> k) & 1) EXPECT_EQ(fields[k], numbers(k, factor, length)) << "field " << k;
      }
    }
  });
}

TEST_F(StridedCode, PutsFieldsTogether) {
  forAllShapes([&](unsigned factor, unsigned length, unsigned section) {
    Pieces fields;
    for (unsigned k = 0; k < factor; ++k) fields.push_back(numbers(k, factor, length));
    const Pieces pieces = putTogether(builder_, fields, section);
    ASSERT_EQ(pieces.size(), factor);
    for (unsigned i = 0; i < factor; ++i)
      EXPECT_EQ(pieces[i], numbers(i * length, 1, length)) << "piece " << i;
  });
}

TEST_F(StridedCode, LeavesGapsBetweenFields) {
  forAllShapes([&](unsigned factor, unsigned length, unsigned section) {
    const auto isGap = [](unsigned field) { return field % 3 == 1; };
    Pieces fields;
    for (unsigned k = 0; k < factor; ++k)
      fields.push_back(isGap(k) ? nullptr : numbers(k, factor, length));
    const Pieces pieces = putTogether(builder_, fields, section);
    for (unsigned i = 0; i < factor; ++i)
      for (unsigned at = 0; at < length; ++at) {
        const unsigned element = i * length + at;
        if (isGap(element % factor)) continue;
        ASSERT_TRUE(pieces[i]);
        const Constant* stored = cast<Constant>(pieces[i])->getAggregateElement(at);
        EXPECT_EQ(cast<ConstantInt>(stored)->getZExtValue(), element);
      }
  });
}

TEST_F(StridedCode, TakesAsManyShufflesAsCounted) {
  const auto shuffles = [&](unsigned factor, uint64_t wanted, unsigned section) {
    auto* type = FixedVectorType::get(builder_.getInt32Ty(), 8);
    const SmallVector<Type*> types(factor, type);
    auto* function = Function::Create(FunctionType::get(builder_.getVoidTy(), types, false),
                                      Function::PrivateLinkage, "f", module_);
    auto* block = BasicBlock::Create(context_, "", function);
    builder_.SetInsertPoint(block);
    Pieces pieces;
    for (Argument& piece : function->args()) pieces.push_back(&piece);
    takeApart(builder_, pieces, wanted, section);
    return block->size();
  };
  for (unsigned factor : {1U, 2U, 4U, 8U, 16U})
    for (unsigned section : {4U, 8U})
      for (const uint64_t some : {kAll, uint64_t{1}, uint64_t{3}}) {
        const uint64_t wanted = some & ((uint64_t{1} << factor) - 1);
        EXPECT_EQ(shuffles(factor, wanted, section), countShuffles(factor, wanted, 8, section))
            << "factor " << factor << ", section " << section << ", wanted " << wanted;
      }
  EXPECT_EQ(shuffles(16, kAll >> 48, 4), 48U);
}

}  // namespace
}  // namespace weft::compiler::test
