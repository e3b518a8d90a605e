// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sched/cgroup.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <vector>

namespace weft::runtime {
namespace {

/// A mounted cgroup hierarchy: version 2, or version 1 with the cpu controller.
struct Hierarchy {
  bool version2 = false;
  std::string mountRoot;  ///< path within the hierarchy that is visible at the mount point
  std::string mountPoint;
};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool contains(const std::vector<std::string>& parts, std::string_view wanted) {
  return std::find(parts.begin(), parts.end(), wanted) != parts.end();
}

std::optional<std::string> firstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line)) return std::nullopt;
  return line;
}

std::optional<double> parseNumber(std::string_view text) {
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return static_cast<double>(value);
}

/// Lines of /proc/self/mountinfo: "id parent dev root mountpoint options [tags] - type source
/// superoptions".
std::vector<Hierarchy> readHierarchies(const std::string& root) {
  std::vector<Hierarchy> found;
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const auto left = split(std::string_view(line).substr(0, dash), ' ');
    const auto right = split(std::string_view(line).substr(dash + 3), ' ');
    if (left.size() < 5 || right.empty()) continue;
    const bool version2 = right[0] == "cgroup2";
    const bool version1 =
        right[0] == "cgroup" && right.size() >= 3 && contains(split(right[2], ','), "cpu");
    if (version1 || version2) found.push_back({version2, left[3], left[4]});
  }
  return found;
}

/// The process's path in a hierarchy, from /proc/self/cgroup: "id:controllers:path".
std::optional<std::string> processPath(const std::string& root, bool version2) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const auto controllers =
        split(std::string_view(line).substr(first + 1, second - first - 1), ',');
    const bool matches = version2 ? line.starts_with("0::") : contains(controllers, "cpu");
    if (matches) return line.substr(second + 1);
  }
  return std::nullopt;
}

std::optional<double> limitOf(const std::string& folder, bool version2) {
  if (version2) {
    const auto line = firstLine(folder + "/cpu.max");
    return line ? parseCpuMax(*line) : std::nullopt;
  }
  const auto quotaLine = firstLine(folder + "/cpu.cfs_quota_us");
  const auto periodLine = firstLine(folder + "/cpu.cfs_period_us");
  if (!quotaLine || !periodLine) return std::nullopt;
  const auto quota = parseNumber(*quotaLine);
  const auto period = parseNumber(*periodLine);
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

void takeSmaller(std::optional<double>& least, std::optional<double> other) {
  if (other && (!least || *other < *least)) least = other;
}

}  // namespace

std::optional<double> parseCpuMax(std::string_view text) {
  const size_t space = text.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const auto quota = parseNumber(text.substr(0, space));  // "max" is no number: no limit
  const auto period = parseNumber(text.substr(space + 1));
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

std::optional<double> cgroupCpuLimit(const std::string& root) {
  std::optional<double> least;
  for (const Hierarchy& hierarchy : readHierarchies(root)) {
    const auto path = processPath(root, hierarchy.version2);
    if (!path) continue;
    std::string below = *path;
    // In a container without a cgroup namespace the path starts above the mount.
    if (hierarchy.mountRoot != "/" && below.starts_with(hierarchy.mountRoot))
      below.erase(0, hierarchy.mountRoot.size());
    const std::string base = root + hierarchy.mountPoint;
    while (!below.empty() && below != "/") {
      takeSmaller(least, limitOf(base + below, hierarchy.version2));
      below.erase(std::min(below.size(), below.rfind('/')));
    }
    takeSmaller(least, limitOf(base, hierarchy.version2));
  }
  return least;
}

}  // namespace weft::runtime
