// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices of 32 bits that wrap, on purpose or where nobody uses them, in objects so large that both
// sides of the wrap are there.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

/// Memory for all places that a 32-bit index leads to from its middle, signed or not, of which a
/// few megabytes are repeated in an order that no multiple of 2^31 bytes leaves the same.
class LargeObject {
 public:
  static const LargeObject& instance() {
    static const LargeObject object;
    return object;
  }
  bool isThere() const { return start_ != nullptr; }
  uint8_t* middle() const { return start_ + kBefore; }
  uint8_t at(int64_t index) const { return middle()[index]; }

 private:
  static constexpr size_t kChunk = size_t{8} << 20;
  static constexpr size_t kChunks = 7;
  static constexpr size_t kBefore = kChunk * 290;  // 2^31 bytes and more
  static constexpr size_t kBytes = kBefore + kChunk * 560;

  LargeObject() {
    const int file = memfd_create("large object", 0);
    if (file < 0 || ftruncate(file, kChunk * kChunks) != 0) return;
    void* const place =
        mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) return;
    auto* const start = static_cast<uint8_t*>(place);
    uint32_t state = 1;
    for (size_t chunk = 0; chunk * kChunk < kBytes; ++chunk) {
      const auto from = static_cast<off_t>(chunk % kChunks * kChunk);
      const int protection = chunk < kChunks ? PROT_READ | PROT_WRITE : PROT_READ;
      uint8_t* const part = start + chunk * kChunk;
      if (mmap(part, kChunk, protection, MAP_SHARED | MAP_FIXED, file, from) == MAP_FAILED) return;
      if (chunk < kChunks)
        for (size_t i = 0; i < kChunk; ++i)
          part[i] = static_cast<uint8_t>((state = state * 1664525 + 1013904223) >> 24);
    }
    close(file);
    start_ = start;
  }

  uint8_t* start_ = nullptr;
};

/// An index as a kernel has it, and as C++ does: of the global id, and of `n`, which is `s` too.
struct LargeIndex {
  const char* text;
  std::function<int64_t(uint64_t id, uint32_t n)> value;
};

int64_t asUint(uint64_t value) { return static_cast<uint32_t>(value); }
int64_t asInt(uint64_t value) { return static_cast<int32_t>(static_cast<uint32_t>(value)); }

const std::vector<LargeIndex> kIndices{
    {"(uint)(i - 5)", [](uint64_t i, uint32_t) { return asUint(i - 5); }},
    {"i + n", [](uint64_t i, uint32_t n) { return asUint(i + n); }},
    {"3 * i + n", [](uint64_t i, uint32_t n) { return asUint(3 * i + n); }},
    {"n - i", [](uint64_t i, uint32_t n) { return asUint(n - i); }},
    {"(int)(n + i)", [](uint64_t i, uint32_t n) { return asInt(i + n); }},
    {"(int)(get_global_id(0) + s)", [](uint64_t i, uint32_t n) { return asInt(i + n); }},
    {"(int)(s - get_global_id(0))", [](uint64_t i, uint32_t n) { return asInt(n - i); }},
    {"(uint)(get_global_id(0) * 1000003)",
     [](uint64_t i, uint32_t) { return asUint(i * 1000003); }},
    {"(uint)(get_global_id(0) * 5 + n)", [](uint64_t i, uint32_t n) { return asUint(i * 5 + n); }},
    {"(uint)(get_global_id(0) * n)", [](uint64_t i, uint32_t n) { return asUint(i * n); }},
    {"i > 0 ? i - 1 : 7", [](uint64_t i, uint32_t) { return i > 0 ? asUint(i - 1) : 7; }},
    {"starts[0] + i", [](uint64_t i, uint32_t n) { return asUint(i + n); }},
    {"(int)(starts[0] + i)", [](uint64_t i, uint32_t n) { return asInt(i + n); }},
    {"(ulong)(i + n) - 7", [](uint64_t i, uint32_t n) { return asUint(i + n) - 7; }},
    {"(i + n) / 2 * 2", [](uint64_t i, uint32_t n) { return asUint(i + n) / 2 * 2; }},
    {"min(i + n, 0xfffffff8u)",
     [](uint64_t i, uint32_t n) { return std::min<int64_t>(asUint(i + n), 0xfffffff8); }},
};

const std::vector<uint32_t> kNumbers{
    0,          1,          100,        0x7fffffff - 40, 0x7fffffff,
    0x80000010, 3000000000, 0xffffff00, 0xffffffff - 40, 0xffffffff};

struct LargeRange {
  uint64_t items, local, offset;
};
const std::vector<LargeRange> kRanges{{128, 64, 0}, {96, 12, 4200}, {128, 128, 0x7ffffe00}};

/// Runs a kernel of (o, a or pointers to it, n, s, starts) for all numbers and ranges.
void check(const std::string& body, const char* barrier,
           const std::function<uint8_t(uint64_t id, uint32_t n)>& expected) {
  const LargeObject& object = LargeObject::instance();
  const std::string head = "uint i = get_global_id(0); uint l = get_local_id(0);";
  const auto program = build(
      "kernel void direct(global uchar* o, global uchar* a, uint n, int s, global uint* starts) {" +
      head + barrier + body +
      "}"
      "kernel void behind(global uchar* o, global ulong* p, uint n, int s,"
      "                   global uint* starts) {"
      "  global uchar* a = (global uchar*)p[1];" +
      head + barrier + body + "}");
  std::vector<uint8_t*> pointers{nullptr, object.middle()};
  for (const LargeRange& range : kRanges)
    for (const uint32_t n : kNumbers) {
      SCOPED_TRACE(body + " with n " + std::to_string(n) + ", offset " +
                   std::to_string(range.offset));
      std::vector<uint8_t> out(range.items), wanted(range.items);
      std::vector<uint32_t> starts{n};
      for (uint64_t k = 0; k < range.items; ++k) wanted[k] = expected(range.offset + k, n);
      for (const bool isDirect : {true, false}) {
        Launch launch(program, isDirect ? "direct" : "behind");
        launch.range({range.items}, {range.local}, {range.offset}).buffer(out);
        if (isDirect)
          launch.memory(object.middle(), 0);
        else
          launch.buffer(pointers);
        launch.value(n)
            .value(static_cast<int32_t>(n))
            .buffer(starts)
            .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted); });
        if (testing::Test::HasFailure()) return;
      }
    }
}

#define SKIP_WITHOUT_MEMORY() \
  if (!LargeObject::instance().isThere()) GTEST_SKIP() << "not so much memory at once"

constexpr const char* kStore = "o[get_global_id(0) - get_global_offset(0)] = ";
/// Has groups meet, and does nothing.
constexpr const char* kBarrier =
    "local uint t[128]; t[l] = i; barrier(CLK_LOCAL_MEM_FENCE); i = t[l];";
constexpr const char* kLoneBarrier =
    "local uint t[128]; t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); n += t[l] - l;";

TEST(LargeObjects, IndicesWrapBetweenLanes) {
  SKIP_WITHOUT_MEMORY();
  for (const LargeIndex& index : kIndices)
    check(kStore + ("a[" + std::string(index.text) + "];"), "",
          [&](uint64_t id, uint32_t n) { return LargeObject::instance().at(index.value(id, n)); });
}

TEST(LargeObjects, IndicesWrapBetweenLanesBehindBarriers) {
  SKIP_WITHOUT_MEMORY();
  for (const LargeIndex& index : kIndices)
    for (const char* barrier : {kBarrier, kLoneBarrier})
      check(
          kStore + ("a[" + std::string(index.text) + "];"), barrier,
          [&](uint64_t id, uint32_t n) { return LargeObject::instance().at(index.value(id, n)); });
}

TEST(LargeObjects, IndicesWrapBetweenAccesses) {
  SKIP_WITHOUT_MEMORY();
  const LargeObject& object = LargeObject::instance();
  check(kStore + std::string("a[4 * i + n] + 3 * a[4 * i + n + 1] + 5 * a[4 * i + n + 3];"), "",
        [&](uint64_t id, uint32_t n) {
          const auto at = [&](uint64_t more) { return object.at(asUint(4 * id + n + more)); };
          return static_cast<uint8_t>(at(0) + 3 * at(1) + 5 * at(3));
        });
}

TEST(LargeObjects, IndicesWrapInLoops) {
  SKIP_WITHOUT_MEMORY();
  const LargeObject& object = LargeObject::instance();
  check("uint sum = 0, j = i + n; for (int k = 0; k < 5; ++k, j += 37) sum += a[j] * (k + 1);" +
            (kStore + std::string("sum;")),
        "", [&](uint64_t id, uint32_t n) {
          uint64_t sum = 0;
          for (uint64_t k = 0; k < 5; ++k) sum += object.at(asUint(id + n + 37 * k)) * (k + 1);
          return static_cast<uint8_t>(sum);
        });
  check(
      "int sum = 0; for (int k = 0, j = (int)(i + n); k < 5; ++k, j += 37ul)"
      "  sum += a[j] * (k + 1);" +
          (kStore + std::string("sum;")),
      "", [&](uint64_t id, uint32_t n) {
        uint64_t sum = 0;
        for (uint64_t k = 0; k < 5; ++k) sum += object.at(asInt(id + n + 37 * k)) * (k + 1);
        return static_cast<uint8_t>(sum);
      });
}

TEST(LargeObjects, IdleLanesWrap) {
  SKIP_WITHOUT_MEMORY();
  const LargeObject& object = LargeObject::instance();
  // The first ones would be beyond INT_MAX.
  check(
      "uchar v = 9; int d = (int)(i - (uint)get_global_offset(0));"
      "if (d >= 41) v = a[0x7fffffff + (40 - d)];" +
          (kStore + std::string("v;")),
      "", [&](uint64_t id, uint32_t) {
        const LargeRange& range = *std::ranges::find_if(kRanges, [&](const LargeRange& one) {
          return id >= one.offset && id < one.offset + one.items;
        });
        const auto d = static_cast<int64_t>(id - range.offset);
        return d >= 41 ? object.at(0x7fffffff + (40 - d)) : uint8_t{9};
      });
  check("uchar v = 9; if (i > n) v = a[i - n - 1];" + (kStore + std::string("v;")), "",
        [&](uint64_t id, uint32_t n) {
          return static_cast<uint32_t>(id) > n ? object.at(asUint(id - n - 1)) : uint8_t{9};
        });
  check("uchar v = 9; if (i + n < 0x80000000u) v = a[i + n];" + (kStore + std::string("v;")), "",
        [&](uint64_t id, uint32_t n) {
          return asUint(id + n) < 0x80000000 ? object.at(asUint(id + n)) : uint8_t{9};
        });
}

/// A random number of 32 bits as a kernel has it, and as C++ does.
struct RandomNumber {
  std::string text;
  std::function<uint32_t(uint64_t id, uint32_t n, uint32_t k)> value;
};

class RandomNumbers {
 public:
  explicit RandomNumbers(uint32_t seed) : random_(seed) {}

  RandomNumber make(unsigned depth) {
    if (depth == 0 || below(6) == 0) return leaf();
    const RandomNumber left = make(depth - 1);
    switch (below(8)) {
      case 0: {
        const uint32_t factor = 1 + below(9);
        return {"(" + left.text + " * " + std::to_string(factor) + ")",
                [=](uint64_t id, uint32_t n, uint32_t k) { return left.value(id, n, k) * factor; }};
      }
      case 1: {  // in 64 bits, and cut
        const uint64_t factor = 1 + below(2000000);
        return {"(uint)(get_global_id(0) * " + std::to_string(factor) + "ul + " + left.text + ")",
                [=](uint64_t id, uint32_t n, uint32_t k) {
                  return static_cast<uint32_t>(id * factor + left.value(id, n, k));
                }};
      }
      case 2: {
        const RandomNumber right = make(depth - 1);
        return {"(" + left.text + " < " + right.text + " ? " + left.text + " : " + right.text + ")",
                [=](uint64_t id, uint32_t n, uint32_t k) {
                  return std::min(left.value(id, n, k), right.value(id, n, k));
                }};
      }
      case 3: {
        const RandomNumber right = make(depth - 1);
        return {"(" + left.text + " - " + right.text + ")",
                [=](uint64_t id, uint32_t n, uint32_t k) {
                  return left.value(id, n, k) - right.value(id, n, k);
                }};
      }
      default: {
        const RandomNumber right = make(depth - 1);
        return {"(" + left.text + " + " + right.text + ")",
                [=](uint64_t id, uint32_t n, uint32_t k) {
                  return left.value(id, n, k) + right.value(id, n, k);
                }};
      }
    }
  }

  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }

 private:
  RandomNumber leaf() {
    switch (below(7)) {
      case 0:
      case 1:
      case 2:
        return {"i", [](uint64_t id, uint32_t, uint32_t) { return static_cast<uint32_t>(id); }};
      case 3:
      case 4:
        return {"n", [](uint64_t, uint32_t n, uint32_t) { return n; }};
      case 5:
        return {"k", [](uint64_t, uint32_t, uint32_t k) { return k; }};
      default: {
        const uint32_t number = kNumbers[below(static_cast<uint32_t>(kNumbers.size()))] + below(9);
        return {std::to_string(number) + "u", [=](uint64_t, uint32_t, uint32_t) { return number; }};
      }
    }
  }

  std::mt19937 random_;
};

TEST(LargeObjects, RandomIndicesWrap) {
  SKIP_WITHOUT_MEMORY();
  const LargeObject& object = LargeObject::instance();
  constexpr uint32_t kKernels = 24;
  for (uint32_t seed = 0; seed < kKernels; ++seed) {
    RandomNumbers numbers(seed);
    const RandomNumber first = numbers.make(3), second = numbers.make(2), limit = numbers.make(2),
                       third = numbers.make(2);
    const bool isSigned = numbers.below(2) == 0;
    const char* const type = isSigned ? "(int)" : "";
    const auto at = [&](uint32_t index) { return object.at(isSigned ? asInt(index) : index); };
    check(
        "uint sum = 0; for (uint k = 0; k < 3; ++k) {"
        "  sum = sum * 3 + a[" +
            (type + first.text) + "]; if (" + second.text + " > " + limit.text + ") sum += a[" +
            type + second.text + "] + 7 * a[" + type + "(" + third.text + " + 1u)]; }" +
            (kStore + std::string("sum;")),
        numbers.below(3) == 0 ? kBarrier : "", [&](uint64_t id, uint32_t n) {
          uint32_t sum = 0;
          for (uint32_t k = 0; k < 3; ++k) {
            sum = sum * 3 + at(first.value(id, n, k));
            if (second.value(id, n, k) > limit.value(id, n, k))
              sum += at(second.value(id, n, k)) + 7u * at(third.value(id, n, k) + 1);
          }
          return static_cast<uint8_t>(sum);
        });
    if (HasFailure()) return;
  }
}

TEST(LargeObjects, RowsBeginOnBothSidesOfAWrap) {
  SKIP_WITHOUT_MEMORY();
  const LargeObject& object = LargeObject::instance();
  const auto program = build(
      "kernel void k(global uchar* o, global uchar* a, uint w) {"
      "  uint x = get_global_id(0), y = get_global_id(1);"
      "  o[y * 96 + x] = a[y * w + x] ^ a[(y + 1) * w - x]; }");
  for (const uint32_t w : {96u, 1000u, 0x20000000u, 0x40000000u - 9, 0x7ffffff0u, 0xffffffe0u}) {
    std::vector<uint8_t> out(size_t{96} * 9), wanted;
    for (uint64_t y = 0; y < 9; ++y)
      for (uint64_t x = 0; x < 96; ++x)
        wanted.push_back(object.at(asUint(y * w + x)) ^ object.at(asUint((y + 1) * w - x)));
    Launch(program, "k")
        .range({96, 9})
        .buffer(out)
        .memory(object.middle(), 0)
        .value(w)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted) << "rows of " << w; });
  }
}

}  // namespace
}  // namespace weft::test
