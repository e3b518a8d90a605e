// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that get at their images and samplers by way of blocks, or of samplers chosen from, and
// launches of one kernel whose images change from one to the next.
#include <cmath>
#include <string>
#include <vector>

#include "fixture.h"
#include "support/programs.h"

namespace weft::test {
namespace {

using Floats = std::vector<float>;

class ImageUsesApi : public testing::Test {
 protected:
  static constexpr size_t kItems = 8;

  /// A line of elements whose first component is 0, 1/255 and so on.
  MemoryHolder line(cl_channel_type type, cl_channel_order order = CL_RGBA, float first = 0) {
    const size_t channels = order == CL_RGBA ? 4 : 1;
    Bytes pixels(kItems * channels * 4);
    for (size_t i = 0; i < kItems; ++i)
      for (size_t c = 0; c < channels; ++c) {
        const size_t at = i * channels + c;
        const float value = (first + static_cast<float>(i)) / 255;
        if (type == CL_FLOAT) {
          std::memcpy(pixels.data() + at * 4, &value, 4);
        } else if (type == CL_UNORM_INT16) {
          const auto bits = static_cast<cl_ushort>((first + static_cast<float>(i)) * 257);
          std::memcpy(pixels.data() + at * 2, &bits, 2);
        } else {
          pixels[at] = static_cast<std::byte>(first + static_cast<float>(i));
        }
      }
    const cl_image_format format{order, type};
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = kItems;
    desc.image_height = 1;
    cl_int error = CL_SUCCESS;
    MemoryHolder image(clCreateImage(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format,
                                     &desc, pixels.data(), &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return image;
  }
  SamplerHolder sampler(cl_addressing_mode mode) {
    cl_int error = CL_SUCCESS;
    SamplerHolder made(clCreateSampler(context_, CL_FALSE, mode, CL_FILTER_NEAREST, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  }
  /// Of a kernel (read_only image2d_t, read_only image2d_t, sampler_t, global float*): 255 times
  /// its results.
  Floats run(cl_kernel kernel, cl_mem a, cl_mem b, cl_sampler how) {
    const MemoryHolder out = makeBuffer(context_, Floats(kItems, -1));
    setBuffer(kernel, 0, a);
    setBuffer(kernel, 1, b);
    setArgument(kernel, 2, how);
    setBuffer(kernel, 3, out);
    const size_t items = kItems;
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
        CL_SUCCESS);
    Floats results = readBuffer<float>(queue_, out, kItems);
    for (float& x : results) x = std::round(x * 255 * 16) / 16;
    return results;
  }
  KernelHolder kernelOf(const std::string& source) {
    return makeKernel(buildProgram(context_, source, "-cl-std=CL3.0"), "k");
  }

  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_);
  MemoryHolder bytes_ = line(CL_UNORM_INT8), floats_ = line(CL_FLOAT, CL_R, 100);
  SamplerHolder edge_ = sampler(CL_ADDRESS_CLAMP_TO_EDGE);
};

TEST_F(ImageUsesApi, BlocksThatAreCalledInPlace) {
  const KernelHolder kernel = kernelOf(R"(
    kernel void k(read_only image2d_t a, read_only image2d_t b, sampler_t how, global float* out) {
      int i = (int)get_global_id(0);
      float (^one)(int) = ^(int x) { return read_imagef(a, how, (int2)(x, 0)).x; };
      float (^other)(int) = ^(int x) { return read_imagef(b, (int2)(x, 0)).x; };
      if (i % 3 == 0) out[i] = one(i); else out[i] = other(i);
    })");
  const Floats wanted{0, 101, 102, 3, 104, 105, 6, 107};
  EXPECT_EQ(run(kernel, bytes_, floats_, edge_), wanted);
  EXPECT_EQ(run(kernel, bytes_, floats_, edge_), wanted);
}

TEST_F(ImageUsesApi, BlocksThatAreEnqueued) {
  const cl_queue_properties list[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int error = CL_SUCCESS;
  const QueueHolder onDevice(clCreateCommandQueueWithProperties(context_, device(), list, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const KernelHolder kernel = kernelOf(R"(
    kernel void k(read_only image2d_t a, read_only image2d_t b, sampler_t how, global float* out) {
      if (get_global_id(0) != 0) return;
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(8), ^{
        int i = (int)get_global_id(0);
        float first = read_imagef(a, how, (int2)(i + 4, 0)).x;
        out[i] = i < 4 ? first : read_imagef(b, how, (int2)(i - 6, 0)).x;
      });
    })");
  const Floats wanted{4, 5, 6, 7, 100, 100, 100, 101};
  EXPECT_EQ(run(kernel, bytes_, floats_, edge_), wanted);
  // The same kernel, the other way round.
  EXPECT_EQ(run(kernel, floats_, bytes_, edge_), (Floats{104, 105, 106, 107, 0, 0, 0, 1}));
}

TEST_F(ImageUsesApi, SamplersAreChosenFrom) {
  const KernelHolder kernel = kernelOf(R"(
    constant sampler_t border = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    float tap(read_only image2d_t image, sampler_t how, int x) {
      return read_imagef(image, how, (int2)(x, 0)).x;
    }
    kernel void k(read_only image2d_t a, read_only image2d_t b, sampler_t how, global float* out) {
      int i = (int)get_global_id(0);
      float near;
      if (i & 1) near = tap(a, how, i + 4); else near = tap(a, border, i + 4);
      out[i] = near + tap(b, border, 0);
    })");
  EXPECT_EQ(run(kernel, bytes_, floats_, edge_), (Floats{104, 105, 106, 107, 100, 107, 100, 107}));
  EXPECT_EQ(run(kernel, bytes_, floats_, sampler(CL_ADDRESS_CLAMP)),
            (Floats{104, 105, 106, 107, 100, 100, 100, 100}));
}

/// More formats and samplers, one after the other and again, than a kernel has variants for.
TEST_F(ImageUsesApi, LaunchesWithEverOtherImages) {
  const KernelHolder kernel = kernelOf(R"(
    kernel void k(read_only image2d_t a, read_only image2d_t b, sampler_t how, global float* out) {
      int i = (int)get_global_id(0);
      out[i] = read_imagef(a, how, (int2)(i + 1, 0)).x + read_imagef(b, (int2)(i, 0)).x;
    })");
  std::vector<MemoryHolder> images;
  for (const cl_channel_type type : {CL_UNORM_INT8, CL_UNORM_INT16, CL_FLOAT})
    for (const cl_channel_order order : {CL_RGBA, CL_R})
      images.push_back(line(type, order, static_cast<float>(10 * images.size())));
  const SamplerHolder clamp = sampler(CL_ADDRESS_CLAMP);
  for (int round = 0; round < 2; ++round)
    for (size_t a = 0; a < images.size(); ++a)
      for (size_t b = 0; b < images.size(); ++b)
        for (const bool isEdge : {true, false}) {
          Floats wanted;
          for (size_t i = 0; i < kItems; ++i) {
            const size_t next = i + 1 < kItems ? 10 * a + i + 1 : isEdge ? 10 * a + i : 0;
            wanted.push_back(static_cast<float>(next + 10 * b + i));
          }
          ASSERT_EQ(run(kernel, images[a], images[b], isEdge ? edge_ : clamp), wanted)
              << a << ", " << b << ", " << isEdge;
        }
}

}  // namespace
}  // namespace weft::test
