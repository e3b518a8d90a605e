// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the device says of SPIR-V (cl_khr_spirv_queries) is what its compiler takes.
#include <CL/cl_ext.h>
#include <gtest/gtest.h>
#include <spirv/unified1/spirv.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "support/info_query.h"
#include "support/programs.h"
#include "weft/khr/opencl_3_1.h"

namespace weft::test {
namespace {

InfoCall deviceInfo(cl_device_info parameter) {
  return [=](size_t size, void* value, size_t* sizeRet) {
    return clGetDeviceInfo(device(), parameter, size, value, sizeRet);
  };
}

std::set<std::string> names(cl_device_info parameter) {
  const auto list = infoList<const char*>(deviceInfo(parameter));
  const std::set<std::string> set(list.begin(), list.end());
  EXPECT_EQ(set.size(), list.size()) << "something is listed twice";
  EXPECT_FALSE(set.contains(""));
  return set;
}

std::vector<cl_uint> capabilities() {
  return infoList<cl_uint>(deviceInfo(khr::kDeviceSpirvCapabilities));
}

/// A module that has nothing but what it asks for.
class Module {
 public:
  void add(SpvOp op, std::vector<uint32_t> operands, const std::string& text = {}) {
    if (!text.empty()) {
      const size_t first = operands.size();
      operands.resize(first + text.size() / 4 + 1);
      std::memcpy(&operands[first], text.data(), text.size());
    }
    words_.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | op);
    words_.insert(words_.end(), operands.begin(), operands.end());
  }
  const std::vector<uint32_t>& words() const { return words_; }

 private:
  std::vector<uint32_t> words_ = {SpvMagicNumber, 0x00010600, 0, 8, 0};
};

Module asking(const std::vector<cl_uint>& capabilities, const std::string& extension = {},
              const std::string& set = {}) {
  Module module;
  for (const SpvCapability basic :
       {SpvCapabilityAddresses, SpvCapabilityLinkage, SpvCapabilityKernel})
    module.add(SpvOpCapability, {static_cast<uint32_t>(basic)});
  for (const cl_uint capability : capabilities) module.add(SpvOpCapability, {capability});
  if (!extension.empty()) module.add(SpvOpExtension, {}, extension);
  if (!set.empty()) module.add(SpvOpExtInstImport, {1}, set);
  module.add(SpvOpMemoryModel, {SpvAddressingModelPhysical64, SpvMemoryModelOpenCL});
  return module;
}

class IlQueries : public testing::Test {
 protected:
  /// The log where it is refused, empty otherwise.
  std::string refusal(const Module& module) {
    cl_int error = 1;
    const ProgramHolder program(
        clCreateProgramWithIL(context_, module.words().data(), module.words().size() * 4, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    if (clCompileProgram(program, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr) ==
        CL_SUCCESS)
      return {};
    return "refused: " + buildLog(program);
  }

  ContextHolder context_ = makeContext();
};

TEST_F(IlQueries, TakesWhatIsReported) {
  for (const cl_uint capability : capabilities())
    EXPECT_EQ(refusal(asking({capability})), "") << capability;
  EXPECT_EQ(refusal(asking(capabilities())), "");
  for (const std::string& extension : names(khr::kDeviceSpirvExtensions))
    EXPECT_EQ(refusal(asking({}, extension)), "") << extension;
  for (const std::string& set : names(khr::kDeviceSpirvExtendedInstructionSets))
    EXPECT_EQ(refusal(asking({}, {}, set)), "") << set;
}

TEST_F(IlQueries, RefusesOthersByName) {
  const std::vector<cl_uint> reported = capabilities();
  const std::pair<cl_uint, std::string> others[] = {
      {SpvCapabilityShader, "Shader"},
      {SpvCapabilityTessellation, "Tessellation"},
      {SpvCapabilityNamedBarrier, "NamedBarrier"},
      {SpvCapabilityPipeStorage, "PipeStorage"},
      {SpvCapabilityFunctionPointersINTEL, "FunctionPointersINTEL"},
      {SpvCapabilitySubgroupImageMediaBlockIOINTEL, "SubgroupImageMediaBlockIOINTEL"},
      {SpvCapabilityRoundToInfinityINTEL, "RoundToInfinityINTEL"},
      {SpvCapabilitySplitBarrierINTEL, "SplitBarrierINTEL"},
      {60000, "60000"},
  };
  for (const auto& [number, name] : others) {
    EXPECT_EQ(std::ranges::count(reported, number), 0) << name;
    EXPECT_NE(refusal(asking({number})).find(name + " is not supported"), std::string::npos)
        << name;
  }
  EXPECT_NE(refusal(asking({}, {}, "GLSL.std.450")).find("GLSL.std.450"), std::string::npos);
}

struct Promise {
  std::string extension;  ///< of OpenCL; empty: of every device that takes SPIR-V
  std::vector<cl_uint> capabilities;
  std::vector<std::string> extensions;
};

const Promise kPromises[] = {
    {"",
     {SpvCapabilityAddresses, SpvCapabilityFloat16Buffer, SpvCapabilityInt8, SpvCapabilityInt16,
      SpvCapabilityInt64, SpvCapabilityKernel, SpvCapabilityLinkage, SpvCapabilityVector16,
      SpvCapabilityGroups, SpvCapabilityGenericPointer, SpvCapabilityPipes,
      SpvCapabilityDeviceEnqueue, SpvCapabilitySubgroupDispatch, SpvCapabilityUniformDecoration},
     {}},
    {"cl_khr_fp16", {SpvCapabilityFloat16}, {}},
    {"cl_khr_fp64", {SpvCapabilityFloat64}, {}},
    {"cl_khr_int64_base_atomics", {SpvCapabilityInt64Atomics}, {}},
    {"cl_khr_mipmap_image", {SpvCapabilityImageMipmap}, {}},
    {"cl_khr_expect_assume", {SpvCapabilityExpectAssumeKHR}, {"SPV_KHR_expect_assume"}},
    {"cl_khr_extended_bit_ops", {SpvCapabilityBitInstructions}, {"SPV_KHR_bit_instructions"}},
    {"cl_khr_integer_dot_product",
     {SpvCapabilityDotProduct, SpvCapabilityDotProductInput4x8Bit,
      SpvCapabilityDotProductInput4x8BitPacked},
     {"SPV_KHR_integer_dot_product"}},
    {"cl_khr_kernel_clock", {SpvCapabilityShaderClockKHR}, {"SPV_KHR_shader_clock"}},
    {"cl_khr_spirv_linkonce_odr", {}, {"SPV_KHR_linkonce_odr"}},
    {"cl_khr_spirv_no_integer_wrap_decoration", {}, {"SPV_KHR_no_integer_wrap_decoration"}},
    {"cl_khr_subgroup_ballot", {SpvCapabilityGroupNonUniformBallot}, {}},
    {"cl_khr_subgroup_clustered_reduce", {SpvCapabilityGroupNonUniformClustered}, {}},
    {"cl_khr_subgroup_non_uniform_arithmetic", {SpvCapabilityGroupNonUniformArithmetic}, {}},
    {"cl_khr_subgroup_non_uniform_vote",
     {SpvCapabilityGroupNonUniform, SpvCapabilityGroupNonUniformVote},
     {}},
    {"cl_khr_subgroup_rotate",
     {SpvCapabilityGroupNonUniformRotateKHR},
     {"SPV_KHR_subgroup_rotate"}},
    {"cl_khr_subgroup_shuffle", {SpvCapabilityGroupNonUniformShuffle}, {}},
    {"cl_khr_subgroup_shuffle_relative", {SpvCapabilityGroupNonUniformShuffleRelative}, {}},
    {"cl_khr_work_group_uniform_arithmetic",
     {SpvCapabilityGroupUniformArithmeticKHR},
     {"SPV_KHR_uniform_group_instructions"}},
    {"cl_ext_float_atomics",
     {SpvCapabilityAtomicFloat16AddEXT, SpvCapabilityAtomicFloat32AddEXT,
      SpvCapabilityAtomicFloat64AddEXT, SpvCapabilityAtomicFloat16MinMaxEXT,
      SpvCapabilityAtomicFloat32MinMaxEXT, SpvCapabilityAtomicFloat64MinMaxEXT},
     {"SPV_EXT_shader_atomic_float_add", "SPV_EXT_shader_atomic_float16_add",
      "SPV_EXT_shader_atomic_float_min_max"}},
};

// What extensions of OpenCL promise of modules.
TEST_F(IlQueries, KeepsPromisesOfExtensions) {
  const std::vector<cl_uint> reported = capabilities();
  const std::set<std::string> extensions = names(khr::kDeviceSpirvExtensions);
  const std::string all = " " + infoText(deviceInfo(CL_DEVICE_EXTENSIONS)) + " ";
  EXPECT_NE(all.find(" cl_khr_spirv_queries "), std::string::npos);
  for (const Promise& promise : kPromises) {
    if (!promise.extension.empty() && all.find(" " + promise.extension + " ") == std::string::npos)
      continue;
    for (const cl_uint capability : promise.capabilities)
      EXPECT_EQ(std::ranges::count(reported, capability), 1)
          << promise.extension << ' ' << capability;
    for (const std::string& extension : promise.extensions)
      EXPECT_TRUE(extensions.contains(extension)) << extension;
  }
  if (infoValue<cl_bool>(deviceInfo(CL_DEVICE_IMAGE_SUPPORT)))
    for (const SpvCapability capability :
         {SpvCapabilityImage1D, SpvCapabilityImageBasic, SpvCapabilityImageBuffer,
          SpvCapabilityLiteralSampler, SpvCapabilitySampled1D, SpvCapabilitySampledBuffer,
          SpvCapabilityImageReadWrite})
      EXPECT_EQ(std::ranges::count(reported, static_cast<cl_uint>(capability)), 1) << capability;
  const auto sets = names(khr::kDeviceSpirvExtendedInstructionSets);
  EXPECT_TRUE(sets.contains("OpenCL.std"));
  EXPECT_EQ(sets.contains("OpenCL.DebugInfo.100"),
            all.find(" cl_khr_spirv_extended_debug_info ") != std::string::npos);
}

}  // namespace
}  // namespace weft::test
