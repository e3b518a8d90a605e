// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sub-groups whose work-items go different ways, wait for each other, and wait for groups.
#include <algorithm>
#include <array>

#include "sub_groups.h"
#include "weft/compiler/launch_plan.h"

namespace weft::test::sub_groups {
namespace {

// Only those who come to a call take part in it.
TEST(SubGroups, MeetUnderConditions) {
  for (const uint32_t size : kSizes)
    for (const Shape& shape : kShapes) {
      const auto program = buildC30(kernelOf(size, "global const int* in, global int* out", R"(
        int x = in[i];
        out += 5 * i;
        if (x % 3 == 0) {
          out[0] = sub_group_non_uniform_reduce_add(x);
          out[1] = sub_group_elect();
        } else if (x % 3 == 1) {
          out[0] = sub_group_non_uniform_scan_exclusive_max(x);
          out[1] = sub_group_non_uniform_reduce_logical_or(x & 8);
        } else {
          out[0] = sub_group_non_uniform_reduce_mul(x);
          out[1] = sub_group_non_uniform_all_equal(x % 3);
        }
        uint4 votes = sub_group_ballot(x & 1);
        out[2] = sub_group_ballot_bit_count(votes);
        out[3] = sub_group_ballot_exclusive_scan(votes);
        out[4] = sub_group_inverse_ballot(votes);)"));
      std::vector<int> in = randomNumbers<int>(itemsOf(shape.global));
      for (int& x : in) x &= 0xffff;
      std::vector<int> out(5 * in.size()), expected(out.size());
      forSubGroups(shape, size, [&](uint64_t first, uint64_t members) {
        const int* x = &in[first];
        int sum = 0, most = std::numeric_limits<int>::min(), odd = 0;
        unsigned product = 1;
        bool isFirst = true, anyEight = false;
        for (uint64_t k = 0; k < members; ++k) {
          if (x[k] % 3 == 0) sum += x[k];
          if (x[k] % 3 == 1) anyEight |= (x[k] & 8) != 0;
          if (x[k] % 3 == 2) product *= static_cast<unsigned>(x[k]);
          odd += x[k] & 1;
        }
        int before = 0;
        for (uint64_t k = 0; k < members; ++k) {
          int* r = &expected[5 * (first + k)];
          if (x[k] % 3 == 0) {
            r[0] = sum;
            r[1] = isFirst;
            isFirst = false;
          } else if (x[k] % 3 == 1) {
            r[0] = most;
            r[1] = anyEight;
            most = std::max(most, x[k]);
          } else {
            r[0] = static_cast<int>(product);
            r[1] = 1;
          }
          r[2] = odd;
          r[3] = before;
          r[4] = x[k] & 1;
          before += x[k] & 1;
        }
      });
      expectInEveryForm(program, shape, in, out, expected, size);
    }
}

// Iterations of loops are told apart, and those who have left or returned take no part.
TEST(SubGroups, MeetInTheSameIteration) {
  for (const uint32_t size : {8u, 16u, 64u}) {
    const auto program = buildC30(kernelOf(size, "global const int* in, global int* out", R"(
      int rounds = in[i] & 7, sum = 0;
      if ((in[i] & 15) == 15) return;
      for (int round = 0; round < rounds; ++round) {
        if ((in[i] >> round) & 8) {
          sum += 1000 * (int)sub_group_ballot_bit_count(sub_group_ballot(1));
          continue;
        }
        sum += sub_group_non_uniform_reduce_add(round + 1);
        for (int inner = 0; inner < ((in[i] >> 8) & 3); ++inner)
          sum = 3 * sum + sub_group_non_uniform_scan_inclusive_add(1);
        if (sum % 11 == 0) break;
      }
      out[i] = sum + 7 * sub_group_non_uniform_reduce_add(1);)"));
    const Shape shape{{200}, {100}};
    std::vector<int> in = randomNumbers<int>(200), out(in.size()), expected(in.size());
    for (int& x : in) x &= 0xffff;
    forSubGroups(shape, size, [&](uint64_t first, uint64_t members) {
      const int* x = &in[first];
      std::vector<int> sum(members);
      std::vector<char> isIn(members), isLive(members);
      for (uint64_t k = 0; k < members; ++k) isLive[k] = isIn[k] = (x[k] & 15) != 15;
      for (int round = 0; round < 7; ++round) {
        int skipping = 0, adding = 0;
        std::vector<char> adds(members);
        for (uint64_t k = 0; k < members; ++k) {
          isIn[k] = isIn[k] && round < (x[k] & 7);
          if (isIn[k] && ((x[k] >> round) & 8)) ++skipping;
          adds[k] = isIn[k] && !((x[k] >> round) & 8);
          if (adds[k]) adding += round + 1;
        }
        for (uint64_t k = 0; k < members; ++k) {
          if (adds[k]) sum[k] += adding;
          if (isIn[k] && !adds[k]) sum[k] += 1000 * skipping;
        }
        for (int inner = 0; inner < 3; ++inner) {
          int count = 0;
          for (uint64_t k = 0; k < members; ++k)
            if (adds[k] && inner < ((x[k] >> 8) & 3))
              sum[k] = static_cast<int>(3u * static_cast<unsigned>(sum[k])) + ++count;
        }
        for (uint64_t k = 0; k < members; ++k)
          if (adds[k] && sum[k] % 11 == 0) isIn[k] = 0;
      }
      const int live = static_cast<int>(std::count(isLive.begin(), isLive.end(), 1));
      for (uint64_t k = 0; k < members; ++k)
        if (isLive[k]) expected[first + k] = sum[k] + 7 * live;
    });
    expectInEveryForm(program, shape, in, out, expected, size);
  }
}

// Barriers of sub-groups in one branch, of whole groups around them.
TEST(SubGroups, WaitForEachOther) {
  for (const uint32_t size : {8u, 32u})
    for (const Shape& shape : kShapes) {
      const auto program = buildC30(kernelOf(size, "global const int* in, global int* out", R"(
        local int kept[130];
        uint members = get_sub_group_size(), place = get_local_linear_id();
        kept[place] = in[i];
        int x = 0;
        if (get_sub_group_id() % 2 == 0) {
          sub_group_barrier(CLK_LOCAL_MEM_FENCE);
          x = kept[place - id + members - 1 - id];
          sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);
          kept[place] = x + 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        int all = sub_group_reduce_add(kept[items - 1 - place]);
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = 5 * x + all;)"));
      std::vector<int> in = randomNumbers<int>(itemsOf(shape.global));
      for (int& x : in) x &= 0xffff;
      const uint64_t items = itemsOf(shape.local);
      std::vector<int> out(in.size()), expected(in.size()), kept = in;
      forSubGroups(shape, size, [&](uint64_t first, uint64_t members) {
        if (first % items / size % 2 != 0) return;
        for (uint64_t k = 0; k < members; ++k) {
          kept[first + k] = in[first + members - 1 - k] + 1;
          expected[first + k] = 5 * in[first + members - 1 - k];
        }
      });
      forSubGroups(shape, size, [&](uint64_t first, uint64_t members) {
        const uint64_t group = first / items * items, place = first % items;
        int sum = 0;
        for (uint64_t k = 0; k < members; ++k) sum += kept[group + items - 1 - place - k];
        for (uint64_t k = 0; k < members; ++k) expected[first + k] += sum;
      });
      expectInEveryForm(program, shape, in, out, expected, size);
    }
}

TEST(SubGroups, MeetInFunctionsOutOfLine) {
  const std::string source = kernelOf(16, "global const int* in, global int* out", R"(
      int x = in[i];
      for (int round = 0; round < 3; ++round) x = twisted(x) + round;
      out[i] = x;)",
                                      R"(
    __attribute__((noinline)) int twisted(int x) {
      int sum = sub_group_reduce_add(x & 255);
      return sum + sub_group_shuffle(x, get_sub_group_local_id() ^ 5);
    })");
  std::vector<int> in = randomNumbers<int>(128), out(in.size()), expected = in;
  for (int& x : in) x &= 0xffff;
  expected = in;
  for (int round = 0; round < 3; ++round) {
    std::vector<int> next(expected.size());
    for (size_t i = 0; i < in.size(); ++i) {
      const size_t first = i & ~size_t{15};
      int sum = 0;
      for (size_t k = first; k < first + 16; ++k) sum += expected[k] & 255;
      next[i] = sum + expected[first + ((i & 15) ^ 5)] + round;
    }
    expected = next;
  }
  for (const Inlining inlining : {Inlining::Usual, Inlining::Least})
    expectInEveryForm(buildC30(source, inlining), {{128}, {32}}, in, out, expected, 16);
}

// Loops that go on as long as the sub-group says so.
TEST(SubGroups, DecideOnLoops) {
  for (const uint32_t size : {8u, 16u, 64u}) {
    const auto program = buildC30(kernelOf(size, "global const int* in, global int* out", R"(
      int x = in[i], sum = 0;
      while (sub_group_any(x > 0)) {
        sum += sub_group_reduce_max(x);
        x -= 1 + (int)(id & 1);
        if (sub_group_all(x < 20) && sum > 100) break;
      }
      for (int left = in[i] & 3; sub_group_non_uniform_any(left > 0); --left) ++sum;
      out[i] = sum;)"));
    const Shape shape{{100}, {50}};
    std::vector<int> in = randomNumbers<int>(100), out(in.size()), expected(in.size());
    for (int& x : in) x &= 31;
    forSubGroups(shape, size, [&](uint64_t first, uint64_t members) {
      std::vector<int> x(&in[first], &in[first] + members);
      int sum = 0, most = 0;
      for (const int left : x) most = std::max(most, left & 3);
      while (*std::max_element(x.begin(), x.end()) > 0) {
        sum += *std::max_element(x.begin(), x.end());
        for (uint64_t k = 0; k < members; ++k) x[k] -= 1 + static_cast<int>(k & 1);
        if (*std::max_element(x.begin(), x.end()) < 20 && sum > 100) break;
      }
      for (uint64_t k = 0; k < members; ++k) expected[first + k] = sum + most;
    });
    expectInEveryForm(program, shape, in, out, expected, size);
  }
}

// Ragged groups have ragged sub-groups of their own.
TEST(SubGroups, AreCountedInRaggedGroups) {
  const auto program = buildC30(R"(
    kernel __attribute__((intel_reqd_sub_group_size(8))) void k(global uint* out) {
      size_t i = get_global_linear_id();
      out[3 * i] = get_num_sub_groups() * 100 + get_enqueued_num_sub_groups();
      out[3 * i + 1] = get_sub_group_size() * 100 + get_sub_group_local_id();
      out[3 * i + 2] = sub_group_reduce_add((uint)get_local_linear_id());
    })");
  constexpr uint64_t kWidth = 23, kHeight = 7, kRows = 3;
  for (const uint64_t most : {8, 10, 16, 23}) {
    std::vector<uint32_t> out(3 * kWidth * kHeight), expected(out.size());
    for (uint64_t y = 0; y < kHeight; ++y)
      for (uint64_t x = 0; x < kWidth; ++x) {
        const uint64_t row = std::min(most, kWidth - x / most * most);
        const uint64_t rows = std::min(kRows, kHeight - y / kRows * kRows);
        const uint64_t items = row * rows, place = y % kRows * row + x % most;
        const uint64_t first = place / 8 * 8, members = std::min<uint64_t>(8, items - first);
        uint32_t* r = &expected[3 * (y * kWidth + x)];
        r[0] = static_cast<uint32_t>((items + 7) / 8 * 100 + (most * kRows + 7) / 8);
        r[1] = static_cast<uint32_t>(members * 100 + place % 8);
        for (uint64_t k = 0; k < members; ++k) r[2] += static_cast<uint32_t>(first + k);
      }
    Launch(program, "k")
        .range({kWidth, kHeight}, {most, kRows})
        .buffer(out)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected) << "rows of " << most; });
  }
}

// Without barriers in the loop over groups, with them in barrier loops, whatever the shape.
TEST(SubGroups, RunInLoops) {
  const auto formOf = [](const Program& program, const Shape& shape) {
    NDRange range;
    range.dimensions = static_cast<uint32_t>(shape.global.size());
    std::ranges::copy(shape.global, range.globalSize.begin());
    std::ranges::copy(shape.local, range.localSize.begin());
    return compiler::choose(*kernelInfo(program, "k"), {.range = range}, {.provenLoops = true})
        .key()
        .form;
  };
  const std::string parameters = "global int* out";
  const auto alone = buildC30(kernelOf(16, parameters, "out[i] = sub_group_reduce_add((int)i);"));
  const auto waiting = buildC30(kernelOf(16, parameters, R"(
    local int kept[300];
    kept[get_local_linear_id()] = sub_group_reduce_add((int)i);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = kept[items - 1 - get_local_linear_id()];)"));
  const auto divergent = buildC30(kernelOf(16, parameters, R"(
    if (get_local_id(0) < 3) barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = sub_group_reduce_add((int)i);)"));
  const auto called = buildC30(
      kernelOf(16, parameters, "out[i] = sum((int)i);",
               "__attribute__((noinline)) int sum(int x) { return sub_group_reduce_add(x); }"),
      Inlining::Least);
  for (const Shape& shape : kShapes) {
    EXPECT_EQ(formOf(alone, shape), compiler::Form::GroupLoop);
    EXPECT_EQ(formOf(waiting, shape), compiler::Form::BarrierLoops);
    EXPECT_EQ(formOf(divergent, shape), compiler::Form::Fibers);
    EXPECT_EQ(formOf(called, shape), compiler::Form::Fibers);
  }
}

// What sub-groups compute goes from one side of a barrier to the other.
TEST(SubGroups, MixWithBarriersAndCollectives) {
  for (const uint32_t size : kSizes)
    for (const Shape& shape : kShapes) {
      const auto program = buildC30(kernelOf(size, "global const int* in, global int* out", R"(
        local int kept[130];
        uint place = get_local_linear_id(), members = get_sub_group_size();
        int x = in[i];
        for (int round = 0; round < 3; ++round) {
          int sum = sub_group_scan_inclusive_add(x & 1023);
          kept[place] = sum;
          barrier(CLK_LOCAL_MEM_FENCE);
          int other = kept[items - 1 - place];
          int most = work_group_reduce_max(other);
          x = sub_group_shuffle(other, (id + round) % members) + sum;
          if (other & 1) x = most - sub_group_non_uniform_reduce_add(other & 255);
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        out[i] = 4 * x + (int)(id & 3);)"));
      std::vector<int> in = randomNumbers<int>(itemsOf(shape.global));
      for (int& x : in) x &= 0xffff;
      const uint64_t items = itemsOf(shape.local);
      std::vector<int> out(in.size()), expected(in.size()), x = in;
      for (uint64_t round = 0; round < 3; ++round) {
        std::vector<int> sum(x.size()), other(x.size()), next(x.size());
        forSubGroups(shape, size, [&](uint64_t first, uint64_t members) {
          for (uint64_t k = 0; k < members; ++k)
            sum[first + k] = (k == 0 ? 0 : sum[first + k - 1]) + (x[first + k] & 1023);
        });
        for (uint64_t i = 0; i < x.size(); ++i)
          other[i] = sum[i / items * items + items - 1 - i % items];
        forSubGroups(shape, size, [&](uint64_t first, uint64_t members) {
          const auto group = other.begin() + static_cast<std::ptrdiff_t>(first / items * items);
          const int most = *std::max_element(group, group + static_cast<std::ptrdiff_t>(items));
          int odd = 0;
          for (uint64_t k = 0; k < members; ++k)
            if (other[first + k] & 1) odd += other[first + k] & 255;
          for (uint64_t k = 0; k < members; ++k)
            next[first + k] = other[first + k] & 1
                                  ? most - odd
                                  : other[first + (k + round) % members] + sum[first + k];
        });
        x = next;
      }
      forSubGroups(shape, size, [&](uint64_t first, uint64_t members) {
        for (uint64_t k = 0; k < members; ++k)
          expected[first + k] = 4 * x[first + k] + static_cast<int>(k & 3);
      });
      expectInEveryForm(program, shape, in, out, expected, size);
    }
}

// Work-items beyond a limit leave before their sub-group meets, or between two of its meetings.
TEST(SubGroups, LeaveAtALimit) {
  for (const uint32_t size : {8u, 16u, 64u})
    for (const int limit : {0, 1, 37, 64, 100, 199, 200}) {
      const auto program = buildC30(kernelOf(size, "global int* out", R"(
        if ((int)get_global_id(0) >= LIMIT) return;
        int before = sub_group_non_uniform_reduce_add(1);
        if ((int)get_global_id(0) >= LIMIT - 3) return;
        out[i] = 1000 * before + sub_group_non_uniform_scan_inclusive_add(1);)",
                                             "#define LIMIT " + std::to_string(limit)));
      const Shape shape{{200}, {100}};
      std::vector<int> none, out(200), expected(200);
      forSubGroups(shape, size, [&](uint64_t first, uint64_t members) {
        const auto below = [&](int end) {
          return std::clamp(end - static_cast<int>(first), 0, static_cast<int>(members));
        };
        for (int k = 0; k < below(limit - 3); ++k)
          expected[first + static_cast<uint64_t>(k)] = 1000 * below(limit) + k + 1;
      });
      expectInEveryForm(program, shape, none, out, expected, size);
    }
}

// Conditions on ids that say who takes part: the members of a sub-group stay who they are, though
// loops visit no others.
TEST(SubGroups, MeetWhereIdsSaySo) {
  for (const uint32_t size : kSizes) {
    const auto program = buildC30(kernelOf(size, "global int* out", R"(
        local int seen[64];
        int l = get_local_id(0);
        seen[l] = l;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l % 8 == 0) out[3 * i] = sub_group_non_uniform_reduce_add(seen[l]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l >= 20)
          out[3 * i + 1] = sub_group_non_uniform_reduce_add(1);
        else
          out[3 * i + 1] = -sub_group_non_uniform_reduce_add(1);
        barrier(CLK_LOCAL_MEM_FENCE);
        if ((l ^ 16) > l) out[3 * i + 2] = sub_group_non_uniform_scan_inclusive_add(1);)"));
    const Shape shape{{128}, {64}};
    std::vector<int> none, out(3 * 128), expected(out.size());
    forSubGroups(shape, size, [&](uint64_t first, uint64_t members) {
      int eighths = 0, behind = 0, lower = 0;
      for (uint64_t l = first % 64; l < first % 64 + members; ++l) {
        eighths += l % 8 == 0 ? static_cast<int>(l) : 0;
        behind += l >= 20;
      }
      for (uint64_t k = first; k < first + members; ++k) {
        const uint64_t l = k % 64;
        if (l % 8 == 0) expected[3 * k] = eighths;
        expected[3 * k + 1] = l >= 20 ? behind : behind - static_cast<int>(members);
        if ((l ^ 16) > l) expected[3 * k + 2] = ++lower;
      }
    });
    expectInEveryForm(program, shape, none, out, expected, size);
  }
}

// Lanes refuse what takes too long to compile: then there are no loops, but always fibers.
TEST(SubGroups, FallBackToFibers) {
  std::string body = "ulong16 v = (ulong16)(i);\n";
  for (int n = 0; n < 24; ++n) body += "v = v * v.s123456789abcdef0 + (v >> 3);\n";
  const auto program = buildC30(kernelOf(64, "global ulong* out", body + R"(
    out[i] = sub_group_reduce_add(v.s0 ^ v.s5 ^ v.sf);)"));
  const compiler::VariantKey key{
      .form = compiler::Form::GroupLoop, .width = 64, .subGroupSize = 64};
  const auto variant = program->variant(0, key);
  ASSERT_FALSE(variant);
  EXPECT_NE(variant.error().log.find("too long"), std::string::npos) << variant.error().log;
  std::vector<uint64_t> out(128), expected(128);
  for (uint64_t first = 0; first < 128; first += 64) {
    uint64_t sum = 0;
    for (uint64_t i = first; i < first + 64; ++i) {
      std::array<uint64_t, 16> v;
      v.fill(i);
      for (int n = 0; n < 24; ++n) {
        std::array<uint64_t, 16> next;
        for (size_t k = 0; k < 16; ++k) next[k] = v[k] * v[(k + 1) % 16] + (v[k] >> 3);
        v = next;
      }
      sum += v[0] ^ v[5] ^ v[15];
    }
    std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(first), 64, sum);
  }
  Launch launch(program, "k");
  launch.range({128}, {64}).buffer(out);
  for (const Mode& mode : {Mode{}, Mode{.product = true}})
    launch.in(mode, [&](const Outcome&) { EXPECT_EQ(out, expected); });
}

}  // namespace
}  // namespace weft::test::sub_groups
