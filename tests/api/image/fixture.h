// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <random>
#include <vector>

#include "support/objects.h"

/// Images of every type beside plain models of them.
namespace weft::test {

using Bytes = std::vector<std::byte>;
using Triple = std::array<size_t, 3>;
/// Of a mipmapped image one element is the level.
using Origin = std::array<size_t, 4>;

struct PixelFormat {
  cl_image_format cl;
  size_t element;
};

inline constexpr PixelFormat kBytes{{CL_RGBA, CL_UNORM_INT8}, 4};

/// An image's type and size, as regions see it: the second extent of a 1D array is its layers.
struct ImageKind {
  cl_mem_object_type type;
  Triple extent;
  cl_uint levels = 0;

  size_t dimensions() const {
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
  bool isRowArray() const { return type == CL_MEM_OBJECT_IMAGE1D_ARRAY; }
  bool hasSlices() const { return dimensions() == 3 || isRowArray(); }
  /// The extent of a level: layers do not become fewer.
  Triple levelExtent(size_t level) const {
    Triple found = extent;
    for (size_t i = 0; i < dimensions(); ++i) {
      const bool isLayers =
          (isRowArray() && i == 1) || (type == CL_MEM_OBJECT_IMAGE2D_ARRAY && i == 2);
      if (!isLayers) found[i] = std::max<size_t>(found[i] >> level, 1);
    }
    return found;
  }
  /// An origin that names the level as well.
  Origin place(const Triple& at, size_t level) const {
    Origin origin{at[0], at[1], at[2], 0};
    if (levels > 1) origin[dimensions()] = level;
    return origin;
  }
  cl_image_desc descriptor() const {
    cl_image_desc made{};
    made.image_type = type;
    made.image_width = extent[0];
    if (isRowArray())
      made.image_array_size = extent[1];
    else if (dimensions() >= 2)
      made.image_height = extent[1];
    if (type == CL_MEM_OBJECT_IMAGE2D_ARRAY) made.image_array_size = extent[2];
    if (type == CL_MEM_OBJECT_IMAGE3D) made.image_depth = extent[2];
    made.num_mip_levels = levels;
    return made;
  }
};

inline const ImageKind kKinds[] = {
    {CL_MEM_OBJECT_IMAGE1D, {37, 1, 1}},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, {41, 1, 1}},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, {19, 5, 1}},
    {CL_MEM_OBJECT_IMAGE2D, {23, 17, 1}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, {11, 9, 6}},
    {CL_MEM_OBJECT_IMAGE3D, {13, 8, 7}},
    {CL_MEM_OBJECT_IMAGE1D, {37, 1, 1}, 3},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, {19, 5, 1}, 4},
    {CL_MEM_OBJECT_IMAGE2D, {23, 17, 1}, 5},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, {11, 9, 6}, 2},
    {CL_MEM_OBJECT_IMAGE3D, {13, 8, 7}, 3},
    // Rows that the library pads.
    {CL_MEM_OBJECT_IMAGE2D, {611, 5, 1}},
    {CL_MEM_OBJECT_IMAGE3D, {203, 4, 3}},
};

/// The elements of one level, packed.
class Model {
 public:
  Model(const Triple& extent, size_t element)
      : extent_(extent), element_(element), bytes_(extent[0] * extent[1] * extent[2] * element) {}

  std::byte* at(size_t x, size_t y, size_t z) {
    return bytes_.data() + ((z * extent_[1] + y) * extent_[0] + x) * element_;
  }
  const Triple& extent() const { return extent_; }
  Bytes& bytes() { return bytes_; }

  /// Calls body(row in the model, number of the row in the region).
  template <class Body>
  void forRows(const Triple& origin, const Triple& region, const Body& body) {
    for (size_t z = 0; z < region[2]; ++z)
      for (size_t y = 0; y < region[1]; ++y)
        body(at(origin[0], origin[1] + y, origin[2] + z), y, z);
  }

 private:
  Triple extent_;
  size_t element_;
  Bytes bytes_;
};

/// The pitches of a host pointer for a region; zeros stand for packed ones.
struct HostPitches {
  size_t row = 0;
  size_t slice = 0;

  /// Where row y of slice z is.
  size_t offset(const ImageKind& kind, const Triple& region, size_t element, size_t y,
                size_t z) const {
    const size_t rowPitch = row ? row : region[0] * element;
    const size_t slicePitch = slice ? slice : rowPitch * (kind.isRowArray() ? 1 : region[1]);
    return kind.isRowArray() ? y * slicePitch : y * rowPitch + z * slicePitch;
  }
  /// Bytes up to the end of the last row.
  size_t size(const ImageKind& kind, const Triple& region, size_t element) const {
    return offset(kind, region, element, region[1] - 1, region[2] - 1) + region[0] * element;
  }
};

class ImageFixture : public testing::Test {
 protected:
  size_t pick(size_t low, size_t high) {
    return std::uniform_int_distribution<size_t>(low, high)(random);
  }
  Bytes randomBytes(size_t size) {
    Bytes bytes(size);
    std::ranges::generate(bytes, [&] { return static_cast<std::byte>(random()); });
    return bytes;
  }
  MemoryHolder makeImage(const ImageKind& kind, const PixelFormat& format, cl_mem_flags flags = 0,
                         void* pointer = nullptr) {
    cl_image_desc descriptor = kind.descriptor();
    MemoryHolder below;
    if (kind.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
      below = makeBuffer(kind.extent[0] * format.element);
      descriptor.mem_object = below;
    }
    return makeImage(descriptor, format, flags, pointer);
  }
  MemoryHolder makeImage(const cl_image_desc& descriptor, const PixelFormat& format,
                         cl_mem_flags flags = 0, void* pointer = nullptr) {
    cl_int error = CL_INVALID_EVENT;
    MemoryHolder image(clCreateImage(context, flags, &format.cl, &descriptor, pointer, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return image;
  }
  MemoryHolder makeBuffer(size_t size, cl_mem_flags flags = 0, void* pointer = nullptr) {
    cl_int error = CL_INVALID_EVENT;
    MemoryHolder buffer(clCreateBuffer(context, flags, size, pointer, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return buffer;
  }
  HostPitches pickPitches(const ImageKind& kind, const Triple& region, size_t element) {
    HostPitches pitches;
    if (pick(0, 2) != 0) pitches.row = region[0] * element + (pick(0, 1) ? pick(0, 40) : 0);
    if (kind.hasSlices() && pick(0, 2) != 0) {
      const size_t row = pitches.row ? pitches.row : region[0] * element;
      pitches.slice = row * (kind.isRowArray() ? 1 : region[1]) + (pick(0, 1) ? pick(0, 90) : 0);
    }
    return pitches;
  }
  /// A region of an extent, often all of it in some dimension.
  Triple pickRegion(const Triple& extent) {
    Triple region;
    for (size_t i = 0; i < 3; ++i) region[i] = pick(0, 1) ? extent[i] : pick(1, extent[i]);
    return region;
  }
  Triple pickOrigin(const Triple& extent, const Triple& region) {
    Triple origin;
    for (size_t i = 0; i < 3; ++i) origin[i] = pick(0, extent[i] - region[i]);
    return origin;
  }

  std::mt19937 random{20260607};
  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
};

}  // namespace weft::test
