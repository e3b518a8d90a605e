// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstddef>

#include "base/error.h"
#include "memory/image.h"
#include "memory/rect.h"
#include "queue/queue.h"
#include "validate/transfer.h"

/// Rules of the commands that move pixels, whether they are enqueued or recorded.
namespace weft::validate {

/// An image for a command.
///   CL_INVALID_MEM_OBJECT  not an image
///   CL_INVALID_CONTEXT     of another context
[[nodiscard]] Result<Image*> imageOf(const Context& context, cl_mem handle) noexcept;
[[nodiscard]] inline Result<Image*> imageOf(const Queue& queue, cl_mem handle) noexcept {
  return imageOf(queue.context(), handle);
}

/// A region of an image.
struct ImageRegion {
  ByteBox bytes;
  const abi::ImageLevel* level;
};

/// The region that a command names. The second dimension of a 1D array's region is its layers;
/// of a mipmapped image the element of `origin` after those of its dimensions is the level.
///   CL_INVALID_VALUE      null, empty or beyond the image
///   CL_INVALID_MIP_LEVEL  the image has no such level
[[nodiscard]] Result<ImageRegion> imageRegion(const Image& image, const size_t* origin,
                                              const size_t* region) noexcept;

/// Where the application has the pixels of a region of `image`, with pitches of zero replaced
/// by those of packed ones.
///   CL_INVALID_VALUE  null, a pitch that is too small, a slice pitch without slices, or what does
///                     not fit 64 bits
[[nodiscard]] Result<ByteBox> hostRegion(const Image& image, const RectRegion& region,
                                         size_t rowPitch, size_t slicePitch,
                                         const void* pointer) noexcept;

/// Where clEnqueueMapImage writes pitches to: CL_INVALID_VALUE for null, but images without slices
/// need no slice pitch.
[[nodiscard]] Result<void> mapPitches(const Image& image, const size_t* rowPitch,
                                      const size_t* slicePitch) noexcept;

/// clEnqueueCopyImage.
///   CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT
///   CL_IMAGE_FORMAT_MISMATCH  the images are not of one format
///   CL_INVALID_VALUE, CL_INVALID_MIP_LEVEL as imageRegion
///   CL_INVALID_OPERATION      the target is immutable
///   CL_MEM_COPY_OVERLAP       both regions have bytes in common
[[nodiscard]] Result<CheckedTransfer> copyImage(const Context& context, cl_mem source,
                                                cl_mem target, const size_t* sourceOrigin,
                                                const size_t* targetOrigin,
                                                const size_t* region) noexcept;

/// clEnqueueCopyImageToBuffer: the errors of copyImage, but for the format; CL_INVALID_MEM_OBJECT
/// also for a 1D image of the buffer itself, CL_INVALID_VALUE for a range beyond the buffer.
[[nodiscard]] Result<CheckedTransfer> copyImageToBuffer(const Context& context, cl_mem source,
                                                        cl_mem target, const size_t* origin,
                                                        const size_t* region,
                                                        size_t offset) noexcept;

/// clEnqueueCopyBufferToImage, likewise.
[[nodiscard]] Result<CheckedTransfer> copyBufferToImage(const Context& context, cl_mem source,
                                                        cl_mem target, size_t offset,
                                                        const size_t* origin,
                                                        const size_t* region) noexcept;

/// clEnqueueFillImage.
///   CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT
///   CL_INVALID_VALUE      no colour, and as imageRegion
///   CL_INVALID_MIP_LEVEL  as imageRegion
///   CL_INVALID_OPERATION  the image is immutable
[[nodiscard]] Result<CheckedTransfer> fillImage(const Context& context, cl_mem target,
                                                const void* colour, const size_t* origin,
                                                const size_t* region) noexcept;

}  // namespace weft::validate
