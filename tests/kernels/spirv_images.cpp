// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Images and samplers of SPIR-V.
#include "pictures.h"
#include "support/spirv_samples.h"
#include "support/spirv_tools.h"

namespace weft::test {
namespace {

constexpr PixelFormat kFloats{CL_FLOAT, CL_RGBA};

TEST(SpirvImages, ReadWriteAndQuery) {
  const std::string words = assemble(samples::kImages);
  const Program program = buildIl({words, {}});
  const compiler::KernelInfo* info = kernelInfo(program, "k");
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->arguments[0].kind, compiler::ArgumentKind::Image);
  EXPECT_EQ(info->arguments[0].image, compiler::ImageType::Image2D);
  EXPECT_EQ(info->arguments[0].access, compiler::AccessQualifier::ReadOnly);
  EXPECT_EQ(info->arguments[1].access, compiler::AccessQualifier::WriteOnly);
  EXPECT_EQ(info->arguments[2].kind, compiler::ArgumentKind::Sampler);
  std::mt19937 random(3);
  Picture from(kFloats, {5, 3, 1}), into(kFloats, {5, 3, 1});
  from.fillTame(random);
  into.fillTame(random);
  std::vector<std::array<float, 4>> out(5);
  std::vector<std::array<int, 2>> size(1);
  const uint64_t how = 0x10 | 4;
  Launch launch(program, "k");
  launch.range(5);
  give(launch, from);
  give(launch, into);
  launch.value(how).buffer(out).buffer(size);
  launch.inEveryForm([&](const Outcome&) {
    for (uint32_t i = 0; i < 5; ++i)
      for (size_t c = 0; c < 4; ++c) {
        const double wanted = from.pixel(i, 1, 0)[c];
        ASSERT_EQ(out[i][c], static_cast<float>(3 * wanted)) << i;
        ASSERT_EQ(into.pixel(i, 1, 0)[c], wanted) << i;
      }
    ASSERT_EQ(size[0], (std::array<int, 2>{5, 3}));
  });
}

/// Layer 1 of an array, sampled with gradients that have no component for layers.
constexpr std::string_view kArrays = R"(
OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability ImageBasic
OpCapability LiteralSampler
OpCapability Image1D
OpCapability Sampled1D
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %id
OpDecorate %id BuiltIn GlobalInvocationId
%void = OpTypeVoid
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%float = OpTypeFloat 32
%v3long = OpTypeVector %long 3
%float2 = OpTypeVector %float 2
%float4 = OpTypeVector %float 4
%inputIds = OpTypePointer Input %v3long
%globalFloat4 = OpTypePointer CrossWorkgroup %float4
%planes = OpTypeImage %void 2D 0 1 0 0 Unknown ReadOnly
%lines = OpTypeImage %void 1D 0 1 0 0 Unknown ReadOnly
%space = OpTypeImage %void 3D 0 0 0 0 Unknown ReadOnly
%sampler = OpTypeSampler
%sampledPlanes = OpTypeSampledImage %planes
%sampledLines = OpTypeSampledImage %lines
%sampledSpace = OpTypeSampledImage %space
%nearest = OpConstantSampler %sampler ClampToEdge 1 Nearest
%f0 = OpConstant %float 0
%f1 = OpConstant %float 1
%fHalf = OpConstant %float 0.5
%fFifth = OpConstant %float 0.2
%none2 = OpConstantNull %float2
%none4 = OpConstantNull %float4
%id = OpVariable %inputIds Input
%type = OpTypeFunction %void %planes %lines %space %globalFloat4
%k = OpFunction %void None %type
%a = OpFunctionParameter %planes
%b = OpFunctionParameter %lines
%c = OpFunctionParameter %space
%out = OpFunctionParameter %globalFloat4
%entry = OpLabel
%ids = OpLoad %v3long %id Aligned 32
%i = OpCompositeExtract %long %ids 0
%n = OpConvertUToF %float %i
%next = OpFAdd %float %n %fHalf
%x = OpFMul %float %next %fFifth
%inPlane = OpCompositeConstruct %float4 %x %fHalf %f1 %f0
%inLine = OpCompositeConstruct %float2 %x %f1
%inSpace = OpCompositeConstruct %float4 %x %fHalf %f0 %f0
%pairA = OpSampledImage %sampledPlanes %a %nearest
%pairB = OpSampledImage %sampledLines %b %nearest
%pairC = OpSampledImage %sampledSpace %c %nearest
%fromA = OpImageSampleExplicitLod %float4 %pairA %inPlane Grad %none2 %none2
%fromB = OpImageSampleExplicitLod %float4 %pairB %inLine Grad %f0 %f0
%fromC = OpImageSampleExplicitLod %float4 %pairC %inSpace Grad %none4 %none4
%ab = OpFAdd %float4 %fromA %fromB
%abc = OpFAdd %float4 %ab %fromC
%to = OpInBoundsPtrAccessChain %globalFloat4 %out %i
OpStore %to %abc Aligned 16
OpReturn
OpFunctionEnd
)";

TEST(SpirvImages, GradientsOfArrays) {
  const std::string words = assemble(kArrays);
  const Program program = buildIl({words, {}});
  std::mt19937 random(4);
  Picture planes(kFloats, {5, 3, 2}, GuardAt::End, 0, 1, /*isArray=*/true);
  Picture lines(kFloats, {5, 1, 2}, GuardAt::End, 0, 1, /*isArray=*/true);
  Picture space(kFloats, {5, 3, 2});
  for (Picture* picture : {&planes, &lines, &space}) picture->fillTame(random);
  std::vector<std::array<float, 4>> out(5);
  Launch launch(program, "k");
  launch.range(5);
  give(launch, planes);
  give(launch, lines);
  give(launch, space);
  launch.buffer(out).inEveryForm([&](const Outcome&) {
    for (uint32_t i = 0; i < 5; ++i)
      for (size_t c = 0; c < 4; ++c) {
        const auto sum = static_cast<float>(planes.pixel(i, 1, 1)[c]) +
                         static_cast<float>(lines.pixel(i, 0, 1)[c]);
        ASSERT_EQ(out[i][c], sum + static_cast<float>(space.pixel(i, 1, 0)[c])) << i;
      }
  });
}

}  // namespace
}  // namespace weft::test
