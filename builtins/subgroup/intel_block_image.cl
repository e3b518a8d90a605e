// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/image.h"

#include "intel_block.h"
#include "operations.h"

// cl_intel_subgroups, _char, _short and _long: blocks of two-dimensional images, as the bytes that
// they are of. The first coordinate is in bytes, and the values of a work-item are below each
// other.

// Byte x of a row as if the pixels at its ends went on for ever.
WEFT_INLINE long weft_byte_place(WeftImagePtr image, long x) {
  const long bytes = image->element_bytes, last = (long)image->levels[0].width - 1;
  const long pixel = x >> __builtin_ctzl(bytes);
  return __builtin_elementwise_min(__builtin_elementwise_max(pixel, 0L), last) * bytes +
         (x & (bytes - 1));
}
WEFT_INLINE bool weft_is_in_row(WeftImagePtr image, long x, long bytes) {
  const long end = (long)image->levels[0].width * image->element_bytes;
  return x >= 0 && x + bytes <= end;
}

#define ACCESS(type, pixels, space, access)                                                        \
  WEFT_GENERAL_READ type weft_image_block_##type##access(WeftImagePtr image, int first, uint item, \
                                                         int y) {                                  \
    typedef type __attribute__((aligned(1))) Unaligned;                                            \
    const WeftLevelPtr level = image->levels;                                                      \
    const int row =                                                                                \
        __builtin_elementwise_min(__builtin_elementwise_max(y, 0), (int)level->height - 1);        \
    const space uchar* from = level->pixels + (size_t)row * level->row_pitch;                      \
    const long x = (long)first + (long)(item * sizeof(type));                                      \
    if (weft_is_in_row(image, x, sizeof(type))) return *(const space Unaligned*)(from + x);        \
    type result = 0;                                                                               \
    for (uint i = 0; i < sizeof(type); ++i)                                                        \
      result |= (type)((type)from[weft_byte_place(image, x + i)] << 8 * i);                        \
    return result;                                                                                 \
  }
#define EACH(type)                                                                                 \
  ACCESS(type, constant_pixels, __constant, )                                                      \
  ACCESS(type, global_pixels, __global, _rw)                                                       \
  WEFT_GENERAL void weft_image_block_store_##type(WeftImagePtr image, int first, uint item, int y, \
                                                  type value) {                                    \
    typedef type __attribute__((aligned(1))) Unaligned;                                            \
    const WeftLevelPtr level = image->levels;                                                      \
    if ((uint)y >= level->height) return;                                                          \
    __global uchar* to = level->global_pixels + (size_t)y * level->row_pitch;                      \
    const long x = (long)first + (long)(item * sizeof(type));                                      \
    if (weft_is_in_row(image, x, sizeof(type))) {                                                  \
      *(__global Unaligned*)(to + x) = value;                                                      \
      return;                                                                                      \
    }                                                                                              \
    for (uint i = 0; i < sizeof(type); ++i)                                                        \
      if (weft_is_in_row(image, x + i, 1)) to[x + i] = (uchar)(value >> 8 * i);                    \
  }
EACH(uchar)
EACH(ushort) EACH(uint) EACH(ulong)

    // Rows beyond what int holds are beyond all images.
    WEFT_INLINE int weft_row(int y, int i) {
  return __builtin_elementwise_add_sat(y, i);
}

#define MANGLED_uchar "h"
#define MANGLED_ushort "t"
#define MANGLED_uint "j"
#define MANGLED_ulong "m"
#define MANGLED_SIZE_ ""
#define MANGLED_SIZE_2 "Dv2_"
#define MANGLED_SIZE_4 "Dv4_"
#define MANGLED_SIZE_8 "Dv8_"
#define MANGLED_SIZE_16 "Dv16_"
#define READ(n, type, suffix, length, access, of)                                               \
  WEFT_NAMED(type##n, weft_block_read##suffix##_##access,                                       \
             "_Z" length "intel_sub_group_block_read" #suffix "14ocl_image2d_" #access "Dv2_i", \
             WeftImagePtr image, int2 at) {                                                     \
    const uint id = get_sub_group_local_id();                                                   \
    type##n result;                                                                             \
    WEFT_FOR_BLOCK(type, n, i)                                                                  \
    WEFT_BLOCK_PART(n, result, i) =                                                             \
        weft_image_block_##type##of(image, at.x, id, weft_row(at.y, i));                        \
    return result;                                                                              \
  }
#define WRITE(n, type, suffix, length, access)                                                   \
  WEFT_NAMED(void, weft_block_write##suffix##_##access,                                          \
             "_Z" length "intel_sub_group_block_write" #suffix "14ocl_image2d_" #access          \
             "Dv2_i" MANGLED_SIZE_##n MANGLED_##type,                                            \
             WeftImagePtr image, int2 at, type##n x) {                                           \
    const uint id = get_sub_group_local_id();                                                    \
    WEFT_FOR_BLOCK(type, n, i)                                                                   \
    weft_image_block_store_##type(image, at.x, id, weft_row(at.y, i), WEFT_BLOCK_PART(n, x, i)); \
  }
#define BLOCKS(n, type, suffix, read, write) \
  READ(n, type, suffix, read, ro, )          \
  READ(n, type, suffix, read, rw, _rw)       \
  WRITE(n, type, suffix, write, wo)          \
  WRITE(n, type, suffix, write, rw)
WEFT_FOR_BLOCKS(BLOCKS)
