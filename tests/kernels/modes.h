// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "harness.h"
#include "weft/runtime/launch.h"

namespace weft::test {

/// What a launch in a mode runs: the boxes of the library's plan, with their code. Without
/// `arguments` for such as suit the kernel best. `separateBuffers`: as in compiler::LaunchFacts.
///
/// Of sizes and images that a kernel is specialised on there are few, and some sizes have no
/// barrier loops: then a launch has what the library falls back to. What the compiler fails at is
/// an error here, and not there.
compiler::Result<runtime::LaunchShape> findCode(const Program& program,
                                                const compiler::KernelInfo& kernel,
                                                const Mode& mode, const NDRange& range,
                                                const void* arguments, bool separateBuffers);

}  // namespace weft::test
