// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl_ext.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "support/extensions.h"
#include "support/objects.h"
#include "weft/khr/external_memory.h"

/// Memory that is shared with others by file descriptors, and its import.
namespace weft::test {

using Properties = std::vector<cl_mem_properties>;

struct ExternalMemoryFunctions {
#define WEFT_EXTENSION(name) extensionFunction<cl##name##KHR_fn>("cl" #name "KHR")
  clEnqueueAcquireExternalMemObjectsKHR_fn acquire =
      WEFT_EXTENSION(EnqueueAcquireExternalMemObjects);
  clEnqueueReleaseExternalMemObjectsKHR_fn release =
      WEFT_EXTENSION(EnqueueReleaseExternalMemObjects);
#undef WEFT_EXTENSION
};

inline const ExternalMemoryFunctions& externalMemory() {
  static const ExternalMemoryFunctions functions;
  return functions;
}

/// A memfd with a mapping of all of it, as another user of the memory has one.
class SharedMemory {
 public:
  static constexpr const char* kName = "weft-external";

  explicit SharedMemory(size_t size) : file_(memfd_create(kName, MFD_CLOEXEC)), size_(size) {
    EXPECT_GE(file_, 0);
    EXPECT_EQ(ftruncate(file_, static_cast<off_t>(size)), 0);
    data_ = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    EXPECT_NE(data_, MAP_FAILED);
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() {
    munmap(data_, size_);
    close(file_);
  }

  size_t size() const { return size_; }
  template <class T = unsigned char>
  T* data() const {
    return static_cast<T*>(data_);
  }
  /// A descriptor to be given away.
  int handle(int access = O_RDWR) const {
    const int made = access == O_RDWR
                         ? fcntl(file_, F_DUPFD_CLOEXEC, 0)
                         : open(("/proc/self/fd/" + std::to_string(file_)).c_str(), access);
    EXPECT_GE(made, 0);
    return made;
  }

 private:
  int file_;
  size_t size_;
  void* data_;
};

inline bool isOpen(int file) { return fcntl(file, F_GETFD) != -1; }

inline size_t openFiles() {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
    ++count;
  return count;
}

/// Mappings of any SharedMemory in this process.
inline size_t sharedMappings() {
  std::ifstream maps("/proc/self/maps");
  size_t count = 0;
  for (std::string line; std::getline(maps, line);)
    if (line.find(SharedMemory::kName) != std::string::npos) ++count;
  return count;
}

inline Properties importOf(cl_mem_properties type, int file) {
  return {type, static_cast<cl_mem_properties>(file), 0};
}

/// A buffer of the first `size` bytes. The test's `file` is gone after that.
inline MemoryHolder importBuffer(cl_context context, const Properties& list, size_t size,
                                 cl_mem_flags flags = 0) {
  cl_int error = CL_INVALID_EVENT;
  MemoryHolder buffer(
      clCreateBufferWithProperties(context, list.data(), flags, size, nullptr, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  return buffer;
}

inline void acquire(cl_command_queue queue, cl_mem object) {
  EXPECT_EQ(externalMemory().acquire(queue, 1, &object, 0, nullptr, nullptr), CL_SUCCESS);
}
inline void release(cl_command_queue queue, cl_mem object) {
  EXPECT_EQ(externalMemory().release(queue, 1, &object, 0, nullptr, nullptr), CL_SUCCESS);
}

}  // namespace weft::test
