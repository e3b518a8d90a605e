// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace weft::compiler {

/// Files larger than this are not read: an #include of a device must not take all memory.
inline constexpr uint64_t kMaxFileBytes = uint64_t{64} << 20;

/// What a build saw of the disk: what stands for it is in the cache only as long as all of this
/// holds. Paths are absolute.
struct FileUses {
  /// What a path that was looked at is, where its contents did not matter. `Changed` is one that
  /// was more than one thing while the build ran.
  enum class Kind : uint8_t { Missing, File, Unreadable, Folder, Other, Changed };
  struct Seen {
    Kind kind = Kind::Missing;
    std::string digest;  ///< of the contents, in hexadecimal, if they were read
    bool operator==(const Seen&) const = default;
  };
  std::map<std::string, Seen> seen;
};

/// What `path` is now; the digest is left empty.
FileUses::Kind kindOfFile(const std::string& path);

}  // namespace weft::compiler
