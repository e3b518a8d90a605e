// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How images of every type are made, and what is known of them.
#include <CL/cl_ext.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "support/image_description.h"
#include "support/info_query.h"
#include "support/objects.h"

namespace weft::test {
namespace {

constexpr cl_image_format kBytes{CL_RGBA, CL_UNORM_INT8};

class ImageTest : public testing::Test {
 protected:
  MemoryHolder create(const cl_image_desc& description, cl_mem_flags flags = 0,
                      void* pointer = nullptr, cl_image_format format = kBytes) {
    cl_int error = CL_INVALID_EVENT;
    MemoryHolder image(clCreateImage(context, flags, &format, &description, pointer, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return image;
  }

  /// The code of making an image, which is released again.
  cl_int code(const cl_image_desc& description, cl_mem_flags flags = 0, void* pointer = nullptr,
              cl_image_format format = kBytes) {
    cl_int error = CL_INVALID_EVENT;
    const MemoryHolder image(clCreateImage(context, flags, &format, &description, pointer, &error));
    EXPECT_EQ(image != nullptr, error == CL_SUCCESS);
    return error;
  }

  template <class T>
  static T info(cl_mem image, cl_image_info name) {
    return infoValue<T>([&](size_t size, void* value, size_t* sizeRet) {
      return clGetImageInfo(image, name, size, value, sizeRet);
    });
  }
  template <class T>
  static T memoryInfo(cl_mem image, cl_mem_info name) {
    return infoValue<T>([&](size_t size, void* value, size_t* sizeRet) {
      return clGetMemObjectInfo(image, name, size, value, sizeRet);
    });
  }

  ContextHolder context = makeContext();
};

TEST_F(ImageTest, Queries) {
  const struct {
    cl_image_desc description;
    size_t slicePitch;
  } rows[] = {{describe(CL_MEM_OBJECT_IMAGE1D, 5), 0},
              {describe(CL_MEM_OBJECT_IMAGE1D_ARRAY, 5, 0, 0, 3), 20},
              {describe(CL_MEM_OBJECT_IMAGE2D, 5, 7), 0},
              {describe(CL_MEM_OBJECT_IMAGE2D_ARRAY, 5, 7, 0, 3), 140},
              {describe(CL_MEM_OBJECT_IMAGE3D, 5, 7, 2), 140}};
  for (const auto& [description, slicePitch] : rows) {
    SCOPED_TRACE(description.image_type);
    const MemoryHolder image = create(description, CL_MEM_READ_ONLY);
    const auto format = info<cl_image_format>(image, CL_IMAGE_FORMAT);
    EXPECT_EQ(std::memcmp(&format, &kBytes, sizeof format), 0);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_ELEMENT_SIZE), 4u);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_ROW_PITCH), 20u);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_SLICE_PITCH), slicePitch);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_WIDTH), description.image_width);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_HEIGHT), description.image_height);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_DEPTH), description.image_depth);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_ARRAY_SIZE), description.image_array_size);
    EXPECT_EQ(info<cl_mem>(image, CL_IMAGE_BUFFER), nullptr);
    EXPECT_EQ(info<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS), 0u);
    EXPECT_EQ(info<cl_uint>(image, CL_IMAGE_NUM_SAMPLES), 0u);
    EXPECT_EQ(memoryInfo<cl_mem_object_type>(image, CL_MEM_TYPE), description.image_type);
    EXPECT_EQ(memoryInfo<cl_mem_flags>(image, CL_MEM_FLAGS), cl_mem_flags{CL_MEM_READ_ONLY});
    EXPECT_GE(memoryInfo<size_t>(image, CL_MEM_SIZE), std::max<size_t>(slicePitch, 20));
    EXPECT_EQ(memoryInfo<void*>(image, CL_MEM_HOST_PTR), nullptr);
    EXPECT_EQ(memoryInfo<cl_uint>(image, CL_MEM_MAP_COUNT), 0u);
    EXPECT_EQ(memoryInfo<cl_uint>(image, CL_MEM_REFERENCE_COUNT), 1u);
    EXPECT_EQ(memoryInfo<cl_context>(image, CL_MEM_CONTEXT), context.get());
    EXPECT_EQ(memoryInfo<cl_mem>(image, CL_MEM_ASSOCIATED_MEMOBJECT), nullptr);
    EXPECT_EQ(memoryInfo<size_t>(image, CL_MEM_OFFSET), 0u);
    EXPECT_EQ(memoryInfo<cl_bool>(image, CL_MEM_USES_SVM_POINTER), cl_bool{CL_FALSE});
  }
  const MemoryHolder buffer(clCreateBuffer(context, 0, 64, nullptr, nullptr));
  EXPECT_EQ(clGetImageInfo(buffer, CL_IMAGE_WIDTH, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clGetImageInfo(nullptr, CL_IMAGE_WIDTH, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  const MemoryHolder image = create(describe(CL_MEM_OBJECT_IMAGE1D, 5));
  EXPECT_EQ(clGetImageInfo(image, CL_MEM_SIZE, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

constexpr cl_mem_object_type kTypes[] = {CL_MEM_OBJECT_IMAGE1D,       CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                         CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                         CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};

TEST_F(ImageTest, EverySupportedFormatCanBeMade) {
  const MemoryHolder buffer(clCreateBuffer(context, 0, 4096, nullptr, nullptr));
  for (const cl_mem_object_type type : kTypes) {
    cl_uint count = 0;
    EXPECT_EQ(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, type, 0, nullptr, &count),
              CL_SUCCESS);
    std::vector<cl_image_format> formats(count + 1);
    EXPECT_EQ(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, type, count + 1,
                                         formats.data(), nullptr),
              CL_SUCCESS);
    EXPECT_EQ(formats[count].image_channel_order, 0u) << "more than were counted";
    formats.pop_back();
    const auto has = [&](cl_channel_order order, cl_channel_type channel) {
      return std::ranges::any_of(formats, [&](const cl_image_format& format) {
        return format.image_channel_order == order && format.image_channel_data_type == channel;
      });
    };
    for (const cl_channel_order order : {CL_R, CL_RG, CL_RGBA})
      for (const cl_channel_type channel :
           {CL_UNORM_INT8, CL_UNORM_INT16, CL_SNORM_INT8, CL_SNORM_INT16, CL_SIGNED_INT8,
            CL_SIGNED_INT16, CL_SIGNED_INT32, CL_UNSIGNED_INT8, CL_UNSIGNED_INT16,
            CL_UNSIGNED_INT32, CL_HALF_FLOAT, CL_FLOAT})
        EXPECT_TRUE(has(order, channel)) << std::hex << order << " " << channel;
    for (const cl_channel_order order : {CL_BGRA, CL_sRGBA}) EXPECT_TRUE(has(order, CL_UNORM_INT8));
    const bool flat = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    EXPECT_EQ(has(CL_DEPTH, CL_FLOAT), flat);
    EXPECT_EQ(has(CL_DEPTH, CL_UNORM_INT16), flat);
    cl_image_desc description = describe(type, 3, 3, 3, 3);
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) description.mem_object = buffer;
    for (const cl_image_format& format : formats) {
      const MemoryHolder image = create(description, 0, nullptr, format);
      const auto element = info<size_t>(image, CL_IMAGE_ELEMENT_SIZE);
      EXPECT_EQ(element & (element - 1), 0u);
      EXPECT_EQ(info<size_t>(image, CL_IMAGE_ROW_PITCH), 3 * element);
    }
    if (!flat) {
      const cl_image_format depth{CL_DEPTH, CL_FLOAT};
      EXPECT_EQ(code(description, 0, nullptr, depth), CL_IMAGE_FORMAT_NOT_SUPPORTED);
    }
  }
}

TEST_F(ImageTest, ExtentsHaveLimits) {
  const MemoryHolder buffer(clCreateBuffer(context, 0, 4096, nullptr, nullptr));
  const size_t tooLong = size_t{1} << 31;
  for (const cl_mem_object_type type : kTypes) {
    cl_image_desc description = describe(type, tooLong, 1, 1, 1);
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) description.mem_object = buffer;
    EXPECT_EQ(code(description), CL_INVALID_IMAGE_SIZE);
    description.image_width = 1;
    for (size_t* extent :
         {&description.image_height, &description.image_depth, &description.image_array_size}) {
      *extent = tooLong;
      const bool used =
          (extent == &description.image_height &&
           (type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
            type == CL_MEM_OBJECT_IMAGE3D)) ||
          (extent == &description.image_depth && type == CL_MEM_OBJECT_IMAGE3D) ||
          (extent == &description.image_array_size &&
           (type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY));
      EXPECT_EQ(code(description), used ? CL_INVALID_IMAGE_SIZE : CL_SUCCESS);
      *extent = 1;
    }
  }
  const cl_image_format wide{CL_RGBA, CL_FLOAT};
  EXPECT_EQ(code(describe(CL_MEM_OBJECT_IMAGE3D, 16384, 16384, 2048), 0, nullptr, wide),
            CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

TEST_F(ImageTest, PitchesThatOverflow) {
  char host[64] = {};
  cl_image_desc description = describe(CL_MEM_OBJECT_IMAGE3D, 1, 4, 4);
  description.image_row_pitch = size_t{1} << 62;
  EXPECT_EQ(code(description, CL_MEM_USE_HOST_PTR, host), CL_INVALID_IMAGE_DESCRIPTOR);
  description.image_height = 1;
  description.image_slice_pitch = size_t{1} << 62;
  EXPECT_EQ(code(description, CL_MEM_USE_HOST_PTR, host), CL_INVALID_IMAGE_SIZE);
  const MemoryHolder buffer(clCreateBuffer(context, 0, 4096, nullptr, nullptr));
  description.mem_object = buffer;
  EXPECT_EQ(code(description), CL_INVALID_IMAGE_SIZE);
}

TEST_F(ImageTest, SharedMemoryAsHostPointer) {
  void* const shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  ASSERT_NE(shared, nullptr);
  cl_image_desc description = describe(CL_MEM_OBJECT_IMAGE2D, 32, 32);
  EXPECT_EQ(code(description, CL_MEM_USE_HOST_PTR, shared), CL_SUCCESS);
  EXPECT_EQ(code(description, CL_MEM_USE_HOST_PTR, static_cast<char*>(shared) + 4),
            CL_INVALID_HOST_PTR)
      << "the allocation ends before the pixels do";
  description.image_row_pitch = 132;
  EXPECT_EQ(code(description, CL_MEM_COPY_HOST_PTR, shared), CL_INVALID_HOST_PTR);
  clSVMFree(context, shared);
}

TEST_F(ImageTest, OfImages) {
  const cl_image_format rgba{CL_RGBA, CL_UNORM_INT8}, srgba{CL_sRGBA, CL_UNORM_INT8};
  const MemoryHolder pixels = create(describe(CL_MEM_OBJECT_IMAGE2D, 7, 5), CL_MEM_READ_ONLY);
  cl_image_desc description = describe(CL_MEM_OBJECT_IMAGE2D, 7, 5);
  description.mem_object = pixels;
  const MemoryHolder view = create(description, 0, nullptr, srgba);
  EXPECT_EQ(memoryInfo<cl_mem>(view, CL_MEM_ASSOCIATED_MEMOBJECT), pixels.get());
  EXPECT_EQ(memoryInfo<cl_mem_flags>(view, CL_MEM_FLAGS), cl_mem_flags{CL_MEM_READ_ONLY});
  EXPECT_EQ(memoryInfo<size_t>(view, CL_MEM_SIZE), memoryInfo<size_t>(pixels, CL_MEM_SIZE));
  EXPECT_EQ(info<cl_mem>(view, CL_IMAGE_BUFFER), nullptr);
  EXPECT_EQ(info<cl_image_format>(view, CL_IMAGE_FORMAT).image_channel_order, cl_uint{CL_sRGBA});
  description.mem_object = view;
  EXPECT_EQ(code(description, 0, nullptr, rgba), CL_SUCCESS) << "and back again";
  description.mem_object = pixels;

  EXPECT_EQ(code(description, 0, nullptr, {CL_BGRA, CL_UNORM_INT8}),
            CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(code(description, 0, nullptr, {CL_sRGBA, CL_UNORM_INT16}),
            CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(code(description, CL_MEM_READ_WRITE, nullptr, srgba), CL_INVALID_VALUE);
  EXPECT_EQ(code(description, CL_MEM_USE_HOST_PTR, nullptr, srgba), CL_INVALID_VALUE);
  char host[64] = {};
  EXPECT_EQ(code(description, 0, host, srgba), CL_INVALID_HOST_PTR);
  for (size_t cl_image_desc::* member : {&cl_image_desc::image_width, &cl_image_desc::image_height,
                                         &cl_image_desc::image_row_pitch}) {
    cl_image_desc other = description;
    other.*member += 4;
    EXPECT_EQ(code(other, 0, nullptr, srgba), CL_INVALID_IMAGE_DESCRIPTOR);
  }
  cl_image_desc row = describe(CL_MEM_OBJECT_IMAGE1D, 7);
  row.mem_object = pixels;
  EXPECT_EQ(code(row, 0, nullptr, srgba), CL_INVALID_IMAGE_DESCRIPTOR);
  const cl_image_format floats{CL_R, CL_FLOAT}, depth{CL_DEPTH, CL_FLOAT};
  const MemoryHolder plane = create(describe(CL_MEM_OBJECT_IMAGE2D, 7, 5), 0, nullptr, floats);
  description.mem_object = plane;
  EXPECT_EQ(code(description, 0, nullptr, depth), CL_SUCCESS);
}

TEST_F(ImageTest, RulesOfBuffers) {
  alignas(64) static char host[4096];
  const cl_image_format floats{CL_RGBA, CL_FLOAT};
  const MemoryHolder odd(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 1024, host + 4, nullptr));
  cl_image_desc description = describe(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  description.mem_object = odd;
  EXPECT_EQ(code(description, 0, nullptr, floats), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(code(description), CL_SUCCESS) << "elements of four bytes can lie there";
  const MemoryHolder buffer(clCreateBuffer(context, 0, 256, nullptr, nullptr));
  description.mem_object = buffer;
  EXPECT_EQ(code(description, 0, nullptr, floats), CL_SUCCESS);
  for (const size_t pitch : {size_t{60}, size_t{65}, size_t{72}}) {
    description.image_row_pitch = pitch;
    EXPECT_EQ(code(description, 0, nullptr, floats), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR) << pitch;
  }
  description.image_row_pitch = 80;
  EXPECT_EQ(code(description, 0, nullptr, floats), CL_INVALID_IMAGE_SIZE);
  description.image_height = 3;
  EXPECT_EQ(code(description, 0, nullptr, floats), CL_SUCCESS);
  description.num_mip_levels = 2;
  EXPECT_EQ(code(description, 0, nullptr, floats), CL_INVALID_IMAGE_DESCRIPTOR);
  const ContextHolder other = makeContext();
  const MemoryHolder foreign(clCreateBuffer(other, 0, 256, nullptr, nullptr));
  description = describe(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  description.mem_object = foreign;
  EXPECT_EQ(code(description), CL_INVALID_IMAGE_DESCRIPTOR);
}

/// clGetImageRequirementsInfoEXT.
class ImageRequirementsTest : public ImageTest {
 protected:
  cl_int ask(const cl_image_format* format, const cl_image_desc* description,
             cl_image_requirements_info_ext name, cl_mem_flags flags = 0,
             const cl_mem_properties* properties = nullptr) {
    return query(context, properties, flags, format, description, name, 0, nullptr, nullptr);
  }
  template <class T>
  T answer(const cl_image_format* format, const cl_image_desc* description,
           cl_image_requirements_info_ext name) {
    return infoValue<T>([&](size_t size, void* value, size_t* sizeRet) {
      return query(context, nullptr, 0, format, description, name, size, value, sizeRet);
    });
  }

  const clGetImageRequirementsInfoEXT_fn query = reinterpret_cast<clGetImageRequirementsInfoEXT_fn>(
      clGetExtensionFunctionAddressForPlatform(platform(), "clGetImageRequirementsInfoEXT"));
};

TEST_F(ImageRequirementsTest, Alignments) {
  const cl_image_desc flat = describe(CL_MEM_OBJECT_IMAGE2D, 5, 5);
  const cl_image_format floats{CL_RGBA, CL_FLOAT};
  for (const cl_image_requirements_info_ext name :
       {CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT,
        CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT,
        CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT}) {
    EXPECT_EQ(answer<size_t>(&kBytes, &flat, name), 4u);
    EXPECT_EQ(answer<size_t>(&floats, &flat, name), 16u);
    EXPECT_EQ(answer<size_t>(&kBytes, nullptr, name), 4u);
    EXPECT_EQ(answer<size_t>(nullptr, &flat, name), 16u) << "which does for every format";
    EXPECT_EQ(answer<size_t>(nullptr, nullptr, name), 16u);
    const cl_image_desc empty = describe(CL_MEM_OBJECT_IMAGE2D, 5, 0);
    EXPECT_EQ(ask(&kBytes, &empty, name), CL_INVALID_IMAGE_DESCRIPTOR);
  }
}

TEST_F(ImageRequirementsTest, SizesAreWhatBuffersNeed) {
  for (const cl_mem_object_type type : kTypes) {
    cl_image_desc description = describe(type, 5, 6, 7, 3);
    description.image_row_pitch = 24;
    const auto size = answer<size_t>(&kBytes, &description, CL_IMAGE_REQUIREMENTS_SIZE_EXT);
    const MemoryHolder enough(clCreateBuffer(context, 0, size, nullptr, nullptr));
    const MemoryHolder less(clCreateBuffer(context, 0, size - 1, nullptr, nullptr));
    description.mem_object = enough;
    EXPECT_EQ(code(description), CL_SUCCESS);
    description.mem_object = less;
    EXPECT_EQ(code(description), CL_INVALID_IMAGE_SIZE);
  }
  const cl_image_desc flat = describe(CL_MEM_OBJECT_IMAGE2D, 5, 5);
  EXPECT_EQ(ask(nullptr, &flat, CL_IMAGE_REQUIREMENTS_SIZE_EXT), CL_INVALID_VALUE);
  EXPECT_EQ(ask(&kBytes, nullptr, CL_IMAGE_REQUIREMENTS_SIZE_EXT), CL_INVALID_VALUE);
}

TEST_F(ImageRequirementsTest, MostOfEachExtent) {
  const struct {
    cl_image_requirements_info_ext name;
    size_t cl_image_desc::* member;
    std::vector<cl_mem_object_type> types;
  } rows[] = {
      {CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT,
       &cl_image_desc::image_width,
       {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
        CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE1D_BUFFER}},
      {CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT,
       &cl_image_desc::image_height,
       {CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D}},
      {CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, &cl_image_desc::image_depth, {CL_MEM_OBJECT_IMAGE3D}},
      {CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT,
       &cl_image_desc::image_array_size,
       {CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D_ARRAY}}};
  for (const auto& [name, member, types] : rows) {
    const auto forAll = answer<cl_uint>(nullptr, nullptr, name);
    for (const cl_mem_object_type type : kTypes) {
      cl_image_desc description = describe(type, 1, 1, 1, 1);
      description.*member = 0;
      if (std::ranges::find(types, type) == types.end()) {
        EXPECT_EQ(ask(&kBytes, &description, name), CL_INVALID_IMAGE_DESCRIPTOR);
        continue;
      }
      const auto most = answer<cl_uint>(&kBytes, &description, name);
      EXPECT_LE(forAll, most);
      if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) continue;
      description.*member = most;
      EXPECT_EQ(code(description), CL_SUCCESS);
      description.*member = most + 1;
      EXPECT_EQ(code(description), CL_INVALID_IMAGE_SIZE);
    }
  }
}

TEST_F(ImageRequirementsTest, Rules) {
  constexpr cl_image_requirements_info_ext kName = CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT;
  const cl_image_desc flat = describe(CL_MEM_OBJECT_IMAGE2D, 5, 5);
  EXPECT_EQ(query(nullptr, nullptr, 0, &kBytes, &flat, kName, 0, nullptr, nullptr),
            CL_INVALID_CONTEXT);
  const cl_image_format bad{CL_INTENSITY, CL_UNORM_SHORT_555};
  EXPECT_EQ(ask(&bad, &flat, kName), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  const cl_image_desc noImage = describe(CL_MEM_OBJECT_BUFFER, 5);
  EXPECT_EQ(ask(&kBytes, &noImage, kName), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(ask(&kBytes, &flat, kName, ~cl_mem_flags{0}), CL_INVALID_VALUE);
  EXPECT_EQ(ask(&kBytes, &flat, CL_IMAGE_FORMAT), CL_INVALID_VALUE);
  const cl_mem_properties unknown[] = {0x7777, 1, 0};
  EXPECT_EQ(ask(&kBytes, &flat, kName, 0, unknown), CL_INVALID_PROPERTY);
  const cl_mem_properties none[] = {0};
  EXPECT_EQ(ask(&kBytes, &flat, kName, CL_MEM_KERNEL_READ_AND_WRITE, none), CL_SUCCESS);
}

TEST_F(ImageTest, Properties) {
  const cl_image_desc flat = describe(CL_MEM_OBJECT_IMAGE2D, 5, 5);
  const cl_mem_properties none[] = {0};
  const cl_mem_properties unknown[] = {0x7777, 1, 0};
  const auto list = [](cl_mem image) {
    return infoList<cl_mem_properties>([&](size_t size, void* value, size_t* sizeRet) {
      return clGetMemObjectInfo(image, CL_MEM_PROPERTIES, size, value, sizeRet);
    });
  };
  cl_int error = CL_INVALID_EVENT;
  const MemoryHolder listed(
      clCreateImageWithProperties(context, none, 0, &kBytes, &flat, nullptr, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(list(listed), std::vector<cl_mem_properties>{0});
  EXPECT_EQ(list(create(flat)), std::vector<cl_mem_properties>{});
  EXPECT_EQ(clCreateImageWithProperties(context, unknown, 0, &kBytes, &flat, nullptr, &error),
            nullptr);
  EXPECT_EQ(error, CL_INVALID_PROPERTY);
}

}  // namespace
}  // namespace weft::test
