// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cache/cache_directory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <string_view>

namespace weft::compiler {
namespace {

constexpr std::string_view kSharedRoots[] = {"/tmp", "/var/tmp", "/dev/shm"};

bool isBelow(std::string_view path, std::string_view root) {
  return path.starts_with(root) && (path.size() == root.size() || path[root.size()] == '/');
}

/// Whether the path, or what its nearest existing parent really is, lies in a shared directory.
bool isShared(std::string path) {
  for (std::string_view root : kSharedRoots) {
    if (isBelow(path, root)) return true;
  }
  while (!path.empty()) {
    char resolved[PATH_MAX];
    if (::realpath(path.c_str(), resolved)) {
      for (std::string_view root : kSharedRoots) {
        if (isBelow(resolved, root)) return true;
      }
      return false;
    }
    const size_t slash = path.rfind('/');
    if (slash == std::string::npos) return false;
    path.resize(slash);
  }
  return false;
}

/// Makes the directories of a path, each for the user alone. Errors show when it is opened.
void makeDirectories(const std::string& path) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    (void)::mkdir(path.substr(0, slash).c_str(), 0700);
    if (slash == std::string::npos) break;
  }
}

}  // namespace

FileDescriptor::~FileDescriptor() { close(); }

bool FileDescriptor::close() {
  const int fd = std::exchange(fd_, -1);
  return fd < 0 || ::close(fd) == 0;
}

std::optional<std::string> defaultCacheDirectory() {
  std::string path;
  // The XDG specification has relative paths ignored.
  if (const char* xdg = ::secure_getenv("XDG_CACHE_HOME"); xdg && xdg[0] == '/') {
    path = std::string(xdg) + "/weft";
  } else if (const char* home = ::secure_getenv("HOME"); home && home[0] == '/') {
    path = std::string(home) + "/.cache/weft";
  } else {
    return std::nullopt;
  }
  if (isShared(path)) return std::nullopt;
  return path;
}

FileDescriptor openCacheDirectory(const std::string& path, std::string& refused) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  FileDescriptor directory(::open(path.c_str(), kFlags));
  if (!directory && errno == ENOENT) {
    makeDirectories(path);
    directory = FileDescriptor(::open(path.c_str(), kFlags));
  }
  struct stat info;
  if (!directory || ::fstat(directory.get(), &info) != 0) {
    if (errno == ENOTDIR || errno == ELOOP) refused = "is not a directory";
    return {};
  }
  if (info.st_uid != ::geteuid()) {
    refused = "belongs to another user";
  } else if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    refused = "can be entered by others (its mode has to be 0700)";
  }
  if (!refused.empty()) return {};
  return directory;
}

}  // namespace weft::compiler
