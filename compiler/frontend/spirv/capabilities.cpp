// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/capabilities.h"

#include <algorithm>
#include <array>

#include "frontend/spirv/grammar.h"
#include "weft/compiler/il_support.h"

namespace weft::compiler {
namespace spirv {
namespace {

struct Capability {
  uint32_t number;
  const char* extension = nullptr;  ///< null: of SPIR-V itself, in a version that is taken
};

constexpr Capability kReported[] = {
    {SpvCapabilityAddresses},
    {SpvCapabilityLinkage},
    {SpvCapabilityKernel},
    {SpvCapabilityVector16},
    {SpvCapabilityFloat16Buffer},
    {SpvCapabilityFloat16},
    {SpvCapabilityFloat64},
    {SpvCapabilityInt64},
    {SpvCapabilityInt64Atomics},
    {SpvCapabilityInt16},
    {SpvCapabilityInt8},
    {SpvCapabilityGroups},
    {SpvCapabilityGenericPointer},
    {SpvCapabilitySubgroupDispatch},
    {SpvCapabilityPipes},
    {SpvCapabilityDeviceEnqueue},
    {SpvCapabilityUniformDecoration},
    {SpvCapabilityImageBasic},
    {SpvCapabilityImageReadWrite},
    {SpvCapabilityImageMipmap},
    {SpvCapabilityLiteralSampler},
    {SpvCapabilitySampled1D},
    {SpvCapabilityImage1D},
    {SpvCapabilitySampledBuffer},
    {SpvCapabilityImageBuffer},
    {SpvCapabilityGroupNonUniform},
    {SpvCapabilityGroupNonUniformVote},
    {SpvCapabilityGroupNonUniformArithmetic},
    {SpvCapabilityGroupNonUniformBallot},
    {SpvCapabilityGroupNonUniformShuffle},
    {SpvCapabilityGroupNonUniformShuffleRelative},
    {SpvCapabilityGroupNonUniformClustered},
    {SpvCapabilityGroupNonUniformRotateKHR, "SPV_KHR_subgroup_rotate"},
    {SpvCapabilityGroupUniformArithmeticKHR, "SPV_KHR_uniform_group_instructions"},
    {SpvCapabilityDenormPreserve, "SPV_KHR_float_controls"},
    {SpvCapabilitySignedZeroInfNanPreserve, "SPV_KHR_float_controls"},
    {SpvCapabilityRoundingModeRTE, "SPV_KHR_float_controls"},
    {SpvCapabilityDotProduct, "SPV_KHR_integer_dot_product"},
    {SpvCapabilityDotProductInputAll, "SPV_KHR_integer_dot_product"},
    {SpvCapabilityDotProductInput4x8Bit, "SPV_KHR_integer_dot_product"},
    {SpvCapabilityDotProductInput4x8BitPacked, "SPV_KHR_integer_dot_product"},
    {SpvCapabilityBitInstructions, "SPV_KHR_bit_instructions"},
    {SpvCapabilityExpectAssumeKHR, "SPV_KHR_expect_assume"},
    {SpvCapabilityShaderClockKHR, "SPV_KHR_shader_clock"},
    {SpvCapabilityAtomicFloat32AddEXT, "SPV_EXT_shader_atomic_float_add"},
    {SpvCapabilityAtomicFloat64AddEXT, "SPV_EXT_shader_atomic_float_add"},
    {SpvCapabilityAtomicFloat16AddEXT, "SPV_EXT_shader_atomic_float16_add"},
    {SpvCapabilityAtomicFloat16MinMaxEXT, "SPV_EXT_shader_atomic_float_min_max"},
    {SpvCapabilityAtomicFloat32MinMaxEXT, "SPV_EXT_shader_atomic_float_min_max"},
    {SpvCapabilityAtomicFloat64MinMaxEXT, "SPV_EXT_shader_atomic_float_min_max"},
    {SpvCapabilitySubgroupShuffleINTEL, "SPV_INTEL_subgroups"},
    {SpvCapabilitySubgroupBufferBlockIOINTEL, "SPV_INTEL_subgroups"},
    {SpvCapabilitySubgroupImageBlockIOINTEL, "SPV_INTEL_subgroups"},
    {SpvCapabilityFPFastMathModeINTEL, "SPV_INTEL_fp_fast_math_mode"},
    {SpvCapabilityUnstructuredLoopControlsINTEL, "SPV_INTEL_unstructured_loop_controls"},
    {SpvCapabilityOptNoneINTEL, "SPV_INTEL_optnone"},
    {SpvCapabilityLongConstantCompositeINTEL, "SPV_INTEL_long_constant_composite"},
    {kCapabilityBFloat16ConversionINTEL, "SPV_INTEL_bfloat16_conversion"},
    {kCapabilityArithmeticFenceEXT, "SPV_EXT_arithmetic_fence"},
    // Decorations, modes and notes that programs mean the same without.
    {SpvCapabilityMemoryAccessAliasingINTEL, "SPV_INTEL_memory_access_aliasing"},
    {SpvCapabilityKernelAttributesINTEL, "SPV_INTEL_kernel_attributes"},
    {SpvCapabilityFPGAKernelAttributesINTEL, "SPV_INTEL_kernel_attributes"},
    {SpvCapabilityFPGALoopControlsINTEL, "SPV_INTEL_fpga_loop_controls"},
    {SpvCapabilityFPGAMemoryAttributesINTEL, "SPV_INTEL_fpga_memory_attributes"},
    {SpvCapabilityFPGABufferLocationINTEL, "SPV_INTEL_fpga_buffer_location"},
    {SpvCapabilityRuntimeAlignedAttributeINTEL, "SPV_INTEL_runtime_aligned"},
    {SpvCapabilityLoopFuseINTEL, "SPV_INTEL_loop_fuse"},
    {SpvCapabilityDebugInfoModuleINTEL, "SPV_INTEL_debug_module"},
    {kCapabilityGlobalVariableHostAccessINTEL, "SPV_INTEL_global_variable_host_access"},
    {kCapabilityGlobalVariableFPGADecorationsINTEL, "SPV_INTEL_global_variable_fpga_decorations"},
    {kCapabilityFPMaxErrorINTEL, "SPV_INTEL_fp_max_error"},
    {kCapabilityCacheControlsINTEL, "SPV_INTEL_cache_controls"},
    {kCapabilityRegisterLimitsINTEL, "SPV_INTEL_maximum_registers"},
};

/// Producers declare these without need, and what would need them is refused, some of it or all.
constexpr uint32_t kTakenInSilence[] = {
    SpvCapabilityMatrix,
    SpvCapabilityDenormFlushToZero,
    SpvCapabilityRoundingModeRTZ,
    kCapabilityGlobalVariableDecorationsINTEL,
};

/// Extensions without a capability, and further names of some above.
constexpr const char* kOtherExtensions[] = {
    "SPV_EXT_image_raw10_raw12",          "SPV_EXT_optnone",
    "SPV_INTEL_long_composites",          "SPV_KHR_linkonce_odr",
    "SPV_KHR_no_integer_wrap_decoration", "SPV_KHR_non_semantic_info",
};

constexpr const char* kInstructionSets[] = {
    "OpenCL.std",
    "OpenCL.DebugInfo.100",
    "NonSemantic.Shader.DebugInfo.100",
};

constexpr auto kCapabilities = [] {
  std::array<uint32_t, std::size(kReported)> numbers{};
  std::ranges::transform(kReported, numbers.begin(), &Capability::number);
  return numbers;
}();

struct Extensions {
  std::array<const char*, std::size(kReported) + std::size(kOtherExtensions)> names{};
  size_t count = 0;
};

/// Each once, in alphabetical order.
constexpr Extensions kExtensions = [] {
  Extensions all;
  const auto add = [&](const char* name) {
    const auto end = all.names.begin() + all.count;
    if (!std::any_of(all.names.begin(), end,
                     [&](const char* other) { return std::string_view(other) == name; }))
      all.names[all.count++] = name;
  };
  for (const Capability& row : kReported)
    if (row.extension) add(row.extension);
  for (const char* name : kOtherExtensions) add(name);
  std::sort(all.names.begin(), all.names.begin() + all.count,
            [](const char* a, const char* b) { return std::string_view(a) < std::string_view(b); });
  return all;
}();

constexpr IlSupport kSupport{
    .instructionSets = kInstructionSets,
    .extensions = {kExtensions.names.data(), kExtensions.count},
    .capabilities = kCapabilities,
};

}  // namespace

bool takesCapability(uint32_t capability) noexcept {
  return std::ranges::find(kCapabilities, capability) != kCapabilities.end() ||
         std::ranges::find(kTakenInSilence, capability) != std::end(kTakenInSilence);
}

bool takesInstructionSet(std::string_view name) noexcept {
  constexpr std::string_view kOlder[] = {"SPIRV.debug", "DebugInfo"};
  return std::ranges::find(kInstructionSets, name) != std::end(kInstructionSets) ||
         std::ranges::find(kOlder, name) != std::end(kOlder) || name.starts_with("NonSemantic.");
}

}  // namespace spirv

const IlSupport& ilSupport() noexcept { return spirv::kSupport; }

}  // namespace weft::compiler
