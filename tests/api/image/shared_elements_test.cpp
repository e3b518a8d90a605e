// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cl_ext_image_raw10_raw12: images whose elements are several pixels.
#include <CL/cl_ext.h>

#include "fixture.h"
#include "support/image_description.h"
#include "support/info_query.h"
#include "support/programs.h"
#include "support/shared_pixels.h"

namespace weft::test {
namespace {

class ImagesOfSharedElements : public ImageFixture,
                               public testing::WithParamInterface<SharedFormat> {
 protected:
  static constexpr size_t kWidth = 24, kHeight = 5;

  cl_int code(const cl_image_desc& description, cl_mem_flags flags = CL_MEM_READ_ONLY,
              void* pointer = nullptr) {
    cl_int error = CL_INVALID_EVENT;
    const cl_image_format format = GetParam().cl();
    const MemoryHolder image(clCreateImage(context, flags, &format, &description, pointer, &error));
    EXPECT_EQ(image != nullptr, error == CL_SUCCESS);
    return error;
  }
  MemoryHolder make(cl_mem_flags flags = CL_MEM_READ_ONLY, void* pointer = nullptr) {
    return makeImage(describe(CL_MEM_OBJECT_IMAGE2D, kWidth, kHeight), {GetParam().cl(), 0}, flags,
                     pointer);
  }
  template <class T>
  static T info(cl_mem image, cl_image_info name) {
    return infoValue<T>([&](size_t size, void* value, size_t* sizeRet) {
      return clGetImageInfo(image, name, size, value, sizeRet);
    });
  }
  size_t rowBytes() const { return GetParam().rowBytes(kWidth); }
  Bytes read(cl_mem image) {
    constexpr size_t kOrigin[3] = {}, kRegion[3] = {kWidth, kHeight, 1};
    Bytes pixels(rowBytes() * kHeight);
    EXPECT_EQ(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, kRegion, 0, 0, pixels.data(), 0,
                                 nullptr, nullptr),
              CL_SUCCESS);
    return pixels;
  }
};

TEST_P(ImagesOfSharedElements, AreForReading) {
  const auto lists = [&](cl_mem_flags flags) {
    cl_uint count = 0;
    EXPECT_EQ(clGetSupportedImageFormats(context, flags, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count),
              CL_SUCCESS);
    std::vector<cl_image_format> formats(count);
    EXPECT_EQ(clGetSupportedImageFormats(context, flags, CL_MEM_OBJECT_IMAGE2D, count,
                                         formats.data(), nullptr),
              CL_SUCCESS);
    return std::ranges::any_of(formats, [&](const cl_image_format& format) {
      return format.image_channel_data_type == GetParam().type &&
             format.image_channel_order == CL_R;
    });
  };
  EXPECT_TRUE(lists(CL_MEM_READ_ONLY));
  for (const cl_mem_flags flags :
       {0, CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_KERNEL_READ_AND_WRITE})
    EXPECT_FALSE(lists(flags)) << flags;
  const cl_image_desc flat = describe(CL_MEM_OBJECT_IMAGE2D, kWidth, kHeight);
  EXPECT_EQ(code(flat), CL_SUCCESS);
  EXPECT_EQ(code(flat, 0), CL_SUCCESS);
  EXPECT_EQ(code(flat, CL_MEM_WRITE_ONLY), CL_IMAGE_FORMAT_NOT_SUPPORTED);
  for (const cl_channel_order order : {CL_A, CL_RG, CL_RGBA, CL_LUMINANCE}) {
    const cl_image_format format{order, GetParam().type};
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(clCreateImage(context, CL_MEM_READ_ONLY, &format, &flat, nullptr, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  }
}

TEST_P(ImagesOfSharedElements, RowsAreWholeElements) {
  for (size_t width = 1; width < 12; ++width)
    EXPECT_EQ(code(describe(CL_MEM_OBJECT_IMAGE2D, width, 3)),
              width % GetParam().pixels == 0 ? CL_SUCCESS : CL_INVALID_IMAGE_DESCRIPTOR);
  cl_image_desc given = describe(CL_MEM_OBJECT_IMAGE2D, kWidth, kHeight);
  Bytes host(1024);
  for (size_t extra = 0; extra < 8; ++extra) {
    given.image_row_pitch = rowBytes() + extra;
    EXPECT_EQ(code(given, CL_MEM_USE_HOST_PTR, host.data() + 1), CL_SUCCESS) << extra;
  }
  given.image_row_pitch = rowBytes() - 1;
  EXPECT_EQ(code(given, CL_MEM_USE_HOST_PTR, host.data()), CL_INVALID_IMAGE_DESCRIPTOR);
  cl_image_desc levels = describe(CL_MEM_OBJECT_IMAGE2D, 16, 16);
  levels.num_mip_levels = 2;
  EXPECT_EQ(code(levels), CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_P(ImagesOfSharedElements, Queries) {
  const MemoryHolder image = make();
  EXPECT_EQ(info<size_t>(image, CL_IMAGE_ELEMENT_SIZE), 2u);
  EXPECT_EQ(info<size_t>(image, CL_IMAGE_ROW_PITCH), rowBytes());
  EXPECT_EQ(info<size_t>(image, CL_IMAGE_WIDTH), kWidth);
}

TEST_P(ImagesOfSharedElements, CommandsMoveWholeElements) {
  const SharedFormat& format = GetParam();
  Bytes pixels = randomBytes(rowBytes() * kHeight);
  const MemoryHolder image = make(CL_MEM_COPY_HOST_PTR, pixels.data());
  EXPECT_EQ(read(image), pixels);
  // A part of it, to another image by way of a buffer and directly.
  const size_t from[3] = {format.pixels, 1, 0}, to[3] = {2 * format.pixels, 2, 0};
  const size_t part[3] = {2 * format.pixels, 3, 1};
  const MemoryHolder first = make(), second = make();
  const size_t bytes = format.rowBytes(part[0]) * part[1];
  const MemoryHolder buffer = makeBuffer(bytes);
  for (cl_mem target : {first.get(), second.get()}) {
    const cl_uint none[4] = {};
    const size_t origin[3] = {}, all[3] = {kWidth, kHeight, 1};
    EXPECT_EQ(clEnqueueFillImage(queue, target, none, origin, all, 0, nullptr, nullptr),
              CL_SUCCESS);
  }
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, image, buffer, from, part, 0, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clEnqueueCopyBufferToImage(queue, buffer, first, 0, to, part, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clEnqueueCopyImage(queue, image, second, from, to, part, 0, nullptr, nullptr),
            CL_SUCCESS);
  Bytes wanted(pixels.size());
  for (size_t y = 0; y < part[1]; ++y)
    std::copy_n(pixels.data() + (from[1] + y) * rowBytes() + format.bytes, format.rowBytes(part[0]),
                wanted.data() + (to[1] + y) * rowBytes() + 2 * format.bytes);
  EXPECT_EQ(read(first), wanted);
  EXPECT_EQ(read(second), wanted);
  // Maps show the same bytes.
  size_t rowPitch = 0;
  cl_int error = CL_INVALID_EVENT;
  auto* mapped =
      static_cast<std::byte*>(clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, from, part,
                                                &rowPitch, nullptr, 0, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_TRUE(std::equal(mapped + rowPitch, mapped + rowPitch + format.rowBytes(part[0]),
                         pixels.data() + 2 * rowBytes() + format.bytes));
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_P(ImagesOfSharedElements, KernelsThatWriteAreRefused) {
  const MemoryHolder image = make(CL_MEM_READ_WRITE);
  const auto launch = [&](const char* access) {
    const std::string source = "kernel void touch(" + std::string(access) + " image2d_t image) {}";
    const ProgramHolder program = buildProgram(context, source, "-cl-std=CL3.0");
    const KernelHolder kernel = makeKernel(program, "touch");
    const cl_mem argument = image.get();
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof argument, &argument), CL_SUCCESS);
    const size_t one = 1;
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr);
  };
  EXPECT_EQ(launch("read_only"), CL_SUCCESS);
  EXPECT_EQ(launch("write_only"), CL_IMAGE_FORMAT_NOT_SUPPORTED);
  EXPECT_EQ(launch("read_write"), CL_IMAGE_FORMAT_NOT_SUPPORTED);
}

TEST_P(ImagesOfSharedElements, PartsOfElementsAreRefused) {
  const MemoryHolder image = make();
  Bytes host(1024);
  const auto codeOf = [&](size_t x, size_t width) {
    const size_t origin[3] = {x, 0, 0}, region[3] = {width, 1, 1};
    return clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, host.data(), 0, nullptr,
                              nullptr);
  };
  for (size_t x = 0; x < 5; ++x)
    for (size_t width = 1; width < 9; ++width) {
      const bool whole = x % GetParam().pixels == 0 && width % GetParam().pixels == 0;
      EXPECT_EQ(codeOf(x, width), whole ? CL_SUCCESS : CL_INVALID_VALUE) << x << ", " << width;
    }
}

TEST_P(ImagesOfSharedElements, AreFilled) {
  const SharedFormat& format = GetParam();
  const auto most = (cl_uint{1} << format.bits) - 1;
  for (const cl_uint value :
       {cl_uint{0}, cl_uint{1}, cl_uint{0x155}, most - 5, most, most + 1, cl_uint{0xffffffff}}) {
    Bytes wanted = randomBytes(rowBytes() * kHeight);
    const MemoryHolder image = make(CL_MEM_COPY_HOST_PTR, wanted.data());
    const size_t origin[3] = {format.pixels, 1, 0};
    const size_t region[3] = {kWidth - 2 * format.pixels, kHeight - 2, 1};
    const cl_uint colour[4] = {value, 9, 9, 9};
    EXPECT_EQ(clEnqueueFillImage(queue, image, colour, origin, region, 0, nullptr, nullptr),
              CL_SUCCESS);
    const Bytes row = packShared(format, std::vector<uint32_t>(region[0], std::min(value, most)));
    for (size_t y = 0; y < region[1]; ++y)
      std::ranges::copy(row, wanted.data() + (1 + y) * rowBytes() + format.bytes);
    EXPECT_EQ(read(image), wanted) << value;
  }
}

TEST_P(ImagesOfSharedElements, LongRowsAreFilled) {
  const SharedFormat& format = GetParam();
  constexpr size_t kLong = 16384, kRows = 64;
  const MemoryHolder image =
      makeImage(describe(CL_MEM_OBJECT_IMAGE2D, kLong, kRows), {format.cl(), 0}, CL_MEM_READ_ONLY);
  const cl_uint colour[4] = {0x2b7, 0, 0, 0};
  const size_t origin[3] = {}, region[3] = {kLong, kRows, 1};
  EXPECT_EQ(clEnqueueFillImage(queue, image, colour, origin, region, 0, nullptr, nullptr),
            CL_SUCCESS);
  Bytes pixels(format.rowBytes(kLong) * kRows);
  EXPECT_EQ(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, pixels.data(), 0,
                               nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(pixels, packShared(format, std::vector<uint32_t>(kLong * kRows, 0x2b7)));
}

// A Bayer pattern of a camera, its colours averaged over 2 x 2 pixels.
TEST_P(ImagesOfSharedElements, KernelsReadThem) {
  const SharedFormat& format = GetParam();
  std::vector<uint32_t> values(kWidth * kHeight);
  for (uint32_t& value : values) value = random() & ((1u << format.bits) - 1);
  Bytes pixels = packShared(format, values);
  const MemoryHolder image = make(CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, pixels.data());
  const ProgramHolder program = buildProgram(context, R"(
    #if !defined(cl_ext_image_raw10_raw12) || !defined(__opencl_c_ext_image_raw10_raw12)
    #error cl_ext_image_raw10_raw12 is missing
    #endif
    kernel void bin(read_only image2d_t image, global uint4* out) {
      int x = 2 * (int)get_global_id(0), y = 2 * (int)get_global_id(1);
      uint4 colour;
      colour.x = read_imageui(image, (int2)(x, y)).x;
      colour.y = read_imageui(image, (int2)(x + 1, y)).x;
      colour.z = read_imageui(image, (int2)(x, y + 1)).x;
      colour.w = read_imageui(image, (int2)(x + 1, y + 1)).x;
      out[get_global_linear_id()] = colour;
    }
  )",
                                             "-cl-std=CL3.0");
  const KernelHolder kernel = makeKernel(program, "bin");
  const size_t global[2] = {kWidth / 2, kHeight / 2};
  const size_t count = global[0] * global[1];
  const MemoryHolder out = makeBuffer(count * 16);
  setBuffer(kernel, 0, image);
  setBuffer(kernel, 1, out);
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  const auto got = readBuffer<std::array<uint32_t, 4>>(queue, out, count);
  for (size_t y = 0; y < global[1]; ++y)
    for (size_t x = 0; x < global[0]; ++x) {
      const uint32_t* top = values.data() + 2 * y * kWidth + 2 * x;
      const std::array<uint32_t, 4> wanted{top[0], top[1], top[kWidth], top[kWidth + 1]};
      EXPECT_EQ(got[y * global[0] + x], wanted) << x << ", " << y;
    }
}

INSTANTIATE_TEST_SUITE_P(Every, ImagesOfSharedElements, testing::ValuesIn(kSharedFormats));

}  // namespace
}  // namespace weft::test
