// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cache/cache_directory.h"
#include "cache/digest.h"
#include "weft/support/mutex.h"

namespace weft::compiler {

/// What an entry is; part of its name, so that one key may have one entry of each kind.
enum class EntryKind : char { Program = 'p', Manifest = 'm', Variant = 'v', Trial = 't' };

/// Content-addressed store in one directory of the user's.
///
/// Every entry is one file: a header with its kind, key, size and checksum, then the payload.
/// A file that is not exactly that is no entry, and is removed. The files are spread over shards,
/// folders that keep to their part of the size limit on their own: to know what a shard holds
/// means to look at each of its files, and a store must not wait while thousands are looked at.
/// Entries are written whole to a temporary name and renamed, so readers see all or nothing, also
/// of other processes. Whatever fails, the cache then merely does not help; nothing is reported but
/// to the log. Threads: any. Two processes may share the directory.
class DiskCache {
 public:
  /// An entry's payload and the memory it lies in.
  struct Entry {
    std::span<const std::byte> payload;
    std::shared_ptr<const void> storage;
  };

  /// Nothing is touched before the first use. `maxBytes` 0: a default.
  DiskCache(std::string directory, uint64_t maxBytes);

  std::optional<Entry> find(EntryKind kind, const Digest& key);
  void store(EntryKind kind, const Digest& key, std::string_view payload);

 private:
  /// Descriptor of the directory, or -1 when it cannot be used.
  int directory();
  /// A shard, its folder made when it is not there; not open when it cannot be had.
  FileDescriptor openShard(int directory, const Digest& key) const;
  std::string shardName(const Digest& key) const;
  bool writeFile(int directory, const std::string& name, std::string_view header,
                 std::string_view payload);
  void noteStored(int shard, const Digest& key, uint64_t bytes) WEFT_EXCLUDES(mutex_);

  /// What this process knows of a shard's size.
  struct Shard {
    bool sizeKnown = false;
    uint64_t bytes = 0;
  };
  size_t shardIndex(const Digest& key) const;

  const std::string path_;
  const size_t shardCount_;
  const uint64_t shardBytes_;  ///< size limit of one shard
  Mutex mutex_;
  bool opened_ WEFT_GUARDED_BY(mutex_) = false;
  FileDescriptor directory_ WEFT_GUARDED_BY(mutex_);
  std::vector<Shard> shards_ WEFT_GUARDED_BY(mutex_);
  std::atomic<uint64_t> serial_{0};  ///< makes temporary names unique
};

}  // namespace weft::compiler
