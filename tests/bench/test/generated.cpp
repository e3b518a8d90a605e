// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drawn programs over few elements, on the library itself. WEFT_TEST_DRAWN: how many of each
// family.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <set>

#include "bench/generated/contestant.h"
#include "bench/generated/families.h"

namespace weft::bench::generated {
namespace {

std::vector<std::string> someNames(uint32_t seed) {
  const char* const drawn = std::getenv("WEFT_TEST_DRAWN");
  return namesFor(seed,
                  families().size() * (drawn != nullptr ? std::strtoul(drawn, nullptr, 10) : 2));
}

uint32_t seedOfTheDay() {
  const char* const day = std::getenv("WEFT_TEST_DAY");
  return day != nullptr ? static_cast<uint32_t>(std::strtoul(day, nullptr, 10)) : 1;
}

/// A folder that goes away with what is in it.
struct Folder {
  Folder() { mkdtemp(path.data()); }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path = std::filesystem::temp_directory_path() / "weft-drawn-XXXXXX";
};

TEST(Generated, ASeedDrawsTheSameProgramAgain) {
  EXPECT_EQ(namesFor(5, 100), namesFor(5, 100));
  EXPECT_NE(namesFor(5, 100), namesFor(6, 100));
  for (const std::string& name : someNames(3)) {
    const Program once = drawProgram(name, true), again = drawProgram(name, true);
    EXPECT_EQ(once.name(), name);
    EXPECT_EQ(once.source(), again.source());
    EXPECT_EQ(once.nativeSource("f"), again.nativeSource("f"));
    EXPECT_EQ(once.shape.global, again.shape.global);
    EXPECT_EQ(once.shape.local, again.shape.local);
    EXPECT_EQ(contentsFor(once), contentsFor(again)) << name;
  }
  EXPECT_THROW(drawProgram("nothing:1", true), std::invalid_argument);
  EXPECT_THROW(drawProgram("sort", true), std::invalid_argument);
}

TEST(Generated, OtherSeedsDrawOtherPrograms) {
  for (const Family& family : families()) {
    std::set<std::string> sources;
    for (int seed = 1; seed <= 20; ++seed)
      sources.insert(
          drawProgram(std::string(family.name) + ":" + std::to_string(seed), false).source());
    EXPECT_GE(sources.size(), 15u) << family.name;
  }
}

TEST(Generated, ContentsAreAlignedForAllVectors) {
  Program program;
  for (size_t count = 1; count < 5; ++count) program.out("double16", count);
  for (const Content& content : contentsFor(program))
    EXPECT_EQ(reinterpret_cast<uintptr_t>(content.data()) % bytesOf("double16"), 0u);
}

TEST(Generated, DifferencesAreSeen) {
  Program program;
  program.out("float", 4, 0.5);
  program.out("uchar", 3);
  const Contents expected = contentsFor(program);
  Contents got = expected;
  EXPECT_EQ(differenceOf(program, got, expected), std::nullopt);
  got[1][2] ^= 1;
  EXPECT_NE(differenceOf(program, got, expected), std::nullopt);
  got = expected;
  auto* const values = reinterpret_cast<float*>(got[0].data());
  const float before = values[3];
  values[3] = before + std::abs(before);
  EXPECT_NE(differenceOf(program, got, expected), std::nullopt);
  values[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(differenceOf(program, got, expected), std::nullopt);
}

TEST(Generated, ProgramsAnswerAsPlainCpp) {
  std::vector<Program> programs;
  for (const std::string& name : someNames(seedOfTheDay()))
    programs.push_back(drawProgram(name, true));
  const Folder folder;
  const std::string path = folder.path + "/drawn.so";
  ASSERT_NO_THROW(compileNative(programs, path, "native"));
  const NativeLibrary library(path);
  for (const Program& program : programs) {
    SCOPED_TRACE(program.name() + " (./dev bench --generated --kernel " + program.name() +
                 " --print)");
    try {
      Contestant(program, "Weft", library).verify();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what() << "\n" << program.source();
    }
  }
}

}  // namespace
}  // namespace weft::bench::generated
