// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
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

void lower(std::optional<uint64_t>& limit, const std::string& path) {
  std::ifstream file(path);
  std::string text;
  if (!(file >> text)) return;
  uint64_t value = 0;
  // "max" stands for no limit, and so it fails here.
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{}) return;
  limit = std::min(limit.value_or(UINT64_MAX), value);
}

}  // namespace

std::optional<uint64_t> cgroupMemoryLimit(const std::string& root) {
  std::optional<uint64_t> limit;
  for (const CgroupMount& mount : memoryMounts(root)) {
    const char* name = mount.unified ? "/memory.max" : "/memory.limit_in_bytes";
    std::string group = memoryGroup(root, mount.unified);
    if (mount.shown != "/" && group.starts_with(mount.shown)) group.erase(0, mount.shown.size());
    // A limit of any ancestor that is visible holds too. In a container the process's own path may
    // not exist, and the mount point itself is its group.
    for (;;) {
      while (group.ends_with('/')) group.pop_back();
      lower(limit, root + mount.point + group + name);
      if (group.empty()) break;
      group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
    }
  }
  return limit;
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
