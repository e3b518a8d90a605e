// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/host_facts.h"

#include <cpuid.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>

namespace weft::host {
namespace {

std::string firstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The number a text starts with; 0 when there is none.
uint64_t leadingNumber(const std::string& text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Sizes in /sys look like "1024K".
uint64_t cacheSize(const std::string& text) {
  const uint64_t number = leadingNumber(text);
  if (text.ends_with('K')) return number << 10;
  if (text.ends_with('M')) return number << 20;
  return number;
}

}  // namespace

std::string cpuName() {
  constexpr unsigned kFirstBrandLeaf = 0x80000002;
  std::array<unsigned, 12> words{};
  for (unsigned leaf = 0; leaf < 3; ++leaf) {
    unsigned* out = words.data() + 4 * leaf;
    if (!__get_cpuid(kFirstBrandLeaf + leaf, out, out + 1, out + 2, out + 3)) return "x86-64 CPU";
  }
  std::array<char, sizeof words + 1> text{};
  std::memcpy(text.data(), words.data(), sizeof words);
  std::string name = trimmed(text.data());
  return name.empty() ? "x86-64 CPU" : name;
}

CpuVendor cpuVendor() {
  unsigned highest = 0;
  std::array<unsigned, 3> words{};
  if (!__get_cpuid(0, &highest, &words[0], &words[2], &words[1])) return {"unknown", 0};
  const std::string id(reinterpret_cast<const char*>(words.data()), sizeof words);
  if (id == "AuthenticAMD") return {"AMD", 0x1022};
  if (id == "GenuineIntel") return {"Intel", 0x8086};
  return {trimmed(id), 0};
}

uint32_t vectorBytes() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) return 64;
  if (__builtin_cpu_supports("avx")) return 32;
  return 16;
}

bool hasFma() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("fma") != 0;
}

uint32_t clockMHz(const std::string& root) {
  const uint64_t kHz =
      leadingNumber(firstLine(root + "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"));
  if (kHz != 0) return static_cast<uint32_t>(kHz / 1000);
  std::ifstream cpuinfo(root + "/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (!line.starts_with("cpu MHz")) continue;
    const size_t colon = line.find(':');
    if (colon == std::string::npos) break;
    return static_cast<uint32_t>(leadingNumber(trimmed(line.substr(colon + 1))));
  }
  return 0;
}

Caches caches(const std::string& root) {
  Caches found;
  uint64_t highestLevel = 0;
  for (unsigned index = 0;; ++index) {
    const std::string folder =
        root + "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    const std::string type = firstLine(folder + "type");
    if (type.empty()) break;
    if (type == "Instruction") continue;
    const uint64_t level = leadingNumber(firstLine(folder + "level"));
    const uint64_t bytes = cacheSize(firstLine(folder + "size"));
    if (level == 2) found.l2Bytes = bytes;
    if (level >= highestLevel) {
      highestLevel = level;
      found.lastLevelBytes = bytes;
    }
    if (const uint64_t line = leadingNumber(firstLine(folder + "coherency_line_size")))
      found.lineBytes = static_cast<uint32_t>(line);
  }
  return found;
}

}  // namespace weft::host
