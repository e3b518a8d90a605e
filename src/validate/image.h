// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstddef>

#include "base/error.h"
#include "memory/memory.h"

/// Rules of images and samplers that do not depend on what the device can do, and of pipes.
namespace weft::validate {

/// CL_INVALID_VALUE unless it is one of the six kinds of image.
[[nodiscard]] Result<void> imageType(cl_mem_object_type type) noexcept;

/// Flags of clGetSupportedImageFormats. CL_INVALID_VALUE for unknown bits and for bits that
/// exclude each other.
[[nodiscard]] Result<void> imageQueryFlags(cl_mem_flags flags) noexcept;

/// Flags of an image, with the default access or with what it inherits from the memory object
/// below it, which may be null.
///   CL_INVALID_VALUE  unknown bits, bits that exclude each other, what the object below does not
///                     allow, or an immutable image without its contents
[[nodiscard]] Result<cl_mem_flags> imageFlags(cl_mem_flags flags, const Memory* below) noexcept;

/// Bytes of one element. CL_INVALID_IMAGE_FORMAT_DESCRIPTOR when there is no format, or one whose
/// channel order and data type do not go together.
[[nodiscard]] Result<size_t> imageElement(const cl_image_format* format) noexcept;

/// What a descriptor says, with pitches of zero replaced by those of packed rows and slices.
struct ImageShape {
  cl_mem_object_type type;
  size_t width;
  size_t height;  ///< 1 where the type has none; so are depth and layers
  size_t depth;
  size_t layers;
  size_t rowPitch;
  size_t slicePitch;
};

/// The descriptor of clCreateImage for elements of `elementSize` bytes.
///   CL_INVALID_IMAGE_DESCRIPTOR  there is none, or a bad type, memory object, pitch, number of
///                                mipmap levels or of samples
///   CL_INVALID_IMAGE_SIZE        an extent that is empty, or an image beyond 64 bits
[[nodiscard]] Result<ImageShape> imageShape(const cl_image_desc* description, size_t elementSize,
                                            const void* hostPointer) noexcept;

/// The arguments of clCreateImage2D and clCreateImage3D as a descriptor; like imageShape, but bad
/// pitches are CL_INVALID_IMAGE_SIZE, and so is a 3D image of one slice.
[[nodiscard]] Result<ImageShape> oldImageShape(const cl_image_desc& description, size_t elementSize,
                                               const void* hostPointer) noexcept;

struct SamplerOptions {
  cl_bool normalized = CL_TRUE;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
  cl_filter_mode filter = CL_FILTER_NEAREST;
};

/// The list of clCreateSamplerWithProperties; null stands for the defaults. CL_INVALID_VALUE for an
/// unknown or repeated name and for a bad value.
[[nodiscard]] Result<SamplerOptions> samplerOptions(const cl_sampler_properties* list) noexcept;

/// The arguments of clCreateSampler. CL_INVALID_VALUE for a bad one, and for repetition of
/// coordinates that are not normalized.
[[nodiscard]] Result<SamplerOptions> samplerOptions(cl_bool normalized,
                                                    cl_addressing_mode addressing,
                                                    cl_filter_mode filter) noexcept;

/// The arguments of clCreatePipe.
///   CL_INVALID_VALUE      flags that pipes do not have, or any properties
///   CL_INVALID_PIPE_SIZE  no packets, or empty ones, or larger ones than the device takes
[[nodiscard]] Result<void> pipe(cl_mem_flags flags, cl_uint packetSize, cl_uint packets,
                                const cl_pipe_properties* properties) noexcept;

}  // namespace weft::validate
