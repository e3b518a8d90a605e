// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the pixels of images lie.
#include "memory/image.h"

#include <numeric>
#include <vector>

#include "support/image_description.h"
#include "support/objects.h"

namespace weft::test {
namespace {

constexpr cl_image_format kBytes{CL_RGBA, CL_UNORM_INT8};

class ImageObjectTest : public testing::Test {
 protected:
  MemoryHolder create(const cl_image_desc& description, cl_mem_flags flags = 0,
                      void* pointer = nullptr, cl_image_format format = kBytes) {
    cl_int error = CL_INVALID_EVENT;
    MemoryHolder image(clCreateImage(context, flags, &format, &description, pointer, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return image;
  }

  static const Image& object(cl_mem image) { return *Memory::from(image)->image(); }

  ContextHolder context = makeContext();
};

/// Every pixel of a level, through its descriptor.
std::vector<uint32_t> pixels(const abi::ImageLevel& level) {
  std::vector<uint32_t> all;
  for (uint32_t z = 0; z < level.slices; ++z)
    for (uint32_t y = 0; y < level.height; ++y)
      for (uint32_t x = 0; x < level.width; ++x)
        all.push_back(*reinterpret_cast<const uint32_t*>(level.data + z * level.slicePitch +
                                                         y * level.rowPitch + x * 4));
  return all;
}

TEST_F(ImageObjectTest, HostPointersWithPitches) {
  std::vector<uint32_t> host(4096);
  std::iota(host.begin(), host.end(), 0);
  cl_image_desc description = describe(CL_MEM_OBJECT_IMAGE3D, 3, 2, 4);
  description.image_row_pitch = 5 * 4;
  description.image_slice_pitch = 15 * 4;
  std::vector<uint32_t> expected;
  for (uint32_t z = 0; z < 4; ++z)
    for (uint32_t y = 0; y < 2; ++y)
      for (uint32_t x = 0; x < 3; ++x) expected.push_back(z * 15 + y * 5 + x);
  for (const cl_mem_flags flags :
       {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR, CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR}) {
    const MemoryHolder holder = create(description, flags, host.data());
    const Image& image = object(holder);
    EXPECT_EQ(pixels(image.level(0)), expected);
    const bool uses = (flags & CL_MEM_USE_HOST_PTR) != 0;
    EXPECT_EQ(image.hostPointer(), uses ? host.data() : nullptr);
    EXPECT_EQ(reinterpret_cast<void*>(image.level(0).data) == host.data(), uses);
  }
}

TEST_F(ImageObjectTest, ChainsOfLevels) {
  cl_image_desc description = describe(CL_MEM_OBJECT_IMAGE2D_ARRAY, 37, 5, 0, 3);
  description.num_mip_levels = 6;
  const MemoryHolder holder = create(description);
  const Image& image = object(holder);
  const abi::Image& all = image.descriptor();
  EXPECT_EQ(all.levelCount, 6u);
  EXPECT_EQ(all.format & abi::kMipmapped, abi::kMipmapped);
  const uint32_t widths[] = {37, 18, 9, 4, 2, 1};
  const uint32_t heights[] = {5, 2, 1, 1, 1, 1};
  uint64_t end = reinterpret_cast<uint64_t>(image.data());
  for (unsigned i = 0; i < 6; ++i) {
    const abi::ImageLevel& level = image.level(i);
    EXPECT_EQ(level.width, widths[i]);
    EXPECT_EQ(level.height, heights[i]);
    EXPECT_EQ(level.slices, 3u);
    EXPECT_GE(level.data, end) << "levels share no bytes";
    EXPECT_GE(level.rowPitch, level.width * 4);
    EXPECT_GE(level.slicePitch, level.rowPitch * level.height);
    end = level.data + level.slicePitch * level.slices;
  }
  EXPECT_LE(end, reinterpret_cast<uint64_t>(image.data()) + image.size());
}

TEST_F(ImageObjectTest, OfBuffers) {
  std::vector<uint32_t> host(4096);
  std::iota(host.begin(), host.end(), 0);
  const MemoryHolder buffer(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR,
                                           host.size() * 4, host.data(), nullptr));
  const cl_buffer_region region{128, 4096};
  const MemoryHolder part(
      clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  for (cl_image_desc description :
       {describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, 6), describe(CL_MEM_OBJECT_IMAGE1D, 6),
        describe(CL_MEM_OBJECT_IMAGE1D_ARRAY, 6, 0, 0, 3), describe(CL_MEM_OBJECT_IMAGE2D, 6, 3),
        describe(CL_MEM_OBJECT_IMAGE2D_ARRAY, 6, 2, 0, 2),
        describe(CL_MEM_OBJECT_IMAGE3D, 6, 2, 2)})
    for (const cl_mem below : {buffer.get(), part.get()}) {
      SCOPED_TRACE(description.image_type);
      description.mem_object = below;
      const MemoryHolder holder = create(description);
      const Image& image = object(holder);
      EXPECT_EQ(image.data(), Memory::from(below)->data());
      EXPECT_EQ(image.level(0).rowPitch, 24u);
      EXPECT_EQ(pixels(image.level(0))[7 % image.level(0).width],
                (below == buffer ? 0 : 32) + 7 % image.level(0).width);
      EXPECT_EQ(image.parent(), Memory::from(below));
      EXPECT_EQ(image.flags(), cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR});
      EXPECT_EQ(image.hostPointer(), nullptr);
      EXPECT_EQ(&image.root(), Memory::from(buffer)) << "one list of maps for shared bytes";
    }
}

}  // namespace
}  // namespace weft::test
