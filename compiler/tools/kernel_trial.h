// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "tools/first_wrong.h"
#include "weft/compiler/launch_plan.h"
#include "weft/support/nd_range.h"

namespace weft::compiler {

/// A kernel and one launch of it, as the command line describes them.
struct KernelTrial {
  std::string file;  ///< OpenCL C, or IR of the front end when it ends in .ll
  std::string buildOptions;
  std::string kernel;   ///< empty: the first one
  Overrides overrides;  ///< how it is run, as far as that is not for choose() to say
  CpuLevel cpu = CpuLevel::Host;
  NDRange range;
  /// One for each argument of the kernel: bytes of a buffer or of local memory, a number, or
  /// `=N`, the same buffer as argument N has.
  std::vector<std::string> arguments;
  uint64_t seed = 1;  ///< of what buffers hold
};

/// Names the pass that makes the kernel give other bytes in its buffers than it does without any
/// pass that can be left out, in fibers of one work-item. Buffers hold random bytes and end at
/// memory that cannot be touched. Fails where that run does.
///
/// Pre: as for findFirstWrong().
std::expected<FirstWrong, std::string> findFirstWrong(const KernelTrial& trial,
                                                      const std::string& folder);

}  // namespace weft::compiler
