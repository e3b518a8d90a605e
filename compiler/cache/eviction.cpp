// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cache/eviction.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cache/digest.h"

namespace weft::compiler {
namespace {

constexpr time_t kAbandonedSeconds = 3600;

struct CachedFile {
  std::string name;
  uint64_t bytes = 0;
  timespec used{};
};

bool isEntryName(std::string_view name) {
  // One letter for the kind, then the key.
  return name.size() == 1 + 2 * Digest::kBytes &&
         name.find_first_not_of("0123456789abcdef", 1) == std::string_view::npos;
}

bool olderThan(const CachedFile& a, const CachedFile& b) {
  if (a.used.tv_sec != b.used.tv_sec) return a.used.tv_sec < b.used.tv_sec;
  return a.used.tv_nsec < b.used.tv_nsec;
}

std::vector<CachedFile> listEntries(int directory) {
  std::vector<CachedFile> files;
  // A descriptor of its own: reading moves the position of the one it is given.
  const int copy = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return files;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(copy), ::closedir);
  if (!stream) {
    ::close(copy);
    return files;
  }
  const time_t now = ::time(nullptr);
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::string_view name = entry->d_name;
    const bool temporary = name.starts_with(kTemporaryPrefix);
    if (!temporary && !isEntryName(name)) continue;
    struct stat info;
    if (::fstatat(directory, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISREG(info.st_mode)) continue;
    if (temporary) {
      if (now - info.st_mtim.tv_sec > kAbandonedSeconds) ::unlinkat(directory, entry->d_name, 0);
      continue;
    }
    files.push_back({std::string(name), static_cast<uint64_t>(info.st_size), info.st_mtim});
  }
  return files;
}

}  // namespace

uint64_t evictOldest(int directory, uint64_t limitBytes, uint64_t targetBytes) {
  std::vector<CachedFile> files = listEntries(directory);
  uint64_t total = 0;
  for (const CachedFile& file : files) total += file.bytes;
  if (total <= limitBytes) return total;
  std::ranges::sort(files, olderThan);
  for (const CachedFile& file : files) {
    if (total <= targetBytes) break;
    ::unlinkat(directory, file.name.c_str(), 0);
    total -= file.bytes;
  }
  return total;
}

}  // namespace weft::compiler
