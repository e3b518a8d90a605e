// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with as many images and samplers as the device says run, those with more are refused at
// the enqueue, as CL_OUT_OF_RESOURCES of clEnqueueNDRangeKernel has it.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "support/programs.h"

namespace weft::test {
namespace {

struct Limit {
  const char* name;
  const char* argument;  ///< the type of each of the many
  const char* second;    ///< of every other one, which count together
  cl_device_info most;
};
constexpr Limit kLimits[] = {
    {"read", "read_only image2d_t", "read_only image2d_t", CL_DEVICE_MAX_READ_IMAGE_ARGS},
    {"write", "write_only image2d_t", "write_only image2d_t", CL_DEVICE_MAX_WRITE_IMAGE_ARGS},
    {"change", "write_only image2d_t", "read_write image2d_t", CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS},
    {"sample", "sampler_t", "sampler_t", CL_DEVICE_MAX_SAMPLERS},
};

void PrintTo(const Limit& limit, std::ostream* out) { *out << limit.name; }

class ImageArgumentLimits : public testing::TestWithParam<Limit> {
 protected:
  /// The code of the enqueue of a kernel with so many.
  cl_int enqueue(cl_uint count) {
    const Limit& limit = GetParam();
    std::string text = "kernel void k(global int* out";
    for (cl_uint i = 0; i < count; ++i)
      text +=
          std::string(", ") + (i % 2 ? limit.second : limit.argument) + " a" + std::to_string(i);
    const KernelHolder kernel = makeKernel(
        buildProgram(context_, text + ") { out[get_global_id(0)] = 7; }", "-cl-std=CL3.0"), "k");
    const MemoryHolder out = makeBuffer(context_, std::vector<int>{0, 0});
    setBuffer(kernel, 0, out);
    for (cl_uint i = 0; i < count; ++i) {
      if (limit.most == CL_DEVICE_MAX_SAMPLERS)
        setArgument(kernel, i + 1, sampler_.get());
      else
        setArgument(kernel, i + 1, image_.get());
    }
    const size_t items = 2;
    const cl_int code =
        clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
    const int wanted = code == CL_SUCCESS ? 7 : 0;
    EXPECT_EQ(readBuffer<int>(queue_, out, 2), (std::vector<int>{wanted, wanted}));
    return code;
  }

  void SetUp() override {
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = desc.image_height = 2;
    cl_int error = CL_SUCCESS;
    image_ =
        MemoryHolder(clCreateImage(context_, CL_MEM_READ_WRITE, &format, &desc, nullptr, &error));
    ASSERT_EQ(error, CL_SUCCESS);
    sampler_ = SamplerHolder(
        clCreateSampler(context_, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
    ASSERT_EQ(error, CL_SUCCESS);
  }

  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_);
  MemoryHolder image_;
  SamplerHolder sampler_;
};

TEST_P(ImageArgumentLimits, AreKept) {
  cl_uint most = 0;
  ASSERT_EQ(clGetDeviceInfo(device(), GetParam().most, sizeof most, &most, nullptr), CL_SUCCESS);
  EXPECT_EQ(enqueue(most), CL_SUCCESS);
  EXPECT_EQ(enqueue(most + 1), CL_OUT_OF_RESOURCES);
}

INSTANTIATE_TEST_SUITE_P(Every, ImageArgumentLimits, testing::ValuesIn(kLimits),
                         [](const testing::TestParamInfo<Limit>& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace weft::test
