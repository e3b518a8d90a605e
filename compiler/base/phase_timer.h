// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <utility>

#include "weft/support/log.h"

namespace weft::compiler {

/// Writes one line to the log, at Debug level, with the time that each phase of some work took.
class PhaseTimer {
 public:
  explicit PhaseTimer(std::string what) {
    if (!log::enabled(log::Level::Debug)) return;
    active_ = true;
    line_ = std::move(what) + ":";
    last_ = begin_ = Clock::now();
  }
  ~PhaseTimer() {
    if (!active_) return;
    append("total", begin_);
    log::write(log::Level::Debug, line_);
  }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

  /// Writes nothing after all.
  void cancel() { active_ = false; }

  /// Ends a phase that began where the last one ended.
  void phase(const char* name) {
    if (!active_) return;
    append(name, last_);
    last_ = Clock::now();
  }

 private:
  using Clock = std::chrono::steady_clock;

  void append(const char* name, Clock::time_point since) {
    const std::chrono::duration<double, std::milli> elapsed = Clock::now() - since;
    char text[64];
    std::snprintf(text, sizeof text, " %s %.2f ms", name, elapsed.count());
    line_ += text;
  }

  bool active_ = false;
  std::string line_;
  Clock::time_point begin_;
  Clock::time_point last_;
};

}  // namespace weft::compiler
