// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which indices never wrap in which launches: of kernels that people write, and of random ones,
// whose work-items are run one by one.
#include "analysis/exact_indices.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/SourceMgr.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "ir/names.h"
#include "support/test_day.h"
#include "weft/compiler/check_launch.h"

namespace weft::compiler::test {
namespace {

using namespace llvm;

/// The arguments of all kernels here.
struct Arguments {
  uint64_t a = 0;
  int32_t n = 0, m = 0;
  int64_t w = 0;
};

struct LaunchOf {
  NDRange range;
  Arguments arguments;
};

/// A kernel in textual IR: the body of a function of %a (global), %n, %m (i32) and %w (i64), with
/// %g0, %g1, %l0 and %size, which are calls, as i64 and %i, %j and %l as i32.
class Kernel {
 public:
  explicit Kernel(const std::string& body, unsigned rowDimension = 0) {
    const std::string text = R"(
      target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
      declare i64 @_Z13get_global_idj(i32)
      declare i64 @_Z12get_local_idj(i32)
      declare i64 @_Z15get_global_sizej(i32)
      define void @k(ptr addrspace(1) %a, i32 %n, i32 %m, i64 %w) {
      entry:
        %g0 = call i64 @_Z13get_global_idj(i32 0)
        %g1 = call i64 @_Z13get_global_idj(i32 1)
        %l0 = call i64 @_Z12get_local_idj(i32 0)
        %size = call i64 @_Z15get_global_sizej(i32 0)
        %i = trunc i64 %g0 to i32
        %j = trunc i64 %g1 to i32
        %l = trunc i64 %l0 to i32
        )" + body + R"(
      end:
        ret void
      })";
    SMDiagnostic diagnostic;
    module_ = parseAssemblyString(text, diagnostic, context_);
    if (!module_) {
      ADD_FAILURE() << diagnostic.getMessage().str() << " in line " << diagnostic.getLineNo()
                    << ": " << diagnostic.getLineContents().str() << "\n"
                    << text;
      std::abort();
    }
    using Kind = ArgumentKind;
    const auto argument = [](Kind kind, size_t offset, size_t size) {
      ArgumentInfo info;
      info.kind = kind;
      info.offset = static_cast<uint32_t>(offset);
      info.size = static_cast<uint32_t>(size);
      return info;
    };
    const ArgumentInfo infos[] = {argument(Kind::GlobalPointer, offsetof(Arguments, a), 8),
                                  argument(Kind::Value, offsetof(Arguments, n), 4),
                                  argument(Kind::Value, offsetof(Arguments, m), 4),
                                  argument(Kind::Value, offsetof(Arguments, w), 8)};
    condition_ = markExactIndices(function(), infos, rowDimension);
    EXPECT_TRUE(isValid(condition_, sizeof(Arguments)));
  }

  Function& function() const { return *module_->getFunction("k"); }
  const LaunchCondition& condition() const { return condition_; }
  size_t marks() const {
    return static_cast<size_t>(count_if(instructions(function()), [](const Instruction& one) {
      return one.hasMetadata(names::kExact);
    }));
  }
  bool holds(const LaunchOf& launch) const {
    return compiler::holds(condition_, launch.range, &launch.arguments);
  }
  bool holds(std::array<uint64_t, 3> size, const Arguments& arguments) const {
    return holds(LaunchOf{.range = {.globalSize = size}, .arguments = arguments});
  }

 private:
  LLVMContext context_;
  std::unique_ptr<Module> module_;
  LaunchCondition condition_;
};

const std::string kStore = R"(
    %to = getelementptr i8, ptr addrspace(1) %a, i64 %x
    store i8 1, ptr addrspace(1) %to
    br label %end)";

/// `for (k = 0; k < n; ++k)`, with a store at %y, which `index` computes.
std::string loopOver(const std::string& index) {
  return R"(
    br label %head
  head:
    %k = phi i32 [ 0, %entry ], [ %next, %body ]
    %more = icmp ult i32 %k, %n
    br i1 %more, label %body, label %end
  body:
    )" + index +
         R"(
    %x = zext i32 %y to i64
    %to = getelementptr i8, ptr addrspace(1) %a, i64 %x
    store i8 1, ptr addrspace(1) %to
    %next = add i32 %k, 1
    br label %head)";
}

TEST(ExactIndices, NothingIsAskedOfWhatCannotWrap) {
  for (const char* body :
       {"%x = zext i32 %i to i64", "%y = add nsw i32 %i, %n\n%x = sext i32 %y to i64",
        "%x = add i64 %g0, %w", "%y = mul i32 %n, %m\n%x = zext i32 %y to i64"}) {
    const Kernel kernel(body + kStore);
    EXPECT_TRUE(kernel.condition().steps.empty()) << body;
  }
}

TEST(ExactIndices, SumsWithArguments) {
  const Kernel kernel("%y = add i32 %i, %n\n%x = zext i32 %y to i64" + kStore);
  EXPECT_EQ(kernel.marks(), 3u);
  EXPECT_TRUE(kernel.holds({64, 1, 1}, {.n = 0}));
  EXPECT_TRUE(kernel.holds({64, 1, 1}, {.n = INT32_MAX - 63}));
  EXPECT_FALSE(kernel.holds({64, 1, 1}, {.n = INT32_MAX - 62}));
  EXPECT_FALSE(kernel.holds({64, 1, 1}, {.n = -1}));
}

TEST(ExactIndices, RowsAndColumns) {
  const Kernel kernel(R"(
    %row = mul i32 %j, %n
    %y = add i32 %row, %i
    %x = zext i32 %y to i64)" +
                      kStore);
  EXPECT_TRUE(kernel.holds({1024, 1024, 1}, {.n = 1024}));
  EXPECT_TRUE(kernel.holds({32768, 65536, 1}, {.n = 32767}));
  EXPECT_FALSE(kernel.holds({32768, 65537, 1}, {.n = 32768}));
}

TEST(ExactIndices, AlongTheDimensionOfRows) {
  const std::string sum = "%y = add i32 %j, %n\n%x = zext i32 %y to i64" + kStore;
  EXPECT_EQ(Kernel(sum, 0).marks(), 0u);
  const Kernel along(sum, 1);
  EXPECT_EQ(along.marks(), 3u);
  EXPECT_TRUE(along.holds({64, 32, 1}, {.n = INT32_MAX - 31}));
  EXPECT_FALSE(along.holds({64, 32, 1}, {.n = INT32_MAX - 30}));
  // Launches that are too short along it run along the first one.
  EXPECT_EQ(Kernel("%y = add i32 %i, %n\n%x = zext i32 %y to i64" + kStore, 1).marks(), 3u);
}

TEST(ExactIndices, ComparisonsOnTheWay) {
  const Kernel kernel(R"(
    %before = add i32 %i, -1
    %isFirst = icmp eq i32 %i, 0
    br i1 %isFirst, label %end, label %rest
  rest:
    %x = zext i32 %before to i64)" +
                      kStore);
  EXPECT_TRUE(kernel.condition().steps.empty());
  EXPECT_EQ(kernel.marks(), 3u);
  const Kernel inside(R"(
    %last = sub i32 %n, %m
    %isAfter = icmp uge i32 %i, %m
    %isBefore = icmp ult i32 %i, %last
    %isInside = and i1 %isAfter, %isBefore
    br i1 %isInside, label %rest, label %end
  rest:
    %left = sub i32 %i, %m
    %x = zext i32 %left to i64)" +
                      kStore);
  EXPECT_TRUE(inside.holds({64, 1, 1}, {.n = 64, .m = 3}));
  EXPECT_TRUE(inside.holds({64, 1, 1}, {.n = 64, .m = -3})) << "nobody gets there";
}

TEST(ExactIndices, LoopCounters) {
  const Kernel uniform(loopOver("%row = mul i32 %k, %m\n%y = add i32 %row, %i"));
  EXPECT_TRUE(uniform.holds({64, 1, 1}, {.n = 100, .m = 64}));
  EXPECT_TRUE(uniform.holds({64, 1, 1}, {.n = 0, .m = 64})) << "nobody gets there";
  EXPECT_FALSE(uniform.holds({64, 1, 1}, {.n = 1 << 20, .m = 1 << 12}));
  const Kernel strided(R"(
    %step = trunc i64 %size to i32
    br label %head
  head:
    %k = phi i32 [ %i, %entry ], [ %next, %body ]
    %more = icmp ult i32 %k, %n
    br i1 %more, label %body, label %end
  body:
    %x = zext i32 %k to i64
    %to = getelementptr i8, ptr addrspace(1) %a, i64 %x
    store i8 1, ptr addrspace(1) %to
    %next = add i32 %k, %step
    br label %head)");
  EXPECT_TRUE(strided.holds({4096, 1, 1}, {.n = 1 << 30}));
  EXPECT_FALSE(strided.holds({4096, 1, 1}, {.n = INT32_MAX})) << "the last step wraps";
  EXPECT_FALSE(strided.holds({4096, 1, 1}, {.n = -1}));
}

TEST(ExactIndices, RowsOfEachWorkItem) {
  const Kernel kernel(loopOver("%row = mul i32 %m, %i\n%y = add i32 %row, %k"));
  EXPECT_EQ(kernel.marks(), 5u) << "the id, the product, the sum, its extension and the counter";
  EXPECT_TRUE(kernel.holds({1024, 1, 1}, {.n = 1 << 20, .m = 1 << 20}));
  EXPECT_FALSE(kernel.holds({2049, 1, 1}, {.n = 1 << 20, .m = 1 << 20}));
  EXPECT_FALSE(kernel.holds({64, 1, 1}, {.n = 1 << 20, .m = INT32_MAX / 63}));
  EXPECT_FALSE(kernel.holds({1, 1, 1}, {.n = -1, .m = 0}));
  EXPECT_TRUE(kernel.holds({64, 1, 1}, {.n = 0, .m = 1 << 24})) << "nobody gets there";
  // Products of two ids, or of ids by what others have stored, are no rows.
  for (const char* factor : {"%i", "%stored"})
    EXPECT_EQ(Kernel(R"(
      %from = getelementptr i32, ptr addrspace(1) %a, i64 %g0
      %stored = load i32, ptr addrspace(1) %from
      %y = mul i32 %i, )" +
                     std::string(factor) + "\n%x = zext i32 %y to i64" + kStore)
                  .marks(),
              0u);
}

TEST(ExactIndices, SumsThatGoRoundALoopBeginWithRoom) {
  const Kernel kernel(R"(
    %row = mul nsw i32 %j, %m
    %first = add nsw i32 %row, %i
    br label %head
  head:
    %at = phi i32 [ %first, %entry ], [ %next, %body ]
    %k = phi i32 [ 0, %entry ], [ %k1, %body ]
    %more = icmp slt i32 %k, %n
    br i1 %more, label %body, label %end
  body:
    %x = sext i32 %at to i64
    %to = getelementptr i8, ptr addrspace(1) %a, i64 %x
    store i8 1, ptr addrspace(1) %to
    %next = add nsw i32 %at, %m
    %k1 = add i32 %k, 1
    br label %head)");
  EXPECT_TRUE(kernel.holds({64, 64, 1}, {.n = 100, .m = 64}));
  EXPECT_TRUE(kernel.holds({64, 64, 1}, {.n = 100, .m = (1 << 24)}));
  EXPECT_FALSE(kernel.holds({64, 1 << 10, 1}, {.n = 100, .m = (1 << 21) - 1}))
      << "without wrapping, but near";
  EXPECT_TRUE(kernel.holds({64, 1 << 9, 1}, {.n = 100, .m = (1 << 21) - 1}));
}

TEST(ExactIndices, WhatNoLaunchSettlesIsLeftOut) {
  const Kernel kernel(R"(
    %from = getelementptr i32, ptr addrspace(1) %a, i64 3
    %start = load i32, ptr addrspace(1) %from
    %y = add i32 %i, %start
    %x = zext i32 %y to i64)" +
                      kStore);
  EXPECT_TRUE(kernel.condition().steps.empty());
  EXPECT_EQ(kernel.marks(), 0u);
}

// ---- Random kernels, each work-item of which is run.

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  std::string kernel() {
    values_ = {"%i", "%j", "%l", "%n", "%m", "0", "1", "5"};
    const bool hasLoop = chance(2);
    arithmetic(3);
    while (chance(2)) guard();
    arithmetic(2);
    if (hasLoop) {
      loop();
    } else {
      use();
      text_ += "br label %end\n";
    }
    return text_;
  }

  bool chance(unsigned of) { return random_() % of == 0; }
  template <class T>
  const T& one(const std::vector<T>& of) {
    return of[random_() % of.size()];
  }
  int32_t number() {
    static const std::vector<int32_t> kNumbers = {0,
                                                  1,
                                                  2,
                                                  3,
                                                  5,
                                                  7,
                                                  16,
                                                  100,
                                                  -1,
                                                  -2,
                                                  -5,
                                                  INT32_MAX,
                                                  INT32_MAX - 3,
                                                  INT32_MIN,
                                                  INT32_MIN + 4,
                                                  1 << 30,
                                                  -(1 << 30),
                                                  46341,
                                                  65536};
    return chance(8) ? static_cast<int32_t>(random_()) : one(kNumbers);
  }
  LaunchOf launch() {
    LaunchOf launch;
    launch.range.localSize = {1 + random_() % 4, 1, 1};
    launch.range.globalSize = {launch.range.localSize[0] * (1 + random_() % 4), 1 + random_() % 4,
                               1};
    static const std::vector<uint64_t> kOffsets = {0, 0, 0, 1, 9, 1 << 20, INT32_MAX - 90u};
    launch.range.globalOffset = {one(kOffsets), one(kOffsets), 0};
    launch.arguments = {.n = number(), .m = number(), .w = number()};
    if (chance(4)) launch.arguments.w *= 0x10001;
    return launch;
  }

 private:
  std::string name() { return "%v" + std::to_string(count_++); }
  const std::string& value() { return one(values_); }
  void line(const std::string& text) { text_ += "    " + text + "\n"; }

  void arithmetic(unsigned most) {
    for (unsigned count = random_() % (most + 1); count > 0; --count) {
      const std::string result = name();
      const std::string flag = chance(6) ? "nsw " : "";
      switch (random_() % 8) {
        case 0:
        case 1:
        case 2:
          line(result + " = add " + flag + "i32 " + value() + ", " + value());
          break;
        case 3:
          line(result + " = sub " + flag + "i32 " + value() + ", " + value());
          break;
        case 4:
          line(result + " = mul " + flag + "i32 " + value() + ", " + value());
          break;
        case 5:
          line(result + " = shl " + flag + "i32 " + value() + ", " + std::to_string(random_() % 5));
          break;
        case 6: {
          static const std::vector<std::string> kOperations = {"and", "urem", "udiv", "lshr"};
          line(result + " = " + one(kOperations) + " i32 " + value() + ", " +
               std::to_string(1 + random_() % 6));
          break;
        }
        default: {
          const std::string wide = name(), extended = name();
          line(extended + " = " + (chance(2) ? "sext" : "zext") + " i32 " + value() + " to i64");
          static const std::vector<std::string> kWide = {"%g0", "%w", "%size", "%l0"};
          line(wide + " = " + (chance(3) ? "mul" : "add") + " i64 " + one(kWide) + ", " + extended);
          line(result + " = trunc i64 " + wide + " to i32");
        }
      }
      values_.push_back(result);
      if (chance(3)) values_.push_back(result);
    }
  }

  std::string comparison() {
    static const std::vector<std::string> kPredicates = {"slt", "sle", "sgt", "sge", "ult",
                                                         "ule", "ugt", "uge", "eq",  "ne"};
    const std::string result = name();
    line(result + " = icmp " + one(kPredicates) + " i32 " + value() + ", " + value());
    return result;
  }

  void guard() {
    std::string condition = comparison();
    if (chance(3)) {
      const std::string other = comparison(), both = name();
      line(both + " = " + (chance(2) ? "and" : "or") + " i1 " + condition + ", " + other);
      condition = both;
    }
    const std::string next = "b" + std::to_string(count_++);
    line("br i1 " + condition +
         (chance(2) ? ", label %" + next + ", label %end" : ", label %end, label %" + next));
    text_ += "  " + next + ":\n";
    block_ = next;
    arithmetic(2);
  }

  void loop() {
    const std::string start = value(), step = chance(2) ? "1" : value(), limit = value();
    static const std::vector<std::string> kPredicates = {"slt", "sle", "ult", "ule",
                                                         "ne",  "sgt", "sge"};
    line("br label %head");
    text_ += "  head:\n";
    line("%k = phi i32 [ " + start + ", %" + block_ + " ], [ %next, %body ]");
    line("%more = icmp " + one(kPredicates) + " i32 %k, " + limit);
    line("br i1 %more, label %body, label %end");
    text_ += "  body:\n";
    values_.insert(values_.end(), {"%k", "%k", "%k"});
    arithmetic(3);
    use();
    line(std::string("%next = add ") + (chance(3) ? "nsw " : "") + "i32 %k, " + step);
    line("br label %head");
  }

  void use() {
    for (int count = 0; count < 2; ++count) {
      const std::string index = name(), to = name();
      line(index + " = " + (chance(4) ? "sext" : "zext") + " i32 " + one(values_) + " to i64");
      line(to + " = getelementptr i8, ptr addrspace(1) %a, i64 " + index);
      line("store i8 1, ptr addrspace(1) " + to);
    }
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<std::string> values_;
  std::string block_ = "entry";
  unsigned count_ = 0;
};

/// Runs work-items, and knows what wraps.
class Interpreter {
 public:
  enum class Result { Fine, Wraps, Undefined };

  Interpreter(const Function& kernel, const LaunchOf& launch) : kernel_(kernel), launch_(launch) {}

  /// Whether a marked instruction wraps for some work-item. Undefined: what the program promises
  /// is not so, or it takes too long.
  Result run() {
    Result worst = Result::Fine;
    const NDRange& range = launch_.range;
    for (uint64_t y = 0; y < range.globalSize[1]; ++y)
      for (uint64_t x = 0; x < range.globalSize[0]; ++x) {
        x_ = static_cast<int64_t>(x);
        y_ = static_cast<int64_t>(y);
        const Result one = runItem();
        if (one == Result::Undefined) return one;
        if (one == Result::Wraps) worst = one;
      }
    return worst;
  }

 private:
  int64_t of(const Value* value) const {
    if (const auto* constant = dyn_cast<ConstantInt>(value)) return constant->getSExtValue();
    if (const auto* argument = dyn_cast<Argument>(value)) {
      const Arguments& all = launch_.arguments;
      const int64_t values[] = {0, all.n, all.m, all.w};
      return values[argument->getArgNo()];
    }
    return values_.at(value);
  }

  static int64_t cut(__int128 value, unsigned bits) {
    return bits == 32 ? static_cast<int64_t>(static_cast<int32_t>(static_cast<uint32_t>(value)))
                      : static_cast<int64_t>(static_cast<uint64_t>(value));
  }

  static uint64_t asUnsigned(int64_t value, unsigned bits) {
    return bits == 32 ? static_cast<uint32_t>(value) : static_cast<uint64_t>(value);
  }

  Result runItem() {
    constexpr unsigned kMostTrips = 500;
    values_.clear();
    Result worst = Result::Fine;
    const BasicBlock* from = nullptr;
    const BasicBlock* block = &kernel_.getEntryBlock();
    for (unsigned trips = 0; block; ++trips) {
      if (trips == kMostTrips) return Result::Undefined;
      std::map<const Value*, int64_t> phis;
      for (const PHINode& phi : block->phis()) phis[&phi] = of(phi.getIncomingValueForBlock(from));
      for (const auto& [phi, value] : phis) values_[phi] = value;
      const BasicBlock* next = nullptr;
      for (const Instruction& instruction : *block) {
        if (isa<PHINode, GetElementPtrInst, StoreInst, ReturnInst>(instruction)) continue;
        if (const auto* branch = dyn_cast<BranchInst>(&instruction)) {
          next = branch->getSuccessor(branch->isConditional() && of(branch->getCondition()) == 0);
          continue;
        }
        const Result one = run(instruction);
        if (one == Result::Undefined) return one;
        if (one == Result::Wraps) worst = one;
      }
      from = block;
      block = next;
    }
    return worst;
  }

  Result run(const Instruction& instruction) {
    const bool isMarked = instruction.hasMetadata(names::kExact);
    const unsigned bits = instruction.getType()->getIntegerBitWidth();
    __int128 value = 0;
    bool wraps = false;
    const auto operand = [&](unsigned i) { return of(instruction.getOperand(i)); };
    const auto plain = [&](unsigned i) { return asUnsigned(operand(i), bits); };
    switch (instruction.getOpcode()) {
      case Instruction::Call:
        value = call(cast<CallInst>(instruction));
        break;
      case Instruction::Add: {
        value = static_cast<__int128>(operand(0)) + operand(1);
        // Steps of marked phis are not negative.
        for (unsigned i = 0; i < 2; ++i)
          if (const auto* phi = dyn_cast<PHINode>(instruction.getOperand(i));
              phi && phi->hasMetadata(names::kExact) && is_contained(phi->operands(), &instruction))
            wraps |= operand(1 - i) < 0;
        break;
      }
      case Instruction::Sub:
        value = static_cast<__int128>(operand(0)) - operand(1);
        break;
      case Instruction::Mul:
        value = static_cast<__int128>(operand(0)) * operand(1);
        break;
      case Instruction::Shl:
        value = static_cast<__int128>(operand(0)) * (int64_t{1} << operand(1));
        break;
      case Instruction::And:
        value = operand(0) & operand(1);
        break;
      case Instruction::Or:
        value = operand(0) | operand(1);
        break;
      case Instruction::URem:
        value = plain(0) % plain(1);
        break;
      case Instruction::UDiv:
        value = plain(0) / plain(1);
        break;
      case Instruction::LShr:
        value = plain(0) >> plain(1);
        break;
      case Instruction::Trunc:
      case Instruction::SExt:
        value = operand(0);
        break;
      case Instruction::ZExt:
        value = asUnsigned(operand(0), 32);
        wraps |= isMarked && operand(0) < 0;
        break;
      case Instruction::ICmp: {
        const auto& compare = cast<ICmpInst>(instruction);
        value =
            ICmpInst::compare(APInt(64, static_cast<uint64_t>(operand(0))),
                              APInt(64, static_cast<uint64_t>(operand(1))), compare.getPredicate());
        values_[&instruction] = static_cast<int64_t>(value);
        return Result::Fine;
      }
      default:
        ADD_FAILURE() << "unknown instruction";
        return Result::Undefined;
    }
    const int64_t result = bits == 1 ? static_cast<int64_t>(value) : cut(value, bits);
    values_[&instruction] = result;
    const auto* arithmetic = dyn_cast<OverflowingBinaryOperator>(&instruction);
    if (arithmetic && arithmetic->hasNoSignedWrap() && result != value) return Result::Undefined;
    if (isMarked && !isa<ZExtInst>(instruction)) wraps |= result != value;
    if (instruction.hasMetadata(names::kHasRoom)) {
      const __int128 room = (__int128{1} << 31) - names::kRoom;
      wraps |= value < -room || value >= room;
    }
    return wraps ? Result::Wraps : Result::Fine;
  }

  int64_t call(const CallInst& call) const {
    const bool isFirst = of(call.getArgOperand(0)) == 0;
    const NDRange& range = launch_.range;
    switch (*names::workItemFunction(*call.getCalledFunction())) {
      case names::WorkItemFunction::GlobalId:
        return isFirst ? x_ + static_cast<int64_t>(range.globalOffset[0])
                       : y_ + static_cast<int64_t>(range.globalOffset[1]);
      case names::WorkItemFunction::LocalId:
        return x_ % static_cast<int64_t>(range.localSize[0]);
      default:
        return static_cast<int64_t>(range.globalSize[0]);
    }
  }

  const Function& kernel_;
  const LaunchOf& launch_;
  int64_t x_ = 0, y_ = 0;
  std::map<const Value*, int64_t> values_;
};

TEST(ExactIndices, NeverWrapInRandomKernelsWhereTheConditionHolds) {
  constexpr uint32_t kKernels = 6000, kParts = 3;
  constexpr unsigned kLaunches = 24;
  unsigned marked = 0, conditional = 0, held = 0, failed = 0, needed = 0;
  for (uint32_t seed = 0; seed < kKernels; ++seed) {
    if (!weft::test::isOfDay(seed, kParts)) continue;
    Generator generator(seed);
    const std::string text = generator.kernel();
    const Kernel kernel(text);
    if (kernel.marks() == 0) continue;
    ++marked;
    if (!kernel.condition().steps.empty()) ++conditional;
    for (unsigned number = 0; number < kLaunches; ++number) {
      const LaunchOf launch = generator.launch();
      const auto result = Interpreter(kernel.function(), launch).run();
      if (result == Interpreter::Result::Undefined) continue;
      const bool isWrapping = result == Interpreter::Result::Wraps;
      if (!kernel.holds(launch)) {
        ++failed;
        needed += isWrapping;
        continue;
      }
      ++held;
      ASSERT_FALSE(isWrapping) << "kernel " << seed << ", launch " << number << ", n "
                               << launch.arguments.n << ", m " << launch.arguments.m << ", w "
                               << launch.arguments.w << ", size " << launch.range.globalSize[0]
                               << " x " << launch.range.globalSize[1] << ", offset "
                               << launch.range.globalOffset[0] << ", "
                               << launch.range.globalOffset[1] << "\n"
                               << text;
    }
  }
  // Else it would show nothing.
  EXPECT_GT(marked, kKernels / kParts / 10);
  EXPECT_GT(conditional, marked / 4);
  EXPECT_GT(held, 1000u);
  EXPECT_GT(needed, 1000u / kParts);
  RecordProperty("marked", static_cast<int>(marked));
  RecordProperty("conditional", static_cast<int>(conditional));
  RecordProperty("held", static_cast<int>(held));
  RecordProperty("failed", static_cast<int>(failed));
  RecordProperty("needed", static_cast<int>(needed));
}

}  // namespace
}  // namespace weft::compiler::test
