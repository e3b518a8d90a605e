// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <thread>
#include <vector>

namespace weft::runtime {

/// A set of CPUs as the system calls for affinity take it; of any size.
class CpuMask {
 public:
  CpuMask() = default;
  explicit CpuMask(std::span<const unsigned> cpus);

  bool empty() const noexcept { return words_.empty(); }
  std::vector<unsigned> cpus() const;

  /// Where the calling thread may run; empty when the system does not tell.
  static CpuMask ofThisThread();
  /// Whether the calling thread can run nowhere else.
  bool holdsThisThread() const noexcept;
  /// Moves the calling thread. Without effect where the system refuses: the CPUs are gone, say.
  void moveThisThread() const noexcept;
  /// Lets `thread` run on all of these CPUs but one. False, and nothing is changed, where there is
  /// no other or the system refuses.
  bool keepOff(std::thread& thread, int cpu) const noexcept;

 private:
  using Word = unsigned long;
  static constexpr unsigned kBits = 8 * sizeof(Word);
  static constexpr size_t kMostWords = 1024;  ///< 65,536 CPUs, some times what Linux can have

  /// Reads the calling thread's mask; returns its words, 0 on failure.
  static size_t read(std::span<Word, kMostWords> words) noexcept;

  std::vector<Word> words_;
};

}  // namespace weft::runtime
