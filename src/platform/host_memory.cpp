// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string_view>
#include <vector>

#include "platform/host_facts.h"

namespace weft::host {
namespace {

/// Where a cgroup hierarchy that limits memory is mounted, and which of its groups that shows.
struct CgroupMount {
  std::string point;
  std::string shown;  ///< path in the hierarchy of what stands at `point`
  bool unified = false;
};

bool listHas(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const size_t comma = list.find(',');
    if (list.substr(0, comma) == name) return true;
    if (comma == std::string_view::npos) return false;
    list.remove_prefix(comma + 1);
  }
  return false;
}

/// See proc(5), "/proc/pid/mountinfo": the fields after " - " are type, source and options.
std::vector<CgroupMount> memoryMounts(const std::string& root) {
  std::vector<CgroupMount> mounts;
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::string skipped, shown, point, type, source, options;
    std::istringstream(line) >> skipped >> skipped >> skipped >> shown >> point;
    std::istringstream(line.substr(dash + 3)) >> type >> source >> options;
    if (type == "cgroup2")
      mounts.push_back({point, shown, true});
    else if (type == "cgroup" && listHas(options, "memory"))
      mounts.push_back({point, shown, false});
  }
  return mounts;
}

/// The process's group in the unified hierarchy or in that of the v1 memory controller.
std::string memoryGroup(const std::string& root, bool unified) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string_view controllers =
        std::string_view(line).substr(first + 1, second - first - 1);
    if (unified ? controllers.empty() : listHas(controllers, "memory"))
      return line.substr(second + 1);
  }
  return "/";
}

std::optional<uint64_t> numberIn(const std::string& path) {
  std::ifstream file(path);
  std::string text;
  uint64_t value = 0;
  // "max" stands for no limit, and so it is no number here.
  if (!(file >> text) ||
      std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{})
    return std::nullopt;
  return value;
}

/// The sum of the lines "name value" of a file, or "name: value kB" in units of `unit`.
uint64_t sumOf(const std::string& path, std::initializer_list<std::string_view> names,
               uint64_t unit = 1) {
  std::ifstream file(path);
  uint64_t sum = 0;
  std::string name;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    uint64_t number = 0;
    if (words >> name >> number && std::ranges::find(names, name) != names.end())
      sum += number * unit;
  }
  return sum;
}

/// The files that say what a group may use and what it does use.
struct CgroupFiles {
  std::string limit;
  std::string usage;
  std::string statistics;
};

/// The process's groups and all their ancestors that are visible: the limits of all of them hold.
std::vector<CgroupFiles> memoryGroups(const std::string& root) {
  std::vector<CgroupFiles> groups;
  for (const CgroupMount& mount : memoryMounts(root)) {
    std::string group = memoryGroup(root, mount.unified);
    if (mount.shown != "/" && group.starts_with(mount.shown)) group.erase(0, mount.shown.size());
    // In a container the process's own path may not exist, and the mount point itself is its group.
    for (;;) {
      while (group.ends_with('/')) group.pop_back();
      const std::string folder = root + mount.point + group;
      groups.push_back({folder + (mount.unified ? "/memory.max" : "/memory.limit_in_bytes"),
                        folder + (mount.unified ? "/memory.current" : "/memory.usage_in_bytes"),
                        folder + "/memory.stat"});
      if (group.empty()) break;
      group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
    }
  }
  return groups;
}

}  // namespace

std::optional<uint64_t> cgroupMemoryLimit(const std::string& root) {
  std::optional<uint64_t> limit;
  for (const CgroupFiles& group : memoryGroups(root))
    if (const auto own = numberIn(group.limit)) limit = std::min(limit.value_or(UINT64_MAX), *own);
  return limit;
}

uint64_t availableMemory(const std::string& root) {
  uint64_t available = sumOf(root + "/proc/meminfo", {"MemAvailable:", "SwapFree:"}, 1024);
  if (available == 0) available = UINT64_MAX;  // not told
  for (const CgroupFiles& group : memoryGroups(root)) {
    const auto limit = numberIn(group.limit);
    const auto usage = numberIn(group.usage);
    if (!limit || !usage) continue;
    // What caches files can be had back. Version 1 counts the group alone under the plain names.
    const uint64_t files =
        std::max(sumOf(group.statistics, {"active_file", "inactive_file"}),
                 sumOf(group.statistics, {"total_active_file", "total_inactive_file"}));
    const uint64_t used = *usage - std::min(files, *usage);
    available = std::min(available, *limit - std::min(used, *limit));
  }
  return available;
}

uint64_t usableMemory() {
  const uint64_t pages = static_cast<uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  uint64_t bytes = pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  if (const auto limit = cgroupMemoryLimit()) bytes = std::min(bytes, *limit);
  rlimit space{};
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
    bytes = std::min<uint64_t>(bytes, space.rlim_cur);
  return bytes;
}

}  // namespace weft::host
