// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "config/config.h"

#include <gtest/gtest.h>

#include <fstream>

#include "config/log_sink.h"

namespace weft::test {
namespace {

/// The configuration of one variable, and how many warnings it made.
struct Parsed {
  Config config;
  ConfigWarnings warnings;
};

Parsed parse(const char* entry) {
  const char* const environment[] = {"PATH=/bin", entry, "HOME=/", nullptr};
  Parsed parsed;
  parsed.config = parseConfig(environment, parsed.warnings);
  return parsed;
}

TEST(Config, DefaultsWithoutVariables) {
  const char* const environment[] = {"PATH=/bin", "WEFTY=1", "weft_threads=3", nullptr};
  ConfigWarnings warnings;
  const Config config = parseConfig(environment, warnings);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(config.threads, 0u);
  EXPECT_TRUE(config.cache);
  EXPECT_FALSE(config.form.has_value());
  EXPECT_EQ(config.log.level, log::Level::Warning);
}

TEST(Config, ReadsEveryType) {
  EXPECT_EQ(parse("WEFT_THREADS=12").config.threads, 12u);
  for (const char* off : {"WEFT_CACHE=0", "WEFT_CACHE=off", "WEFT_CACHE=no", "WEFT_CACHE=false"}) {
    EXPECT_FALSE(parse(off).config.cache) << off;
    EXPECT_TRUE(parse(off).warnings.empty()) << off;
  }
  EXPECT_TRUE(parse("WEFT_CACHE=on").config.cache);
  EXPECT_EQ(parse("WEFT_CACHE_SIZE=3").config.cacheBytes, 3u);
  EXPECT_EQ(parse("WEFT_CACHE_SIZE=3K").config.cacheBytes, 3u << 10);
  EXPECT_EQ(parse("WEFT_CACHE_SIZE=3m").config.cacheBytes, 3u << 20);
  EXPECT_EQ(parse("WEFT_CACHE_SIZE=3G").config.cacheBytes, uint64_t{3} << 30);
  EXPECT_EQ(parse("WEFT_CACHE_DIR=/a b=c").config.cacheDirectory, "/a b=c");
  EXPECT_EQ(parse("WEFT_FORM=fibers").config.form, compiler::Form::Fibers);
  EXPECT_EQ(parse("WEFT_FORM=group-loop").config.form, compiler::Form::GroupLoop);
  EXPECT_EQ(parse("WEFT_FORM=auto").config.form, std::nullopt);
  EXPECT_EQ(parse("").config.tiers, compiler::Tiers::Auto);
  EXPECT_EQ(parse("WEFT_TIERS=quick").config.tiers, compiler::Tiers::Quick);
  EXPECT_EQ(parse("WEFT_TIERS=final").config.tiers, compiler::Tiers::Final);
  EXPECT_EQ(parse("").config.trials, compiler::TrialMode::On);
  EXPECT_EQ(parse("WEFT_TRIALS=off").config.trials, compiler::TrialMode::Off);
  EXPECT_EQ(parse("WEFT_TRIALS=eager").config.trials, compiler::TrialMode::Eager);
  EXPECT_EQ(parse("").config.cpu, compiler::CpuLevel::Host);
  EXPECT_EQ(parse("WEFT_CPU=host").config.cpu, compiler::CpuLevel::Host);
  EXPECT_EQ(parse("WEFT_CPU=x86-64").config.cpu, compiler::CpuLevel::V1);
  EXPECT_EQ(parse("WEFT_CPU=x86-64-v3").config.cpu, compiler::CpuLevel::V3);
  EXPECT_EQ(parse("").config.openCl, OpenClChoice::V31);
  EXPECT_EQ(parse("WEFT_OPENCL=3.1").config.openCl, OpenClChoice::V31);
  EXPECT_EQ(parse("WEFT_OPENCL=3.0").config.openCl, OpenClChoice::V30);
  EXPECT_EQ(parse("WEFT_LOG=debug").config.log.level, log::Level::Debug);
  EXPECT_EQ(parse("WEFT_LOG=trace:/tmp/x:y").config.log.file, "/tmp/x:y");
  EXPECT_FALSE(parse("WEFT_LOG=trace").config.log.vectorizer);
  EXPECT_TRUE(parse("WEFT_LOG=vectorizer").config.log.vectorizer);
  EXPECT_EQ(parse("WEFT_LOG=vectorizer").config.log.level, log::Level::Warning);
  EXPECT_TRUE(parse("WEFT_LOG=debug,vectorizer:/tmp/x,y").config.log.vectorizer);
  EXPECT_EQ(parse("WEFT_LOG=debug,vectorizer:/tmp/x,y").config.log.level, log::Level::Debug);
  EXPECT_EQ(parse("WEFT_LOG=debug,vectorizer:/tmp/x,y").config.log.file, "/tmp/x,y");
}

TEST(Config, WarnsAndKeepsTheDefault) {
  const Config defaults;
  for (const char* bad :
       {"WEFT_THREADS=", "WEFT_THREADS=-1", "WEFT_THREADS=3x", "WEFT_THREADS=99999999999",
        "WEFT_THREADS=100000", "WEFT_CACHE=maybe", "WEFT_CACHE_SIZE=1T", "WEFT_CACHE_SIZE=G",
        "WEFT_CACHE_SIZE=99999999999999999G", "WEFT_FORM=waves", "WEFT_TIERS=3", "WEFT_TRIALS=2",
        "WEFT_CPU=i386", "WEFT_OPENCL=3", "WEFT_OPENCL=1.2", "WEFT_LOG=loud",
        "WEFT_LOG=", "WEFT_LOG=debug,", "WEFT_LOG=info,loud"}) {
    const Parsed parsed = parse(bad);
    EXPECT_EQ(parsed.warnings.size(), 1u) << bad;
    EXPECT_EQ(parsed.config.threads, defaults.threads) << bad;
    EXPECT_EQ(parsed.config.cache, defaults.cache) << bad;
    EXPECT_EQ(parsed.config.cacheBytes, defaults.cacheBytes) << bad;
    EXPECT_EQ(parsed.config.form, defaults.form) << bad;
    EXPECT_EQ(parsed.config.log.level, defaults.log.level) << bad;
  }
}

TEST(Config, WarnsAboutUnknownNames) {
  const Parsed parsed = parse("WEFT_THREAD=3");
  ASSERT_EQ(parsed.warnings.size(), 1u);
  EXPECT_NE(parsed.warnings[0].find("WEFT_THREAD"), std::string::npos);
}

TEST(Config, LogsToAFile) {
  const std::string path = testing::TempDir() + "weft_log_test.txt";
  std::remove(path.c_str());
  EXPECT_FALSE(startLogging({.level = log::Level::Info, .file = "/no/such/folder/log"}));
  ASSERT_TRUE(startLogging({.level = log::Level::Info, .file = path}));
  log::write(log::Level::Info, "one line");
  log::write(log::Level::Debug, "not this one");
  ASSERT_TRUE(startLogging({.level = log::Level::Off, .file = ""}));
  log::write(log::Level::Warning, "nor this one");
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(text, "weft: info: one line\n");
  std::remove(path.c_str());
}

}  // namespace
}  // namespace weft::test
