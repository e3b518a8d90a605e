// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <vector>

#include "base/error.h"
#include "memory/image.h"
#include "memory/sampler.h"

/// Rules of images, samplers and pipes.
namespace weft::validate {

/// CL_INVALID_MEM_OBJECT for another kind of memory object.
[[nodiscard]] Result<Image*> image(cl_mem handle) noexcept;

/// CL_INVALID_VALUE unless it is one of the six kinds of image.
[[nodiscard]] Result<void> imageType(cl_mem_object_type type) noexcept;

/// Flags of clGetSupportedImageFormats. CL_INVALID_VALUE for unknown bits and for bits that
/// exclude each other.
[[nodiscard]] Result<void> imageQueryFlags(cl_mem_flags flags) noexcept;

/// Flags of an image, with the default access or with what it inherits from the memory object
/// below it, which may be null.
///   CL_INVALID_VALUE  unknown bits, bits that exclude each other, what the object below does not
///                     allow, host pointer flags of external memory, or an immutable image without
///                     its contents
[[nodiscard]] Result<cl_mem_flags> imageFlags(cl_mem_flags flags, const Memory* below,
                                              bool isExternal = false) noexcept;

/// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR when there is no format, or one whose channel order and data
/// type do not go together.
[[nodiscard]] Result<const ImageFormat*> imageFormat(const cl_image_format* format) noexcept;

/// CL_IMAGE_FORMAT_NOT_SUPPORTED when images of the type and the flags cannot have the format.
[[nodiscard]] Result<void> imageFormatSupported(const ImageFormat& format, cl_mem_object_type type,
                                                cl_mem_flags flags) noexcept;

/// What the image is to be made from: a buffer, for a 2D image also another one, or null.
/// CL_INVALID_IMAGE_DESCRIPTOR when there is no descriptor, or one with a bad type, several
/// samples, or a bad memory object.
[[nodiscard]] Result<Memory*> belowImage(const Context& context,
                                         const cl_image_desc* description) noexcept;

/// The shape that a descriptor asks for, when nothing is below. `hasPixels` says that there is a
/// host pointer or external memory, which is taken to be linear. Pre: belowImage() is content.
///   CL_INVALID_IMAGE_DESCRIPTOR  a bad pitch or number of mipmap levels
///   CL_INVALID_IMAGE_SIZE        an extent that is empty or beyond the limits
[[nodiscard]] Result<ImageShape> imageShape(const cl_image_desc& description,
                                            const ImageFormat& format, bool hasPixels) noexcept;

/// The arguments of clCreateImage2D and clCreateImage3D as a descriptor; like imageShape, but bad
/// pitches are CL_INVALID_IMAGE_SIZE, and so is a 3D image of one slice.
[[nodiscard]] Result<ImageShape> oldImageShape(const cl_image_desc& description,
                                               const ImageFormat& format,
                                               const void* hostPointer) noexcept;

/// CL_INVALID_HOST_PTR when the pointer, if any, is one into an allocation of shared memory that
/// ends before the pixels do.
[[nodiscard]] Result<void> imageHostMemory(const Context& context, const ImageShape& shape,
                                           const void* hostPointer) noexcept;

/// CL_INVALID_IMAGE_SIZE when the external memory, if any, ends before the pixels do;
/// CL_INVALID_PROPERTY as externalSize.
[[nodiscard]] Result<void> imageExternalMemory(const MemoryProperties& properties,
                                               const ImageShape& shape) noexcept;

/// The same for an image of a buffer's bytes.
///   CL_INVALID_IMAGE_FORMAT_DESCRIPTOR  a bad pitch, or bytes that no element can start at
///   CL_INVALID_IMAGE_SIZE               as imageShape; a buffer that is too small
///   CL_INVALID_IMAGE_DESCRIPTOR         mipmap levels
[[nodiscard]] Result<ImageShape> imageOfBuffer(const cl_image_desc& description,
                                               const ImageFormat& format,
                                               const Memory& buffer) noexcept;

/// The same for a 2D image of another one's pixels.
///   CL_INVALID_IMAGE_DESCRIPTOR         what is not as the other one has it
///   CL_INVALID_IMAGE_FORMAT_DESCRIPTOR  an order that the pixels cannot be seen in
[[nodiscard]] Result<ImageShape> imageOfImage(const cl_image_desc& description,
                                              const ImageFormat& format,
                                              const Image& image) noexcept;

/// The descriptor of clGetImageRequirementsInfoEXT, if any, in which zeros stand for whatever there
/// may be. CL_INVALID_IMAGE_DESCRIPTOR for a bad type, several samples, and what is beyond the
/// limits.
[[nodiscard]] Result<void> imageQueryDescriptor(const cl_image_desc* description) noexcept;
/// The same, without any zeros. CL_INVALID_IMAGE_DESCRIPTOR.
[[nodiscard]] Result<void> imageExtents(const cl_image_desc* description) noexcept;
/// Bytes that a buffer needs for such an image. CL_INVALID_IMAGE_DESCRIPTOR for what no image can
/// be made of.
[[nodiscard]] Result<size_t> imageBytes(const cl_image_desc& description,
                                        const ImageFormat& format) noexcept;

struct SamplerProperties {
  SamplerOptions options;
  std::vector<cl_sampler_properties> properties;  ///< terminator included
};

/// The list of clCreateSamplerWithProperties; null stands for the defaults. CL_INVALID_VALUE for an
/// unknown or repeated name and for a bad value.
[[nodiscard]] Result<SamplerProperties> samplerProperties(const cl_sampler_properties* list);

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
