// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sched/cpu_mask.h"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace weft::runtime {

CpuMask::CpuMask(std::span<const unsigned> cpus) {
  for (const unsigned cpu : cpus) {
    if (cpu / kBits >= words_.size()) words_.resize(cpu / kBits + 1);
    words_[cpu / kBits] |= Word{1} << cpu % kBits;
  }
}

std::vector<unsigned> CpuMask::cpus() const {
  std::vector<unsigned> list;
  for (unsigned cpu = 0; cpu < words_.size() * kBits; ++cpu)
    if ((words_[cpu / kBits] >> cpu % kBits & 1) != 0) list.push_back(cpu);
  return list;
}

// The system call itself, unlike the C library's function, says how long the kernel's masks are.
size_t CpuMask::read(std::span<Word, kMostWords> words) noexcept {
  const long bytes = syscall(SYS_sched_getaffinity, 0, words.size_bytes(), words.data());
  return bytes < 0 ? 0 : static_cast<size_t>(bytes) / sizeof(Word);
}

CpuMask CpuMask::ofThisThread() {
  std::array<Word, kMostWords> words{};
  CpuMask mask;
  mask.words_.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(read(words)));
  return mask;
}

bool CpuMask::holdsThisThread() const noexcept {
  std::array<Word, kMostWords> words;
  const size_t count = read(words);
  for (size_t i = 0; i < count; ++i)
    if ((words[i] & ~(i < words_.size() ? words_[i] : 0)) != 0) return false;
  return count != 0;
}

bool CpuMask::keepOff(std::thread& thread, int cpu) const noexcept {
  std::array<Word, kMostWords> words;
  if (cpu < 0 || words_.size() > words.size()) return false;
  std::ranges::copy(words_, words.begin());
  const size_t place = static_cast<size_t>(cpu) / kBits;
  if (place < words_.size()) words[place] &= ~(Word{1} << static_cast<unsigned>(cpu) % kBits);
  const std::span<const Word> left = std::span(words).first(words_.size());
  if (std::ranges::all_of(left, [](Word word) { return word == 0; })) return false;
  return pthread_setaffinity_np(thread.native_handle(), left.size_bytes(),
                                reinterpret_cast<const cpu_set_t*>(left.data())) == 0;
}

void CpuMask::moveThisThread() const noexcept {
  if (!empty()) syscall(SYS_sched_setaffinity, 0, words_.size() * sizeof(Word), words_.data());
}

}  // namespace weft::runtime
