// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/external_memory.h"

#include <linux/dma-buf.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "weft/support/checked.h"

namespace weft {
namespace {

bool isDmaBuf(const struct statfs& system) noexcept { return system.f_type == DMA_BUF_MAGIC; }

/// What the length of a mapping is a multiple of, where munmap() minds.
size_t pageBytes(const struct statfs& system) noexcept {
  return system.f_type == HUGETLBFS_MAGIC ? static_cast<size_t>(system.f_bsize) : 1;
}

}  // namespace

std::optional<size_t> ExternalMemory::bytesOf(int file) noexcept {
  struct stat facts{};
  struct statfs system{};
  if (fstat(file, &facts) != 0 || fstatfs(file, &system) != 0) return std::nullopt;
  // A memfd is a regular file. What else could be mapped is a device, which may do anything then.
  if (!S_ISREG(facts.st_mode) && !isDmaBuf(system)) return std::nullopt;
  return static_cast<size_t>(facts.st_size);
}

Result<std::unique_ptr<ExternalMemory>> ExternalMemory::map(Context& context, int file, size_t size,
                                                            bool writable) {
  struct statfs system{};
  if (fstatfs(file, &system) != 0) return clError(CL_INVALID_PROPERTY);
  std::unique_ptr<ExternalMemory> memory(new ExternalMemory(file, writable));
  const size_t length = alignUp(size, pageBytes(system));
  const int access = PROT_READ | (writable ? PROT_WRITE : 0);
  void* const start = mmap(nullptr, length, access, MAP_SHARED, file, 0);
  if (start == MAP_FAILED) {
    const int reason = errno;
    context.notify(std::string("external memory cannot be mapped: ") + strerrordesc_np(reason));
    const bool isFull = reason == ENOMEM || reason == EAGAIN;
    return clError(isFull ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_INVALID_PROPERTY);
  }
  memory->data_ = static_cast<std::byte*>(start);
  memory->mapped_ = length;
  memory->isDmaBuf_ = isDmaBuf(system);
  return memory;
}

ExternalMemory::~ExternalMemory() {
  if (data_ != nullptr) munmap(data_, mapped_);
  if (ownsFile_) close(file_);
}

void ExternalMemory::takeHandle() noexcept {
  // The mapping does without the descriptor; sync() does not.
  if (isDmaBuf_)
    ownsFile_ = true;
  else
    close(file_);
}

bool ExternalMemory::sync(bool begins) const noexcept {
  dma_buf_sync request{};
  request.flags = (begins ? DMA_BUF_SYNC_START : DMA_BUF_SYNC_END) |
                  (writable_ ? DMA_BUF_SYNC_RW : DMA_BUF_SYNC_READ);
  while (ioctl(file_, DMA_BUF_IOCTL_SYNC, &request) != 0)
    if (errno != EINTR && errno != EAGAIN) return false;
  return true;
}

}  // namespace weft
