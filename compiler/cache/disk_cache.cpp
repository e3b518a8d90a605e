// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cache/disk_cache.h"

#include <fcntl.h>
#include <llvm/Support/xxhash.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cache/eviction.h"
#include "weft/support/log.h"

namespace weft::compiler {
namespace {

constexpr char kMagic[8] = {'W', 'E', 'F', 'T', 'C', 'A', 'C', '\n'};
constexpr uint64_t kDefaultMaxBytes = uint64_t{512} << 20;
constexpr uint64_t kMaxEntryBytes = uint64_t{1} << 30;
/// A cache too small to be split has one shard.
constexpr size_t kMaxShards = 32;
constexpr uint64_t kMinShardBytes = uint64_t{2} << 20;
/// Of the stores to a shard whose size is not known yet, one in so many finds it out.
constexpr unsigned kStoresPerScan = 16;
/// A used entry's time stamp is renewed when it is older, so that eviction spares it.
constexpr time_t kTouchSeconds = 3600;

struct EntryHeader {
  char magic[8];
  char kind;
  char reserved[7];
  uint64_t payloadBytes;
  uint64_t checksum[2];
  uint8_t key[Digest::kBytes];
};
static_assert(sizeof(EntryHeader) == 72);

EntryHeader makeHeader(EntryKind kind, const Digest& key, std::string_view payload) {
  EntryHeader header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.kind = static_cast<char>(kind);
  header.payloadBytes = payload.size();
  const llvm::XXH128_hash_t sum =
      llvm::xxh3_128bits({reinterpret_cast<const uint8_t*>(payload.data()), payload.size()});
  header.checksum[0] = sum.low64;
  header.checksum[1] = sum.high64;
  std::memcpy(header.key, key.bytes().data(), Digest::kBytes);
  return header;
}

std::string entryName(EntryKind kind, const Digest& key) {
  return static_cast<char>(kind) + key.hex();
}

/// Keeps SIGXFSZ, which a write beyond the process's file size limit raises, from ending the
/// process: blocked here, and taken back if the write has raised it.
class FileSizeSignalBlock {
 public:
  FileSizeSignalBlock() {
    sigset_t pending;
    sigemptyset(&set_);
    sigaddset(&set_, SIGXFSZ);
    sigpending(&pending);
    wasPending_ = sigismember(&pending, SIGXFSZ) == 1;
    pthread_sigmask(SIG_BLOCK, &set_, &old_);
  }
  ~FileSizeSignalBlock() {
    const timespec zero{};
    if (!wasPending_) {
      while (sigtimedwait(&set_, nullptr, &zero) == -1 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &old_, nullptr);
  }
  FileSizeSignalBlock(const FileSizeSignalBlock&) = delete;
  FileSizeSignalBlock& operator=(const FileSizeSignalBlock&) = delete;

 private:
  sigset_t set_;
  sigset_t old_;
  bool wasPending_;
};

bool readAll(int fd, char* to, size_t bytes) {
  while (bytes != 0) {
    const ssize_t got = ::read(fd, to, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

bool writeAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(done));
  }
  return true;
}

/// Whole contents of a regular file of ours; null when it is anything else.
std::shared_ptr<char[]> readEntryFile(int directory, const std::string& name, size_t& bytes) {
  FileDescriptor file(
      ::openat(directory, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat info;
  if (!file || ::fstat(file.get(), &info) != 0) return nullptr;
  if (!S_ISREG(info.st_mode) || info.st_uid != ::geteuid()) return nullptr;
  bytes = static_cast<size_t>(info.st_size);
  if (bytes < sizeof(EntryHeader) || bytes > kMaxEntryBytes) return nullptr;
  std::shared_ptr<char[]> contents(new char[bytes]);
  if (!readAll(file.get(), contents.get(), bytes)) return nullptr;
  if (::time(nullptr) - info.st_mtim.tv_sec > kTouchSeconds) ::futimens(file.get(), nullptr);
  return contents;
}

}  // namespace

DiskCache::DiskCache(std::string directory, uint64_t maxBytes)
    : path_(std::move(directory)),
      shardCount_(maxBytes == 0 || maxBytes >= kMaxShards * kMinShardBytes ? kMaxShards : 1),
      shardBytes_((maxBytes != 0 ? maxBytes : kDefaultMaxBytes) / shardCount_),
      shards_(shardCount_) {}

size_t DiskCache::shardIndex(const Digest& key) const { return key.bytes()[0] % shardCount_; }

std::string DiskCache::shardName(const Digest& key) const {
  return "shard" + std::to_string(shardIndex(key));
}

FileDescriptor DiskCache::openShard(int directory, const Digest& key) const {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  const std::string name = shardName(key);
  FileDescriptor shard(::openat(directory, name.c_str(), kFlags));
  if (shard || errno != ENOENT) return shard;
  ::mkdirat(directory, name.c_str(), 0700);  // another process may have been faster
  return FileDescriptor(::openat(directory, name.c_str(), kFlags));
}

int DiskCache::directory() {
  MutexLock lock(mutex_);
  if (!opened_) {
    opened_ = true;
    std::string refused;
    directory_ = openCacheDirectory(path_, refused);
    // Whoever has given or made the directory would wonder why nothing is kept there.
    if (!refused.empty())
      log::write(log::Level::Warning, "nothing is kept on disk, since " + path_ + " " + refused);
    else if (!directory_)
      log::write(log::Level::Info, "cache: " + path_ + " cannot be opened");
  }
  return directory_.get();
}

std::optional<DiskCache::Entry> DiskCache::find(EntryKind kind, const Digest& key) {
  const int dir = directory();
  if (dir < 0) return std::nullopt;
  const std::string name = shardName(key) + "/" + entryName(kind, key);
  size_t bytes = 0;
  const std::shared_ptr<char[]> contents = readEntryFile(dir, name, bytes);
  if (!contents) return std::nullopt;
  const std::string_view payload(contents.get() + sizeof(EntryHeader), bytes - sizeof(EntryHeader));
  const EntryHeader expected = makeHeader(kind, key, payload);
  if (std::memcmp(contents.get(), &expected, sizeof expected) != 0) {
    log::write(log::Level::Warning, "cache: removed the damaged entry " + name);
    ::unlinkat(dir, name.c_str(), 0);
    return std::nullopt;
  }
  return Entry{std::as_bytes(std::span(payload.data(), payload.size())), contents};
}

bool DiskCache::writeFile(int dir, const std::string& name, std::string_view header,
                          std::string_view payload) {
  FileDescriptor file(
      ::openat(dir, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return false;
  return writeAll(file.get(), header) && writeAll(file.get(), payload) && file.close();
}

void DiskCache::store(EntryKind kind, const Digest& key, std::string_view payload) {
  const int dir = directory();
  if (dir < 0 || payload.size() > kMaxEntryBytes - sizeof(EntryHeader)) return;
  // An entry larger than a quarter of its shard would push out too much else.
  if (payload.size() > shardBytes_ / 4) return;
  const FileDescriptor shard = openShard(dir, key);
  if (!shard) return;
  const EntryHeader header = makeHeader(kind, key, payload);
  const std::string name = entryName(kind, key);
  const std::string temporary = std::string(kTemporaryPrefix) + std::to_string(::getpid()) + "-" +
                                std::to_string(serial_.fetch_add(1)) + "-" + name;
  const FileSizeSignalBlock block;
  const std::string_view headerBytes(reinterpret_cast<const char*>(&header), sizeof header);
  if (!writeFile(shard.get(), temporary, headerBytes, payload) ||
      ::renameat(shard.get(), temporary.c_str(), shard.get(), name.c_str()) != 0) {
    log::write(log::Level::Info, "cache: an entry could not be written");
    ::unlinkat(shard.get(), temporary.c_str(), 0);
    return;
  }
  noteStored(shard.get(), key, sizeof header + payload.size());
}

void DiskCache::noteStored(int directory, const Digest& key, uint64_t bytes) {
  MutexLock lock(mutex_);
  Shard& shard = shards_[shardIndex(key)];
  shard.bytes += bytes;
  if (shard.sizeKnown && shard.bytes <= shardBytes_) return;
  // Keys are random, so a shard that many short processes fill is looked at often enough.
  const bool due = shardCount_ == 1 || key.bytes()[1] % kStoresPerScan == 0;
  if (!shard.sizeKnown && !due) return;
  // Below the limit by a quarter, so that a full shard is not scanned at every store.
  shard.bytes = evictOldest(directory, shardBytes_, shardBytes_ - shardBytes_ / 4);
  shard.sizeKnown = true;
}

}  // namespace weft::compiler
