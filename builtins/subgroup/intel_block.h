// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// M(n, type, suffix of the functions' names, lengths of the names of those that read and write):
// what a work-item reads or writes of a block. cl_intel_subgroups has four bytes without a suffix
// and with one, the others have their own.
#define WEFT_FOR_BLOCKS(M)                                                      \
  M(, uint, , "26", "27")                                                       \
  M(2, uint, 2, "27", "28") M(4, uint, 4, "27", "28") M(8, uint, 8, "27", "28") \
      WEFT_FOR_NAMED_BLOCKS(M, uint, _ui) WEFT_FOR_NAMED_BLOCKS(M, ushort, _us) \
          M(16, ushort, _us16, "31", "32") WEFT_FOR_NAMED_BLOCKS(M, uchar, _uc) \
              M(16, uchar, _uc16, "31", "32") WEFT_FOR_NAMED_BLOCKS(M, ulong, _ul)
#define WEFT_FOR_NAMED_BLOCKS(M, type, suffix)                        \
  M(, type, suffix, "29", "30")                                       \
  M(2, type, suffix##2, "30", "31") M(4, type, suffix##4, "30", "31") \
      M(8, type, suffix##8, "30", "31")

// The components of what a work-item has, which is a scalar where n is empty.
#define WEFT_BLOCK_COUNT(type, n) (int)(sizeof(type##n) / sizeof(type))
#define WEFT_BLOCK_PART(n, x, i) WEFT_BLOCK_PART_##n(x, i)
#define WEFT_BLOCK_PART_(x, i) (x)
#define WEFT_BLOCK_PART_2(x, i) (x)[i]
#define WEFT_BLOCK_PART_4(x, i) (x)[i]
#define WEFT_BLOCK_PART_8(x, i) (x)[i]
#define WEFT_BLOCK_PART_16(x, i) (x)[i]
#define WEFT_FOR_BLOCK(type, n, i) \
  _Pragma("unroll") for (int i = 0; i < WEFT_BLOCK_COUNT(type, n); ++i)
