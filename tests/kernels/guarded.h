// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>

namespace weft::test {

/// Memory that ends, or begins, where a page that nobody may touch does.
class Guarded {
 public:
  explicit Guarded(size_t bytes, bool atEnd) : bytes_(bytes) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    inner_ = (bytes + page - 1) / page * page;
    all_ = static_cast<std::byte*>(
        mmap(nullptr, inner_ + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(all_ + page, inner_, PROT_READ | PROT_WRITE);
    size_ = inner_ + 2 * page;
    data_ = all_ + page + (atEnd ? inner_ - bytes : 0);
  }
  ~Guarded() { munmap(all_, size_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  std::byte* data() { return data_; }
  size_t size() const { return bytes_; }

 private:
  size_t bytes_, inner_ = 0, size_ = 0;
  std::byte* all_ = nullptr;
  std::byte* data_ = nullptr;
};

}  // namespace weft::test
