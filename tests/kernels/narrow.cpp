// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on bytes and shorts, which C computes in 32 bits and lanes in 16 where that is enough.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

struct Inputs {
  std::vector<uint8_t> bytes;
  std::vector<int8_t> chars;
  std::vector<int16_t> shorts;
  std::vector<uint16_t> words;
};

/// The least and the largest values, and everything in between.
Inputs inputs(size_t items) {
  std::mt19937 random(5);
  Inputs in;
  const int edges[] = {0, 1, 127, 128, 255, 32767, 32768, 65535, 254, 129};
  for (size_t i = 0; i < items; ++i) {
    const auto pick = [&] {
      return random() % 3 == 0 ? edges[random() % 10] : static_cast<int>(random() % 65536);
    };
    in.bytes.push_back(static_cast<uint8_t>(pick()));
    in.chars.push_back(static_cast<int8_t>(pick()));
    in.shorts.push_back(static_cast<int16_t>(pick()));
    in.words.push_back(static_cast<uint16_t>(pick()));
  }
  return in;
}

/// Runs `int out = EXPRESSION of b, c, s, w, i` in every form, and compares with `expected`.
void run(const std::string& expression, size_t items,
         const std::function<int(uint8_t b, int8_t c, int16_t s, uint16_t w)>& expected = {}) {
  const auto program = build(
      "kernel void k(global const uchar* bs, global const char* cs, global const short* ss,"
      " global const ushort* ws, global int* out) { size_t i = get_global_id(0);"
      " uchar b = bs[i], d = bs[i ^ 1]; char c = cs[i]; short s = ss[i]; ushort w = ws[i];"
      " out[i] = (int)(" +
      expression + "); }");
  Inputs in = inputs(items);
  std::vector<int> out(items);
  Launch(program, "k")
      .range({items}, {items / 2})
      .buffer(in.bytes)
      .buffer(in.chars)
      .buffer(in.shorts)
      .buffer(in.words)
      .buffer(out)
      .inEveryForm([&](const Outcome&) {
        for (size_t i = 0; expected && i < items; ++i)
          ASSERT_EQ(out[i], expected(in.bytes[i], in.chars[i], in.shorts[i], in.words[i])) << i;
      });
}

TEST(Narrow, SumsThatTakeAllSixteenBits) {
  run("(uchar)((77 * b + 150 * b + 29 * b) >> 8)", 200,
      [](uint8_t b, int8_t, int16_t, uint16_t) { return (256 * b) >> 8 & 255; });
  run("(short)((b * 257) >> 1) + ((b * 257) > 40000)", 200,
      [](uint8_t b, int8_t, int16_t, uint16_t) { return (b * 257 >> 1) + (b * 257 > 40000); });
}

TEST(Narrow, SignsOfDifferences) {
  run("(uchar)min(abs(c * 4 - b * 2) + abs(b - 3), 255u)", 200,
      [](uint8_t b, int8_t c, int16_t, uint16_t) {
        return std::min(std::abs(c * 4 - b * 2) + std::abs(b - 3), 255);
      });
  run("((c - b) >> 2) + ((c + 1) * 3 < b - 200 ? 7 : -7)", 200,
      [](uint8_t b, int8_t c, int16_t, uint16_t) {
        return ((c - b) >> 2) + ((c + 1) * 3 < b - 200 ? 7 : -7);
      });
}

TEST(Narrow, ValuesThatNeedMore) {
  run("(s * c) + (w - s) + (uchar)((w + 1) >> 1)", 200,
      [](uint8_t, int8_t c, int16_t s, uint16_t w) {
        return s * c + (w - s) + static_cast<uint8_t>((w + 1) >> 1);
      });
  run("(uint)(b - 200) / 3u + ((uint)(b - 200) > 100u)", 200,
      [](uint8_t b, int8_t, int16_t, uint16_t) {
        const auto u = static_cast<uint32_t>(b - 200);
        return static_cast<int>(u / 3 + (u > 100));
      });
}

/// Expressions of all operations, for which the forms only have to agree.
class Expressions {
 public:
  explicit Expressions(unsigned seed) : random_(seed) {}

  std::string any(int depth) {
    if (depth == 0) return leaf();
    const std::string left = any(depth - 1), right = any(depth - 1 - pick(2) * (depth > 1));
    const std::string small = std::to_string(pick(9));
    switch (pick(17)) {
      case 0:
      case 1:
      case 2:
        return "(" + left + " + " + right + ")";
      case 3:
      case 4:
        return "(" + left + " - " + right + ")";
      case 5:
        return "(" + left + " * " + small + ")";
      case 6:
        return "(int)((uint)" + left + " >> " + small + ")";
      case 7:
        return "(" + left + " >> " + small + ")";
      case 8:
        return "(int)((uint)" + left + " << " + small + ")";
      case 9:
        return "min(" + left + ", " + right + ")";
      case 10:
        return "(int)max((uint)" + left + ", (uint)" + right + ")";
      case 11:
        return "(int)abs(" + left + ")";
      case 12:
        return "(" + left + " < " + right + " ? " + left + " : " + right + ")";
      case 13:
        return "((uint)" + left + " > (uint)" + right + " ? " + right + " : " + leaf() + ")";
      case 14:
        return "(" + left + " & " + right + ")";
      case 15:
        return "(int)(uchar)" + left;
      default:
        return "(" + left + " ^ " + right + ")";
    }
  }

 private:
  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
  std::string leaf() {
    static const char* const leaves[] = {"b", "b",        "d", "c",  "s",
                                         "w", "(b & 15)", "3", "-1", "200"};
    return std::string("(int)(") + leaves[pick(10)] + ")";
  }
  std::mt19937 random_;
};

TEST(Narrow, AnyExpression) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    Expressions expressions(seed);
    std::string sum = "(" + expressions.any(3) + ")";
    for (int k = 0; k < 6; ++k)
      sum += " * 3 ^ (" + std::string(k % 2 ? "(uchar)" : "(short)") + expressions.any(3 + k % 3) +
             ")";
    SCOPED_TRACE(sum);
    run(sum, 128);
  }
}

}  // namespace
}  // namespace weft::test
