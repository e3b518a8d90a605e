// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "fuzz/runner.h"
#include "kernels/harness.h"
#include "tools/first_wrong.h"

namespace weft::fuzz {

/// Names the pass of the compiler that makes a kernel wrong in `mode`; see findFirstWrong().
///
/// `run` builds the kernel through the harness and runs it in the mode it is given, in a process
/// of its own. The code before and after the pass goes to `folder`, unless it is empty.
/// Pre: this process has one thread, and the harness has not built anything in it.
compiler::FirstWrong blamePass(const test::Mode& mode,
                               const std::function<compiler::Trial(const test::Mode&)>& run,
                               const std::string& folder = "");

/// The same for a program that fails in `mode`; in any, when it is not known, which is then looked
/// for. `wrong` says how it fails.
compiler::FirstWrong blamePass(const Program& program, std::optional<test::Mode> mode,
                               const std::string& folder = "",
                               Verdict wrong = Verdict::WrongResult);

}  // namespace weft::fuzz
