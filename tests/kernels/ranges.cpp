// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work-item functions over ranges of one to three dimensions, with offsets.
#include <cstring>
#include <string>

#include "guarded.h"
#include "harness.h"

namespace weft::test {
namespace {

struct RangeCase {
  Sizes global, local, offset;
};

const RangeCase kRanges[] = {
    {{1}, {1}, {}},
    {{7}, {7}, {}},
    {{96}, {8}, {1000}},
    {{1 << 16}, {64}, {}},
    {{1000003}, {1}, {}},
    {{12, 10}, {4, 5}, {}},
    {{33, 7}, {11, 1}, {5, 9}},
    {{1, 64}, {1, 16}, {0, 3}},
    {{6, 4, 8}, {3, 2, 4}, {}},
    {{5, 3, 2}, {5, 1, 2}, {10, 20, 30}},
    {{2, 2, 300}, {1, 2, 3}, {uint64_t{1} << 40, 0, 7}},
};

uint64_t at(const Sizes& sizes, size_t d, uint64_t otherwise) {
  return d < sizes.size() ? sizes[d] : otherwise;
}

/// Calls visit(linear index, global ids without offset) for every work-item of a range.
template <class Visit>
void forEachItem(const RangeCase& range, Visit visit) {
  const uint64_t sx = at(range.global, 0, 1), sy = at(range.global, 1, 1);
  const uint64_t sz = at(range.global, 2, 1);
  size_t index = 0;
  for (uint64_t z = 0; z < sz; ++z)
    for (uint64_t y = 0; y < sy; ++y)
      for (uint64_t x = 0; x < sx; ++x) visit(index++, std::array<uint64_t, 3>{x, y, z});
}

size_t itemsOf(const RangeCase& range) {
  return at(range.global, 0, 1) * at(range.global, 1, 1) * at(range.global, 2, 1);
}

// Global ids alone: the kernel may run in the flat form.
TEST(Ranges, GlobalIds) {
  const auto program = build(R"(
    kernel void k(global ulong* out) {
      size_t x = get_global_id(0) - get_global_offset(0);
      size_t y = get_global_id(1) - get_global_offset(1);
      size_t z = get_global_id(2) - get_global_offset(2);
      size_t i = (z * get_global_size(1) + y) * get_global_size(0) + x;
      out[i] += get_global_id(0) * 3 + get_global_id(1) * 5 + get_global_id(2) * 7 +
                get_work_dim() * 1000000;
    })");
  const compiler::KernelInfo* info = kernelInfo(program, "k");
  ASSERT_NE(info, nullptr);
  EXPECT_FALSE(info->observesGroup);
  for (const RangeCase& range : kRanges) {
    std::vector<uint64_t> out(itemsOf(range)), expected(out.size());
    forEachItem(range, [&](size_t index, const std::array<uint64_t, 3>& id) {
      expected[index] = (id[0] + at(range.offset, 0, 0)) * 3 +
                        (id[1] + at(range.offset, 1, 0)) * 5 +
                        (id[2] + at(range.offset, 2, 0)) * 7 + range.global.size() * 1000000;
    });
    Launch(program, "k")
        .range(range.global, range.local, range.offset)
        .buffer(out)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
}

TEST(Ranges, LocalIdsAndGroups) {
  const auto program = build(R"(
    kernel void k(global ulong* out) {
      size_t i = 0;
      for (int d = 2; d >= 0; --d)
        i = i * get_global_size(d) + get_group_id(d) * get_local_size(d) + get_local_id(d);
      ulong value = 0;
      for (uint d = 0; d < 3; ++d)
        value = value * 1000 + get_local_id(d) * 64 + get_group_id(d) % 7 +
                get_num_groups(d) * 3 + get_local_size(d);
      out[i] = value;
    })");
  for (const RangeCase& range : kRanges) {
    std::vector<uint64_t> out(itemsOf(range)), expected(out.size());
    forEachItem(range, [&](size_t index, const std::array<uint64_t, 3>& id) {
      for (size_t d = 0; d < 3; ++d) {
        const uint64_t size = at(range.local, d, 1), global = at(range.global, d, 1);
        expected[index] = expected[index] * 1000 + id[d] % size * 64 + id[d] / size % 7 +
                          global / size * 3 + size;
      }
    });
    Launch(program, "k")
        .range(range.global, range.local, range.offset)
        .buffer(out)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
}

// With a barrier, so that the fiber form is what fills in the ids.
TEST(Ranges, IdsAcrossABarrier) {
  const auto program = build(R"(
    kernel void k(global ulong* out) {
      size_t before = get_global_id(0) + get_local_id(1) + get_group_id(2);
      barrier(CLK_GLOBAL_MEM_FENCE);
      size_t i = 0;
      for (int d = 2; d >= 0; --d)
        i = i * get_global_size(d) + get_global_id(d) - get_global_offset(d);
      out[i] = before * 2 + (before == get_global_id(0) + get_local_id(1) + get_group_id(2));
    })");
  for (const RangeCase& range : kRanges) {
    if (itemsOf(range) > 100000) continue;  // one fiber for each work-item
    std::vector<uint64_t> out(itemsOf(range)), expected(out.size());
    forEachItem(range, [&](size_t index, const std::array<uint64_t, 3>& id) {
      expected[index] = (id[0] + at(range.offset, 0, 0) + id[1] % at(range.local, 1, 1) +
                         id[2] / at(range.local, 2, 1)) *
                            2 +
                        1;
    });
    Launch(program, "k")
        .range(range.global, range.local, range.offset)
        .buffer(out)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
}

TEST(Ranges, DimensionsOutOfRange) {
  WEFT_NEEDS_SOURCE("work-item variables have three components");
  const auto program = build(R"(
    kernel void k(global ulong* out, uint d) {
      ulong value = 0;
      value = value * 3 + get_global_id(d);
      value = value * 3 + get_local_id(d);
      value = value * 3 + get_group_id(d);
      value = value * 3 + get_global_offset(d);
      value = value * 3 + get_global_size(d);
      value = value * 3 + get_local_size(d);
      value = value * 3 + get_num_groups(d);
      out[(get_global_id(1) - get_global_offset(1)) * get_global_size(0) + get_global_id(0) -
          get_global_offset(0)] = value;
    })");
  // 0 for ids and offsets, 1 for sizes: the specification's answer for unused and wrong dimensions.
  const uint64_t expected = 1 * 9 + 1 * 3 + 1;
  for (const uint32_t d : {2u, 3u, 4u, 0x7fffffffu, 0xffffffffu}) {
    std::vector<uint64_t> out(12);
    Launch(program, "k")
        .range({6, 2}, {3, 1}, {100, 200})
        .buffer(out)
        .value(d)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, std::vector<uint64_t>(12, expected)); });
  }
}

TEST(Ranges, LinearIds) {
  const auto program = build(R"(
    kernel void k(global ulong* out) {
      size_t i = get_global_linear_id();
      out[i] = get_local_linear_id() * 100000 + i;
    })",
                             "-cl-std=CL3.0");
  for (const RangeCase& range : kRanges) {
    std::vector<uint64_t> out(itemsOf(range)), expected(out.size());
    forEachItem(range, [&](size_t index, const std::array<uint64_t, 3>& id) {
      uint64_t local = 0;
      for (int d = 2; d >= 0; --d)
        local = local * at(range.local, d, 1) + id[d] % at(range.local, d, 1);
      expected[index] = local * 100000 + index;
    });
    Launch(program, "k")
        .range(range.global, range.local, range.offset)
        .buffer(out)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
}

TEST(Ranges, EveryWorkItemRunsOnce) {
  const auto program = build(R"(
    kernel void k(global uint* counts, global const uint* where) {
      counts[where[get_global_id(0)]] += 1;
    })");
  for (const uint64_t items : {1u, 63u, 64u, 65u, 4097u, 100000u}) {
    std::vector<uint32_t> counts(items), where(items);
    for (size_t i = 0; i < items; ++i) where[i] = static_cast<uint32_t>(items - 1 - i);
    Launch(program, "k").range(items).buffer(counts).buffer(where).inEveryForm([&](const Outcome&) {
      EXPECT_EQ(counts, std::vector<uint32_t>(items, 1));
    });
  }
}

// Groups at the edges of these ranges are smaller than the others.
const RangeCase kRagged[] = {
    {{1000}, {64}, {}},
    {{65}, {64}, {3}},
    {{40}, {64}, {}},
    {{1003}, {16}, {1 << 20}},
    {{100, 7}, {16, 2}, {5, 9}},
    {{128, 7}, {64, 2}, {}},
    {{250, 10, 7}, {64, 4, 2}, {1, 2, 3}},
    {{33, 5, 9}, {5, 5, 4}, {}},
    {{6, 300}, {4, 64}, {}},
};

/// What each work-item of a ragged range writes: where it is, how large its group is, and the
/// global index of the item that stands opposite to it in its group.
std::vector<uint64_t> expectedOfRagged(const RangeCase& range) {
  std::vector<uint64_t> expected(itemsOf(range) * 2);
  forEachItem(range, [&](size_t index, const std::array<uint64_t, 3>& id) {
    uint64_t value = 0, opposite = 0;
    for (size_t d = 3; d-- > 0;) {
      const uint64_t size = at(range.local, d, 1), global = at(range.global, d, 1);
      const uint64_t group = id[d] / size, begin = group * size;
      const uint64_t real = std::min(size, global - begin);
      value = value * 31 + (id[d] + at(range.offset, d, 0));
      value = value * 31 + (id[d] - begin);
      value = value * 31 + group;
      value = value * 31 + real;
      value = value * 31 + size;
      value = value * 31 + (global + size - 1) / size;
      opposite = opposite * global + begin + (real - 1 - (id[d] - begin));
    }
    expected[2 * index] = value;
    expected[2 * index + 1] = opposite;
  });
  return expected;
}

constexpr char kRaggedSource[] = R"(
    ulong described() {
      ulong value = 0;
      for (int d = 2; d >= 0; --d) {
        value = value * 31 + get_global_id(d);
        value = value * 31 + get_local_id(d);
        value = value * 31 + get_group_id(d);
        value = value * 31 + get_local_size(d);
        value = value * 31 + get_enqueued_local_size(d);
        value = value * 31 + get_num_groups(d);
      }
      return value;
    }
    size_t place() {
      size_t i = 0;
      for (int d = 2; d >= 0; --d)
        i = i * get_global_size(d) + get_global_id(d) - get_global_offset(d);
      return i;
    }
    kernel void alone(global ulong* out) {
      size_t opposite = 0;
      for (int d = 2; d >= 0; --d)
        opposite = opposite * get_global_size(d) + get_group_id(d) * get_enqueued_local_size(d) +
                   get_local_size(d) - 1 - get_local_id(d);
      out[2 * place()] = described();
      out[2 * place() + 1] = opposite;
    }
    kernel void together(global ulong* out, local ulong* cells) {
      size_t items = get_local_size(0) * get_local_size(1) * get_local_size(2);
      ulong kept = described();
      for (int round = 0; round < 2; ++round) {
        cells[get_local_linear_id()] = place() + round;
        barrier(CLK_LOCAL_MEM_FENCE);
        ulong seen = cells[items - 1 - get_local_linear_id()];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[2 * place() + 1] = seen - round;
      }
      out[2 * place()] = kept;
    }
    kernel void ended(global ulong* out, local ulong* cells) {
      size_t items = get_local_size(0) * get_local_size(1) * get_local_size(2);
      cells[get_local_linear_id()] = place();
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_local_linear_id() % 3 == 2) return;
      out[2 * place()] = described();
      out[2 * place() + 1] = cells[items - 1 - get_local_linear_id()];
    })";

TEST(Ranges, SmallerGroupsAtTheEdges) {
  const auto program = build(kRaggedSource, "-cl-std=CL3.0");
  ASSERT_TRUE(kernelInfo(program, "together")->barrierLoops);
  for (const RangeCase& range : kRagged) {
    const std::vector<uint64_t> expected = expectedOfRagged(range);
    const uint64_t groupItems =
        at(range.local, 0, 1) * at(range.local, 1, 1) * at(range.local, 2, 1);
    std::vector<uint64_t> out(expected.size());
    Launch(program, "alone")
        .range(range.global, range.local, range.offset)
        .buffer(out)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
    Launch(program, "together")
        .range(range.global, range.local, range.offset)
        .buffer(out)
        .local(groupItems * 8)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
    Launch(program, "ended")
        .range(range.global, range.local, range.offset)
        .buffer(out)
        .local(groupItems * 8)
        .inEveryForm([&](const Outcome&) {
          for (size_t i = 0; i < out.size(); ++i) {
            if (out[i] == 0) continue;
            EXPECT_EQ(out[i], expected[i]);
          }
        });
  }
}

// The other tests could not tell.
TEST(Ranges, WholeGroupsOfRaggedRangesRunInBarrierLoops) {
  const auto program = build(kRaggedSource, "-cl-std=CL3.0");
  const compiler::KernelInfo& kernel = *kernelInfo(program, "together");
  const auto plan =
      compiler::choose(kernel, {.range = {.globalSize = {1000, 1, 1}, .localSize = {64, 1, 1}}});
  ASSERT_EQ(plan.boxes().size(), 2u);
  EXPECT_EQ(plan.boxes()[0].key.form, compiler::Form::BarrierLoops);
  EXPECT_EQ(plan.boxes()[0].end[0], 960u);
  EXPECT_EQ(plan.boxes()[1].key.form, compiler::Form::BarrierLoops);
  EXPECT_EQ(plan.boxes()[1].key.localSize[0], 40u);
}

// Who is beyond the edges of an image has nothing to do; what is asked of others has no meaning for
// some of those.
TEST(Ranges, EdgesInSeveralDimensions) {
  constexpr size_t kWidth = 37, kHeight = 11, kDepth = 2;
  std::vector<int> ends{37, 36, 20, 1, 0, 37, 5, 36, 37, 30, 12};
  for (const char* inside :
       {"x < w && y < h && z < d", "!(x >= w || y >= h || z >= d)", "z < d && y < h && x < w",
        "y < h && (x < w && z < d)", "y >= 2 && x < w && y < h && z < d",
        "x >= 3 && x < w && y < h && z < d", "(uint)x < (uint)w && (uint)y < (uint)h && z < d",
        "y < h && z < d && x < ends[y]", "y < h && z < d && x < (1 << y) && x < w",
        "y < h && z < d && x + y < w", "y < h && z < d && x < w - 3 * y",
        "z < d && y < h && x < w && (x ^ y) % 3 != 0",
        "x < w && (y < h || x == 5) && z < d && y < h",
        "y < h && x < (int)(0x7fffffffu + y) && x < w && z < d"})
    for (const char* how :
         {"if (!(INSIDE)) return;", "if (INSIDE)", "for (int i = 0; i < 3; ++i) if (INSIDE)"}) {
      SCOPED_TRACE(std::string(inside) + ", " + how);
      Guarded out(kWidth * kHeight * kDepth * sizeof(int), /*atEnd=*/true);
      std::memset(out.data(), 0, out.size());
      auto program = build(std::string("#define INSIDE ") + inside +
                           R"(
        kernel void k(global int* out, global const int* ends, int w, int h, int d) {
          int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
          )" + how + R"( {
            out[(z * h + y) * w + x] = out[(z * h + y) * w + x] * 3 + x + 100 * y + 10000 * z + 1;
          }
        })");
      Launch(program, "k")
          .range({64, 16, 3}, {8, 4, 1})
          .memory(out.data(), out.size())
          .buffer(ends)
          .value(int{kWidth})
          .value(int{kHeight})
          .value(int{kDepth})
          .inEveryForm([](const Outcome&) {});
    }
}

}  // namespace
}  // namespace weft::test
