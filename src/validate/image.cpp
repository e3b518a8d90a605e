// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/image.h"

#include <bit>

#include "platform/limits.h"
#include "validate/memory.h"
#include "weft/support/checked.h"

namespace weft::validate {
namespace {

/// Channels of a pixel in memory; 0 for what is no channel order.
size_t channels(cl_channel_order order) noexcept {
  switch (order) {
    case CL_R:
    case CL_A:
    case CL_DEPTH:
    case CL_LUMINANCE:
    case CL_INTENSITY:
      return 1;
    case CL_RG:
    case CL_RA:
    case CL_Rx:
      return 2;
    case CL_RGB:
    case CL_RGx:
    case CL_sRGB:
      return 3;
    case CL_RGBA:
    case CL_ARGB:
    case CL_BGRA:
    case CL_ABGR:
    case CL_RGBx:
    case CL_sRGBA:
    case CL_sBGRA:
    case CL_sRGBx:
      return 4;
    default:
      return 0;
  }
}

/// Bytes of one channel; 0 for packed types and for what is no channel type.
size_t channelBytes(cl_channel_type type) noexcept {
  switch (type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
      return 1;
    case CL_SNORM_INT16:
    case CL_UNORM_INT16:
    case CL_SIGNED_INT16:
    case CL_UNSIGNED_INT16:
    case CL_HALF_FLOAT:
      return 2;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT:
      return 4;
    default:
      return 0;
  }
}

/// Bytes of a whole element of a packed type; 0 when the order does not go with it.
size_t packedBytes(cl_channel_type type, cl_channel_order order) noexcept {
  const bool isRgb = order == CL_RGB || order == CL_RGBx;
  switch (type) {
    case CL_UNORM_SHORT_565:
    case CL_UNORM_SHORT_555:
      return isRgb ? 2 : 0;
    case CL_UNORM_INT_101010:
      return isRgb ? 4 : 0;
    case CL_UNORM_INT_101010_2:
      return order == CL_RGBA ? 4 : 0;
    default:
      return 0;
  }
}

bool hasHeight(cl_mem_object_type type) noexcept {
  return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
         type == CL_MEM_OBJECT_IMAGE3D;
}

bool isArray(cl_mem_object_type type) noexcept {
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

/// Whether the type has slices: the layers of an array or the depth of a volume.
bool hasSlices(cl_mem_object_type type) noexcept {
  return isArray(type) || type == CL_MEM_OBJECT_IMAGE3D;
}

/// A memory object below the image goes with one- and two-dimensional images alone, and a buffer
/// image has one.
bool soundMemoryObject(const cl_image_desc& description) noexcept {
  const cl_mem below = description.mem_object;
  if (description.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER) return buffer(below).has_value();
  if (below == nullptr) return true;
  return description.image_type == CL_MEM_OBJECT_IMAGE2D && memory(below).has_value();
}

/// Puts the pitches in; false when those that are given are not right.
bool takePitches(ImageShape& shape, const cl_image_desc& description, size_t elementSize,
                 bool mayHaveRows, bool mayHaveSlices) noexcept {
  const size_t row = description.image_row_pitch;
  const size_t slice = description.image_slice_pitch;
  const size_t packedRow = shape.rowPitch;
  if (row != 0 && (!mayHaveRows || row < packedRow || row % elementSize != 0)) return false;
  if (row != 0) shape.rowPitch = row;
  const auto packedSlice = checkedMul(shape.rowPitch, shape.height);
  if (!packedSlice) return false;
  shape.slicePitch = *packedSlice;
  if (!hasSlices(shape.type) || slice == 0) return true;
  if (!mayHaveSlices || slice < *packedSlice || slice % shape.rowPitch != 0) return false;
  shape.slicePitch = slice;
  return true;
}

Result<ImageShape> shapeOf(const cl_image_desc& description, size_t elementSize,
                           const void* hostPointer, cl_int pitchCode) noexcept {
  const cl_mem_object_type type = description.image_type;
  ImageShape shape{type, description.image_width, 1, 1, 1, 0, 0};
  if (hasHeight(type)) shape.height = description.image_height;
  if (type == CL_MEM_OBJECT_IMAGE3D) shape.depth = description.image_depth;
  if (isArray(type)) shape.layers = description.image_array_size;
  if (shape.width == 0 || shape.height == 0 || shape.depth == 0 || shape.layers == 0)
    return clError(CL_INVALID_IMAGE_SIZE);
  const auto packedRow = checkedMul(shape.width, elementSize);
  if (!packedRow) return clError(CL_INVALID_IMAGE_SIZE);
  shape.rowPitch = *packedRow;
  const bool ofHost = hostPointer != nullptr;
  const bool ofMemory = description.mem_object != nullptr;
  if (!takePitches(shape, description, elementSize, ofHost || ofMemory, ofHost))
    return clError(pitchCode);
  // Only one of the two is not 1.
  const bool fits = checkedMul(shape.slicePitch, shape.depth * shape.layers).has_value();
  WEFT_TRY_VOID(require(fits, CL_INVALID_IMAGE_SIZE));
  return shape;
}

bool isAddressing(cl_bitfield mode) noexcept {
  return mode >= CL_ADDRESS_NONE && mode <= CL_ADDRESS_MIRRORED_REPEAT;
}

bool isFilter(cl_bitfield mode) noexcept {
  return mode == CL_FILTER_NEAREST || mode == CL_FILTER_LINEAR;
}

bool isBool(cl_bitfield value) noexcept { return value == CL_TRUE || value == CL_FALSE; }

}  // namespace

Result<void> imageType(cl_mem_object_type type) noexcept {
  const bool isImage = type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
  return require(isImage, CL_INVALID_VALUE);
}

Result<void> imageQueryFlags(cl_mem_flags flags) noexcept {
  return memoryFlags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE});
}

Result<cl_mem_flags> imageFlags(cl_mem_flags flags, const Memory* below) noexcept {
  if (below != nullptr) {
    WEFT_TRY_VOID(require(!below->isImmutable() || (flags & khr::kMemImmutable), CL_INVALID_VALUE));
    return partFlags(*below, flags);
  }
  return completeFlags(flags);
}

Result<size_t> imageElement(const cl_image_format* format) noexcept {
  if (format == nullptr) return clError(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  const cl_channel_type type = format->image_channel_data_type;
  const cl_channel_order order = format->image_channel_order;
  if (const size_t packed = packedBytes(type, order)) return packed;
  const size_t bytes = channels(order) * channelBytes(type);
  if (!std::has_single_bit(bytes)) return clError(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  return bytes;
}

Result<ImageShape> imageShape(const cl_image_desc* description, size_t elementSize,
                              const void* hostPointer) noexcept {
  const bool sound = description != nullptr && imageType(description->image_type) &&
                     description->num_mip_levels == 0 && description->num_samples == 0 &&
                     soundMemoryObject(*description);
  WEFT_TRY_VOID(require(sound, CL_INVALID_IMAGE_DESCRIPTOR));
  return shapeOf(*description, elementSize, hostPointer, CL_INVALID_IMAGE_DESCRIPTOR);
}

Result<ImageShape> oldImageShape(const cl_image_desc& description, size_t elementSize,
                                 const void* hostPointer) noexcept {
  const bool flat = description.image_type == CL_MEM_OBJECT_IMAGE3D && description.image_depth <= 1;
  WEFT_TRY_VOID(require(!flat, CL_INVALID_IMAGE_SIZE));
  return shapeOf(description, elementSize, hostPointer, CL_INVALID_IMAGE_SIZE);
}

Result<SamplerOptions> samplerOptions(const cl_sampler_properties* list) noexcept {
  SamplerOptions options;
  if (list == nullptr) return options;
  bool hasNormalized = false;
  bool hasAddressing = false;
  bool hasFilter = false;
  for (; list[0] != 0; list += 2) {
    const cl_sampler_properties value = list[1];
    bool* seen = nullptr;
    if (list[0] == CL_SAMPLER_NORMALIZED_COORDS && isBool(value)) {
      seen = &hasNormalized;
      options.normalized = static_cast<cl_bool>(value);
    } else if (list[0] == CL_SAMPLER_ADDRESSING_MODE && isAddressing(value)) {
      seen = &hasAddressing;
      options.addressing = static_cast<cl_addressing_mode>(value);
    } else if (list[0] == CL_SAMPLER_FILTER_MODE && isFilter(value)) {
      seen = &hasFilter;
      options.filter = static_cast<cl_filter_mode>(value);
    }
    if (seen == nullptr || *seen) return clError(CL_INVALID_VALUE);
    *seen = true;
  }
  return options;
}

Result<SamplerOptions> samplerOptions(cl_bool normalized, cl_addressing_mode addressing,
                                      cl_filter_mode filter) noexcept {
  const bool repeats = addressing == CL_ADDRESS_REPEAT || addressing == CL_ADDRESS_MIRRORED_REPEAT;
  const bool sound = isBool(normalized) && isAddressing(addressing) && isFilter(filter) &&
                     (normalized == CL_TRUE || !repeats);
  WEFT_TRY_VOID(require(sound, CL_INVALID_VALUE));
  return SamplerOptions{normalized, addressing, filter};
}

Result<void> pipe(cl_mem_flags flags, cl_uint packetSize, cl_uint packets,
                  const cl_pipe_properties* properties) noexcept {
  constexpr cl_mem_flags kKnown = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
  WEFT_TRY_VOID(require((flags & ~kKnown) == 0 && properties == nullptr, CL_INVALID_VALUE));
  const bool isSound = packetSize != 0 && packetSize <= limits::kMaxPipePacketSize && packets != 0;
  return require(isSound, CL_INVALID_PIPE_SIZE);
}

}  // namespace weft::validate
