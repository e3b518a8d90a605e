// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random kernels in every execution form and at every width, compared with an interpreter.
//   WEFT_FUZZ_SEED      the first program; 1
//   WEFT_FUZZ_SECONDS   how long to go on
//   WEFT_FUZZ_PROGRAMS  how many programs to run at most; without both fifty, for half a minute
//   WEFT_FUZZ_FAILURES  ends after so many failures; 1
//   WEFT_FUZZ_EVERY     each program in all forms and widths, rather than some
//   WEFT_FUZZ_FIBERS    programs with barriers only, in fibers only
//   WEFT_FUZZ_IMAGES    programs with images only
//   WEFT_FUZZ_PARTS     programs with variables that are written part by part only
//   WEFT_FUZZ_PRINT     prints the program of WEFT_FUZZ_SEED and does nothing else
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "fuzz/disguise.h"
#include "fuzz/print.h"
#include "fuzz/session.h"

namespace weft::fuzz {
namespace {

constexpr uint64_t kProgramsByDefault = 50;
constexpr uint64_t kSecondsByDefault = 20;  ///< for a machine that is busy

uint64_t fromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(Fuzz, FormsAgree) {
  SessionOptions options;
  options.firstSeed = fromEnvironment("WEFT_FUZZ_SEED", 1);
  if (std::getenv("WEFT_FUZZ_PRINT")) {
    const Program program = randomProgram(options.firstSeed);
    std::cout << "// " << program.shape.text() << "\n" << print(program);
    return;
  }
  options.seconds = fromEnvironment("WEFT_FUZZ_SECONDS", 0);
  options.programs = fromEnvironment("WEFT_FUZZ_PROGRAMS", 0);
  if (options.seconds == 0 && options.programs == 0) {
    options.programs = kProgramsByDefault;
    options.seconds = kSecondsByDefault;
  }
  options.mostFailures = fromEnvironment("WEFT_FUZZ_FAILURES", 1);
  options.everyMode = fromEnvironment("WEFT_FUZZ_EVERY", 0) != 0;
  options.fibersAlone = fromEnvironment("WEFT_FUZZ_FIBERS", 0) != 0;
  options.imagesAlone = fromEnvironment("WEFT_FUZZ_IMAGES", 0) != 0;
  options.partsAlone = fromEnvironment("WEFT_FUZZ_PARTS", 0) != 0;
  options.folder = WEFT_FUZZ_FOLDER;
  const Totals totals =
      runSession(options, [](const std::string& failure) { ADD_FAILURE() << failure; });
  std::cout << totals.programs << " programs (" << totals.barrierLoops << " as barrier loops, "
            << totals.fibersAlone << " that need fibers, " << totals.noBarrier
            << " without a barrier), " << totals.discarded << " without one outcome, "
            << totals.runs << " runs, " << totals.wideRuns << " of them wide\n";
  if (totals.failures != 0 || totals.programs < kProgramsByDefault / 2 || options.fibersAlone ||
      options.imagesAlone || options.partsAlone)
    return;
  // A generator that no longer reaches the forms tests nothing.
  EXPECT_GT(totals.barrierLoops, 0u);
  EXPECT_GT(totals.fibersAlone, 0u);
  EXPECT_LT(totals.discarded, totals.programs);
}

}  // namespace
}  // namespace weft::fuzz
