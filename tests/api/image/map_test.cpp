// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of images: where they point to, who may write where, and images at the end of memory.
#include "fixture.h"
#include "kernels/guarded.h"
#include "support/info_query.h"

namespace weft::test {
namespace {

class ImageMaps : public ImageFixture {
 protected:
  struct Mapped {
    std::byte* pointer = nullptr;
    size_t row = 0;
    size_t slice = 0;
    cl_int code = CL_INVALID_EVENT;
  };
  Mapped map(cl_mem image, cl_map_flags flags, const Triple& origin, const Triple& region) {
    Mapped made;
    made.pointer = static_cast<std::byte*>(
        clEnqueueMapImage(queue, image, CL_TRUE, flags, origin.data(), region.data(), &made.row,
                          &made.slice, 0, nullptr, nullptr, &made.code));
    EXPECT_EQ(made.pointer != nullptr, made.code == CL_SUCCESS);
    return made;
  }
  cl_int unmap(cl_mem image, void* pointer) {
    return clEnqueueUnmapMemObject(queue, image, pointer, 0, nullptr, nullptr);
  }
  cl_uint mapCount(cl_mem image) {
    return infoValue<cl_uint>([&](size_t size, void* value, size_t* sizeRet) {
      return clGetMemObjectInfo(image, CL_MEM_MAP_COUNT, size, value, sizeRet);
    });
  }
};

TEST_F(ImageMaps, AreCountedAndEndOnce) {
  const MemoryHolder image = makeImage({CL_MEM_OBJECT_IMAGE2D, {8, 8, 1}}, kBytes);
  const Mapped first = map(image, CL_MAP_READ, {0, 0, 0}, {8, 8, 1});
  const Mapped second = map(image, CL_MAP_READ, {0, 0, 0}, {4, 4, 1});
  const Mapped third = map(image, CL_MAP_READ, {1, 1, 0}, {4, 4, 1});
  EXPECT_EQ(first.pointer, second.pointer);
  EXPECT_EQ(third.pointer, first.pointer + first.row + 4);
  EXPECT_EQ(mapCount(image), 3u);
  EXPECT_EQ(unmap(image, third.pointer + 1), CL_INVALID_VALUE);
  EXPECT_EQ(unmap(image, third.pointer), CL_SUCCESS);
  EXPECT_EQ(unmap(image, third.pointer), CL_INVALID_VALUE);
  EXPECT_EQ(unmap(image, first.pointer), CL_SUCCESS);
  EXPECT_EQ(unmap(image, first.pointer), CL_SUCCESS);
  EXPECT_EQ(unmap(image, first.pointer), CL_INVALID_VALUE);
  EXPECT_EQ(mapCount(image), 0u);
}

TEST_F(ImageMaps, SeveralMayWriteSideBySide) {
  const MemoryHolder image = makeImage({CL_MEM_OBJECT_IMAGE3D, {8, 8, 4}}, kBytes);
  const Mapped left = map(image, CL_MAP_WRITE, {0, 0, 0}, {4, 8, 4});
  const Mapped right = map(image, CL_MAP_WRITE_INVALIDATE_REGION, {4, 0, 0}, {4, 4, 4});
  const Mapped below = map(image, CL_MAP_WRITE, {4, 4, 0}, {4, 4, 2});
  EXPECT_EQ(left.code, CL_SUCCESS);
  EXPECT_EQ(right.code, CL_SUCCESS);
  EXPECT_EQ(below.code, CL_SUCCESS);
  EXPECT_EQ(map(image, CL_MAP_WRITE, {3, 0, 0}, {1, 1, 1}).code, CL_INVALID_OPERATION);
  EXPECT_EQ(map(image, CL_MAP_WRITE, {4, 3, 0}, {1, 1, 1}).code, CL_INVALID_OPERATION);
  EXPECT_EQ(map(image, CL_MAP_WRITE, {7, 7, 0}, {1, 1, 3}).code, CL_INVALID_OPERATION);
  const Mapped reader = map(image, CL_MAP_READ, {0, 0, 0}, {8, 8, 4});
  const Mapped rest = map(image, CL_MAP_WRITE, {4, 4, 2}, {4, 4, 2});
  EXPECT_EQ(reader.code, CL_SUCCESS);
  EXPECT_EQ(rest.code, CL_SUCCESS);
  EXPECT_EQ(unmap(image, right.pointer), CL_SUCCESS);
  const Mapped again = map(image, CL_MAP_WRITE, {5, 1, 1}, {2, 2, 2});
  EXPECT_EQ(again.code, CL_SUCCESS);
  for (const Mapped& mapped : {left, below, reader, rest, again})
    EXPECT_EQ(unmap(image, mapped.pointer), CL_SUCCESS);
  EXPECT_EQ(mapCount(image), 0u);
}

TEST_F(ImageMaps, OfOneBufferKnowEachOther) {
  const MemoryHolder buffer = makeBuffer(16 * 8 * 4);
  cl_image_desc descriptor = ImageKind{CL_MEM_OBJECT_IMAGE2D, {16, 8, 1}}.descriptor();
  descriptor.mem_object = buffer;
  const MemoryHolder image = makeImage(descriptor, kBytes);
  cl_int error = CL_INVALID_EVENT;
  const auto mapBuffer = [&](cl_map_flags flags, size_t offset, size_t size) {
    return clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, offset, size, 0, nullptr, nullptr,
                              &error);
  };
  auto* const all = static_cast<std::byte*>(mapBuffer(CL_MAP_READ, 0, 512));
  const Mapped columns = map(image, CL_MAP_WRITE, {4, 2, 0}, {8, 4, 1});
  EXPECT_EQ(columns.pointer, all + 2 * 64 + 16);
  EXPECT_EQ(columns.row, 64u);
  EXPECT_EQ(columns.slice, 0u);
  // Between the rows of the image's region is room for the buffer's.
  void* const between = mapBuffer(CL_MAP_WRITE, 2 * 64 + 48, 32);
  EXPECT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(mapBuffer(CL_MAP_WRITE, 3 * 64 + 47, 4), nullptr);
  EXPECT_EQ(error, CL_INVALID_OPERATION);
  // Each object has maps of its own.
  EXPECT_EQ(mapCount(image), 1u);
  EXPECT_EQ(mapCount(buffer), 2u);
  EXPECT_EQ(unmap(buffer, columns.pointer), CL_INVALID_VALUE);
  EXPECT_EQ(unmap(image, columns.pointer), CL_SUCCESS);
  EXPECT_EQ(unmap(buffer, between), CL_SUCCESS);
  EXPECT_EQ(unmap(buffer, all), CL_SUCCESS);
}

TEST_F(ImageMaps, OfAnImageOfAnImage) {
  const MemoryHolder below = makeImage({CL_MEM_OBJECT_IMAGE2D, {8, 8, 1}}, kBytes);
  cl_image_desc descriptor = ImageKind{CL_MEM_OBJECT_IMAGE2D, {8, 8, 1}}.descriptor();
  descriptor.mem_object = below;
  const MemoryHolder image =
      makeImage(descriptor, {{CL_sRGBA, CL_UNORM_INT8}, 4}, CL_MEM_READ_ONLY);
  const Mapped first = map(below, CL_MAP_WRITE, {0, 0, 0}, {4, 8, 1});
  EXPECT_EQ(map(image, CL_MAP_WRITE, {3, 0, 0}, {1, 1, 1}).code, CL_INVALID_OPERATION);
  const Mapped second = map(image, CL_MAP_WRITE, {4, 0, 0}, {4, 8, 1});
  EXPECT_EQ(second.pointer, first.pointer + 16);
  EXPECT_EQ(second.row, first.row);
  std::memset(second.pointer, 7, 16);
  EXPECT_EQ(unmap(image, second.pointer), CL_SUCCESS);
  EXPECT_EQ(unmap(below, first.pointer), CL_SUCCESS);
  const Triple zero{4, 0, 0}, one{1, 1, 1};
  std::array<unsigned char, 4> found{};
  EXPECT_EQ(clEnqueueReadImage(queue, below, CL_TRUE, zero.data(), one.data(), 0, 0, found.data(),
                               0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(found, (std::array<unsigned char, 4>{7, 7, 7, 7}));
}

TEST_F(ImageMaps, AFailedMapIsNone) {
  const MemoryHolder image = makeImage({CL_MEM_OBJECT_IMAGE2D, {8, 8, 1}}, kBytes);
  cl_int error = CL_INVALID_EVENT;
  const cl_event gate = clCreateUserEvent(context, &error);
  const EventHolder holder(gate);
  const Triple zero{}, region{4, 4, 1};
  size_t row = 0;
  cl_event event = nullptr;
  EXPECT_NE(clEnqueueMapImage(queue, image, CL_FALSE, CL_MAP_WRITE, zero.data(), region.data(),
                              &row, nullptr, 1, &gate, &event, &error),
            nullptr);
  const EventHolder mapped(event);
  EXPECT_EQ(mapCount(image), 1u);
  EXPECT_EQ(clSetUserEventStatus(gate, -5), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(mapCount(image), 0u);
}

// The application's memory ends with the last element: nothing reads or writes beyond it.
TEST_F(ImageMaps, ImagesAtTheEndOfMemory) {
  for (const ImageKind& kind : kKinds) {
    if (kind.levels > 1 || kind.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) continue;
    for (const bool atEnd : {true, false}) {
      SCOPED_TRACE(kind.type);
      const Triple& extent = kind.extent;
      const size_t size = extent[0] * extent[1] * extent[2] * 4;
      Guarded memory(size, atEnd);
      const MemoryHolder image = makeImage(kind, kBytes, CL_MEM_USE_HOST_PTR, memory.data());
      const Mapped all = map(image, CL_MAP_READ, {}, extent);
      EXPECT_EQ(all.pointer, memory.data());
      EXPECT_EQ(unmap(image, all.pointer), CL_SUCCESS);
      Guarded host(size, atEnd);
      const Triple zero{};
      const std::array<float, 4> colour{0, 1, 0, 1};
      EXPECT_EQ(clEnqueueFillImage(queue, image, colour.data(), zero.data(), extent.data(), 0,
                                   nullptr, nullptr),
                CL_SUCCESS);
      EXPECT_EQ(clEnqueueReadImage(queue, image, CL_TRUE, zero.data(), extent.data(), 0, 0,
                                   host.data(), 0, nullptr, nullptr),
                CL_SUCCESS);
      for (size_t i = 0; i < size; ++i)
        ASSERT_EQ(host.data()[i], std::byte(i % 4 == 1 || i % 4 == 3 ? 255 : 0));
      EXPECT_EQ(clEnqueueWriteImage(queue, image, CL_TRUE, zero.data(), extent.data(), 0, 0,
                                    host.data(), 0, nullptr, nullptr),
                CL_SUCCESS);
    }
  }
}

}  // namespace
}  // namespace weft::test
