// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CL/cl_ext.h>

#include <array>

#include "api/adaptor.h"
#include "api/info.h"
#include "platform/limits.h"
#include "validate/handles.h"
#include "validate/image.h"
#include "validate/memory.h"

// clGetImageRequirementsInfoEXT.

namespace weft {
namespace {

using api::InfoRow;
using api::InfoWriter;

/// The arguments of a query. The format may be missing, and so may the descriptor.
struct Wanted {
  const ImageFormat* format;
  const cl_image_desc* description;

  /// Zero where any type may be meant.
  cl_mem_object_type type() const noexcept { return description ? description->image_type : 0; }
};

/// Images may start, and rows and slices follow each other, wherever elements can lie.
Result<void> alignment(const Wanted& wanted, const InfoWriter& out) {
  WEFT_TRY_VOID(validate::imageExtents(wanted.description));
  return out.value(wanted.format ? wanted.format->alignment() : limits::kMaxImageElementSize);
}

Result<void> bytes(const Wanted& wanted, const InfoWriter& out) {
  WEFT_TRY_VOID(require(wanted.format && wanted.description, CL_INVALID_VALUE));
  WEFT_TRY(const size_t size, validate::imageBytes(*wanted.description, *wanted.format));
  return out.value(size);
}

size_t edgeOf(cl_mem_object_type type) noexcept {
  const bool maybeVolume = type == CL_MEM_OBJECT_IMAGE3D || type == 0;
  return maybeVolume ? limits::kMaxImage3DSize : limits::kMaxImage2DSize;
}

constexpr bool hasDepth(cl_mem_object_type type) { return type == CL_MEM_OBJECT_IMAGE3D; }

/// A limit of images whose type kHas; CL_INVALID_IMAGE_DESCRIPTOR for others.
template <bool (*kHas)(cl_mem_object_type)>
Result<void> limitOf(const Wanted& wanted, size_t limit, const InfoWriter& out) {
  const bool sound = wanted.type() == 0 || kHas(wanted.type());
  WEFT_TRY_VOID(require(sound, CL_INVALID_IMAGE_DESCRIPTOR));
  return out.value(static_cast<cl_uint>(limit));
}

constexpr bool hasWidth(cl_mem_object_type) { return true; }
constexpr bool hasRows(cl_mem_object_type type) { return hasHeight(type); }

constexpr std::array kRequirements{
    InfoRow<Wanted>{CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT, alignment},
    InfoRow<Wanted>{CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT, alignment},
    InfoRow<Wanted>{CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT, alignment},
    InfoRow<Wanted>{CL_IMAGE_REQUIREMENTS_SIZE_EXT, bytes},
    InfoRow<Wanted>{CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT,
                    [](const Wanted& wanted, const InfoWriter& out) {
                      const bool isBuffer = wanted.type() == CL_MEM_OBJECT_IMAGE1D_BUFFER;
                      return limitOf<hasWidth>(
                          wanted, isBuffer ? limits::kMaxImageBufferSize : edgeOf(wanted.type()),
                          out);
                    }},
    InfoRow<Wanted>{CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT,
                    [](const Wanted& wanted, const InfoWriter& out) {
                      return limitOf<hasRows>(wanted, edgeOf(wanted.type()), out);
                    }},
    InfoRow<Wanted>{CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT,
                    [](const Wanted& wanted, const InfoWriter& out) {
                      return limitOf<hasDepth>(wanted, limits::kMaxImage3DDepth, out);
                    }},
    InfoRow<Wanted>{CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT,
                    [](const Wanted& wanted, const InfoWriter& out) {
                      return limitOf<isImageArray>(wanted, limits::kMaxImageArraySize, out);
                    }},
};

}  // namespace
}  // namespace weft

using namespace weft;

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clGetImageRequirementsInfoEXT(
    cl_context context, const cl_mem_properties* properties, cl_mem_flags flags,
    const cl_image_format* image_format, const cl_image_desc* image_desc,
    cl_image_requirements_info_ext param_name, size_t param_value_size, void* param_value,
    size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Context* found, validate::context(context));
    WEFT_TRY_VOID(validate::imageProperties(*found, properties));
    WEFT_TRY_VOID(validate::imageQueryFlags(flags));
    Wanted wanted{nullptr, image_desc};
    if (image_format) {
      WEFT_TRY(wanted.format, validate::imageFormat(image_format));
    }
    WEFT_TRY_VOID(validate::imageQueryDescriptor(image_desc));
    return api::queryInfo<Wanted>(kRequirements, wanted, param_name, param_value_size, param_value,
                                  param_value_size_ret);
  });
}

}  // extern "C"
