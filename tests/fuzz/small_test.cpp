// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All small programs, or some batches of them, in every form, compared with an interpreter.
//   WEFT_SMALL_FIRST, _LAST  batches; else a few that the date chooses
//   WEFT_TEST_DAY            rather than today's
//   WEFT_SMALL_BATCHES       how many the date chooses
//   WEFT_SMALL_PROGRAM       one program alone, by its number, at every width
//   WEFT_SMALL_FAMILY        only programs of families whose names have this in them
//   WEFT_SMALL_EVERY         every width for each program, rather than three
//   WEFT_SMALL_SECONDS       no batch begins after so long
//   WEFT_SMALL_PROCESSES     that run at once; 1
//   WEFT_SMALL_PROGRESS      a file with the batches that are done, which are left out
//   WEFT_SMALL_SHOW          failing programs that are printed; 3
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

#include "fuzz/print.h"
#include "fuzz/small_programs.h"
#include "fuzz/small_session.h"
#include "support/test_day.h"

namespace weft::fuzz {
namespace {

constexpr uint64_t kBatchesOfDay = 1, kDisguisedBatchesOfDay = 1, kProductBatchesOfDay = 1;

uint64_t fromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

double processorSeconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

enum class Way : uint8_t { Plain, Disguised, Product };

void runBatches(Way way, uint64_t batchesOfDay) {
  if (std::getenv("WEFT_SMALL_PROGRAM")) GTEST_SKIP() << "one program is run alone";
  SmallSessionOptions options;
  options.disguised = way == Way::Disguised;
  options.product = way == Way::Product;
  batchesOfDay = fromEnvironment("WEFT_SMALL_BATCHES", batchesOfDay);
  const uint64_t first = test::testDay() / test::daysOfRound() * batchesOfDay % smallBatchCount();
  options.firstBatch = fromEnvironment("WEFT_SMALL_FIRST", first);
  options.lastBatch = fromEnvironment("WEFT_SMALL_LAST", ~uint64_t{0});
  if (!std::getenv("WEFT_SMALL_LAST"))
    options.lastBatch = (options.firstBatch + batchesOfDay - 1) % smallBatchCount();
  options.lastBatch = std::min(options.lastBatch, smallBatchCount() - 1);
  options.seconds = fromEnvironment("WEFT_SMALL_SECONDS", 0);
  options.processes = static_cast<unsigned>(fromEnvironment("WEFT_SMALL_PROCESSES", 1));
  options.mostShown = fromEnvironment("WEFT_SMALL_SHOW", options.mostShown);
  if (const char* family = std::getenv("WEFT_SMALL_FAMILY")) options.family = family;
  options.everyWidth = fromEnvironment("WEFT_SMALL_EVERY", 0) != 0;
  options.folder = WEFT_FUZZ_FOLDER;
  if (const char* file = std::getenv("WEFT_SMALL_PROGRESS"); file && *file)
    options.progressFile = file;
  std::cout << "batches " << options.firstBatch << " to " << options.lastBatch << " of "
            << smallBatchCount() << "; again: ./dev small "
            << (way == Way::Disguised ? "--disguised "
                : way == Way::Product ? "--product "
                                      : "")
            << options.firstBatch << " " << options.lastBatch << std::endl;
  const auto begin = std::chrono::steady_clock::now();
  const SmallSessionTotals totals =
      runSmallSession(options, [](const std::string& failure) { ADD_FAILURE() << failure; });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::cout << totals.batches << " batches, " << totals.programs << " programs in " << totals.modes
            << " modes, " << totals.undefined << " without one outcome, " << totals.runs
            << " runs, " << totals.wideRuns << " of them wide, " << took.count()
            << " s, of processors " << processorSeconds() << " s; " << totals.failures << " wrong"
            << std::endl;
  EXPECT_EQ(totals.failures, 0u);
  if (totals.programs != 0) EXPECT_LT(totals.undefined * 10, totals.programs);
}

TEST(SmallPrograms, FormsAgree) { runBatches(Way::Plain, kBatchesOfDay); }

/// As FormsAgree: what changes nothing changes no result.
TEST(SmallPrograms, DisguisedFormsAgree) { runBatches(Way::Disguised, kDisguisedBatchesOfDay); }

/// Through the public API: quick code, and final code that is made and comes from the disk cache.
TEST(SmallPrograms, ProductAgrees) { runBatches(Way::Product, kProductBatchesOfDay); }

TEST(SmallPrograms, OneProgram) {
  if (!std::getenv("WEFT_SMALL_PROGRAM")) GTEST_SKIP() << "WEFT_SMALL_PROGRAM names none";
  const uint64_t number = fromEnvironment("WEFT_SMALL_PROGRAM", 0);
  std::cout << "// " << smallProgramFamily(number) << "\n" << print(smallProgram(number));
  SmallOptions options{.everyWidth = true};
  SmallTotals totals;
  SmallRunner runner(options, totals);
  std::string stage;
  runner.before = [&](uint64_t, const std::string& now) { stage = now; };
  runner.found = [&](uint64_t, const std::string& text) { ADD_FAILURE() << text; };
  runner.run({number});
  std::cout << totals.runs << " runs in " << totals.modes << " modes\n";
}

}  // namespace
}  // namespace weft::fuzz
