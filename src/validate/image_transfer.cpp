// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/image_transfer.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "validate/image.h"
#include "validate/memory.h"
#include "weft/abi/pack_pixel.h"
#include "weft/support/checked.h"

namespace weft::validate {
namespace {

/// How many elements of an origin say where in the image.
size_t dimensions(cl_mem_object_type type) noexcept {
  switch (type) {
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    case CL_MEM_OBJECT_IMAGE3D:
      return 3;
    case CL_MEM_OBJECT_IMAGE2D:
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      return 2;
    default:
      return 1;
  }
}

/// The level that an origin names. Pre: it is not null.
Result<unsigned> levelOf(const Image& image, const size_t* origin) noexcept {
  if (image.levelCount() == 1) return 0;
  const size_t level = origin[dimensions(image.type())];
  WEFT_TRY_VOID(require(level < image.levelCount(), CL_INVALID_MIP_LEVEL));
  return static_cast<unsigned>(level);
}

/// Whether regions of one image have elements in common. Where a region has one element in a
/// dimension, which the image need not have, the level may stand there.
bool regionsMeet(const Image& image, const size_t* first, const size_t* second,
                 const size_t* region) noexcept {
  for (size_t i = 0; i < 3; ++i) {
    const size_t distance = first[i] < second[i] ? second[i] - first[i] : first[i] - second[i];
    if (distance >= region[i]) return false;
  }
  const bool hasFourth = image.levelCount() > 1 && dimensions(image.type()) == 3;
  return !hasFourth || first[3] == second[3];
}

/// The bytes of a buffer for the pixels of a region, packed.
Result<ByteBox> bufferRegion(const Buffer& buffer, size_t offset,
                             const RectRegion& region) noexcept {
  const size_t slice = region.width * region.height;
  WEFT_TRY_VOID(range(buffer, offset, slice * region.depth));
  return ByteBox{buffer.data() + offset, region, region.width, slice};
}

/// A one-dimensional image of a buffer cannot be copied to or from that buffer.
Result<void> notOfBuffer(const Image& image, const Buffer& buffer) noexcept {
  const bool isOf = image.type() == CL_MEM_OBJECT_IMAGE1D_BUFFER && image.parent() == &buffer;
  return require(!isOf, CL_INVALID_MEM_OBJECT);
}

Result<void> noSharedBytes(const Memory& source, const ByteBox& from, const Memory& target,
                           const ByteBox& to) noexcept {
  if (&source.root() != &target.root()) return {};
  return require(!shareBytes(from, to), CL_MEM_COPY_OVERLAP);
}

}  // namespace

Result<Image*> imageOf(const Context& context, cl_mem handle) noexcept {
  WEFT_TRY(Image * found, image(handle));
  if (&found->context() != &context) return clError(CL_INVALID_CONTEXT);
  return found;
}

Result<ImageRegion> imageRegion(const Image& image, const size_t* origin,
                                const size_t* region) noexcept {
  if (origin == nullptr || region == nullptr) return clError(CL_INVALID_VALUE);
  WEFT_TRY(const unsigned number, levelOf(image, origin));
  const abi::ImageLevel& level = image.level(number);
  const bool isRowArray = image.type() == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  std::array<size_t, 3> extent{level.width, isRowArray ? level.slices : level.height,
                               isRowArray ? 1 : level.slices};
  std::array<size_t, 3> at{};
  for (size_t i = 0; i < 3; ++i) {
    const bool isLevel = image.levelCount() > 1 && i == dimensions(image.type());
    at[i] = isLevel ? 0 : origin[i];
    WEFT_TRY_VOID(
        require(region[i] != 0 && rangeFits(at[i], region[i], extent[i]), CL_INVALID_VALUE));
  }
  const ImageFormat& format = image.format();
  const bool wholeElements = (at[0] | region[0]) % format.elementPixels == 0;
  WEFT_TRY_VOID(require(wholeElements, CL_INVALID_VALUE));
  const size_t rowPitch = isRowArray ? level.slicePitch : level.rowPitch;
  std::byte* const data = image.data() + (level.data - image.level(0).data);
  return ImageRegion{{data + format.bytesOf(at[0]) + at[1] * rowPitch + at[2] * level.slicePitch,
                      {format.bytesOf(region[0]), region[1], region[2]},
                      rowPitch,
                      level.slicePitch},
                     &level};
}

Result<ByteBox> hostRegion(const Image& image, const RectRegion& region, size_t rowPitch,
                           size_t slicePitch, const void* pointer) noexcept {
  const bool isRowArray = image.type() == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  if (rowPitch == 0) rowPitch = region.width;
  WEFT_TRY_VOID(require(rowPitch >= region.width, CL_INVALID_VALUE));
  WEFT_TRY_VOID(require(slicePitch == 0 || hasSlices(image.type()), CL_INVALID_VALUE));
  const auto packedSlice = checkedMul(rowPitch, isRowArray ? 1 : region.height);
  if (!packedSlice) return clError(CL_INVALID_VALUE);
  if (slicePitch == 0) slicePitch = *packedSlice;
  WEFT_TRY_VOID(require(slicePitch >= *packedSlice, CL_INVALID_VALUE));
  WEFT_TRY_VOID(require(pointer != nullptr, CL_INVALID_VALUE));
  if (isRowArray) rowPitch = slicePitch;
  const auto rows = checkedMul(rowPitch, region.height - 1);
  const auto slices = checkedMul(slicePitch, region.depth - 1);
  const auto last = rows && slices ? checkedAdd(*rows, *slices) : std::nullopt;
  const auto size = last ? checkedAdd(*last, region.width) : std::nullopt;
  const bool fits = size && checkedAdd<uintptr_t>(reinterpret_cast<uintptr_t>(pointer), *size);
  WEFT_TRY_VOID(require(fits, CL_INVALID_VALUE));
  // A source is only read.
  auto* const begin = const_cast<std::byte*>(static_cast<const std::byte*>(pointer));
  return ByteBox{begin, region, rowPitch, slicePitch};
}

Result<void> mapPitches(const Image& image, const size_t* rowPitch,
                        const size_t* slicePitch) noexcept {
  const bool sound = rowPitch != nullptr && (slicePitch != nullptr || !hasSlices(image.type()));
  return require(sound, CL_INVALID_VALUE);
}

Result<CheckedTransfer> copyImage(const Context& context, cl_mem source, cl_mem target,
                                  const size_t* sourceOrigin, const size_t* targetOrigin,
                                  const size_t* region) noexcept {
  WEFT_TRY(Image * from, imageOf(context, source));
  WEFT_TRY(Image * to, imageOf(context, target));
  WEFT_TRY_VOID(require(&from->format() == &to->format(), CL_IMAGE_FORMAT_MISMATCH));
  WEFT_TRY(const ImageRegion fromRegion, imageRegion(*from, sourceOrigin, region));
  WEFT_TRY(const ImageRegion toRegion, imageRegion(*to, targetOrigin, region));
  WEFT_TRY_VOID(commandWrites(*to));
  if (from == to)
    WEFT_TRY_VOID(
        require(!regionsMeet(*from, sourceOrigin, targetOrigin, region), CL_MEM_COPY_OVERLAP));
  else
    WEFT_TRY_VOID(noSharedBytes(*from, fromRegion.bytes, *to, toRegion.bytes));
  return CheckedTransfer{rectCopyOf(fromRegion.bytes, toRegion.bytes), from, to};
}

Result<CheckedTransfer> copyImageToBuffer(const Context& context, cl_mem source, cl_mem target,
                                          const size_t* origin, const size_t* region,
                                          size_t offset) noexcept {
  WEFT_TRY(Image * from, imageOf(context, source));
  WEFT_TRY(Buffer * to, bufferOf(context, target));
  WEFT_TRY_VOID(notOfBuffer(*from, *to));
  WEFT_TRY(const ImageRegion pixels, imageRegion(*from, origin, region));
  WEFT_TRY(const ByteBox bytes, bufferRegion(*to, offset, pixels.bytes.region));
  WEFT_TRY_VOID(commandWrites(*to));
  WEFT_TRY_VOID(noSharedBytes(*from, pixels.bytes, *to, bytes));
  return CheckedTransfer{rectCopyOf(pixels.bytes, bytes), from, to};
}

Result<CheckedTransfer> copyBufferToImage(const Context& context, cl_mem source, cl_mem target,
                                          size_t offset, const size_t* origin,
                                          const size_t* region) noexcept {
  WEFT_TRY(Buffer * from, bufferOf(context, source));
  WEFT_TRY(Image * to, imageOf(context, target));
  WEFT_TRY_VOID(notOfBuffer(*to, *from));
  WEFT_TRY(const ImageRegion pixels, imageRegion(*to, origin, region));
  WEFT_TRY(const ByteBox bytes, bufferRegion(*from, offset, pixels.bytes.region));
  WEFT_TRY_VOID(commandWrites(*to));
  WEFT_TRY_VOID(noSharedBytes(*from, bytes, *to, pixels.bytes));
  return CheckedTransfer{rectCopyOf(bytes, pixels.bytes), from, to};
}

Result<CheckedTransfer> fillImage(const Context& context, cl_mem target, const void* colour,
                                  const size_t* origin, const size_t* region) noexcept {
  WEFT_TRY(Image * to, imageOf(context, target));
  WEFT_TRY_VOID(require(colour != nullptr, CL_INVALID_VALUE));
  WEFT_TRY(const ImageRegion where, imageRegion(*to, origin, region));
  WEFT_TRY_VOID(commandWrites(*to));
  const ImageFormat& format = to->format();
  std::array<uint32_t, 4> components{};
  std::memcpy(components.data(), colour, (format.isDepth() ? 1 : 4) * sizeof(uint32_t));
  std::array<uint32_t, 4> element;
  weft_pack_pixel(format.number, components.data(), element.data());
  const ByteBox& box = where.bytes;
  RectFill fill{box.begin, box.region, box.rowPitch, box.slicePitch, {}, format.elementBytes};
  std::memcpy(fill.pattern.data(), element.data(), format.elementBytes);
  return CheckedTransfer{fill, to};
}

}  // namespace weft::validate
