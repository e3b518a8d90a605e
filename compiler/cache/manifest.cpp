// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cache/manifest.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/byte_stream.h"
#include "cache/cache_directory.h"

namespace weft::compiler {
namespace {

constexpr size_t kMinStringBytes = sizeof(uint64_t);

/// Digest of a regular file's contents, in hexadecimal; empty when it cannot be read.
std::string fileDigest(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat info;
  if (!file || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
  const auto size = static_cast<uint64_t>(info.st_size);
  if (size > kMaxFileBytes) return {};
  std::string text(size, '\0');
  size_t got = 0;
  while (got < size) {
    const ssize_t count = ::read(file.get(), text.data() + got, size - got);
    if (count <= 0) return {};
    got += static_cast<size_t>(count);
  }
  return Digest::of(text).hex();
}

}  // namespace

Digest programKey(const Digest& sourceKey, const FileUses& files) {
  DigestBuilder builder;
  builder.add(sourceKey);
  for (const auto& [path, seen] : files.seen)
    builder.add(path).add(static_cast<uint64_t>(seen.kind)).add(seen.digest);
  return builder.finish();
}

std::string encodeManifest(const FileUses& files) {
  std::string out;
  ByteWriter stream(out);
  stream(uint64_t{files.seen.size()});
  for (const auto& [path, seen] : files.seen) {
    stream(std::string_view(path));
    stream(seen.kind);
    stream(std::string_view(seen.digest));
  }
  return out;
}

std::optional<FileUses> decodeManifest(std::span<const std::byte> bytes) {
  ByteReader stream(bytes);
  FileUses files;
  for (uint64_t left = stream.count(2 * kMinStringBytes); left != 0; --left) {
    std::string path;
    FileUses::Seen seen;
    stream(path);
    stream(seen.kind);
    stream(seen.digest);
    files.seen.emplace(std::move(path), std::move(seen));
  }
  if (!stream.atEnd()) return std::nullopt;
  return files;
}

bool stillHolds(const FileUses& files) {
  for (const auto& [path, seen] : files.seen) {
    if (kindOfFile(path) != seen.kind) return false;
    if (!seen.digest.empty() && fileDigest(path) != seen.digest) return false;
  }
  return true;
}

}  // namespace weft::compiler
