// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/product_images.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <vector>

namespace weft::test::product {
namespace {

float floatOfHalf(uint64_t bits) {
  return static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(bits)));
}

cl_sampler_properties bitsOf(float value) { return std::bit_cast<uint32_t>(value); }

cl_mem_object_type objectType(compiler::ImageType type) {
  using enum compiler::ImageType;
  switch (type) {
    case Image1D:
      return CL_MEM_OBJECT_IMAGE1D;
    case Image1DBuffer:
      return CL_MEM_OBJECT_IMAGE1D_BUFFER;
    case Image1DArray:
      return CL_MEM_OBJECT_IMAGE1D_ARRAY;
    case Image2D:
    case Image2DDepth:
      return CL_MEM_OBJECT_IMAGE2D;
    case Image2DArray:
    case Image2DArrayDepth:
      return CL_MEM_OBJECT_IMAGE2D_ARRAY;
    case Image3D:
      return CL_MEM_OBJECT_IMAGE3D;
    case None:
      break;
  }
  return 0;
}

bool isArray(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

cl_image_desc descriptorOf(const abi::Image& image, cl_mem_object_type type) {
  const abi::ImageLevel& level = image.levels[0];
  cl_image_desc desc{};
  desc.image_type = type;
  desc.image_width = level.width;
  desc.image_height = level.height;
  (isArray(type) ? desc.image_array_size : desc.image_depth) = level.slices;
  desc.num_mip_levels = image.levelCount > 1 ? image.levelCount : 0;
  return desc;
}

bool isPacked(const abi::Image& image) {
  const abi::ImageLevel& level = image.levels[0];
  return image.levelCount == 1 && level.rowPitch == uint64_t{level.width} * image.elementBytes &&
         level.slicePitch == level.rowPitch * level.height;
}

cl_mem_flags flagsOf(compiler::AccessQualifier access) {
  using enum compiler::AccessQualifier;
  return access == ReadOnly    ? CL_MEM_READ_ONLY
         : access == WriteOnly ? CL_MEM_WRITE_ONLY
                               : CL_MEM_READ_WRITE;
}

}  // namespace

SamplerHolder samplerOf(cl_context context, uint64_t number) {
  constexpr std::array<cl_addressing_mode, 5> kAddressing{CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE,
                                                          CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
                                                          CL_ADDRESS_MIRRORED_REPEAT};
  const uint64_t address = number >> 1 & 7;
  if (address >= kAddressing.size()) return {};
  const auto filter = [](bool isLinear) -> cl_sampler_properties {
    return isLinear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
  };
  const uint64_t lodMin = number >> abi::kSamplerLodMinShift & 0xffff;
  const uint64_t lodMax = number >> abi::kSamplerLodMaxShift & 0xffff;
  const std::array<cl_sampler_properties, 13> properties{
      CL_SAMPLER_NORMALIZED_COORDS,
      number & 1,
      CL_SAMPLER_ADDRESSING_MODE,
      kAddressing[address],
      CL_SAMPLER_FILTER_MODE,
      filter((number & 0x20) != 0),
      CL_SAMPLER_MIP_FILTER_MODE,
      filter((number & abi::kSamplerLinearLevels) != 0),
      CL_SAMPLER_LOD_MIN,
      bitsOf(floatOfHalf(lodMin)),
      CL_SAMPLER_LOD_MAX,
      bitsOf(lodMax != 0 ? floatOfHalf(lodMax) : FLT_MAX),
      0};
  cl_int error = CL_SUCCESS;
  return SamplerHolder(clCreateSamplerWithProperties(context, properties.data(), &error));
}

bool makesImages(cl_context context, const abi::Image& image, compiler::ImageType type,
                 compiler::AccessQualifier access) {
  const cl_mem_object_type object = objectType(type);
  size_t longest = 0;
  clGetDeviceInfo(device(),
                  object == CL_MEM_OBJECT_IMAGE1D_BUFFER ? CL_DEVICE_IMAGE_MAX_BUFFER_SIZE
                                                         : CL_DEVICE_IMAGE2D_MAX_WIDTH,
                  sizeof longest, &longest, nullptr);
  if (image.levels[0].width > longest) return false;
  cl_uint count = 0;
  clGetSupportedImageFormats(context, flagsOf(access), object, 0, nullptr, &count);
  std::vector<cl_image_format> formats(count);
  clGetSupportedImageFormats(context, flagsOf(access), object, count, formats.data(), nullptr);
  return std::ranges::any_of(formats, [&](const cl_image_format& format) {
    return format.image_channel_order == image.channelOrder &&
           format.image_channel_data_type == image.channelType;
  });
}

GivenImage::GivenImage(cl_context context, const abi::Image& image, compiler::ImageType type,
                       compiler::AccessQualifier access)
    : pixels_(image), type_(objectType(type)), inPlace_(isPacked(image)) {
  const cl_image_format format{image.channelOrder, image.channelType};
  cl_image_desc desc = descriptorOf(image, type_);
  cl_mem_flags flags = flagsOf(access);
  cl_int error = CL_SUCCESS;
  auto* memory = reinterpret_cast<void*>(image.levels[0].data);
  if (type_ == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
    buffer_ = MemoryHolder(clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                          image.levels[0].rowPitch, memory, &error));
    desc.buffer = buffer_;
    inPlace_ = true;
  } else if (inPlace_) {
    flags |= CL_MEM_USE_HOST_PTR;
  }
  image_ =
      MemoryHolder(clCreateImage(context, flags, &format, &desc,
                                 (flags & CL_MEM_USE_HOST_PTR) != 0 ? memory : nullptr, &error));
}

bool GivenImage::transfer(cl_command_queue queue, bool toImage) const {
  const bool isLines = type_ == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const bool hasRows = type_ != CL_MEM_OBJECT_IMAGE1D && !isLines;
  const bool hasSlices = type_ == CL_MEM_OBJECT_IMAGE2D_ARRAY || type_ == CL_MEM_OBJECT_IMAGE3D;
  for (uint32_t i = 0; i < pixels_.levelCount; ++i) {
    const abi::ImageLevel& level = pixels_.levels[i];
    std::array<size_t, 4> origin{};
    // The level is the component behind the last one of the image's own.
    if (pixels_.levelCount > 1) origin[hasSlices ? 3 : hasRows || isLines ? 2 : 1] = i;
    // Slice by slice: the pitches of tests need not be multiples of one another.
    for (uint32_t slice = 0; slice < level.slices; ++slice) {
      if (isLines) origin[1] = slice;
      if (hasSlices) origin[2] = slice;
      const std::array<size_t, 3> region{level.width, hasRows ? level.height : 1, 1};
      const size_t rowPitch = hasRows ? level.rowPitch : 0;
      auto* memory = reinterpret_cast<void*>(level.data + slice * level.slicePitch);
      const cl_int code =
          toImage ? clEnqueueWriteImage(queue, image_, CL_TRUE, origin.data(), region.data(),
                                        rowPitch, 0, memory, 0, nullptr, nullptr)
                  : clEnqueueReadImage(queue, image_, CL_TRUE, origin.data(), region.data(),
                                       rowPitch, 0, memory, 0, nullptr, nullptr);
      if (code != CL_SUCCESS) return false;
    }
  }
  return true;
}

}  // namespace weft::test::product
