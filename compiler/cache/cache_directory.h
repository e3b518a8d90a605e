// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace weft::compiler {

/// A file descriptor that closes itself.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor();

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  /// Closes and tells whether the system had nothing to complain about.
  bool close();

 private:
  int fd_ = -1;
};

/// The user's cache directory, weft/ below XDG_CACHE_HOME or ~/.cache; nothing when there is
/// none, when the process runs with raised privileges, or when it lies in a directory that is
/// shared with other users.
std::optional<std::string> defaultCacheDirectory();

/// Opens the directory, making it and its parents when they are missing. It is refused unless
/// it is a directory of ours that nobody else can enter, since it holds native code; `refused` then
/// says why, and is empty where there is nothing to open.
FileDescriptor openCacheDirectory(const std::string& path, std::string& refused);

}  // namespace weft::compiler
