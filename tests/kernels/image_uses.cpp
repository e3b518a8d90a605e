// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images and samplers where the way from an access to its argument is long, forks or ends.
#include <algorithm>

#include "pictures.h"

namespace weft::test {
namespace {

using Float4 = std::array<float, 4>;

constexpr const char* kOptions = "-cl-std=CL3.0";
constexpr uint64_t kEdge = 0x10 | 2;
constexpr PixelFormat kBytes{CL_UNORM_INT8, CL_RGBA}, kFloats{CL_FLOAT, CL_R},
    kInts{CL_SIGNED_INT32, CL_RGBA};

constexpr uint32_t kWidth = 48, kHeight = 6;

/// Runs a kernel of two images that are read, a sampler and results.
template <class Check>
void readTwo(const char* source, PixelFormat one, PixelFormat other, Check check) {
  std::mt19937 random(3);
  Picture a(one, {kWidth, kHeight, 1}), b(other, {kWidth, kHeight, 1});
  a.fillTame(random);
  b.fillTame(random);
  std::vector<Float4> out(kWidth * kHeight);
  Launch launch(build(source, kOptions), "k");
  give(give(launch.range({kWidth, kHeight}, {16, 2}), a), b).value(kEdge).buffer(out);
  launch.inEveryForm([&](const Outcome&) {
    for (uint32_t y = 0; y < kHeight; ++y)
      for (uint32_t x = 0; x < kWidth; ++x) {
        const Pixel wanted = check(a, b, x, y);
        for (size_t c = 0; c < 4; ++c)
          ASSERT_EQ(static_cast<double>(out[y * kWidth + x][c]), wanted[c]) << x << ", " << y;
      }
  });
}

/// In one place of the code the image is one of two, whose formats are the same or differ.
TEST(ImageUses, SwitchesAndLoopsChoose) {
  for (const auto& [one, other] : {std::pair(kBytes, kBytes), {kBytes, kFloats}})
    readTwo(R"(
      constant sampler_t border = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
      float4 tap(read_only image2d_t image, sampler_t how, int2 at) {
        return read_imagef(image, how, at);
      }
      kernel void k(read_only image2d_t a, read_only image2d_t b, sampler_t how,
                    global float4* out) {
        int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
        float4 pixel = 0;
        for (int round = 0; round < 4; ++round) {
          if (round > at.x % 5) break;
          switch ((at.x + round) % 4) {
            case 0: pixel = tap(a, how, at); break;
            case 1: pixel = tap(b, border, at - (int2)(100, 0)); continue;
            case 2: pixel = tap(b, how, at); // falls through
            default: if (round == 3) goto done; pixel = tap(a, border, at);
          }
        }
      done:
        out[at.y * (int)get_global_size(0) + at.x] = pixel;
      })",
            one, other, [](Picture& a, Picture& b, uint32_t x, uint32_t y) {
              Pixel pixel{};
              for (uint32_t round = 0; round < 4 && round <= x % 5; ++round) {
                const uint32_t way = (x + round) % 4;
                if (way == 1) {
                  pixel = borderOf(b.format());
                  continue;
                }
                if (way == 2) pixel = b.pixel(x, y, 0);
                if (way >= 2 && round == 3) break;
                if (way != 1) pixel = a.pixel(x, y, 0);
              }
              return pixel;
            });
}

/// One kernel calls another with its images the other way round.
TEST(ImageUses, KernelsCallKernels) {
  const char* const source = R"(
    kernel void inner(read_only image2d_t a, read_only image2d_t b, sampler_t how,
                      global float4* out) {
      int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
      float4 first = read_imagef(a, how, at);
      out[at.y * (int)get_global_size(0) + at.x] = at.x & 1 ? first : read_imagef(b, how, at);
    }
    kernel void k(read_only image2d_t a, read_only image2d_t b, sampler_t how,
                  global float4* out) {
      inner(b, a, how, out);
    })";
  readTwo(source, kBytes, kFloats, [](Picture& a, Picture& b, uint32_t x, uint32_t y) {
    return (x & 1 ? b : a).pixel(x, y, 0);
  });
}

/// Both names of one image: what is written by one is read by the other behind a fence.
TEST(ImageUses, OneImageInTwoArguments) {
  std::mt19937 random(4);
  Picture picture(kInts, {kWidth, kHeight, 1});
  picture.fillAny(random);
  const std::vector<std::byte> before(picture.data(), picture.data() + picture.size());
  std::vector<std::array<int32_t, 4>> out(kWidth * kHeight);
  Launch launch(build(R"(
    kernel void k(read_write image2d_t a, read_write image2d_t b, global int4* out) {
      int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
      int4 sum = 0;
      for (int i = 0; i < 3; ++i) {
        int4 old = read_imagei(b, at);
        write_imagei(a, at, old / 2 + i);
        atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
        sum += (read_imagei(b, at) - read_imagei(a, at)) + read_imagei(b, at) / 8;
      }
      out[at.y * (int)get_global_size(0) + at.x] = sum;
    })",
                      kOptions),
                "k");
  launch.range({kWidth, kHeight});
  // The second is only looked at: its bytes are those of the first.
  give(give(launch, picture), picture).buffer(out);
  launch.inEveryForm([&](const Outcome&) {
    for (size_t i = 0; i < out.size(); ++i)
      for (size_t c = 0; c < 4; ++c) {
        int32_t now = 0, sum = 0;
        std::memcpy(&now, &before[i * 16 + c * 4], 4);
        for (int32_t k = 0; k < 3; ++k) {
          now = now / 2 + k;
          sum += now / 8;
        }
        ASSERT_EQ(out[i][c], sum) << i;
      }
  });
}

/// A search that ends where an element says so, at another place for each work-item.
TEST(ImageUses, LoopsEndByWhatIsRead) {
  std::mt19937 random(5);
  Picture picture({CL_UNSIGNED_INT8, CL_R}, {kWidth, kHeight, 1});
  picture.fillAny(random);
  std::vector<uint32_t> out(kWidth * kHeight);
  Launch launch(build(R"(
    constant sampler_t border = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    kernel void k(read_only image2d_t a, global uint* out) {
      int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
      uint steps = 0, sum = 0;
      for (int2 i = at;; ++i.x, ++steps) {
        uint4 pixel = read_imageui(a, border, i);
        if (pixel.x == 0) break;
        sum += pixel.x;
        if (sum > 600u) { out[at.y * (int)get_global_size(0) + at.x] = 1000 + steps; return; }
      }
      out[at.y * (int)get_global_size(0) + at.x] = steps;
    })",
                      kOptions),
                "k");
  give(launch.range({kWidth, kHeight}), picture).buffer(out);
  launch.inEveryForm([&](const Outcome&) {
    for (uint32_t y = 0; y < kHeight; ++y)
      for (uint32_t x = 0; x < kWidth; ++x) {
        uint32_t steps = 0, sum = 0;
        for (;; ++steps) {
          const auto value =
              x + steps < kWidth ? static_cast<uint32_t>(picture.pixel(x + steps, y, 0)[0]) : 0;
          if (value == 0) break;
          sum += value;
          if (sum > 600) break;
        }
        ASSERT_EQ(out[y * kWidth + x], sum > 600 ? 1000 + steps : steps) << x << ", " << y;
      }
  });
}

/// What other work-items wrote before a barrier, in a loop whose reads look alike.
TEST(ImageUses, BarriersBetweenReadsThatLookAlike) {
  Picture picture({CL_UNSIGNED_INT32, CL_R}, {kWidth, kHeight, 1});
  std::vector<uint32_t> out(kWidth * kHeight);
  Launch launch(build(R"(
    kernel void k(read_write image2d_t a, global uint* out) {
      int x = (int)get_global_id(0), y = (int)get_global_id(1), n = (int)get_local_size(0);
      int first = (int)get_group_id(0) * n, next = first + (x - first + 1) % n;
      write_imageui(a, (int2)(x, y), (uint4)(x));
      uint sum = 0;
      for (uint round = 0; round < 4; ++round) {
        work_group_barrier(CLK_IMAGE_MEM_FENCE);
        uint seen = read_imageui(a, (int2)(next, y)).x;
        work_group_barrier(CLK_IMAGE_MEM_FENCE);
        write_imageui(a, (int2)(x, y), (uint4)(seen + round));
        sum = sum * 7 + seen;
      }
      out[y * (int)get_global_size(0) + x] = sum;
    })",
                      kOptions),
                "k");
  give(launch.range({kWidth, kHeight}, {16, 1}), picture).buffer(out);
  launch.inEveryForm([&](const Outcome&) {
    for (uint32_t y = 0; y < kHeight; ++y)
      for (uint32_t first = 0; first < kWidth; first += 16) {
        std::array<uint32_t, 16> now{}, sums{};
        for (uint32_t i = 0; i < 16; ++i) now[i] = first + i;
        for (uint32_t round = 0; round < 4; ++round) {
          const auto seen = [old = now](uint32_t i) { return old[(i + 1) % 16]; };
          for (uint32_t i = 0; i < 16; ++i) {
            sums[i] = sums[i] * 7 + seen(i);
            now[i] = seen(i) + round;
          }
        }
        for (uint32_t i = 0; i < 16; ++i) ASSERT_EQ(out[y * kWidth + first + i], sums[i]) << i;
      }
  });
}

/// Pixels go from lane to lane, and coordinates come from another one.
TEST(ImageUses, SubGroupsShareThem) {
  std::mt19937 random(6);
  Picture picture({CL_SIGNED_INT16, CL_RG}, {64, 4, 1});
  picture.fillAny(random);
  std::vector<std::array<int32_t, 2>> out(64 * 4);
  Launch launch(build(R"(
    __attribute__((intel_reqd_sub_group_size(16)))
    kernel void k(read_only image2d_t a, global int2* out) {
      int x = (int)get_global_id(0), y = (int)get_global_id(1);
      uint lane = get_sub_group_local_id();
      int2 own = read_imagei(a, (int2)(x, y)).xy;
      int from = sub_group_broadcast(x, 5);
      int2 shared = read_imagei(a, (int2)(from, y)).xy;
      int neighbour = sub_group_shuffle(own.x, lane ^ 3u);
      out[y * 64 + x] = (int2)(neighbour * 3 + shared.x, sub_group_reduce_add(own.y));
    })",
                      kOptions),
                "k");
  give(launch.range({64, 4}, {64, 1}), picture).buffer(out);
  launch.inEveryForm([&](const Outcome&) {
    for (uint32_t y = 0; y < 4; ++y)
      for (uint32_t x = 0; x < 64; ++x) {
        const auto at = [&](uint32_t column, size_t c) {
          return static_cast<int32_t>(picture.pixel(column, y, 0)[c]);
        };
        const uint32_t first = x / 16 * 16;
        int32_t sum = 0;
        for (uint32_t i = 0; i < 16; ++i) sum += at(first + i, 1);
        ASSERT_EQ(out[y * 64 + x][0], 3 * at(first + ((x - first) ^ 3), 0) + at(first + 5, 0));
        ASSERT_EQ(out[y * 64 + x][1], sum);
      }
  });
}

}  // namespace
}  // namespace weft::test
