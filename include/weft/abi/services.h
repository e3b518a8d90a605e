// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>

#include "weft/abi/work_group.h"

/// The closed table of functions that compiled code may call. The runtime fills it,
/// src/backend hands it to the compiler, whose JIT resolves nothing else.
namespace weft::abi {

/// One resolvable symbol: its link name and its address.
struct ServiceSymbol {
  const char* name;
  void* address;
};

using ServiceTable = std::span<const ServiceSymbol>;

/// Link names of the services.
///
/// void weft_barrier(WorkItem* item, uint32_t barrierId)
///   Waits until every live work-item of the group has arrived. Only called from the
///   fiber form. barrierId indexes KernelInfo::barriers. May never return: when live
///   work-items wait at different barriers the command ends and the fibers are dropped.
/// One call is for all work-items of a lane group.
inline constexpr const char* kBarrierService = "weft_barrier";

/// uint64_t weft_collective(WorkItem* item, uint32_t barrierId, CollectiveEntry combine,
///                          uint32_t area)
///   A barrier after which `combine` has run once, with what the work-items have left in the cells
///   of their group; all get what it returned. Only called from the fiber form.
/// Cells of each size have an area of their own, the second one being Group::collectiveArrivals:
/// work-items that are ahead must not write where others have not yet read what they got.
inline constexpr const char* kCollectiveService = "weft_collective";
inline constexpr uint32_t kCollectiveAreas = 5;
/// Of cells of 8, 4, 2 or 1 bytes.
constexpr uint32_t collectiveArea(uint64_t cellBytes) {
  return cellBytes == 8 ? 0 : cellBytes == 4 ? 2 : cellBytes == 2 ? 3 : 4;
}

/// void weft_divergence(WorkItem* item, uint32_t firstBarrier, uint32_t secondBarrier)
///   Never returns: live work-items of one lane group wait at these two barriers. The command ends
///   as it does when work-items of two fibers do.
inline constexpr const char* kDivergenceService = "weft_divergence";

/// void weft_group_divergence(const Group* group, uint32_t firstBarrier, uint32_t secondBarrier)
///   The same for barrier loops, which leave the group after it: the command ends when they have.
inline constexpr const char* kGroupDivergenceService = "weft_group_divergence";

/// void weft_sub_group_meet(WorkItem* item, SubGroupMeeting* meeting)
///   Waits until every live work-item of the sub-group has come to some call of this service or to
///   a barrier, and until those who may still come to the same call have; then fills in `active`
///   and `values` (abi/sub_group.h). Only called from the fiber form at width 1.
inline constexpr const char* kSubGroupService = "weft_sub_group_meet";

/// int32_t weft_printf(const WorkItem* item, const char* format, const uint8_t* arguments,
///                     uint64_t argumentBytes)
///   Formats one call's output and appends it, whole, to the command's output. `arguments` is
///   a sequence of PrintfArgument headers, each followed by its elements packed and padded to
///   8 bytes. Returns 0, or -1 when the arguments do not fit the format; only a String argument is
///   read as one.
inline constexpr const char* kPrintfService = "weft_printf";

/// Header of one printf argument.
struct PrintfArgument {
  enum Kind : uint8_t { Integer = 0, Float = 1, Pointer = 2, String = 3 };
  uint8_t kind;
  uint8_t elementBytes;  ///< 1, 2, 4 or 8; 2-byte floats are half
  uint8_t elements;      ///< 1, or the width of a vector
  uint8_t reserved[5];
};
static_assert(sizeof(PrintfArgument) == 8);

// Besides these the table holds, under their C names, the functions that LLVM's code generator
// may call on its own: memcpy, memset and memmove, conversions, and what a host without SSE4.1
// or FMA has no instruction for. No math function of the language is among them, but what some of
// these do for arguments that hardly occur is (rare_math.h).

}  // namespace weft::abi
