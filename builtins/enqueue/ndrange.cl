// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enqueue/enqueue.h"

// A local size of zeros is left to the implementation.

WEFT_WRAPPER ndrange_t ndrange_1D(size_t global_size) {
  return (ndrange_t){1, {0, 0, 0}, {global_size, 1, 1}, {0, 0, 0}};
}
WEFT_WRAPPER ndrange_t ndrange_1D(size_t global_size, size_t local_size) {
  return (ndrange_t){1, {0, 0, 0}, {global_size, 1, 1}, {local_size, 1, 1}};
}
WEFT_WRAPPER ndrange_t ndrange_1D(size_t offset, size_t global_size, size_t local_size) {
  return (ndrange_t){1, {offset, 0, 0}, {global_size, 1, 1}, {local_size, 1, 1}};
}

#define RANGES(name, dimensions, z, one)                                                          \
  WEFT_WRAPPER ndrange_t name(const size_t global_size[dimensions]) {                             \
    return (ndrange_t){dimensions, {0, 0, 0}, {global_size[0], global_size[1], one(global_size)}, \
                       {0, 0, 0}};                                                                \
  }                                                                                               \
  WEFT_WRAPPER ndrange_t name(const size_t global_size[dimensions],                               \
                              const size_t local_size[dimensions]) {                              \
    return (ndrange_t){dimensions,                                                                \
                       {0, 0, 0},                                                                 \
                       {global_size[0], global_size[1], one(global_size)},                        \
                       {local_size[0], local_size[1], one(local_size)}};                          \
  }                                                                                               \
  WEFT_WRAPPER ndrange_t name(const size_t offset[dimensions],                                    \
                              const size_t global_size[dimensions],                               \
                              const size_t local_size[dimensions]) {                              \
    return (ndrange_t){dimensions,                                                                \
                       {offset[0], offset[1], z(offset)},                                         \
                       {global_size[0], global_size[1], one(global_size)},                        \
                       {local_size[0], local_size[1], one(local_size)}};                          \
  }
#define NONE(array) 0
#define ONE(array) 1
#define THIRD(array) array[2]

RANGES(ndrange_2D, 2, NONE, ONE)
RANGES(ndrange_3D, 3, THIRD, THIRD)
