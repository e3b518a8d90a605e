// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/host_facts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "program/build_error.h"

namespace weft::test {
namespace {

/// A machine made of files in a temporary folder.
class FakeHost : public testing::Test {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "weft_host_" +
            testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void file(const std::string& path, const std::string& text) {
    const std::filesystem::path full = root_ + path;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text;
  }
  void cache(int index, const char* type, int level, const char* size) {
    const std::string folder =
        "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    file(folder + "type", std::string(type) + "\n");
    file(folder + "level", std::to_string(level) + "\n");
    file(folder + "size", std::string(size) + "\n");
    file(folder + "coherency_line_size", "128\n");
  }

  std::string root_;
};

TEST_F(FakeHost, ReadsCaches) {
  cache(0, "Data", 1, "48K");
  cache(1, "Instruction", 1, "32K");
  cache(2, "Unified", 2, "2M");
  cache(3, "Unified", 3, "32768K");
  const host::Caches caches = host::caches(root_);
  EXPECT_EQ(caches.l2Bytes, uint64_t{2} << 20);
  EXPECT_EQ(caches.lastLevelBytes, uint64_t{32} << 20);
  EXPECT_EQ(caches.lineBytes, 128u);
}

TEST_F(FakeHost, ToleratesAMachineWithoutFiles) {
  const host::Caches caches = host::caches(root_);
  EXPECT_EQ(caches.lastLevelBytes, 0u);
  EXPECT_EQ(caches.lineBytes, 64u);
  EXPECT_EQ(host::clockMHz(root_), 0u);
  EXPECT_EQ(host::cgroupMemoryLimit(root_), std::nullopt);
}

TEST_F(FakeHost, ReadsTheClock) {
  file("/proc/cpuinfo", "processor\t: 0\ncpu MHz\t\t: 2596.122\n");
  EXPECT_EQ(host::clockMHz(root_), 2596u);
  file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "4100000\n");
  EXPECT_EQ(host::clockMHz(root_), 4100u);
}

TEST_F(FakeHost, TakesTheSmallestLimitOfTheUnifiedHierarchy) {
  file("/proc/self/mountinfo",
       "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
  file("/proc/self/cgroup", "0::/user.slice/job\n");
  file("/sys/fs/cgroup/user.slice/job/memory.max", "max\n");
  EXPECT_EQ(host::cgroupMemoryLimit(root_), std::nullopt);
  file("/sys/fs/cgroup/user.slice/memory.max", "1073741824\n");
  EXPECT_EQ(host::cgroupMemoryLimit(root_), uint64_t{1} << 30);
  file("/sys/fs/cgroup/user.slice/job/memory.max", "2147483648\n");
  EXPECT_EQ(host::cgroupMemoryLimit(root_), uint64_t{1} << 30);
  file("/sys/fs/cgroup/user.slice/job/memory.max", "4096\n");
  EXPECT_EQ(host::cgroupMemoryLimit(root_), 4096u);
}

TEST_F(FakeHost, ReadsVersionOneLimits) {
  file("/proc/self/mountinfo",
       "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
       "36 31 0:33 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct\n");
  file("/proc/self/cgroup", "9:cpu,cpuacct:/other\n4:memory:/box/inner\n0::/\n");
  file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  file("/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "8192\n");
  EXPECT_EQ(host::cgroupMemoryLimit(root_), 8192u);
}

TEST_F(FakeHost, KnowsContainersThatSeeTheirOwnGroupOnly) {
  // The process's path is the host's, and the mount shows that group as its root.
  file("/proc/self/mountinfo",
       "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
  file("/proc/self/cgroup", "4:memory:/docker/abc\n");
  file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "65536\n");
  EXPECT_EQ(host::cgroupMemoryLimit(root_), 65536u);
}

TEST_F(FakeHost, TellsWhatMemoryIsLeft) {
  EXPECT_EQ(host::availableMemory(root_), UINT64_MAX);
  file("/proc/meminfo",
       "MemTotal:       1000 kB\nMemFree:         10 kB\nMemAvailable:    300 kB\n"
       "SwapTotal:        50 kB\nSwapFree:         20 kB\n");
  EXPECT_EQ(host::availableMemory(root_), 320u * 1024);
  file("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  file("/proc/self/cgroup", "0::/job\n");
  file("/sys/fs/cgroup/job/memory.max", "max\n");
  file("/sys/fs/cgroup/job/memory.current", "5000\n");
  EXPECT_EQ(host::availableMemory(root_), 320u * 1024) << "no limit";
  file("/sys/fs/cgroup/job/memory.max", "100000\n");
  EXPECT_EQ(host::availableMemory(root_), 95'000u);
  file("/sys/fs/cgroup/job/memory.stat", "anon 3000\ninactive_file 1000\nactive_file 500\n");
  EXPECT_EQ(host::availableMemory(root_), 96'500u);
  file("/sys/fs/cgroup/job/memory.current", "200000\n");
  EXPECT_EQ(host::availableMemory(root_), 0u) << "more than the limit is used";
}

TEST_F(FakeHost, TellsWhatMemoryIsLeftInVersionOne) {
  file("/proc/self/mountinfo",
       "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n");
  file("/proc/self/cgroup", "4:memory:/box\n");
  file("/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "8192\n");
  file("/sys/fs/cgroup/memory/box/memory.usage_in_bytes", "4096\n");
  file("/sys/fs/cgroup/memory/box/memory.stat",
       "inactive_file 1\ntotal_inactive_file 1000\ntotal_active_file 24\n");
  EXPECT_EQ(host::availableMemory(root_), 8192u - (4096 - 1024));
}

TEST(Host, IsDescribed) {
  EXPECT_FALSE(host::cpuName().empty());
  EXPECT_FALSE(host::cpuVendor().name.empty());
  EXPECT_GE(host::vectorBytes(), 16u);
  EXPECT_GT(host::usableMemory(), uint64_t{1} << 20);
}

TEST(CompilerErrors, HaveTheCodeOfTheirStep) {
  using compiler::ErrorKind;
  EXPECT_EQ(clCode(ErrorKind::InvalidOptions, BuildStep::Build), CL_INVALID_BUILD_OPTIONS);
  EXPECT_EQ(clCode(ErrorKind::InvalidOptions, BuildStep::Compile), CL_INVALID_COMPILER_OPTIONS);
  EXPECT_EQ(clCode(ErrorKind::InvalidOptions, BuildStep::Link), CL_INVALID_LINKER_OPTIONS);
  EXPECT_EQ(clCode(ErrorKind::SourceError, BuildStep::Build), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(clCode(ErrorKind::SourceError, BuildStep::Compile), CL_COMPILE_PROGRAM_FAILURE);
  EXPECT_EQ(clCode(ErrorKind::SourceError, BuildStep::Link), CL_LINK_PROGRAM_FAILURE);
  EXPECT_EQ(clCode(ErrorKind::Internal, BuildStep::Link), CL_LINK_PROGRAM_FAILURE);
  EXPECT_EQ(clCode(ErrorKind::InvalidBinary, BuildStep::Build), CL_INVALID_BINARY);
  EXPECT_EQ(clCode(ErrorKind::OutOfMemory, BuildStep::Build), CL_OUT_OF_HOST_MEMORY);
}

}  // namespace
}  // namespace weft::test
