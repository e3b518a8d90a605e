// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cache/file_uses.h"

#include <sys/stat.h>
#include <unistd.h>

namespace weft::compiler {

FileUses::Kind kindOfFile(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) return FileUses::Kind::Missing;
  if (S_ISDIR(info.st_mode)) return FileUses::Kind::Folder;
  if (!S_ISREG(info.st_mode) || static_cast<uint64_t>(info.st_size) > kMaxFileBytes)
    return FileUses::Kind::Other;
  return ::access(path.c_str(), R_OK) == 0 ? FileUses::Kind::File : FileUses::Kind::Unreadable;
}

}  // namespace weft::compiler
