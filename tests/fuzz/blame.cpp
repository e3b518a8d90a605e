// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/blame.h"

namespace weft::fuzz {

compiler::FirstWrong blamePass(const test::Mode& mode,
                               const std::function<compiler::Trial(const test::Mode&)>& run,
                               const std::string& folder) {
  test::Mode plain;
  plain.workers = mode.workers;
  return compiler::findFirstWrong({.run =
                                       [&](const compiler::TrialOptions& trial) {
                                         test::controlPasses(trial.control);
                                         return run(trial.isFormed ? mode : plain);
                                       },
                                   .folder = folder});
}

}  // namespace weft::fuzz
