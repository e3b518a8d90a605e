// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/index_steps.h"

#include <gtest/gtest.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueSymbolTable.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Support/SourceMgr.h>

#include <memory>
#include <string>

namespace weft::compiler {

void PrintTo(const IndexStep& step, std::ostream* out) {
  static constexpr const char* kKinds[] = {"uniform", "affine", "steady", "varying"};
  *out << kKinds[step.kind] << " " << step.stride;
}

namespace test {
namespace {

using namespace llvm;

/// A function in textual IR, of %p (global), %a, %b (i8), %n (i32) and %w (i64), with ids and the
/// size of dimension 0, which are calls.
class Text {
 public:
  explicit Text(const std::string& body) {
    SMDiagnostic diagnostic;
    module_ = parseAssemblyString(R"(
      target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"
      declare i64 @_Z13get_global_idj(i32)
      declare i64 @_Z12get_local_idj(i32)
      declare i64 @_Z15get_global_sizej(i32)
      declare i64 @_Z20get_global_linear_idv()
      declare i32 @llvm.smin.i32(i32, i32)
      declare i32 @anything()
      define void @f(ptr addrspace(1) %p, i8 %a, i8 %b, i32 %n, i64 %w) {
      entry:
        %x = call i64 @_Z13get_global_idj(i32 0)
        %y = call i64 @_Z13get_global_idj(i32 1)
        %l = call i64 @_Z12get_local_idj(i32 0)
        %size = call i64 @_Z15get_global_sizej(i32 0)
        %linear = call i64 @_Z20get_global_linear_idv()
        %i = trunc i64 %x to i32
        %other = call i32 @anything()
        )" + body + R"(
        ret void
      })",
                                  diagnostic, context_);
    if (module_) return;
    ADD_FAILURE() << diagnostic.getMessage().str() << ": " << diagnostic.getLineContents().str();
    std::abort();
  }

  Value& value(const std::string& name) const {
    return *module_->getFunction("f")->getValueSymbolTable()->lookup(name);
  }
  Instruction& instruction(const std::string& name) const { return cast<Instruction>(value(name)); }
  IndexStep step(const std::string& name, unsigned dimension = 0) const {
    return GuessedSteps::alongDimension(dimension).of(value(name));
  }

 private:
  LLVMContext context_;
  std::unique_ptr<Module> module_;
};

const IndexStep kUniform = IndexStep::uniform(), kSteady = IndexStep::steady(),
                kVarying = IndexStep::varying();
IndexStep affine(int64_t stride) { return IndexStep::affine(stride); }

/// What an instruction gives for two numbers, as its promises would have it or not.
APInt resultOf(const Instruction& instruction, const APInt& a, const APInt& b) {
  const unique_value owned(instruction.clone());
  auto* copy = cast<Instruction>(owned.get());
  copy->dropPoisonGeneratingFlags();
  for (Use& use : copy->operands())
    if (const auto* argument = dyn_cast<Argument>(use.get()))
      use.set(ConstantInt::get(use->getType(), argument->getName() == "a" ? a : b));
  return cast<ConstantInt>(ConstantFoldInstruction(copy, instruction.getDataLayout()))->getValue();
}

/// For all numbers of 8 bits.
void checkSum(const std::string& text, bool isSignedExact, bool isUnsignedExact) {
  SCOPED_TRACE(text);
  const Text code("%r = " + text);
  const Instruction& operation = code.instruction("r");
  const auto linear = LinearOperation::of(operation);
  ASSERT_TRUE(linear);
  EXPECT_EQ(linear->isSignedExact, isSignedExact);
  EXPECT_EQ(linear->isUnsignedExact, isUnsignedExact);
  const bool isExtension = isa<SExtInst, ZExtInst>(operation);
  for (unsigned a = 0; a < 256; ++a)
    for (unsigned b = 0; b < 256; ++b) {
      const bool isOr = operation.getOpcode() == Instruction::Or;
      if (isOr && (a & b) != 0) continue;
      const APInt operands[] = {{8, a}, {8, b}};
      const APInt result = resultOf(operation, operands[0], operands[1]);
      const auto sumOf = [&](auto number) {
        int64_t sum = 0;
        const int64_t factors[] = {linear->left, linear->right};
        for (unsigned i = 0; i < operation.getNumOperands(); ++i) {
          if (factors[i] == 0) continue;
          const auto* constant = dyn_cast<ConstantInt>(operation.getOperand(i));
          const bool isA = operation.getOperand(i)->getName() == "a";
          sum += factors[i] * number(constant ? constant->getValue() : operands[isA ? 0 : 1]);
        }
        return sum;
      };
      const int64_t asSigned = sumOf([](const APInt& n) { return n.getSExtValue(); });
      const auto asUnsigned =
          sumOf([](const APInt& n) { return static_cast<int64_t>(n.getZExtValue()); });
      const unsigned bits = result.getBitWidth();
      const auto low = [&](int64_t n) { return static_cast<uint64_t>(n) & maxUIntN(bits); };
      if (!isExtension) {
        ASSERT_EQ(result.getZExtValue(), low(asSigned)) << a << " " << b;
      }
      // Where a promise is not kept nothing is asked.
      const bool promises = isa<OverflowingBinaryOperator, TruncInst>(operation);
      if (isSignedExact && (!promises || isIntN(bits, asSigned))) {
        ASSERT_EQ(result.getSExtValue(), asSigned) << a << " " << b;
      }
      if (isUnsignedExact && (!promises || (asUnsigned >= 0 && isUIntN(bits, asUnsigned)))) {
        ASSERT_EQ(static_cast<int64_t>(result.getZExtValue()), asUnsigned) << a << " " << b;
      }
    }
}

TEST(IndexSteps, LinearOperationsAreWhatIsComputed) {
  checkSum("add i8 %a, %b", false, false);
  checkSum("add nsw i8 %a, %b", true, false);
  checkSum("add nuw i8 %a, %b", false, true);
  checkSum("sub i8 %a, %b", false, false);
  checkSum("sub nsw i8 100, %a", true, false);
  checkSum("sub nuw i8 %b, %a", false, true);
  checkSum("mul i8 %a, 5", false, false);
  checkSum("mul i8 -3, %a", false, false);
  checkSum("mul nuw nsw i8 %a, 7", true, true);
  checkSum("mul nuw i8 %a, -3", false, false);
  checkSum("shl i8 %a, 3", false, false);
  checkSum("shl nuw i8 %a, 1", false, true);
  checkSum("or disjoint i8 %a, %b", true, true);
  checkSum("trunc i8 %a to i3", false, false);
  checkSum("trunc nsw i8 %a to i3", true, false);
  checkSum("sext i8 %a to i16", true, false);
  checkSum("zext i8 %a to i16", false, true);
  const auto isLinear = [](const std::string& text) {
    const Text code("%r = " + text);
    return LinearOperation::of(code.instruction("r")).has_value();
  };
  EXPECT_FALSE(isLinear("or i8 %a, %b"));
  EXPECT_FALSE(isLinear("mul i8 %a, %b"));
  EXPECT_FALSE(isLinear("shl i8 %a, %b"));
  EXPECT_FALSE(isLinear("shl i8 %a, 40")) << "which is poison";
  EXPECT_FALSE(isLinear("lshr i8 %a, 1"));
  EXPECT_FALSE(isLinear("mul i64 %w, 8589934592")) << "more than 32 bits";
}

TEST(IndexSteps, FollowWorkItems) {
  const Text code(R"(
    %row = mul i64 %y, %w
    %at = add i64 %row, %x
    %column = mul i64 %w, %x
    %turned = add i64 %column, %y
    %three = mul i32 3, %i
    %wide = zext i32 %three to i64
    %square = mul i64 %x, %x
    %far = shl i64 %x, 30
    %less = sub i64 %w, %x
    %kept = freeze i64 %less
    %q = getelementptr [4 x float], ptr addrspace(1) %p, i64 %wide, i64 %x
    %t = getelementptr float, ptr addrspace(1) %p, i64 %turned
    %u = getelementptr float, ptr addrspace(1) %p, i64 %w
    %read = load i32, ptr addrspace(1) %u
    %half = sdiv i32 %read, 2
    %own = load i32, ptr addrspace(1) %t
    %masked = and i64 %x, %w)");
  EXPECT_EQ(code.step("at"), affine(1));
  EXPECT_EQ(code.step("at", 1), kSteady);
  EXPECT_EQ(code.step("at", 2), kUniform);
  EXPECT_EQ(code.step("turned"), kSteady);
  EXPECT_EQ(code.step("turned", 1), affine(1));
  EXPECT_EQ(code.step("wide"), affine(3));
  EXPECT_EQ(code.step("square"), kVarying);
  EXPECT_EQ(code.step("far"), kSteady);
  EXPECT_EQ(code.step("kept"), affine(-1));
  EXPECT_EQ(code.step("q"), affine(52));
  EXPECT_EQ(code.step("t"), kSteady);
  EXPECT_EQ(code.step("u"), kUniform);
  EXPECT_EQ(code.step("half"), kUniform) << "all read the same";
  EXPECT_EQ(code.step("own"), kVarying);
  EXPECT_EQ(code.step("masked"), kVarying);
  EXPECT_EQ(code.step("size"), kUniform);
  EXPECT_EQ(code.step("l"), affine(1));
  EXPECT_EQ(code.step("linear"), affine(1));
  EXPECT_EQ(code.step("linear", 1), kSteady);
  EXPECT_EQ(code.step("other"), kVarying);
}

TEST(IndexSteps, FollowLoops) {
  const Text code(R"(
    br label %loop
  loop:
    %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
    %back = phi i64 [ %back.next, %loop ], [ %x, %entry ]
    %own = phi i64 [ 0, %entry ], [ %own.next, %loop ]
    %twice = phi i64 [ %x, %entry ], [ %twice.next, %loop ]
    %inside = add i64 %own, 4
    %back.next = add i64 %back, %size
    %own.next = add i64 %own, %x
    %twice.next = shl i64 %twice, 1
    %k.next = add i32 %k, 1
    %more = icmp slt i32 %k.next, %n
    br i1 %more, label %loop, label %end
  end:)");
  EXPECT_EQ(code.step("k"), kUniform);
  EXPECT_EQ(code.step("back"), affine(1));
  EXPECT_EQ(code.step("own"), kVarying) << "grows more in later work-items";
  EXPECT_EQ(code.step("inside"), kVarying);
  EXPECT_EQ(code.step("twice"), kVarying);
  GuessedSteps steps = GuessedSteps::alongDimension(0);
  EXPECT_EQ(steps.of(code.value("own")), kVarying);
  EXPECT_EQ(steps.of(code.value("own.next")), kVarying) << "not as it looked half way";
}

TEST(IndexSteps, FollowMostStepsWhereAskedTo) {
  const Text code(R"(
    %c = icmp slt i32 %i, %n
    %chosen = select i1 %c, i32 %i, i32 %n
    %least = call i32 @llvm.smin.i32(i32 %i, i32 %n)
    %round = urem i32 %least, %n
    %sum = add i32 %round, %n
    %bits = and i32 %n, %sum
    %any = and i32 %other, %i)");
  const auto known = [&](const Value& value) -> std::optional<IndexStep> {
    if (&value == &code.value("i")) return affine(1);
    if (&value == &code.value("other")) return kVarying;
    return std::nullopt;
  };
  GuessedSteps most(known, GuessedSteps::Trust::MostSteps);
  GuessedSteps all(known, GuessedSteps::Trust::Steps);
  for (const char* name : {"chosen", "least", "round", "sum", "bits"}) {
    EXPECT_EQ(most.of(code.value(name)), affine(1)) << name;
    EXPECT_EQ(all.of(code.value(name)), kVarying) << name;
  }
  EXPECT_EQ(most.of(code.value("any")), kVarying);
}

}  // namespace
}  // namespace test
}  // namespace weft::compiler
