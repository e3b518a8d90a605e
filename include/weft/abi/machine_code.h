// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>

#include "weft/abi/code_trial.h"
#include "weft/abi/work_group.h"

namespace weft::abi {

/// Compiled frames up to this size run on the stack of whatever thread it is.
inline constexpr uint64_t kDirectFrameBytes = 16384;

/// What rows of work-items are multiples of when code is made for whole rows: the widest lane
/// group.
inline constexpr uint32_t kRowMultiple = 64;

/// How compiled code of a kernel is entered. What may replace it is of the same form; fibers may
/// run more work-items each.
struct MachineCode {
  GroupEntry groupEntry = nullptr;  ///< flat, group-loop and barrier-loop forms
  ItemEntry itemEntry = nullptr;    ///< fiber form
  uint32_t width = 1;               ///< fiber form: work-items of a row that one call runs
  uint64_t frameBytes = 0;          ///< deepest stack use of the entry with all its callees
  /// Faster code for the same, once there is some; lives as long as this. Written once.
  std::atomic<const MachineCode*> better{nullptr};
  /// Whether other code is faster, where that is to be found out; they live as long as this.
  CodeTrials trials{};
};

}  // namespace weft::abi
