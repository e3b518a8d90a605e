// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What work-groups compute in iterations that halve or double a distance: reductions, scans,
// sorting and butterflies, in every form, for groups that fill vectors and groups that do not.
#include <algorithm>
#include <numeric>

#include "harness.h"

namespace weft::test {
namespace {

struct Case {
  const char* type;
  unsigned size;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.type << " " << c.size; }

class GroupTrees : public ::testing::TestWithParam<Case> {
 protected:
  static constexpr unsigned kGroups = 3;

  /// Runs `kernel void k(global const T* in, global T* out)` with `local T c[1024]`, l, N = local
  /// size and g, and compares with what `expected` makes of the inputs of each group.
  void run(const std::string& body,
           const std::function<std::vector<int64_t>(const std::vector<int64_t>&)>& expected) {
    const std::string type = GetParam().type;
    const auto program = build("#define T " + type + R"(
      kernel void k(global const T* in, global T* out) {
        local T c[1024];
        uint l = get_local_id(0), N = get_local_size(0);
        size_t g = get_global_id(0);
        )" + body + "}");
    if (type == "uchar") return compare<uint8_t>(program, expected);
    if (type == "short") return compare<int16_t>(program, expected);
    if (type == "int") return compare<int32_t>(program, expected);
    if (type == "long") return compare<int64_t>(program, expected);
    return compare<float>(program, expected);
  }

 private:
  template <typename T>
  void compare(const Program& program,
               const std::function<std::vector<int64_t>(const std::vector<int64_t>&)>& expected) {
    const unsigned size = GetParam().size;
    std::vector<T> in(size * kGroups), out(size * kGroups, T(77)), wanted;
    for (unsigned i = 0; i < in.size(); ++i) in[i] = static_cast<T>((i * 37 + i / 5) % 101);
    for (unsigned group = 0; group < kGroups; ++group) {
      const std::vector<int64_t> items(in.begin() + group * size, in.begin() + (group + 1) * size);
      for (const int64_t value : expected(items)) wanted.push_back(static_cast<T>(value));
    }
    Launch(program, "k")
        .range({in.size()}, {size})
        .buffer(in)
        .buffer(out)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted); });
  }
};

TEST_P(GroupTrees, Reduce) {
  run(R"(
    c[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = N / 2; s > 0; s /= 2) {
      if (l < s) c[l] += c[l + s];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = c[0];)",
      [](const std::vector<int64_t>& in) {
        const int64_t sum = std::accumulate(in.begin(), in.end(), int64_t{0});
        return std::vector<int64_t>(in.size(), sum);
      });
}

TEST_P(GroupTrees, ReduceWithSignedShift) {
  run(R"(
    c[l] = in[g];
    for (int s = (int)N >> 1; s >= 1; s >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if ((int)l < s) c[l] = max(c[l], c[l + s]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = c[0] + (T)l;)",
      [](const std::vector<int64_t>& in) {
        std::vector<int64_t> out(in.size());
        std::iota(out.begin(), out.end(), *std::max_element(in.begin(), in.end()));
        return out;
      });
}

TEST_P(GroupTrees, InclusiveScan) {
  run(R"(
    T sum = in[g];
    c[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < N; d *= 2) {
      T other = l >= d ? c[l - d] : (T)0;
      barrier(CLK_LOCAL_MEM_FENCE);
      sum += other;
      c[l] = sum;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = sum;)",
      [](const std::vector<int64_t>& in) {
        std::vector<int64_t> out(in.size());
        std::partial_sum(in.begin(), in.end(), out.begin());
        return out;
      });
}

TEST_P(GroupTrees, ExclusiveScanInASweepUpAndOneDown) {
  run(R"(
    c[l] = in[g];
    uint offset = 1;
    for (uint d = N >> 1; d > 0; d >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l < d) c[offset * (2 * l + 2) - 1] += c[offset * (2 * l + 1) - 1];
      offset *= 2;
    }
    if (l == 0) c[N - 1] = 0;
    for (uint d = 1; d < N; d *= 2) {
      offset >>= 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l < d) {
        uint a = offset * (2 * l + 1) - 1, b = offset * (2 * l + 2) - 1;
        T t = c[a];
        c[a] = c[b];
        c[b] += t;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = c[l];)",
      [](const std::vector<int64_t>& in) {
        std::vector<int64_t> out(in.size());
        std::exclusive_scan(in.begin(), in.end(), out.begin(), int64_t{0});
        return out;
      });
}

TEST_P(GroupTrees, BitonicSort) {
  run(R"(
    c[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 2; k <= N; k *= 2) {
      for (uint j = k / 2; j > 0; j /= 2) {
        uint other = l ^ j;
        if (other > l) {
          T a = c[l], b = c[other];
          if ((a > b) == ((l & k) == 0)) { c[l] = b; c[other] = a; }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
      }
    }
    out[g] = c[l];)",
      [](std::vector<int64_t> in) {
        std::sort(in.begin(), in.end());
        return in;
      });
}

TEST_P(GroupTrees, ButterflySum) {
  run(R"(
    T sum = in[g];
    for (uint d = 1; d < N; d <<= 1) {
      c[l] = sum;
      barrier(CLK_LOCAL_MEM_FENCE);
      sum += c[l ^ d];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = sum;)",
      [](const std::vector<int64_t>& in) {
        const int64_t sum = std::accumulate(in.begin(), in.end(), int64_t{0});
        return std::vector<int64_t>(in.size(), sum);
      });
}

TEST_P(GroupTrees, RotateByGrowingDistances) {
  // Keeps what was read before as well as what is read now.
  run(R"(
    c[l] = in[g];
    T first = c[l], kept = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < N; d *= 2) {
      T next = c[(l + d) % N], before = c[l];
      barrier(CLK_LOCAL_MEM_FENCE);
      kept += before;
      c[l] = next;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = kept + first + c[N - 1 - l];)",
      [](const std::vector<int64_t>& in) {
        const size_t size = in.size();
        std::vector<int64_t> c = in, kept(size), out(size);
        for (size_t d = 1; d < size; d *= 2) {
          std::vector<int64_t> next(size);
          for (size_t l = 0; l < size; ++l) {
            next[l] = c[(l + d) % size];
            kept[l] += c[l];
          }
          c = next;
        }
        for (size_t l = 0; l < size; ++l) out[l] = kept[l] + in[l] + c[size - 1 - l];
        return out;
      });
}

INSTANTIATE_TEST_SUITE_P(Sizes, GroupTrees,
                         ::testing::Values(Case{"int", 1}, Case{"int", 2}, Case{"int", 8},
                                           Case{"int", 16}, Case{"int", 32}, Case{"int", 64},
                                           Case{"int", 256}, Case{"int", 1024}, Case{"uchar", 64},
                                           Case{"uchar", 256}, Case{"short", 128}, Case{"long", 64},
                                           Case{"float", 128}));

}  // namespace
}  // namespace weft::test
