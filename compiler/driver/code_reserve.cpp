// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/code_reserve.h"

#include <algorithm>
#include <utility>

namespace weft::compiler {

void CodeReserve::put(const Digest& key, LoadedCode code) {
  std::list<Entry> dropped;
  {
    MutexLock lock(mutex_);
    entries_.push_front({key, std::move(code)});
    bytes_ += entries_.front().code.bytes;
    while (bytes_ > mostBytes_) {
      bytes_ -= entries_.back().code.bytes;
      dropped.splice(dropped.end(), entries_, std::prev(entries_.end()));
    }
  }
  for (const Entry& entry : dropped) entry.code.unload();
}

std::optional<LoadedCode> CodeReserve::take(const Digest& key) noexcept {
  MutexLock lock(mutex_);
  const auto found =
      std::ranges::find_if(entries_, [&](const Entry& entry) { return entry.key == key; });
  if (found == entries_.end()) return std::nullopt;
  LoadedCode code = std::move(found->code);
  bytes_ -= code.bytes;
  entries_.erase(found);
  return code;
}

void CodeReserve::clear() {
  std::list<Entry> dropped;
  {
    MutexLock lock(mutex_);
    dropped.swap(entries_);
    bytes_ = 0;
  }
  for (const Entry& entry : dropped) entry.code.unload();
}

void CodeReserve::abandon() noexcept {
  MutexLock lock(mutex_);
  entries_.clear();
  bytes_ = 0;
}

}  // namespace weft::compiler
