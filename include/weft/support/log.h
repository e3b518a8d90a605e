// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <string_view>

namespace weft::log {

enum class Level : int { Off = 0, Warning = 1, Info = 2, Debug = 3, Trace = 4 };

/// Receives one finished line without its newline. Called on any thread.
using Sink = void (*)(Level level, std::string_view line) noexcept;

namespace detail {
inline std::atomic<Level> threshold{Level::Off};
inline std::atomic<Sink> sink{nullptr};
}  // namespace detail

/// Sets where log lines go and how much is logged. Off, with no sink, until src/config
/// has read the environment: a library that is merely loaded says nothing.
inline void configure(Level threshold, Sink sink) noexcept {
  detail::sink.store(sink, std::memory_order_release);
  detail::threshold.store(threshold, std::memory_order_release);
}

inline bool enabled(Level level) noexcept {
  return level <= detail::threshold.load(std::memory_order_relaxed);
}

inline void write(Level level, std::string_view line) noexcept {
  if (!enabled(level)) return;
  if (Sink sink = detail::sink.load(std::memory_order_acquire)) sink(level, line);
}

}  // namespace weft::log
