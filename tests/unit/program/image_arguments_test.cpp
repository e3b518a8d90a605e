// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images and samplers as arguments: which go where, and what compiled code finds in the block.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "fake_compiler.h"
#include "memory/image.h"
#include "memory/sampler.h"
#include "support/objects.h"
#include "weft/khr/immutable_memory.h"

namespace weft::test {
namespace {

using compiler::AccessQualifier;
using compiler::ArgumentInfo;
using compiler::ArgumentKind;
using compiler::ImageType;

struct Block {
  const abi::Image* image;
  uint64_t sampler;
};
Block gSeen;
uint32_t gWidth = 0;

void look(const abi::Group* group) {
  gSeen = *static_cast<const Block*>(group->launch->arguments);
  gWidth = gSeen.image->levels[0].width;
}

struct TypeRow {
  ImageType type;
  cl_mem_object_type object;
  bool isDepth;
};
constexpr TypeRow kTypes[] = {{ImageType::Image1D, CL_MEM_OBJECT_IMAGE1D, false},
                              {ImageType::Image1DBuffer, CL_MEM_OBJECT_IMAGE1D_BUFFER, false},
                              {ImageType::Image1DArray, CL_MEM_OBJECT_IMAGE1D_ARRAY, false},
                              {ImageType::Image2D, CL_MEM_OBJECT_IMAGE2D, false},
                              {ImageType::Image2DDepth, CL_MEM_OBJECT_IMAGE2D, true},
                              {ImageType::Image2DArray, CL_MEM_OBJECT_IMAGE2D_ARRAY, false},
                              {ImageType::Image2DArrayDepth, CL_MEM_OBJECT_IMAGE2D_ARRAY, true},
                              {ImageType::Image3D, CL_MEM_OBJECT_IMAGE3D, false}};
constexpr AccessQualifier kAccesses[] = {AccessQualifier::ReadOnly, AccessQualifier::WriteOnly,
                                         AccessQualifier::ReadWrite};

std::string nameOf(ImageType type, AccessQualifier access) {
  return "k" + std::to_string(static_cast<int>(type)) + std::to_string(static_cast<int>(access));
}

fake::KernelDefinition kernelOf(ImageType type, AccessQualifier access) {
  fake::KernelDefinition definition;
  definition.info.name = nameOf(type, access);
  definition.info.observesGroup = true;
  definition.info.argumentBytes = sizeof(Block);
  ArgumentInfo image;
  image.kind = ArgumentKind::Image;
  image.size = 8;
  image.image = type;
  image.access = access;
  ArgumentInfo sampler;
  sampler.kind = ArgumentKind::Sampler;
  sampler.offset = 8;
  sampler.size = 8;
  definition.info.arguments = {image, sampler};
  definition.group = look;
  return definition;
}

class ImageArguments : public testing::Test {
 protected:
  void SetUp() override {
    std::string source;
    for (const TypeRow& row : kTypes)
      for (const AccessQualifier access : kAccesses) {
        fake::define(kernelOf(row.type, access));
        source += "kernel:" + nameOf(row.type, access) + " ";
      }
    const char* text = source.c_str();
    program = ProgramHolder(clCreateProgramWithSource(context, 1, &text, nullptr, nullptr));
    ASSERT_EQ(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  }

  KernelHolder kernel(ImageType type, AccessQualifier access) {
    cl_int error = CL_INVALID_EVENT;
    KernelHolder made(clCreateKernel(program, nameOf(type, access).c_str(), &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  }
  MemoryHolder image(cl_context where, cl_mem_object_type type, cl_image_format format,
                     cl_mem_flags flags = 0, void* pointer = nullptr) {
    cl_image_desc description{};
    description.image_type = type;
    description.image_width = 4;
    description.image_height = description.image_depth = description.image_array_size = 4;
    MemoryHolder below;
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
      below = MemoryHolder(clCreateBuffer(where, flags, 256, nullptr, nullptr));
      description.mem_object = below;
    }
    cl_int error = CL_INVALID_EVENT;
    MemoryHolder made(clCreateImage(where, flags, &format, &description, pointer, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  }
  static cl_int set(cl_kernel kernel, cl_mem handle) {
    return clSetKernelArg(kernel, 0, sizeof handle, &handle);
  }
  static cl_int set(cl_kernel kernel, cl_sampler handle) {
    return clSetKernelArg(kernel, 1, sizeof handle, &handle);
  }
  cl_int run(cl_kernel kernel) {
    const size_t one = 1;
    const cl_int error =
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    return error;
  }

  static constexpr cl_image_format kColour{CL_RGBA, CL_UNORM_INT8};
  static constexpr cl_image_format kDepth{CL_DEPTH, CL_FLOAT};
  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
  ProgramHolder program;
  SamplerHolder sampler{
      clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, nullptr)};
};

TEST_F(ImageArguments, TypesHaveToMatch) {
  for (const TypeRow& given : kTypes) {
    const MemoryHolder made = image(context, given.object, given.isDepth ? kDepth : kColour);
    for (const TypeRow& wanted : kTypes)
      for (const AccessQualifier access : kAccesses) {
        const bool fits = given.object == wanted.object && (given.isDepth || !wanted.isDepth);
        EXPECT_EQ(set(kernel(wanted.type, access), made), fits ? CL_SUCCESS : CL_INVALID_MEM_OBJECT)
            << static_cast<int>(given.type) << " " << static_cast<int>(wanted.type);
      }
  }
}

TEST_F(ImageArguments, FlagsHaveToAllowTheAccess) {
  std::vector<char> host(4096);
  const struct {
    cl_mem_flags flags;
    bool reads, writes, both;
  } rows[] = {{CL_MEM_READ_WRITE, true, true, true},
              {CL_MEM_READ_ONLY, true, false, false},
              {CL_MEM_WRITE_ONLY, false, true, false},
              {khr::kMemImmutable | CL_MEM_COPY_HOST_PTR, true, false, false}};
  for (const auto& [flags, reads, writes, both] : rows) {
    const bool copies = (flags & CL_MEM_COPY_HOST_PTR) != 0;
    const MemoryHolder made =
        image(context, CL_MEM_OBJECT_IMAGE2D, kColour, flags, copies ? host.data() : nullptr);
    const auto code = [](bool allowed) { return allowed ? CL_SUCCESS : CL_INVALID_ARG_VALUE; };
    EXPECT_EQ(set(kernel(ImageType::Image2D, AccessQualifier::ReadOnly), made), code(reads));
    EXPECT_EQ(set(kernel(ImageType::Image2D, AccessQualifier::WriteOnly), made), code(writes));
    EXPECT_EQ(set(kernel(ImageType::Image2D, AccessQualifier::ReadWrite), made), code(both));
  }
}

TEST_F(ImageArguments, WhatIsNoImageIsRefused) {
  const KernelHolder reads = kernel(ImageType::Image2D, AccessQualifier::ReadOnly);
  const MemoryHolder buffer(clCreateBuffer(context, 0, 64, nullptr, nullptr));
  const MemoryHolder made = image(context, CL_MEM_OBJECT_IMAGE2D, kColour);
  const cl_mem handle = made;
  EXPECT_EQ(set(reads, cl_mem{nullptr}), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clSetKernelArg(reads, 0, sizeof handle, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set(reads, buffer.get()), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clSetKernelArg(reads, 0, sizeof handle - 1, &handle), CL_INVALID_ARG_SIZE);
  const ContextHolder other = makeContext();
  const MemoryHolder foreign = image(other, CL_MEM_OBJECT_IMAGE2D, kColour);
  EXPECT_EQ(set(reads, foreign.get()), CL_INVALID_CONTEXT);
  EXPECT_EQ(clSetKernelArgSVMPointer(reads, 0, &other), CL_INVALID_ARG_VALUE);

  const cl_sampler how = sampler;
  EXPECT_EQ(set(reads, cl_sampler{nullptr}), CL_INVALID_SAMPLER);
  EXPECT_EQ(clSetKernelArg(reads, 1, sizeof how, nullptr), CL_INVALID_SAMPLER);
  EXPECT_EQ(clSetKernelArg(reads, 1, sizeof handle, &handle), CL_INVALID_SAMPLER);
  EXPECT_EQ(clSetKernelArg(reads, 1, 4, &how), CL_INVALID_ARG_SIZE);
  const SamplerHolder elsewhere(
      clCreateSampler(other, CL_TRUE, CL_ADDRESS_NONE, CL_FILTER_LINEAR, nullptr));
  EXPECT_EQ(set(reads, elsewhere.get()), CL_INVALID_CONTEXT);
  EXPECT_EQ(run(reads), CL_INVALID_KERNEL_ARGS) << "none of these set anything";
}

TEST_F(ImageArguments, ArriveInTheBlock) {
  const KernelHolder reads = kernel(ImageType::Image2D, AccessQualifier::ReadOnly);
  const MemoryHolder made = image(context, CL_MEM_OBJECT_IMAGE2D, kColour);
  EXPECT_EQ(set(reads, made.get()), CL_SUCCESS);
  EXPECT_EQ(set(reads, sampler.get()), CL_SUCCESS);
  sampler.reset();
  cl_int error = CL_INVALID_EVENT;
  const KernelHolder clone(clCloneKernel(reads, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  for (const cl_kernel one : {reads.get(), clone.get()}) {
    gSeen = {};
    EXPECT_EQ(run(one), CL_SUCCESS);
    EXPECT_EQ(gSeen.image, &Memory::from(made)->image()->descriptor());
    EXPECT_EQ(gSeen.sampler, 0x14u) << "CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST";
    EXPECT_EQ(gWidth, 4u);
  }
}

TEST_F(ImageArguments, LiveAsLongAsTheLaunch) {
  const KernelHolder reads = kernel(ImageType::Image2D, AccessQualifier::ReadOnly);
  MemoryHolder made = image(context, CL_MEM_OBJECT_IMAGE2D, kColour);
  EXPECT_EQ(set(reads, made.get()), CL_SUCCESS);
  EXPECT_EQ(set(reads, sampler.get()), CL_SUCCESS);
  cl_int error = CL_INVALID_EVENT;
  const EventHolder gate(clCreateUserEvent(context, &error));
  const cl_event wait = gate;
  const size_t one = 1;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, reads, 1, nullptr, &one, &one, 1, &wait, nullptr),
            CL_SUCCESS);
  made.reset();
  gWidth = 0;
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(gWidth, 4u);
}

TEST_F(ImageArguments, FormatsThatKernelsReadOrWrite) {
  const MemoryHolder made =
      image(context, CL_MEM_OBJECT_IMAGE2D, {CL_sRGBA, CL_UNORM_INT8}, CL_MEM_READ_WRITE);
  for (const AccessQualifier access : kAccesses) {
    const KernelHolder uses = kernel(ImageType::Image2D, access);
    EXPECT_EQ(set(uses, made.get()), CL_SUCCESS);
    EXPECT_EQ(set(uses, sampler.get()), CL_SUCCESS);
    const bool doesBoth = access == AccessQualifier::ReadWrite;
    EXPECT_EQ(run(uses), doesBoth ? CL_IMAGE_FORMAT_NOT_SUPPORTED : CL_SUCCESS);
  }
}

/// What a half stands for.
float half(uint64_t bits) {
  const auto magnitude = static_cast<double>(bits & 0x3ff);
  const int exponent = static_cast<int>(bits >> 10 & 0x1f);
  const double value =
      exponent == 0 ? std::ldexp(magnitude, -24) : std::ldexp(magnitude + 1024, exponent - 25);
  return static_cast<float>(bits & 0x8000 ? -value : value);
}

TEST(SamplerWords, AreTheLanguagesConstants) {
  SamplerOptions options;
  EXPECT_EQ(samplerWord(options), 0x15u);
  options.normalized = CL_FALSE;
  const cl_addressing_mode modes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP,
                                      CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT};
  for (unsigned i = 0; i < std::size(modes); ++i) {
    options.addressing = modes[i];
    options.filter = CL_FILTER_NEAREST;
    EXPECT_EQ(samplerWord(options), 0x10u + 2 * i);
    options.filter = CL_FILTER_LINEAR;
    EXPECT_EQ(samplerWord(options), 0x20u + 2 * i);
  }
  options.mipFilter = CL_FILTER_LINEAR;
  EXPECT_EQ(samplerWord(options), 0x128u);
}

TEST(SamplerWords, HoldLevelsAsHalves) {
  for (const float level : {0.f, 0.25f, 1.f, 1.5f, 14.984375f, 3e-5f, 6e-8f, -2.5f, 0.99999f}) {
    SamplerOptions options;
    options.lodMin = level;
    options.lodMax = level;
    const uint64_t word = samplerWord(options);
    EXPECT_EQ(word & ~uint64_t{0xffffffff0000}, 0x15u);
    const float tolerance = std::max(std::abs(level) / 2048, 3e-8f);
    EXPECT_NEAR(half(word >> abi::kSamplerLodMinShift & 0xffff), level, tolerance);
    EXPECT_NEAR(half(word >> abi::kSamplerLodMaxShift & 0xffff), level, tolerance);
    EXPECT_NE(word >> abi::kSamplerLodMaxShift & 0xffff, 0u) << "which would be no limit";
  }
  SamplerOptions options;
  options.lodMax = INFINITY;
  EXPECT_EQ(samplerWord(options), 0x15u);
}

}  // namespace
}  // namespace weft::test
