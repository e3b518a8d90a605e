// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

/// Long runs that look at what stays behind.
namespace weft::soak {

/// Bytes of the process that are in memory.
size_t residentBytes();

/// Throws unless `condition` holds.
inline void require(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error(what);
}
inline void check(cl_int code, const char* what) {
  require(code == CL_SUCCESS, std::string(what) + " gave " + std::to_string(code));
}

/// Resident memory from the end of the warm-up on.
class MemoryWatch {
 public:
  /// `limit` is how much it may grow.
  MemoryWatch(std::string name, size_t limit) : name_(std::move(name)), limit_(limit) {}

  /// `done` of `total` rounds are over; the first tenth is the warm-up. Reports now and then.
  void look(uint64_t done, uint64_t total);
  /// Throws when memory has grown by more than the limit.
  void finish();

 private:
  std::string name_;
  size_t limit_;
  size_t atWarm_ = 0;
  size_t highest_ = 0;
  uint64_t reported_ = 0;
};

/// Builds, runs and releases `count` different programs on `threads` threads; one in sixteen does
/// not compile.
void runBuilds(cl_context context, cl_device_id device, uint64_t count, unsigned threads);

/// Enqueues `count` kernels with an event and a callback each on `threads` threads, and counts
/// that every one ran and every callback came exactly once.
void runEnqueues(cl_context context, cl_device_id device, uint64_t count, unsigned threads);

}  // namespace weft::soak
