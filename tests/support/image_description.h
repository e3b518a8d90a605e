// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstddef>

namespace weft::test {

/// An image of a type, in elements; pitches and whatever else is left to the implementation.
inline cl_image_desc describe(cl_mem_object_type type, size_t width, size_t height = 0,
                              size_t depth = 0, size_t layers = 0) {
  cl_image_desc description{};
  description.image_type = type;
  description.image_width = width;
  description.image_height = height;
  description.image_depth = depth;
  description.image_array_size = layers;
  return description;
}

}  // namespace weft::test
