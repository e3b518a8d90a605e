// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "weft/abi/machine_code.h"
#include "weft/abi/slicing.h"
#include "weft/abi/work_group.h"
#include "weft/compiler/kernel_info.h"
#include "weft/support/nd_range.h"

namespace weft::runtime {

using abi::EntryKind;

/// Everything the executor needs to run one kernel command; filled by src/queue, which
/// keeps what it points to alive until the job has finished.
struct KernelLaunch {
  NDRange range;
  abi::Slicing slicing;  ///< what the code asks for
  abi::GroupEntry groupEntry = nullptr;
  abi::ItemEntry itemEntry = nullptr;
  /// Code that may be replaced while the launch runs, by what its `better` says; else null.
  const abi::MachineCode* provisional = nullptr;
  bool farIndices = false;          ///< in: LaunchFacts::farIndices
  uint32_t width = 1;               ///< most work-items per fiber
  uint32_t subGroupSize = 1;        ///< S
  const void* arguments = nullptr;  ///< abi::kArgumentAlignment-aligned
  bool measured = false;            ///< the application asks for time stamps
  void* programScope = nullptr;
  uint64_t localBytes = 0;  ///< local memory of a group, static and arguments together
  uint64_t frameBytes = 0;  ///< stack that one call of the entry needs
  bool flushDenormals = false;
  bool zeroLocal = false;  ///< the local memory of each group begins as zeros
  const char* kernelName = "";
  const compiler::BarrierSite* barriers = nullptr;  ///< indexed by barrier id
  size_t barrierCount = 0;

  // Slicing; written by Executor::plan.
  size_t parts = 0;           ///< parts of the job, each a run of groups or a box of items
  uint64_t unitsPerPart = 0;  ///< groups, or rows for the flat form, in one part
  uint64_t units = 0;
  uint64_t rowItems = 0;  ///< flat form: work-items per unit along dimension 0
  abi::Launch abi{};      ///< what compiled code reads
};

}  // namespace weft::runtime
