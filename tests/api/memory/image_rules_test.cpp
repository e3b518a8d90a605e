// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of the functions that make images.
#include <vector>

#include "support/image_description.h"
#include "support/objects.h"
#include "weft/khr/image_formats.h"
#include "weft/khr/immutable_memory.h"

namespace weft::test {
namespace {

constexpr cl_int kValid = CL_SUCCESS;

class ImageRulesTest : public testing::Test {
 protected:
  cl_int create(const cl_image_desc& description, cl_mem_flags flags = 0, void* pointer = nullptr) {
    return create(flags, {CL_RGBA, CL_UNORM_INT8}, description, pointer);
  }
  cl_int create(cl_mem_flags flags, cl_image_format format, const cl_image_desc& description,
                void* pointer) {
    cl_int error = CL_INVALID_EVENT;
    const MemoryHolder one(clCreateImage(context, flags, &format, &description, pointer, &error));
    cl_int other = CL_INVALID_EVENT;
    const MemoryHolder two(clCreateImageWithProperties(context, nullptr, flags, &format,
                                                       &description, pointer, &other));
    EXPECT_EQ(error, other);
    EXPECT_EQ(one != nullptr, error == CL_SUCCESS);
    EXPECT_EQ(two != nullptr, error == CL_SUCCESS);
    return error;
  }
  cl_int create2D(size_t width, size_t height, size_t pitch, void* pointer) {
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_int error = CL_INVALID_EVENT;
    const cl_mem_flags flags = pointer ? CL_MEM_USE_HOST_PTR : 0;
    const MemoryHolder image(
        clCreateImage2D(context, flags, &format, width, height, pitch, pointer, &error));
    EXPECT_EQ(image != nullptr, error == CL_SUCCESS);
    return error;
  }
  cl_int create3D(size_t depth, size_t rowPitch, size_t slicePitch, void* pointer) {
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_int error = CL_INVALID_EVENT;
    const cl_mem_flags flags = pointer ? CL_MEM_USE_HOST_PTR : 0;
    const MemoryHolder image(clCreateImage3D(context, flags, &format, 4, 4, depth, rowPitch,
                                             slicePitch, pointer, &error));
    EXPECT_EQ(image != nullptr, error == CL_SUCCESS);
    return error;
  }

  ContextHolder context = makeContext();
  MemoryHolder buffer{clCreateBuffer(context, CL_MEM_READ_ONLY, 4096, nullptr, nullptr)};
  char host[4096] = {};
  const cl_image_desc flat = describe(CL_MEM_OBJECT_IMAGE2D, 4, 4);
};

TEST_F(ImageRulesTest, Formats) {
  const struct {
    cl_channel_order order;
    cl_channel_type type;
    bool valid;
  } rows[] = {{CL_RGBA, CL_FLOAT, true},
              {CL_R, CL_HALF_FLOAT, true},
              {CL_RG, CL_SIGNED_INT32, true},
              {CL_DEPTH, CL_UNORM_INT16, true},
              {CL_sRGBA, CL_UNORM_INT8, true},
              {CL_RGB, CL_UNORM_SHORT_565, true},
              {CL_RGBx, CL_UNORM_SHORT_555, true},
              {CL_RGB, CL_UNORM_INT_101010, true},
              {CL_RGBA, CL_UNORM_INT_101010_2, true},
              {CL_ABGR, khr::kUnormInt2_101010, true},
              {CL_RGBA, khr::kUnormInt2_101010, false},
              {CL_RGB, CL_UNORM_INT8, false},
              {CL_RGBA, CL_UNORM_SHORT_565, false},
              {CL_R, CL_UNORM_INT_101010, false},
              {CL_RGB, CL_UNORM_INT_101010_2, false},
              {0, CL_UNORM_INT8, false},
              {CL_RGBA, 0, false},
              {CL_RGBA, 0x7777, false},
              {0x7777, CL_UNORM_INT8, false}};
  for (const auto& [order, type, valid] : rows)
    EXPECT_EQ(create(0, {order, type}, flat, nullptr),
              valid ? kValid : CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)
        << std::hex << order << " " << type;
}

TEST_F(ImageRulesTest, Flags) {
  EXPECT_EQ(create(flat, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY), CL_INVALID_VALUE);
  EXPECT_EQ(create(flat, cl_mem_flags{1} << 50), CL_INVALID_VALUE);
  EXPECT_EQ(create(flat, CL_MEM_KERNEL_READ_AND_WRITE), CL_INVALID_VALUE);
  EXPECT_EQ(create(flat, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, host), CL_INVALID_VALUE);
  EXPECT_EQ(create(flat, khr::kMemImmutable), CL_INVALID_VALUE);
  EXPECT_EQ(create(flat, khr::kMemImmutable | CL_MEM_WRITE_ONLY | CL_MEM_COPY_HOST_PTR, host),
            CL_INVALID_VALUE);
  EXPECT_EQ(create(flat, khr::kMemImmutable | CL_MEM_COPY_HOST_PTR, host), kValid);
  EXPECT_EQ(create(flat, CL_MEM_USE_HOST_PTR), CL_INVALID_HOST_PTR);
  EXPECT_EQ(create(flat, CL_MEM_COPY_HOST_PTR), CL_INVALID_HOST_PTR);
  EXPECT_EQ(create(flat, 0, host), CL_INVALID_HOST_PTR);
  EXPECT_EQ(create(flat, CL_MEM_USE_HOST_PTR, host), kValid);
}

TEST_F(ImageRulesTest, Descriptors) {
  EXPECT_EQ(create(describe(CL_MEM_OBJECT_IMAGE1D, 4)), kValid);
  EXPECT_EQ(create(describe(CL_MEM_OBJECT_IMAGE1D_ARRAY, 4, 0, 0, 2)), kValid);
  EXPECT_EQ(create(describe(CL_MEM_OBJECT_IMAGE2D, 4, 4)), kValid);
  EXPECT_EQ(create(describe(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 4, 0, 2)), kValid);
  EXPECT_EQ(create(describe(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4)), kValid);
  EXPECT_EQ(create(describe(CL_MEM_OBJECT_IMAGE1D, 0)), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(create(describe(CL_MEM_OBJECT_IMAGE1D_ARRAY, 4)), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(create(describe(CL_MEM_OBJECT_IMAGE2D, 4)), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(create(describe(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 4)), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(create(describe(CL_MEM_OBJECT_IMAGE3D, 4, 4)), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(create(describe(CL_MEM_OBJECT_IMAGE3D, SIZE_MAX, SIZE_MAX, SIZE_MAX)),
            CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(create(describe(CL_MEM_OBJECT_BUFFER, 4, 4)), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(create(describe(0, 4, 4)), CL_INVALID_IMAGE_DESCRIPTOR);
  cl_image_desc odd = flat;
  odd.num_mip_levels = 3;
  EXPECT_EQ(create(odd), kValid);
  odd.num_mip_levels = 16;
  EXPECT_EQ(create(odd), kValid) << "levels of one element";
  odd.num_mip_levels = 17;
  EXPECT_EQ(create(odd), CL_INVALID_IMAGE_DESCRIPTOR);
  odd.num_mip_levels = 2;
  EXPECT_EQ(create(odd, CL_MEM_COPY_HOST_PTR, host), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(create(0, {CL_DEPTH, CL_FLOAT}, odd, nullptr), kValid);
  odd = flat;
  odd.num_samples = 1;
  EXPECT_EQ(create(odd), CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_F(ImageRulesTest, Pitches) {
  cl_image_desc volume = describe(CL_MEM_OBJECT_IMAGE3D, 4, 4, 2);
  const auto code = [&](size_t row, size_t slice, void* pointer) {
    volume.image_row_pitch = row;
    volume.image_slice_pitch = slice;
    return create(volume, pointer ? CL_MEM_COPY_HOST_PTR : 0, pointer);
  };
  EXPECT_EQ(code(16, 64, host), kValid);
  EXPECT_EQ(code(20, 100, host), kValid);
  EXPECT_EQ(code(12, 0, host), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(code(18, 0, host), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(code(20, 64, host), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(code(16, 72, host), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(code(16, 0, nullptr), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(code(0, 64, nullptr), CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_F(ImageRulesTest, ImagesOfBuffers) {
  cl_image_desc description = describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, 4);
  EXPECT_EQ(create(description), CL_INVALID_IMAGE_DESCRIPTOR) << "without a buffer";
  description.mem_object = reinterpret_cast<cl_mem>(context.get());
  EXPECT_EQ(create(description), CL_INVALID_IMAGE_DESCRIPTOR);
  description.mem_object = buffer;
  EXPECT_EQ(create(description), kValid);
  EXPECT_EQ(create(description, CL_MEM_READ_ONLY), kValid);
  EXPECT_EQ(create(description, CL_MEM_READ_WRITE), CL_INVALID_VALUE);
  EXPECT_EQ(create(description, CL_MEM_WRITE_ONLY), CL_INVALID_VALUE);
  EXPECT_EQ(create(description, CL_MEM_ALLOC_HOST_PTR), CL_INVALID_VALUE);
  description = describe(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4);
  description.mem_object = buffer;
  EXPECT_EQ(create(description), kValid);
  description.image_depth = 65;
  EXPECT_EQ(create(description), CL_INVALID_IMAGE_SIZE) << "more than the buffer has";
  const MemoryHolder fixed(
      clCreateBuffer(context, khr::kMemImmutable | CL_MEM_COPY_HOST_PTR, 4096, host, nullptr));
  description = flat;
  description.mem_object = fixed;
  EXPECT_EQ(create(description), CL_INVALID_VALUE) << "an immutable buffer, a mutable image";
  EXPECT_EQ(create(description, khr::kMemImmutable), kValid);
}

TEST_F(ImageRulesTest, OldFunctions) {
  EXPECT_EQ(create2D(4, 4, 0, nullptr), kValid);
  EXPECT_EQ(create2D(4, 4, 16, host), kValid);
  EXPECT_EQ(create2D(0, 4, 0, nullptr), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(create2D(4, 0, 0, nullptr), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(create2D(4, 4, 16, nullptr), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(create2D(4, 4, 12, host), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(create2D(4, 4, 18, host), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(create3D(2, 0, 0, nullptr), kValid);
  EXPECT_EQ(create3D(2, 16, 64, host), kValid);
  EXPECT_EQ(create3D(1, 0, 0, nullptr), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(create3D(0, 0, 0, nullptr), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(create3D(2, 16, 72, host), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(create3D(2, 0, 64, nullptr), CL_INVALID_IMAGE_SIZE);
}

TEST_F(ImageRulesTest, FormatQueries) {
  cl_uint count = 7;
  for (const cl_mem_object_type type :
       {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
        CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D})
    for (const cl_mem_flags flags :
         {cl_mem_flags{CL_MEM_READ_WRITE}, cl_mem_flags{CL_MEM_READ_ONLY},
          cl_mem_flags{CL_MEM_WRITE_ONLY}, cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE},
          khr::kMemImmutable}) {
      count = 7;
      EXPECT_EQ(clGetSupportedImageFormats(context, flags, type, 0, nullptr, &count), CL_SUCCESS);
      EXPECT_GE(count, 11u);
      std::vector<cl_image_format> formats(count);
      EXPECT_EQ(clGetSupportedImageFormats(context, flags, type, count, formats.data(), nullptr),
                CL_SUCCESS);
      for (const cl_image_format& format : formats) EXPECT_NE(format.image_channel_order, 0u);
    }
  for (const cl_mem_object_type type : {CL_MEM_OBJECT_BUFFER, CL_MEM_OBJECT_PIPE})
    EXPECT_EQ(clGetSupportedImageFormats(context, 0, type, 0, nullptr, &count), CL_INVALID_VALUE);
  EXPECT_EQ(clGetSupportedImageFormats(context, cl_mem_flags{1} << 50, CL_MEM_OBJECT_IMAGE2D, 0,
                                       nullptr, &count),
            CL_INVALID_VALUE);
}

}  // namespace
}  // namespace weft::test
