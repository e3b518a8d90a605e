// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/image.h"

#include <array>
#include <utility>

#include "api/adaptor.h"
#include "api/external_memory.h"
#include "api/info.h"
#include "validate/handles.h"
#include "validate/memory.h"

// clCreateImage, clCreateImageWithProperties, clCreateImage2D, clCreateImage3D,
// clGetSupportedImageFormats, clGetImageInfo.

using namespace weft;

namespace {

using api::InfoRow;
using api::InfoWriter;

/// What clCreateImage and clCreateImageWithProperties come to.
Result<Ref<Image>> createImage(cl_context context, const cl_mem_properties* properties,
                               cl_mem_flags flags, const cl_image_format* format,
                               const cl_image_desc* description, void* hostPointer) {
  WEFT_TRY(Context * found, validate::context(context));
  WEFT_TRY(MemoryProperties given, validate::imageProperties(*found, properties));
  // What the flags may be depends on what is below, if anything, which is checked after them.
  Memory* const inherited = description ? Memory::from(description->mem_object) : nullptr;
  WEFT_TRY(const cl_mem_flags complete, validate::imageFlags(flags, inherited, given.isExternal()));
  WEFT_TRY(const ImageFormat* pixels, validate::imageFormat(format));
  WEFT_TRY(Memory * below, validate::belowImage(*found, description));
  if (below == nullptr) {
    WEFT_TRY_VOID(validate::hostPointer(complete, hostPointer));
    const bool hasPixels = hostPointer != nullptr || given.isExternal();
    WEFT_TRY(const ImageShape shape, validate::imageShape(*description, *pixels, hasPixels));
    WEFT_TRY_VOID(validate::imageFormatSupported(*pixels, shape.type, complete));
    WEFT_TRY_VOID(validate::imageHostMemory(*found, shape, hostPointer));
    WEFT_TRY_VOID(validate::imageExternalMemory(given, shape));
    return Image::create(*found, complete, *pixels, shape, hostPointer, std::move(given));
  }
  WEFT_TRY_VOID(require(hostPointer == nullptr, CL_INVALID_HOST_PTR));
  // Its pixels cannot be in two places.
  WEFT_TRY_VOID(require(!given.isExternal(), CL_INVALID_IMAGE_DESCRIPTOR));
  WEFT_TRY(const ImageShape shape,
           below->image() ? validate::imageOfImage(*description, *pixels, *below->image())
                          : validate::imageOfBuffer(*description, *pixels, *below));
  WEFT_TRY_VOID(validate::imageFormatSupported(*pixels, shape.type, complete));
  return Image::createOf(*below, complete, *pixels, shape, std::move(given));
}

/// What clCreateImage2D and clCreateImage3D come to.
Result<Ref<Image>> createOldImage(cl_context context, cl_mem_flags flags,
                                  const cl_image_format* format, const cl_image_desc& description,
                                  void* hostPointer) {
  WEFT_TRY(Context * found, validate::context(context));
  WEFT_TRY(const cl_mem_flags complete, validate::imageFlags(flags, nullptr));
  WEFT_TRY(const ImageFormat* pixels, validate::imageFormat(format));
  WEFT_TRY(const ImageShape shape, validate::oldImageShape(description, *pixels, hostPointer));
  WEFT_TRY_VOID(validate::hostPointer(complete, hostPointer));
  WEFT_TRY_VOID(validate::imageFormatSupported(*pixels, shape.type, complete));
  WEFT_TRY_VOID(validate::imageHostMemory(*found, shape, hostPointer));
  return Image::create(*found, complete, *pixels, shape, hostPointer);
}

/// A member of the shape, zero for images of a type that does not have it.
template <auto kMember, bool (*kHas)(cl_mem_object_type)>
Result<void> extent(const Image& image, const InfoWriter& out) {
  return out.value(kHas(image.type()) ? size_t{image.shape().*kMember} : size_t{0});
}

constexpr bool hasDepth(cl_mem_object_type type) { return type == CL_MEM_OBJECT_IMAGE3D; }
constexpr bool hasRows(cl_mem_object_type type) { return hasHeight(type); }

Result<void> bufferBelow(const Image& image, const InfoWriter& out) {
  Memory* const below = image.parent();
  return out.value(below && below->buffer() ? below->handle() : cl_mem{nullptr});
}

constexpr std::array kImageInfo{
    InfoRow<Image>{
        CL_IMAGE_FORMAT,
        [](const Image& image, const InfoWriter& out) { return out.value(image.format().cl); }},
    InfoRow<Image>{CL_IMAGE_ELEMENT_SIZE,
                   [](const Image& image, const InfoWriter& out) {
                     return out.value(image.format().pixelBytes());
                   }},
    InfoRow<Image>{CL_IMAGE_ROW_PITCH,
                   [](const Image& image, const InfoWriter& out) {
                     return out.value(image.shape().rowPitch);
                   }},
    InfoRow<Image>{CL_IMAGE_SLICE_PITCH, extent<&ImageShape::slicePitch, hasSlices>},
    InfoRow<Image>{
        CL_IMAGE_WIDTH,
        [](const Image& image, const InfoWriter& out) { return out.value(image.shape().width); }},
    InfoRow<Image>{CL_IMAGE_HEIGHT, extent<&ImageShape::height, hasRows>},
    InfoRow<Image>{CL_IMAGE_DEPTH, extent<&ImageShape::depth, hasDepth>},
    InfoRow<Image>{CL_IMAGE_ARRAY_SIZE, extent<&ImageShape::layers, isImageArray>},
    InfoRow<Image>{CL_IMAGE_BUFFER, bufferBelow},
    InfoRow<Image>{CL_IMAGE_NUM_MIP_LEVELS,
                   [](const Image& image, const InfoWriter& out) {
                     return out.value(image.shape().mipLevels);
                   }},
    InfoRow<Image>{CL_IMAGE_NUM_SAMPLES,
                   [](const Image&, const InfoWriter& out) { return out.value(cl_uint{0}); }},
};

Result<void> listFormats(cl_mem_flags flags, cl_mem_object_type type, cl_uint capacity,
                         cl_image_format* formats, cl_uint* countRet) noexcept {
  constexpr cl_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  if ((flags & kAccess) == 0) flags |= CL_MEM_READ_WRITE;  // the default
  cl_uint count = 0;
  for (const ImageFormat& format : ImageFormat::all()) {
    if (!isImageFormatSupported(format, type, flags)) continue;
    if (formats && count < capacity) formats[count] = format.cl;
    ++count;
  }
  if (countRet) *countRet = count;
  return {};
}

}  // namespace

extern "C" {

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                              const cl_image_format* image_format,
                                              const cl_image_desc* image_desc, void* host_ptr,
                                              cl_int* errcode_ret) {
  return api::create(errcode_ret, [&] {
    return createImage(context, nullptr, flags, image_format, image_desc, host_ptr);
  });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context,
                                                            const cl_mem_properties* properties,
                                                            cl_mem_flags flags,
                                                            const cl_image_format* image_format,
                                                            const cl_image_desc* image_desc,
                                                            void* host_ptr, cl_int* errcode_ret) {
  return api::takeExternalHandle(api::create(errcode_ret, [&] {
    return createImage(context, properties, flags, image_format, image_desc, host_ptr);
  }));
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                                const cl_image_format* image_format,
                                                size_t image_width, size_t image_height,
                                                size_t image_row_pitch, void* host_ptr,
                                                cl_int* errcode_ret) {
  return api::create(errcode_ret, [&] {
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = image_width;
    description.image_height = image_height;
    description.image_row_pitch = image_row_pitch;
    return createOldImage(context, flags, image_format, description, host_ptr);
  });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                                const cl_image_format* image_format,
                                                size_t image_width, size_t image_height,
                                                size_t image_depth, size_t image_row_pitch,
                                                size_t image_slice_pitch, void* host_ptr,
                                                cl_int* errcode_ret) {
  return api::create(errcode_ret, [&] {
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE3D;
    description.image_width = image_width;
    description.image_height = image_height;
    description.image_depth = image_depth;
    description.image_row_pitch = image_row_pitch;
    description.image_slice_pitch = image_slice_pitch;
    return createOldImage(context, flags, image_format, description, host_ptr);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                                           cl_mem_object_type image_type,
                                                           cl_uint num_entries,
                                                           cl_image_format* image_formats,
                                                           cl_uint* num_image_formats) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY_VOID(validate::context(context));
    WEFT_TRY_VOID(validate::imageQueryFlags(flags));
    WEFT_TRY_VOID(validate::imageType(image_type));
    WEFT_TRY_VOID(require(num_entries != 0 || image_formats == nullptr, CL_INVALID_VALUE));
    return listFormats(flags, image_type, num_entries, image_formats, num_image_formats);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name,
                                               size_t param_value_size, void* param_value,
                                               size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Image* found, validate::image(image));
    return api::queryInfo<Image>(kImageInfo, *found, param_name, param_value_size, param_value,
                                 param_value_size_ret);
  });
}

}  // extern "C"
