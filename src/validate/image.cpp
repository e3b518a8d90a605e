// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/image.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "memory/svm.h"
#include "platform/limits.h"
#include "validate/memory.h"
#include "weft/support/checked.h"

namespace weft::validate {
namespace {

bool withinLimits(const ImageShape& shape) noexcept {
  const bool isBuffer = shape.type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  const bool isVolume = shape.type == CL_MEM_OBJECT_IMAGE3D;
  const size_t edge = isVolume ? limits::kMaxImage3DSize : limits::kMaxImage2DSize;
  return shape.width != 0 && shape.width <= (isBuffer ? limits::kMaxImageBufferSize : edge) &&
         shape.height != 0 && shape.height <= edge && shape.depth != 0 &&
         shape.depth <= limits::kMaxImage3DDepth && shape.layers != 0 &&
         shape.layers <= limits::kMaxImageArraySize;
}

/// The extents of a descriptor, without pitches and levels. CL_INVALID_IMAGE_SIZE when one is empty
/// or more than the device can.
Result<ImageShape> extentsOf(const cl_image_desc& description) noexcept {
  ImageShape shape;
  shape.type = description.image_type;
  shape.width = description.image_width;
  if (hasHeight(shape.type)) shape.height = description.image_height;
  if (shape.type == CL_MEM_OBJECT_IMAGE3D) shape.depth = description.image_depth;
  if (isImageArray(shape.type)) shape.layers = description.image_array_size;
  WEFT_TRY_VOID(require(withinLimits(shape), CL_INVALID_IMAGE_SIZE));
  return shape;
}

/// Puts the pitches in; false when those that are given are not right, and when rows are not whole
/// elements. Pre: extents are within the limits.
bool takePitches(ImageShape& shape, const cl_image_desc& description, const ImageFormat& format,
                 bool mayBeGiven) noexcept {
  if (shape.width % format.elementPixels != 0) return false;
  const size_t row = description.image_row_pitch;
  const size_t slice = description.image_slice_pitch;
  const size_t packedRow = format.bytesOf(shape.width);
  if (row != 0 && (!mayBeGiven || row < packedRow || row % format.alignment() != 0)) return false;
  shape.rowPitch = row != 0 ? row : packedRow;
  const auto packedSlice = checkedMul(shape.rowPitch, shape.height);
  if (!packedSlice) return false;
  shape.slicePitch = *packedSlice;
  if (!hasSlices(shape.type) || slice == 0) return true;
  if (!mayBeGiven || slice < *packedSlice || slice % shape.rowPitch != 0) return false;
  shape.slicePitch = slice;
  return true;
}

/// Bytes from the first to the last element of the shape, and to the end of the last slice.
std::optional<size_t> bytesOf(const ImageShape& shape) noexcept {
  return checkedMul(shape.slicePitch, shape.slices());
}

Result<ImageShape> shapeOf(const cl_image_desc& description, const ImageFormat& format,
                           bool mayHavePitches, cl_int pitchCode) noexcept {
  WEFT_TRY(ImageShape shape, extentsOf(description));
  WEFT_TRY_VOID(require(takePitches(shape, description, format, mayHavePitches), pitchCode));
  WEFT_TRY_VOID(require(bytesOf(shape).has_value(), CL_INVALID_IMAGE_SIZE));
  return shape;
}

/// CL_INVALID_IMAGE_DESCRIPTOR for levels that images of the kind do not have, or more than fit.
/// There may be more than lead to a single element, and depth images may have some: the conformance
/// suite makes such images. Whoever makes a mipmapped image may not give pixels, and rows of all
/// levels are whole elements.
Result<void> takeLevels(ImageShape& shape, const ImageFormat& format, cl_uint levels,
                        bool hasPixels) noexcept {
  shape.mipLevels = levels;
  if (levels <= 1) return {};
  const bool mayHaveLevels = shape.type != CL_MEM_OBJECT_IMAGE1D_BUFFER && !hasPixels &&
                             levels <= abi::kMaxImageLevels && format.elementPixels == 1;
  return require(mayHaveLevels, CL_INVALID_IMAGE_DESCRIPTOR);
}

/// Whether pixels of order `from` may be seen as those of order `to`.
bool isOrderCompatible(cl_channel_order from, cl_channel_order to) noexcept {
  constexpr std::array<std::pair<cl_channel_order, cl_channel_order>, 9> kPairs{
      {{CL_BGRA, CL_sBGRA},
       {CL_sBGRA, CL_BGRA},
       {CL_RGBA, CL_sRGBA},
       {CL_sRGBA, CL_RGBA},
       {CL_RGB, CL_sRGB},
       {CL_sRGB, CL_RGB},
       {CL_RGBx, CL_sRGBx},
       {CL_sRGBx, CL_RGBx},
       {CL_R, CL_DEPTH}}};
  return std::ranges::find(kPairs, std::pair{from, to}) != kPairs.end();
}

bool isAddressing(cl_bitfield mode) noexcept {
  return mode >= CL_ADDRESS_NONE && mode <= CL_ADDRESS_MIRRORED_REPEAT;
}

bool isFilter(cl_bitfield mode) noexcept {
  return mode == CL_FILTER_NEAREST || mode == CL_FILTER_LINEAR;
}

bool isBool(cl_bitfield value) noexcept { return value == CL_TRUE || value == CL_FALSE; }

/// A float in a property: its bits are the lower ones.
bool takeFloat(float& option, cl_sampler_properties value) noexcept {
  option = std::bit_cast<float>(static_cast<uint32_t>(value));
  const cl_sampler_properties rest = value >> 32;  // all ones where a program has widened an int
  return (rest == 0 || rest == UINT32_MAX) && !std::isnan(option);
}

/// Puts one property in; false for an unknown one and for a bad value.
bool takeProperty(SamplerOptions& options, cl_sampler_properties name,
                  cl_sampler_properties value) noexcept {
  switch (name) {
    case CL_SAMPLER_NORMALIZED_COORDS:
      options.normalized = static_cast<cl_bool>(value);
      return isBool(value);
    case CL_SAMPLER_ADDRESSING_MODE:
      options.addressing = static_cast<cl_addressing_mode>(value);
      return isAddressing(value);
    case CL_SAMPLER_FILTER_MODE:
      options.filter = static_cast<cl_filter_mode>(value);
      return isFilter(value);
    case CL_SAMPLER_MIP_FILTER_MODE:
      options.mipFilter = static_cast<cl_filter_mode>(value);
      return isFilter(value);
    case CL_SAMPLER_LOD_MIN:
      return takeFloat(options.lodMin, value);
    case CL_SAMPLER_LOD_MAX:
      return takeFloat(options.lodMax, value);
    default:
      return false;
  }
}

}  // namespace

Result<Image*> image(cl_mem handle) noexcept {
  Memory* const found = Memory::from(handle);
  Image* const image = found ? found->image() : nullptr;
  if (image == nullptr) return clError(CL_INVALID_MEM_OBJECT);
  return image;
}

Result<void> imageType(cl_mem_object_type type) noexcept {
  const bool isImage = type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
  return require(isImage, CL_INVALID_VALUE);
}

Result<void> imageQueryFlags(cl_mem_flags flags) noexcept {
  return memoryFlags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE});
}

Result<cl_mem_flags> imageFlags(cl_mem_flags flags, const Memory* below, bool isExternal) noexcept {
  if (below != nullptr) {
    WEFT_TRY_VOID(require(!below->isImmutable() || (flags & khr::kMemImmutable), CL_INVALID_VALUE));
    return partFlags(*below, flags);
  }
  return completeFlags(flags, isExternal);
}

Result<const ImageFormat*> imageFormat(const cl_image_format* format) noexcept {
  const ImageFormat* const found = format ? ImageFormat::find(*format) : nullptr;
  WEFT_TRY_VOID(require(found != nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR));
  return found;
}

Result<void> imageFormatSupported(const ImageFormat& format, cl_mem_object_type type,
                                  cl_mem_flags flags) noexcept {
  // An image that kernels may read and write is of use where they can only read it.
  const bool supported = isImageFormatSupported(format, type, flags & CL_MEM_WRITE_ONLY);
  return require(supported, CL_IMAGE_FORMAT_NOT_SUPPORTED);
}

Result<Memory*> belowImage(const Context& context, const cl_image_desc* description) noexcept {
  const bool sound =
      description != nullptr && imageType(description->image_type) && description->num_samples == 0;
  WEFT_TRY_VOID(require(sound, CL_INVALID_IMAGE_DESCRIPTOR));
  const bool isBuffer = description->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  if (description->mem_object == nullptr) {
    WEFT_TRY_VOID(require(!isBuffer, CL_INVALID_IMAGE_DESCRIPTOR));
    return nullptr;
  }
  Memory* const below = Memory::from(description->mem_object);
  const bool fits = below != nullptr && &below->context() == &context &&
                    (below->buffer() != nullptr ||
                     (below->image() != nullptr && below->type() == CL_MEM_OBJECT_IMAGE2D &&
                      description->image_type == CL_MEM_OBJECT_IMAGE2D));
  WEFT_TRY_VOID(require(fits, CL_INVALID_IMAGE_DESCRIPTOR));
  return below;
}

Result<ImageShape> imageShape(const cl_image_desc& description, const ImageFormat& format,
                              bool hasPixels) noexcept {
  WEFT_TRY(ImageShape shape, shapeOf(description, format, hasPixels, CL_INVALID_IMAGE_DESCRIPTOR));
  WEFT_TRY_VOID(takeLevels(shape, format, description.num_mip_levels, hasPixels));
  return shape;
}

Result<ImageShape> oldImageShape(const cl_image_desc& description, const ImageFormat& format,
                                 const void* hostPointer) noexcept {
  const bool flat = description.image_type == CL_MEM_OBJECT_IMAGE3D && description.image_depth <= 1;
  WEFT_TRY_VOID(require(!flat, CL_INVALID_IMAGE_SIZE));
  return shapeOf(description, format, hostPointer != nullptr, CL_INVALID_IMAGE_SIZE);
}

Result<void> imageHostMemory(const Context& context, const ImageShape& shape,
                             const void* hostPointer) noexcept {
  if (hostPointer == nullptr) return {};
  const auto found = SvmRegistry::instance().find(context, hostPointer);
  const bool fits = !found || found->holds(hostPointer, *bytesOf(shape));
  return require(fits, CL_INVALID_HOST_PTR);
}

Result<void> imageExternalMemory(const MemoryProperties& properties,
                                 const ImageShape& shape) noexcept {
  return externalSize(properties, *bytesOf(shape), CL_INVALID_IMAGE_SIZE);
}

Result<ImageShape> imageOfBuffer(const cl_image_desc& description, const ImageFormat& format,
                                 const Memory& buffer) noexcept {
  // Levels are laid out by whoever allocates them.
  WEFT_TRY_VOID(require(description.num_mip_levels <= 1, CL_INVALID_IMAGE_DESCRIPTOR));
  WEFT_TRY(ImageShape shape,
           shapeOf(description, format, true, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR));
  WEFT_TRY_VOID(require(*bytesOf(shape) <= buffer.size(), CL_INVALID_IMAGE_SIZE));
  const bool aligned = reinterpret_cast<uintptr_t>(buffer.data()) % format.alignment() == 0;
  WEFT_TRY_VOID(require(aligned, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR));
  shape.mipLevels = description.num_mip_levels;
  return shape;
}

Result<ImageShape> imageOfImage(const cl_image_desc& description, const ImageFormat& format,
                                const Image& image) noexcept {
  const ImageShape& shape = image.shape();
  const auto matches = [](size_t given, size_t has) { return given == 0 || given == has; };
  const bool same = description.image_width == shape.width &&
                    description.image_height == shape.height &&
                    description.num_mip_levels == shape.mipLevels &&
                    matches(description.image_row_pitch, shape.rowPitch);
  WEFT_TRY_VOID(require(same, CL_INVALID_IMAGE_DESCRIPTOR));
  const cl_image_format& from = image.format().cl;
  const bool compatible =
      from.image_channel_data_type == format.cl.image_channel_data_type &&
      isOrderCompatible(from.image_channel_order, format.cl.image_channel_order);
  WEFT_TRY_VOID(require(compatible, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR));
  return shape;
}

Result<void> imageQueryDescriptor(const cl_image_desc* description) noexcept {
  if (description == nullptr) return {};
  cl_image_desc most = *description;
  const bool typed = most.image_type == 0 || imageType(most.image_type);
  WEFT_TRY_VOID(require(typed && most.num_samples == 0, CL_INVALID_IMAGE_DESCRIPTOR));
  for (size_t* extent :
       {&most.image_width, &most.image_height, &most.image_depth, &most.image_array_size})
    *extent = std::max<size_t>(*extent, 1);
  return require(extentsOf(most).has_value(), CL_INVALID_IMAGE_DESCRIPTOR);
}

Result<void> imageExtents(const cl_image_desc* description) noexcept {
  const bool sound = description == nullptr || extentsOf(*description).has_value();
  return require(sound, CL_INVALID_IMAGE_DESCRIPTOR);
}

Result<size_t> imageBytes(const cl_image_desc& description, const ImageFormat& format) noexcept {
  const auto shape = shapeOf(description, format, true, CL_INVALID_IMAGE_DESCRIPTOR);
  WEFT_TRY_VOID(
      require(shape && imageType(description.image_type) && description.num_mip_levels <= 1,
              CL_INVALID_IMAGE_DESCRIPTOR));
  return *bytesOf(*shape);
}

Result<SamplerProperties> samplerProperties(const cl_sampler_properties* list) {
  SamplerProperties result;
  if (list == nullptr) return result;
  const cl_sampler_properties* entry = list;
  for (; entry[0] != 0; entry += 2) {
    for (const auto* other = list; other != entry; other += 2)
      WEFT_TRY_VOID(require(other[0] != entry[0], CL_INVALID_VALUE));
    WEFT_TRY_VOID(require(takeProperty(result.options, entry[0], entry[1]), CL_INVALID_VALUE));
  }
  result.properties.assign(list, entry + 1);
  return result;
}

Result<SamplerOptions> samplerOptions(cl_bool normalized, cl_addressing_mode addressing,
                                      cl_filter_mode filter) noexcept {
  const bool repeats = addressing == CL_ADDRESS_REPEAT || addressing == CL_ADDRESS_MIRRORED_REPEAT;
  const bool sound = isBool(normalized) && isAddressing(addressing) && isFilter(filter) &&
                     (normalized == CL_TRUE || !repeats);
  WEFT_TRY_VOID(require(sound, CL_INVALID_VALUE));
  return SamplerOptions{.normalized = normalized, .addressing = addressing, .filter = filter};
}

Result<void> pipe(cl_mem_flags flags, cl_uint packetSize, cl_uint packets,
                  const cl_pipe_properties* properties) noexcept {
  constexpr cl_mem_flags kKnown = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
  WEFT_TRY_VOID(require((flags & ~kKnown) == 0 && properties == nullptr, CL_INVALID_VALUE));
  const bool isSound = packetSize != 0 && packetSize <= limits::kMaxPipePacketSize && packets != 0;
  return require(isSound, CL_INVALID_PIPE_SIZE);
}

}  // namespace weft::validate
