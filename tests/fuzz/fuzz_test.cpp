// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random kernels in every execution form, compared with fibers at width 1. WEFT_FUZZ_SEED chooses
// the first kernel, WEFT_FUZZ_SECONDS how long to go on; without it a fixed number is run.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "fuzz/generator.h"
#include "kernels/harness.h"

namespace weft::fuzz {
namespace {

constexpr uint64_t kKernelsByDefault = 60;
constexpr int kItems = 128;

uint64_t fromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Kernels that met each form besides fibers.
struct Met {
  uint64_t barrierLoops = 0;
  uint64_t fibersAlone = 0;
  uint64_t noBarrier = 0;
};

void runKernel(uint64_t seed, Met& met) {
  const unsigned groupSize = 1u << (1 + seed % 6);
  const std::string source = Generator(seed, groupSize).kernel();
  SCOPED_TRACE("WEFT_FUZZ_SEED=" + std::to_string(seed) + ", groups of " +
               std::to_string(groupSize) + "\n" + source);
  const auto program = test::build(source);
  ASSERT_TRUE(program);
  const compiler::KernelInfo& kernel = program->kernels().front();
  ++(kernel.barrierLoops ? met.barrierLoops : kernel.usesBarrier ? met.fibersAlone : met.noBarrier);
  std::vector<int> in(kItems), out(kItems);
  for (int i = 0; i < kItems; ++i) in[i] = static_cast<int>((i + seed) * 2654435761u >> 7);
  // The harness compares each form's results with those of the first, which is fibers at width 1.
  test::Launch(program, "k")
      .range({kItems}, {groupSize})
      .buffer(in)
      .buffer(out)
      .value<int>(kItems - 1)
      .value<int>(static_cast<int>(seed % 37))
      .inEveryForm([](const test::Outcome&) {});
}

TEST(Fuzz, FormsAgree) {
  using Clock = std::chrono::steady_clock;
  const uint64_t first = fromEnvironment("WEFT_FUZZ_SEED", 1);
  const uint64_t seconds = fromEnvironment("WEFT_FUZZ_SECONDS", 0);
  const Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
  Met met;
  for (uint64_t seed = first; seconds ? Clock::now() < end : seed < first + kKernelsByDefault;
       ++seed) {
    runKernel(seed, met);
    if (HasFailure()) return;
  }
  std::cout << met.barrierLoops << " kernels as barrier loops, " << met.fibersAlone
            << " that need fibers, " << met.noBarrier << " without a barrier\n";
  // A generator that no longer reaches the forms tests nothing.
  EXPECT_GT(met.barrierLoops, 0u);
  EXPECT_GT(met.fibersAlone, 0u);
}

}  // namespace
}  // namespace weft::fuzz
