// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that call functions out of line which ask who they are: in lanes such calls are made for
// one work-item after the other, each with its own ids, and the rest of the kernel is not.
#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

const char* const kSource = R"(
#define OUT_OF_LINE __attribute__((noinline))
typedef struct { int x, y; long z; } Ids;

OUT_OF_LINE int inner(int k) { return get_global_id(0) * 3 + get_local_id(1) + k; }
OUT_OF_LINE int number(int k) { return inner(k) + 100 * get_global_id(1) + get_local_id(0); }
OUT_OF_LINE int4 numbers(int4 v) { return v + (int4)(number(0), number(1), 2, get_group_id(0)); }
OUT_OF_LINE Ids ids(Ids given, char c) {
  Ids result = {given.x + get_global_id(0), given.y + c, given.z + get_global_linear_id()};
  return result;
}
OUT_OF_LINE bool isOdd(uint k) { return (get_global_id(0) + k) & 1; }
OUT_OF_LINE void add(global int* out, int v) {
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] += v;
}
OUT_OF_LINE void fill(int* a, int n) {
  for (int i = 0; i < n; ++i) a[i] = i * get_global_id(0) + get_global_id(1);
}
OUT_OF_LINE int total(local int* t, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += t[i] * (i + 1);
  return sum + get_local_id(0);
}
#define PLACE (get_global_id(1) * get_global_size(0) + get_global_id(0))

kernel void once(global int* out, global const int* in) {
  int v = in[PLACE];
  out[PLACE] = v * 7 + number(v & 15);
}
kernel void many(global int* out, global const int* in) {
  int v = in[PLACE];
  if (v % 3 == 0) v = number(v);
  if (isOdd(v)) {
    int4 w = numbers((int4)(v, 1, 2, 3));
    v += w.x + 2 * w.y + 3 * w.z + 5 * w.w;
  }
  for (int k = 0; k < (v & 3); ++k) v += isOdd(k) ? number(k) : k;
  Ids given = {v, 2, 3};
  Ids made = ids(given, (char)v);
  out[PLACE] = made.x + made.y + made.z;
  if (v % 5 == 1) return;
  add(out, v);
}
kernel void arrays(global int* out, global const int* in) {
  int a[9];
  int v = in[PLACE];
  a[0] = v;
  if (v & 1) fill(a, 9);
  else for (int i = 0; i < 9; ++i) a[i] = v + i;
  for (int i = 0; i < 9; ++i) out[PLACE] += a[i] * (i + v % 7);
}
kernel void shared(global int* out, global const int* in) {
  local int t[64];
  int l = get_local_id(1) * get_local_size(0) + get_local_id(0);
  t[l] = in[PLACE] + number(l);
  barrier(CLK_LOCAL_MEM_FENCE);
  int v = total(t, get_local_size(0));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l & 1) t[l] = v + number(3);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[PLACE] = t[l & 62] + number(v & 1);
}
kernel void limited(global int* out, global const int* in, int n) {
  int i = get_global_id(0);
  if (i < n) {
    int v = in[PLACE];
    for (int k = 0; k < 5; ++k) v = v * 5 + (v >> 3) + k;
    if (v & 4) v += number(v & 7);
    out[PLACE] = v;
  }
}
)";

/// One work-item of a range of rows, as the kernels see it.
struct Item {
  int x, y, sizeX, localX, localY;

  int number(int k) const { return x * 3 + localY + k + 100 * y + localX; }
  int place() const { return y * sizeX + x; }
};

struct Shape {
  uint64_t x, y, localX, localY;
};

class OutOfLine : public testing::TestWithParam<Shape> {
 protected:
  OutOfLine() {
    const Shape& s = GetParam();
    in_.resize(s.x * s.y);
    for (size_t i = 0; i < in_.size(); ++i) in_[i] = static_cast<int>(i * 2654435761u >> 12) % 1000;
    out_.resize(in_.size());
    expected_.resize(in_.size());
  }

  template <class F>
  void expect(F value) {
    const Shape& s = GetParam();
    for (int y = 0; y < static_cast<int>(s.y); ++y)
      for (int x = 0; x < static_cast<int>(s.x); ++x) {
        const Item item{x, y, static_cast<int>(s.x), x % static_cast<int>(s.localX),
                        y % static_cast<int>(s.localY)};
        expected_[item.place()] = value(item, in_[item.place()]);
      }
  }
  Launch launch(const char* kernel) {
    const Shape& s = GetParam();
    Launch result(build(kSource, "-cl-std=CL3.0"), kernel);
    result.range({s.x, s.y}, {s.localX, s.localY}).buffer(out_).buffer(in_);
    return result;
  }
  void run(Launch launch) {
    launch.inEveryForm([&](const Outcome&) { EXPECT_EQ(out_, expected_); });
  }

  std::vector<int> in_, out_, expected_;
};

TEST_P(OutOfLine, OneCall) {
  expect([](const Item& item, int v) { return v * 7 + item.number(v & 15); });
  run(launch("once"));
}

TEST_P(OutOfLine, CallsInAllKindsOfPlaces) {
  const Shape& s = GetParam();
  expect([&](const Item& item, int v) {
    if (v % 3 == 0) v = item.number(v);
    if ((item.x + v) & 1) {
      const int group = item.x / static_cast<int>(s.localX);
      v += (v + item.number(0)) + 2 * (1 + item.number(1)) + 3 * (2 + 2) + 5 * (3 + group);
    }
    for (int k = 0; k < (v & 3); ++k) v += (item.x + k) & 1 ? item.number(k) : k;
    int result = (v + item.x) + (2 + static_cast<signed char>(v)) + (3 + item.place());
    if (v % 5 != 1) result += v;
    return result;
  });
  run(launch("many"));
}

TEST_P(OutOfLine, ArraysAreHandedOver) {
  expect([](const Item& item, int v) {
    int result = 0;
    for (int i = 0; i < 9; ++i) result += (v & 1 ? i * item.x + item.y : v + i) * (i + v % 7);
    return result;
  });
  run(launch("arrays"));
}

TEST_P(OutOfLine, BetweenBarriers) {
  // As the form that is right by construction has it.
  launch("shared").in({compiler::Form::Fibers, 1, 1}, [&](const Outcome&) { expected_ = out_; });
  EXPECT_NE(expected_, std::vector<int>(expected_.size()));
  run(launch("shared"));
}

TEST_P(OutOfLine, WhereTheRangeIsCutShort) {
  const int n = static_cast<int>(GetParam().x) - 5;
  expect([&](const Item& item, int v) {
    if (item.x >= n) return 0;
    unsigned w = static_cast<unsigned>(v);
    for (unsigned k = 0; k < 5; ++k)
      w = w * 5 + static_cast<unsigned>(static_cast<int>(w) >> 3) + k;
    if (w & 4) w += static_cast<unsigned>(item.number(static_cast<int>(w & 7)));
    return static_cast<int>(w);
  });
  Launch limited = launch("limited");
  limited.value(n);
  run(limited);
}

INSTANTIATE_TEST_SUITE_P(Shapes, OutOfLine,
                         testing::Values(Shape{128, 2, 64, 1}, Shape{60, 6, 20, 3},
                                         Shape{12, 8, 4, 4}, Shape{37, 1, 37, 1}));

TEST(OutOfLinePrintf, InLanes) {
  const Program program = build(R"(
    kernel void k(global int* out) {
      int i = get_global_id(0), v = i;
      for (int k = 0; k < 10; ++k) v = v * 3 + (v >> 2) + k;
      if (i % 16 == 5) printf("%d has %d\n", i, i * i);
      out[i] = v;
    })");
  std::vector<int> out(64), expected(64);
  for (int i = 0; i < 64; ++i) {
    int v = i;
    for (int k = 0; k < 10; ++k) v = v * 3 + (v >> 2) + k;
    expected[static_cast<size_t>(i)] = v;
  }
  Launch(program, "k").range(64).buffer(out).inEveryForm([&](const Outcome& outcome) {
    EXPECT_EQ(out, expected);
    for (int i = 5; i < 64; i += 16)
      EXPECT_NE(outcome.printed.find(std::to_string(i) + " has " + std::to_string(i * i) + "\n"),
                std::string::npos);
    EXPECT_EQ(std::count(outcome.printed.begin(), outcome.printed.end(), '\n'), 4);
  });
}

/// `count` statements `h = h * 31 + as_number(function(x * factor[n]))` for n from 0.
std::string hashed(const std::string& function, const std::string& asNumber, int count) {
  std::string text;
  for (int n = 0; n < count; ++n)
    text +=
        "h = h * 31 + " + asNumber + "(" + function + "(x * factor[" + std::to_string(n) + "]));\n";
  return text;
}

/// Maths of so many places that lanes call one copy of it, in straight code, under masks and in
/// loops that work-items leave one by one: the same bits as where it is inlined at one place.
template <class Real>
void testShared(const std::string& function) {
  constexpr int kPlaces = 130;
  constexpr bool isFloat = sizeof(Real) == sizeof(float);
  const std::string real = isFloat ? "float" : "double", number = isFloat ? "uint" : "ulong";
  const std::string asNumber = "as_" + number;
  const std::string head =
      "(global const " + real + "* in, global const " + real + "* factor, global " + number +
      "* out) {\n" + "size_t i = get_global_id(0); " + real + " x = in[i]; " + number + " h = i;\n";
  const std::string source = "kernel void many" + head + hashed(function, asNumber, kPlaces) +
                             "if (i % 3) {\n" + hashed(function, asNumber, 4) +
                             "}\nfor (int n = 0; n < i % 7; ++n) h = h * 31 + " + asNumber + "(" +
                             function + "(x + n));\nout[i] = h; }\n";
  const std::string other =
      "kernel void once" + head + "for (int n = 0; n < " + std::to_string(kPlaces) +
      " + (i % 3 ? 4 : 0) + i % 7; ++n) {\n" + "int late = n - " + std::to_string(kPlaces) + ";\n" +
      "int place = late < 0 ? n : i % 3 && late < 4 ? late : -1;\n" + real +
      " y = place >= 0 ? x * factor[place] : x + (late - (i % 3 ? 4 : 0));\n" + "h = h * 31 + " +
      asNumber + "(" + function + "(y)); }\nout[i] = h; }\n";
  const size_t items = 200;
  std::vector<Real> in(items), factor(kPlaces);
  for (size_t i = 0; i < items; ++i) in[i] = static_cast<Real>(0.01 * static_cast<double>(i) - 0.7);
  for (int n = 0; n < kPlaces; ++n) factor[n] = static_cast<Real>(0.3 * n - 11);
  const auto run = [&](const std::string& text, const char* kernel) {
    std::vector<std::conditional_t<isFloat, uint32_t, uint64_t>> out(items), first;
    Launch(build(text, "-cl-std=CL3.0"), kernel)
        .range({items}, {20})
        .buffer(in)
        .buffer(factor)
        .buffer(out)
        .inEveryForm([&](const Outcome&) {
          if (first.empty()) first = out;
          EXPECT_EQ(out, first) << kernel;
        });
    return first;
  };
  EXPECT_EQ(run(source, "many"), run(other, "once"));
}

TEST(SharedMaths, FloatExponentials) { testShared<float>("exp"); }
TEST(SharedMaths, DoubleExponentials) { testShared<double>("exp"); }
TEST(SharedMaths, FloatLogarithms) { testShared<float>("log2"); }
TEST(SharedMaths, DoublePowersOfTwo) { testShared<double>("exp2"); }

}  // namespace
}  // namespace weft::test
