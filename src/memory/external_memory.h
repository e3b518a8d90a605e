// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl_ext.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"
#include "context/context.h"

namespace weft {

/// The handle types that can be imported: file descriptors of memory that can be mapped.
inline constexpr std::array<cl_external_memory_handle_type_khr, 1> kExternalMemoryHandleTypes{
    CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR};

/// What clCreateBufferWithProperties and clCreateImageWithProperties were given.
struct MemoryProperties {
  std::vector<cl_mem_properties> list;   ///< as given, terminator included; empty when it is null
  bool hasFixedAddress = false;          ///< cl_ext_buffer_device_address
  int externalFile = -1;                 ///< the external memory handle; none when negative
  std::vector<Device*> externalDevices;  ///< that it is for; empty for all of the context

  bool isExternal() const noexcept { return externalFile >= 0; }
};

/// Memory of another API or process, imported from a file descriptor (cl_khr_external_memory): a
/// mapping of its first bytes that is shared with whoever else has mapped them.
///
/// Ownership: the mapping; the descriptor from takeHandle() on. Threads: sync() from any thread.
class ExternalMemory {
 public:
  /// Bytes behind a descriptor; nothing when it is closed, or one of what is no memory.
  static std::optional<size_t> bytesOf(int file) noexcept;

  /// Pre: bytesOf(file) >= size != 0.
  ///   CL_INVALID_PROPERTY                it cannot be mapped, or not for writing
  ///   CL_MEM_OBJECT_ALLOCATION_FAILURE   there is no room for it
  static Result<std::unique_ptr<ExternalMemory>> map(Context& context, int file, size_t size,
                                                     bool writable);
  ExternalMemory(const ExternalMemory&) = delete;
  ExternalMemory& operator=(const ExternalMemory&) = delete;
  ~ExternalMemory();

  std::byte* data() const noexcept { return data_; }

  /// Makes the descriptor ours. Once, when nothing of the import can fail any more: until then it
  /// is the application's, which goes on using it after a failure.
  void takeHandle() noexcept;

  /// Whether the kernel has to be told of accesses by the processor: dma-bufs are memory that
  /// devices may see through other caches.
  bool needsSync() const noexcept { return isDmaBuf_; }
  /// Begins accesses by the processor, or ends them. May wait for devices that use the memory.
  /// False when the kernel refuses. Pre: needsSync().
  bool sync(bool begins) const noexcept;

 private:
  ExternalMemory(int file, bool writable) noexcept : file_(file), writable_(writable) {}

  const int file_;
  const bool writable_;
  bool isDmaBuf_ = false;
  bool ownsFile_ = false;
  std::byte* data_ = nullptr;
  size_t mapped_ = 0;  ///< bytes
};

}  // namespace weft
