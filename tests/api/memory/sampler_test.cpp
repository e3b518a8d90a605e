// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Samplers: how they are made, and what is known of them.
#include <CL/cl_ext.h>

#include <bit>
#include <cfloat>
#include <cmath>
#include <vector>

#include "support/info_query.h"
#include "support/objects.h"

namespace weft::test {
namespace {

using Properties = std::vector<cl_sampler_properties>;

cl_sampler_properties bitsOf(float value) { return std::bit_cast<uint32_t>(value); }

class SamplerTest : public testing::Test {
 protected:
  cl_int listCode(const Properties& list) {
    cl_int error = CL_INVALID_EVENT;
    const SamplerHolder made(clCreateSamplerWithProperties(context, list.data(), &error));
    EXPECT_EQ(made != nullptr, error == CL_SUCCESS);
    return error;
  }
  cl_int code(cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter) {
    cl_int error = CL_INVALID_EVENT;
    const SamplerHolder made(clCreateSampler(context, normalized, addressing, filter, &error));
    EXPECT_EQ(made != nullptr, error == CL_SUCCESS);
    return error;
  }
  template <class T>
  static T info(cl_sampler sampler, cl_sampler_info name) {
    return infoValue<T>([&](size_t size, void* value, size_t* sizeRet) {
      return clGetSamplerInfo(sampler, name, size, value, sizeRet);
    });
  }
  static Properties properties(cl_sampler sampler) {
    return infoList<cl_sampler_properties>([&](size_t size, void* value, size_t* sizeRet) {
      return clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, size, value, sizeRet);
    });
  }

  ContextHolder context = makeContext();
};

TEST_F(SamplerTest, Rules) {
  EXPECT_EQ(code(CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST), CL_SUCCESS);
  EXPECT_EQ(code(CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST), CL_SUCCESS);
  EXPECT_EQ(code(CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST), CL_INVALID_VALUE);
  EXPECT_EQ(code(CL_FALSE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST), CL_INVALID_VALUE);
  EXPECT_EQ(code(5, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST), CL_INVALID_VALUE);
  EXPECT_EQ(code(CL_TRUE, 5, CL_FILTER_NEAREST), CL_INVALID_VALUE);
  EXPECT_EQ(code(CL_TRUE, CL_ADDRESS_CLAMP, 5), CL_INVALID_VALUE);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateSampler(nullptr, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateSamplerWithProperties(nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
}

TEST_F(SamplerTest, RulesOfProperties) {
  EXPECT_EQ(listCode({0}), CL_SUCCESS);
  EXPECT_EQ(listCode({CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_ADDRESSING_MODE,
                      CL_ADDRESS_NONE, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0}),
            CL_SUCCESS);
  EXPECT_EQ(listCode({0x7777, 1, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(listCode({CL_SAMPLER_NORMALIZED_COORDS, 2, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(listCode({CL_SAMPLER_ADDRESSING_MODE, CL_FILTER_LINEAR, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(listCode({CL_SAMPLER_FILTER_MODE, CL_ADDRESS_CLAMP, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(listCode({CL_SAMPLER_MIP_FILTER_MODE_KHR, CL_ADDRESS_CLAMP, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(listCode({CL_SAMPLER_LOD_MIN_KHR, bitsOf(NAN), 0}), CL_INVALID_VALUE);
  EXPECT_EQ(listCode({CL_SAMPLER_LOD_MAX_KHR, bitsOf(1) | cl_sampler_properties{1} << 40, 0}),
            CL_INVALID_VALUE);
  for (const cl_sampler_properties name :
       {CL_SAMPLER_NORMALIZED_COORDS, CL_SAMPLER_ADDRESSING_MODE, CL_SAMPLER_FILTER_MODE}) {
    const cl_sampler_properties value = name == CL_SAMPLER_NORMALIZED_COORDS ? CL_TRUE
                                        : name == CL_SAMPLER_FILTER_MODE     ? CL_FILTER_LINEAR
                                                                             : CL_ADDRESS_CLAMP;
    EXPECT_EQ(listCode({name, value, 0}), CL_SUCCESS);
    EXPECT_EQ(listCode({name, value, name, value, 0}), CL_INVALID_VALUE);
  }
}

TEST_F(SamplerTest, Queries) {
  const Properties list = {CL_SAMPLER_LOD_MAX_KHR,
                           bitsOf(3.5f),
                           CL_SAMPLER_FILTER_MODE,
                           CL_FILTER_LINEAR,
                           CL_SAMPLER_ADDRESSING_MODE,
                           CL_ADDRESS_REPEAT,
                           0};
  const SamplerHolder listed(clCreateSamplerWithProperties(context, list.data(), nullptr));
  const SamplerHolder old(
      clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, nullptr));
  const SamplerHolder plain(clCreateSamplerWithProperties(context, nullptr, nullptr));
  EXPECT_EQ(properties(listed), list);
  EXPECT_EQ(properties(old), Properties());
  EXPECT_EQ(properties(plain), Properties());
  for (const cl_sampler one : {listed.get(), old.get(), plain.get()}) {
    EXPECT_EQ(info<cl_uint>(one, CL_SAMPLER_REFERENCE_COUNT), 1u);
    EXPECT_EQ(info<cl_context>(one, CL_SAMPLER_CONTEXT), context.get());
    EXPECT_EQ(info<cl_bool>(one, CL_SAMPLER_NORMALIZED_COORDS), cl_bool{one != old});
    EXPECT_EQ(info<cl_filter_mode>(one, CL_SAMPLER_FILTER_MODE),
              cl_filter_mode(one == listed ? CL_FILTER_LINEAR : CL_FILTER_NEAREST));
    EXPECT_EQ(info<cl_filter_mode>(one, CL_SAMPLER_MIP_FILTER_MODE_KHR),
              cl_filter_mode{CL_FILTER_NEAREST});
    EXPECT_EQ(info<cl_float>(one, CL_SAMPLER_LOD_MIN_KHR), 0.f);
    EXPECT_EQ(info<cl_float>(one, CL_SAMPLER_LOD_MAX_KHR), one == listed ? 3.5f : FLT_MAX);
    EXPECT_EQ(clGetSamplerInfo(one, CL_CONTEXT_DEVICES, 0, nullptr, nullptr), CL_INVALID_VALUE);
  }
  EXPECT_EQ(info<cl_addressing_mode>(listed, CL_SAMPLER_ADDRESSING_MODE),
            cl_addressing_mode{CL_ADDRESS_REPEAT});
  EXPECT_EQ(info<cl_addressing_mode>(old, CL_SAMPLER_ADDRESSING_MODE),
            cl_addressing_mode{CL_ADDRESS_CLAMP_TO_EDGE});
  EXPECT_EQ(info<cl_addressing_mode>(plain, CL_SAMPLER_ADDRESSING_MODE),
            cl_addressing_mode{CL_ADDRESS_CLAMP});
}

TEST_F(SamplerTest, References) {
  const SamplerHolder sampler(clCreateSamplerWithProperties(context, nullptr, nullptr));
  EXPECT_EQ(clRetainSampler(sampler), CL_SUCCESS);
  EXPECT_EQ(info<cl_uint>(sampler, CL_SAMPLER_REFERENCE_COUNT), 2u);
  EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
  const MemoryHolder buffer(clCreateBuffer(context, 0, 64, nullptr, nullptr));
  const auto wrong = reinterpret_cast<cl_sampler>(buffer.get());
  EXPECT_EQ(clRetainSampler(wrong), CL_INVALID_SAMPLER);
  EXPECT_EQ(clReleaseSampler(nullptr), CL_INVALID_SAMPLER);
  EXPECT_EQ(clGetSamplerInfo(nullptr, CL_SAMPLER_CONTEXT, 0, nullptr, nullptr), CL_INVALID_SAMPLER);
}

}  // namespace
}  // namespace weft::test
