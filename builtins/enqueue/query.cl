// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enqueue/enqueue.h"

// What Clang makes of get_kernel_work_group_size and its likes. Numbers as in abi::BlockQuery.

#define WEFT_QUERY __attribute__((always_inline)) uint

WEFT_QUERY __get_kernel_work_group_size_impl(__generic void *kernel_index, __generic void *block) {
  return weft_device_query(__weft_group(), (ulong)kernel_index, 0, 0);
}

WEFT_QUERY __get_kernel_preferred_work_group_size_multiple_impl(__generic void *kernel_index,
                                                                __generic void *block) {
  return weft_device_query(__weft_group(), (ulong)kernel_index, 1, 0);
}

WEFT_QUERY __get_kernel_sub_group_count_for_ndrange_impl(__private ndrange_t *range,
                                                         __generic void *kernel_index,
                                                         __generic void *block) {
  return weft_device_query(__weft_group(), (ulong)kernel_index, 2, range);
}

WEFT_QUERY __get_kernel_max_sub_group_size_for_ndrange_impl(__private ndrange_t *range,
                                                            __generic void *kernel_index,
                                                            __generic void *block) {
  return weft_device_query(__weft_group(), (ulong)kernel_index, 3, range);
}

// For SPIR-V: OpGetKernelMaxNumSubgroups and OpGetKernelLocalSizeForSubgroupCount.

WEFT_QUERY __weft_kernel_max_sub_groups(__generic void *kernel_index, __generic void *block) {
  return weft_device_query(__weft_group(), (ulong)kernel_index, 4, 0);
}

WEFT_QUERY __weft_kernel_local_size_for_sub_groups(uint count, __generic void *kernel_index,
                                                   __generic void *block) {
  const ndrange_t range = ndrange_1D(count);
  return weft_device_query(__weft_group(), (ulong)kernel_index, 5, &range);
}
