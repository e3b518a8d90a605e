// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>

#include "support/objects.h"
#include "weft/abi/image.h"
#include "weft/compiler/kernel_info.h"

/// Images and samplers of the public API for what tests hand to kernels below it.
namespace weft::test::product {

/// The sampler with this number; null when there is none.
SamplerHolder samplerOf(cl_context context, uint64_t number);

/// Whether the API makes such images: it has fewer formats than kernels know, and limits.
bool makesImages(cl_context context, const abi::Image& image, compiler::ImageType type,
                 compiler::AccessQualifier access);

/// An image of the API for one that tests have laid out themselves. Where its rows and slices are
/// packed it is made of the memory that they lie in, otherwise of a copy.
class GivenImage {
 public:
  /// Null, with nothing in it, when the API makes no such image. Borrows the pixels.
  GivenImage(cl_context context, const abi::Image& image, compiler::ImageType type,
             compiler::AccessQualifier access);

  cl_mem handle() const { return image_; }
  /// Copies pixels to the image, before a kernel runs, and back. False on any error.
  bool write(cl_command_queue queue) const { return inPlace_ || transfer(queue, true); }
  bool read(cl_command_queue queue) const { return inPlace_ || transfer(queue, false); }

 private:
  bool transfer(cl_command_queue queue, bool toImage) const;

  const abi::Image& pixels_;
  cl_mem_object_type type_ = 0;
  bool inPlace_ = false;
  MemoryHolder buffer_, image_;
};

}  // namespace weft::test::product
