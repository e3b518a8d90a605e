// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "weft/compiler/launch_plan.h"
#include "weft/runtime/launch.h"

namespace weft::runtime {

/// Gives the machine code for a kernel and a launch shape: chooses form and width.
///
/// Implemented in src over the compiler, so that launches from the host and, later, from
/// the device get their variants in the same place. Threads: any.
class KernelProvider {
 public:
  virtual ~KernelProvider() = default;
  /// What provide() takes for this range and these buffers. Cheap and free of side
  /// effects, so that callers can keep a variant and ask whether it still is the right one.
  virtual compiler::PlannedBox choose(const compiler::KernelInfo& kernel, const NDRange& range,
                                      bool farIndices) const noexcept = 0;
  /// Fills the entry, width, sub-group size and frame size of `launch` for what it says, from the
  /// variant that is the result. Compiles on first use, and waits for final code where the launch
  /// is measured, or would run long in quick code with its range and arguments. Where the chosen
  /// variant cannot be had, it is another one that gives the same results.
  virtual compiler::Result<const compiler::Variant*> provide(compiler::Program& program,
                                                             size_t kernel,
                                                             KernelLaunch& launch) = 0;
};

}  // namespace weft::runtime
