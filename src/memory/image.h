// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <vector>

#include "memory/image_format.h"
#include "memory/memory.h"
#include "weft/abi/image.h"

namespace weft {

/// What an image descriptor says.
struct ImageShape {
  cl_mem_object_type type = 0;
  size_t width = 1;
  size_t height = 1;  ///< 1 where the type has none; so are depth and layers
  size_t depth = 1;
  size_t layers = 1;
  size_t rowPitch = 0;    ///< those of packed rows and slices where the descriptor has zeros
  size_t slicePitch = 0;  ///< from layer to layer of an array, from slice to slice of a volume
  cl_uint mipLevels = 0;  ///< as the descriptor has it: 0 and 1 are the same

  unsigned levelCount() const noexcept { return mipLevels > 1 ? mipLevels : 1; }
  size_t slices() const noexcept { return depth * layers; }
};

/// Whether images of the type have rows, in a second dimension.
constexpr bool hasHeight(cl_mem_object_type type) noexcept {
  return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
         type == CL_MEM_OBJECT_IMAGE3D;
}
constexpr bool isImageArray(cl_mem_object_type type) noexcept {
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}
/// Whether images of the type have slices: the layers of an array or the depth of a volume.
constexpr bool hasSlices(cl_mem_object_type type) noexcept {
  return isImageArray(type) || type == CL_MEM_OBJECT_IMAGE3D;
}

/// An image of any kind. Its pixels lie where descriptor() says: in memory of its own, whose rows
/// may be longer than they have to, in the application's (CL_MEM_USE_HOST_PTR), in external memory,
/// or in that of the buffer or image that it was made from.
///
/// Ownership: holds what it was made from. Threads: any; nothing of it changes but its pixels.
class Image final : public Memory {
 public:
  /// Pre: all is validated, flags are complete; hostPointer or the external memory has at least
  /// what the shape's pitches say. CL_MEM_OBJECT_ALLOCATION_FAILURE when there is no memory; codes
  /// of ExternalMemory::map.
  static Result<Ref<Image>> create(Context& context, cl_mem_flags flags, const ImageFormat& format,
                                   const ImageShape& shape, void* hostPointer,
                                   MemoryProperties properties = {});
  /// An image of the bytes of a buffer or an image. Pre: it has what the shape's pitches say.
  static Ref<Image> createOf(Memory& below, cl_mem_flags flags, const ImageFormat& format,
                             const ImageShape& shape, MemoryProperties properties = {});

  const ImageFormat& format() const noexcept { return *format_; }
  /// As the application knows it: its pitches need not be those in memory.
  const ImageShape& shape() const noexcept { return shape_; }
  /// What kernels read. Lives as long as the image.
  const abi::Image& descriptor() const noexcept { return descriptor_; }
  const abi::ImageLevel& level(unsigned number) const noexcept {
    return descriptor_.levels[number];
  }
  unsigned levelCount() const noexcept { return descriptor_.levelCount; }

  /// What it was made from; null when it has memory of its own or the application's.
  Memory* parent() const noexcept override { return below_.get(); }
  Image* image() noexcept override { return this; }

 private:
  template <class T, class... Args>
  friend Ref<T> weft::makeRef(Args&&... args);
  Image(Context& context, cl_mem_flags flags, const ImageFormat& format, const ImageShape& shape,
        const abi::Image& layout, size_t bytes, MemoryProperties properties);
  ~Image() override;

  void copyFrom(const std::byte* source) noexcept;

  const ImageFormat* const format_;
  const ImageShape shape_;
  const abi::Image descriptor_;
  HostBlock block_;
  Ref<Memory> below_;
};

}  // namespace weft
