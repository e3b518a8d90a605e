// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft/runtime/cpus.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "sched/cgroup.h"

namespace weft::runtime::test {
namespace {

/// A made-up root folder with /proc and /sys files.
class Cgroups : public testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::temp_directory_path() /
            ("weft-cgroup-" + std::to_string(getpid()) + "-" +
             testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    const auto full = root_.string() + path;
    std::filesystem::create_directories(std::filesystem::path(full).parent_path());
    std::ofstream(full) << text;
  }
  std::optional<double> limit() const { return cgroupCpuLimit(root_.string()); }

  const std::string kMount2 =
      "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

 private:
  std::filesystem::path root_;
};

TEST_F(Cgroups, NoFilesMeanNoLimit) { EXPECT_FALSE(limit()); }

TEST_F(Cgroups, Version2) {
  write("/proc/self/mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda rw\n" + kMount2);
  write("/proc/self/cgroup", "0::/user.slice/app\n");
  EXPECT_FALSE(limit());
  write("/sys/fs/cgroup/user.slice/app/cpu.max", "max 100000\n");
  EXPECT_FALSE(limit());
  write("/sys/fs/cgroup/user.slice/app/cpu.max", "250000 100000\n");
  EXPECT_EQ(limit(), 2.5);
  write("/sys/fs/cgroup/user.slice/cpu.max", "150000 100000\n");
  EXPECT_EQ(limit(), 1.5) << "the parent's limit is tighter";
}

TEST_F(Cgroups, Version2AtTheRootOfANamespace) {
  write("/proc/self/mountinfo", kMount2);
  write("/proc/self/cgroup", "0::/\n");
  write("/sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_EQ(limit(), 0.5);
}

TEST_F(Cgroups, Version1) {
  write("/proc/self/mountinfo",
        "31 23 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        "32 23 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n");
  write("/proc/self/cgroup", "5:memory:/m\n4:cpu,cpuacct:/a/b\n0::/ignored\n");
  write("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us", "-1\n");
  write("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us", "100000\n");
  EXPECT_FALSE(limit());
  write("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "300000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(limit(), 3.0);
}

TEST_F(Cgroups, ContainerThatSeesItsOwnGroupAsTheRoot) {
  write("/proc/self/mountinfo",
        "32 23 0:29 /docker/abc /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
  write("/proc/self/cgroup", "4:cpu:/docker/abc\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000");
  write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  EXPECT_EQ(limit(), 2.0);
}

TEST_F(Cgroups, NonsenseMeansNoLimit) {
  for (const char* text : {"", "\n", "max", "100000", "0 100000", "-5 100000", "100 0", "a b"}) {
    EXPECT_FALSE(parseCpuMax(text)) << text;
  }
  write("/proc/self/mountinfo", "junk\n- -\n\n1 2 3 - cgroup2\n" + kMount2);
  write("/proc/self/cgroup", "junk\n:\n0::\n");
  EXPECT_FALSE(limit());
}

TEST(AvailableCpus, FollowTheAffinityMask) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  EXPECT_GE(availableCpus(), 1u);
  EXPECT_LE(availableCpus(), static_cast<unsigned>(CPU_COUNT(&before)));
  std::thread([&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (!CPU_ISSET(cpu, &before)) continue;
      CPU_SET(cpu, &one);
      break;
    }
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    EXPECT_EQ(availableCpus(), 1u);
  }).join();
}

}  // namespace
}  // namespace weft::runtime::test
