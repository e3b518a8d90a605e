// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/image.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "platform/limits.h"
#include "weft/support/checked.h"

namespace weft {
namespace {

/// Rows that start at a cache line are worth some bytes, an eighth of a row at most.
constexpr size_t kRowAlignment = 64;
constexpr size_t kAlignedFrom = 8 * kRowAlignment;

size_t paddedRow(size_t bytes) noexcept {
  return bytes < kAlignedFrom ? bytes : alignUp(bytes, kRowAlignment);
}

abi::Image emptyLayout(const ImageFormat& format, const ImageShape& shape) noexcept {
  abi::Image layout{};
  layout.format = format.number | (shape.levelCount() > 1 ? abi::kMipmapped : 0);
  layout.channelType = format.cl.image_channel_data_type;
  layout.channelOrder = format.cl.image_channel_order;
  layout.elementBytes = format.elementBytes / format.elementPixels;
  layout.levelCount = shape.levelCount();
  return layout;
}

/// An extent of a level, which never becomes zero.
uint32_t extentAt(size_t extent, unsigned level) noexcept {
  return static_cast<uint32_t>(std::max<size_t>(extent >> level, 1));
}

abi::ImageLevel levelOf(const ImageShape& shape, unsigned number) noexcept {
  abi::ImageLevel level{};
  level.width = extentAt(shape.width, number);
  level.height = extentAt(shape.height, number);
  // Layers do not become fewer.
  level.slices = extentAt(shape.depth, number) * static_cast<uint32_t>(shape.layers);
  return level;
}

/// Where the levels of an image with memory of its own lie, as offsets, and its bytes. The limits
/// of the device keep all figures within 64 bits.
size_t layOut(abi::Image& layout, const ImageFormat& format, const ImageShape& shape) noexcept {
  size_t end = 0;
  for (unsigned i = 0; i < layout.levelCount; ++i) {
    abi::ImageLevel& level = layout.levels[i] = levelOf(shape, i);
    level.data = alignUp(end, kRowAlignment);
    level.rowPitch = paddedRow(format.bytesOf(level.width));
    level.slicePitch = level.rowPitch * level.height;
    end = level.data + level.slicePitch * level.slices;
  }
  return end;
}

/// The same where the application has said how they lie, of the one level that there is.
size_t layOutAsGiven(abi::Image& layout, const ImageShape& shape) noexcept {
  abi::ImageLevel& level = layout.levels[0] = levelOf(shape, 0);
  level.rowPitch = shape.rowPitch;
  level.slicePitch = shape.slicePitch;
  return level.slicePitch * level.slices;
}

/// Makes addresses of the offsets.
void place(abi::Image& layout, const std::byte* data) noexcept {
  for (unsigned i = 0; i < layout.levelCount; ++i)
    layout.levels[i].data += reinterpret_cast<uintptr_t>(data);
}

abi::Image flagged(abi::Image layout) noexcept {
  if (abi::isCompact(layout)) layout.format |= abi::kCompact;
  return layout;
}

}  // namespace

Image::Image(Context& context, cl_mem_flags flags, const ImageFormat& format,
             const ImageShape& shape, const abi::Image& layout, size_t bytes,
             MemoryProperties properties)
    : Memory(context, shape.type, flags, bytes, std::move(properties)),
      format_(&format),
      shape_(shape),
      descriptor_(flagged(layout)) {}

Image::~Image() {
  // The address may soon be that of another image.
  if (below_) forgetMaps();
}

void Image::copyFrom(const std::byte* source) noexcept {
  const abi::ImageLevel& to = level(0);
  const size_t row = format_->bytesOf(to.width);
  std::byte* slice = data_;
  for (uint32_t z = 0; z < to.slices; ++z, slice += to.slicePitch, source += shape_.slicePitch) {
    if (to.rowPitch == row && shape_.rowPitch == row) {
      std::memcpy(slice, source, row * to.height);
      continue;
    }
    for (uint32_t y = 0; y < to.height; ++y)
      std::memcpy(slice + y * to.rowPitch, source + y * shape_.rowPitch, row);
  }
}

Result<Ref<Image>> Image::create(Context& context, cl_mem_flags flags, const ImageFormat& format,
                                 const ImageShape& shape, void* hostPointer,
                                 MemoryProperties properties) {
  const bool usesHostPointer = (flags & CL_MEM_USE_HOST_PTR) != 0;
  const bool asGiven = usesHostPointer || properties.isExternal();
  abi::Image layout = emptyLayout(format, shape);
  const size_t bytes = asGiven ? layOutAsGiven(layout, shape) : layOut(layout, format, shape);
  HostBlock block;
  std::unique_ptr<ExternalMemory> external;
  if (properties.isExternal()) {
    WEFT_TRY(external, ExternalMemory::map(context, properties.externalFile, bytes,
                                           (flags & khr::kMemImmutable) == 0));
  } else if (!usesHostPointer) {
    if (bytes <= context.maxAllocation()) block = HostBlock::allocate(bytes);
    if (!block) {
      context.notify("no memory for an image of " + std::to_string(bytes) + " bytes");
      return clError(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    }
  }
  std::byte* const data = usesHostPointer ? static_cast<std::byte*>(hostPointer)
                          : external      ? external->data()
                                          : block.data();
  place(layout, data);
  Ref<Image> image =
      makeRef<Image>(context, flags, format, shape, layout, bytes, std::move(properties));
  image->block_ = std::move(block);
  if (usesHostPointer) image->hostPointer_ = hostPointer;
  image->data_ = data;
  if (external) image->useExternal(std::move(external));
  if (flags & CL_MEM_COPY_HOST_PTR) image->copyFrom(static_cast<const std::byte*>(hostPointer));
  return image;
}

Ref<Image> Image::createOf(Memory& below, cl_mem_flags flags, const ImageFormat& format,
                           const ImageShape& shape, MemoryProperties properties) {
  abi::Image layout = emptyLayout(format, shape);
  size_t bytes = 0;
  if (Image* const pixels = below.image()) {
    std::ranges::copy(pixels->descriptor_.levels, layout.levels);
    bytes = pixels->size();
  } else {
    bytes = layOutAsGiven(layout, shape);
    place(layout, below.data());
  }
  Ref<Image> image =
      makeRef<Image>(below.context(), flags, format, shape, layout, bytes, std::move(properties));
  image->below_ = Ref<Memory>(&below);
  image->data_ = below.data();
  return image;
}

}  // namespace weft
