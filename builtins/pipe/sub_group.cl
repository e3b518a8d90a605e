// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipe/groups.h"

WEFT_GROUP_RESERVATIONS(sub_group, get_sub_group_local_id(), sub_group_broadcast(id, 0),
                        sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE))
