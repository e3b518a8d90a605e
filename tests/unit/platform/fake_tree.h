// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace weft::test {

/// A host made of files below a folder of the test's own.
class FakeTree : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    root_ = testing::TempDir() + "weft_" + info->test_suite_name() + "_" + info->name();
    std::filesystem::remove_all(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void file(const std::string& path, const std::string& text) {
    const std::filesystem::path full = root_ + path;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text << '\n';
  }
  void remove(const std::string& path) { std::filesystem::remove_all(root_ + path); }

  /// A NUMA node.
  void node(unsigned number, const std::string& cpus) {
    file("/sys/devices/system/node/node" + std::to_string(number) + "/cpulist", cpus);
  }
  /// One of a CPU's caches.
  void cache(unsigned cpu, unsigned index, const char* type, unsigned level,
             const std::string& cpus) {
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                               "/cache/index" + std::to_string(index) + "/";
    file(folder + "type", type);
    file(folder + "level", std::to_string(level));
    file(folder + "shared_cpu_list", cpus);
  }
  /// The usual four of a core: L1 data and instructions, L2, L3.
  void core(const std::vector<unsigned>& cpus, const std::string& own, const std::string& l3) {
    for (const unsigned cpu : cpus) {
      cache(cpu, 0, "Data", 1, own);
      cache(cpu, 1, "Instruction", 1, own);
      cache(cpu, 2, "Unified", 2, own);
      cache(cpu, 3, "Unified", 3, l3);
    }
  }

  std::string root_;
};

}  // namespace weft::test
