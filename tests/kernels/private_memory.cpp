// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private arrays from a kilobyte to megabytes, in all forms and in groups of many sizes, and in
// chains of functions that stay out of line: nothing overflows the stack that it is on.
#include <string>

#include "harness.h"

namespace weft::test {
namespace {

/// Every kernel leaves the work-item's id, plus two, wherever it kept it meanwhile.
const char* const kSource = R"(
#define FILL                                                                   \
  int a[BYTES / 4];                                                            \
  const uint n = BYTES / 4, i = get_global_id(0);                              \
  for (uint k = 0; k < 8; ++k) a[(i * 7 + k * step) % n] = i + k;              \
  a[n - 1] = i;                                                                \
  a[step % n] = 1;                                                             \
  a[n - 2] = 1;
#define RESULT a[n - 1] + a[step % n] + a[n - 2]

kernel void flat(global int* out, uint step) {
  FILL
  out[i] = RESULT;
}
kernel void group(global int* out, uint step) {
  FILL
  out[get_group_id(0) * get_local_size(0) + get_local_id(0)] = RESULT;
}
kernel void whole(global int* out, uint step) {
  FILL
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = RESULT;
}
kernel void some(global int* out, uint step) {
  FILL
  if (out[i] == 0) barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = RESULT;
}
#define LINK(NAME, NEXT)                                                       \
  __attribute__((noinline)) int NAME(uint step) {                              \
    FILL                                                                       \
    return NEXT(step + 1) + RESULT - (int)i - 2;                               \
  }
__attribute__((noinline)) int end(uint step) { return get_global_id(0) + 2; }
LINK(c, end) LINK(b, c) LINK(d, b)
kernel void chain(global int* out, uint step) { out[get_global_id(0)] = d(step); }
kernel void waiting(global int* out, uint step) {
  int r = d(step);
  if (out[get_global_id(0)] == 0) barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = r;
}
)";

struct Case {
  uint64_t bytes, items;
};

class PrivateMemory : public testing::TestWithParam<Case> {};

TEST_P(PrivateMemory, FitsItsStack) {
  const auto [bytes, items] = GetParam();
  const Program program = build(kSource, "-DBYTES=" + std::to_string(bytes));
  for (const char* kernel : {"flat", "group", "whole", "some", "chain", "waiting"}) {
    SCOPED_TRACE(kernel);
    const auto* info = kernelInfo(program, kernel);
    ASSERT_NE(info, nullptr);
    const bool chain = std::string(kernel) == "chain" || std::string(kernel) == "waiting";
    EXPECT_EQ(info->privateBytes, chain ? 3 * bytes : bytes);
    std::vector<int> out(3 * items);
    Launch(program, kernel)
        .range({3 * items}, {items})
        .buffer(out)
        .value(1001u)
        .inEveryForm([&](const Outcome&) {
          for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<int>(i + 2));
        });
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, PrivateMemory,
                         testing::Values(Case{1 << 10, 1024}, Case{16 << 10, 256},
                                         Case{256 << 10, 16}, Case{4 << 20, 4}, Case{64 << 20, 1}));

}  // namespace
}  // namespace weft::test
