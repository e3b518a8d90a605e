// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "weft/abi/machine_code.h"
#include "weft/abi/slicing.h"
#include "weft/abi/work_group.h"
#include "weft/compiler/kernel_info.h"
#include "weft/support/nd_range.h"

/// A launch as the executor sees it, in three parts with one owner each: the code for its range,
/// which the compiler makes, how the executor slices that, and what the host binds to it. The first
/// two are the same for all launches of a kernel over a range.
namespace weft::runtime {

using abi::EntryKind;

struct LaunchNode;

/// Code for a box of work-items.
struct CodeBox {
  std::array<uint64_t, 3> begin{};  ///< offsets not included; where a group begins
  std::array<uint64_t, 3> end{};
  abi::Slicing slicing;
  const abi::MachineCode* code = nullptr;
  /// The code may be replaced while a launch runs, by what its `better` says.
  bool isProvisional = false;
};

/// How the executor cuts a box. A unit is a work-group, in linear order within the box, or for the
/// flat form a row of work-items along dimension 0, cut where there are fewer rows than parts. A
/// part is a run of units.
struct BoxSlices {
  size_t firstPart = 0;  ///< among the parts of the launch; boxes may share one
  size_t parts = 0;
  uint64_t unitsPerPart = 0;
  uint64_t units = 0;
  uint64_t rowItems = 0;  ///< flat form: work-items of a unit
  // The other forms: ids of the groups in the box, [firstGroup, endGroup).
  std::array<uint64_t, 3> firstGroup{};
  std::array<uint64_t, 3> endGroup{};
};

/// How a kernel runs over a range. Ownership: borrows the kernel and its code.
struct LaunchShape {
  static constexpr size_t kMostBoxes = 8;

  const compiler::KernelInfo* kernel = nullptr;
  NDRange range;
  uint32_t subGroupSize = 1;  ///< S
  size_t boxCount = 0;
  /// They hold each work-item of the range once.
  std::array<CodeBox, kMostBoxes> boxes{};

  // Written by Executor::slice.
  std::array<BoxSlices, kMostBoxes> slices{};  ///< parallel to the boxes
  size_t parts = 0;                            ///< of the job
  abi::Launch abi{};                           ///< what compiled code reads, but for what is bound
};

/// What the host binds to a kernel for one command.
struct LaunchBindings {
  const void* arguments = nullptr;  ///< abi::kArgumentAlignment-aligned
  /// Slots have argument blocks of their own: the executor's slot i has that i times so many bytes
  /// behind `arguments`. 0: all have the same one.
  uint64_t argumentStride = 0;
  void* programScope = nullptr;
  uint64_t localBytes = 0;  ///< local memory of a group, static and arguments together
  bool zeroLocal = false;   ///< it begins as zeros for each group
  /// Where launches that the kernel enqueues belong; null when it can enqueue none.
  LaunchNode* node = nullptr;
};

/// Everything the executor needs to run one kernel command. Whoever makes it keeps alive what it
/// points to until the job has finished.
struct KernelLaunch {
  KernelLaunch() = default;
  /// Pre: the shape has been sliced.
  KernelLaunch(const LaunchShape& itsShape, const LaunchBindings& itsBindings) noexcept
      : shape(&itsShape), bindings(itsBindings), abi(itsShape.abi) {
    abi.arguments = bindings.arguments;
    abi.programScope = bindings.programScope;
  }

  const LaunchShape* shape = nullptr;
  LaunchBindings bindings;
  abi::Launch abi{};
};

}  // namespace weft::runtime
