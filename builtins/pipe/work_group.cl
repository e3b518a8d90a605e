// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipe/groups.h"

WEFT_GROUP_RESERVATIONS(work_group, get_local_linear_id(), work_group_broadcast(id, 0, 0, 0),
                        __weft_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE,
                                       memory_scope_work_group))
