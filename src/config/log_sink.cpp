// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "config/log_sink.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>

namespace weft {
namespace {

/// Where lines go. A sink is a bare function, so its one word of state lives here.
std::atomic<int>& logDescriptor() noexcept {
  static std::atomic<int> descriptor{STDERR_FILENO};
  return descriptor;
}

constexpr std::string_view levelName(log::Level level) noexcept {
  switch (level) {
    case log::Level::Off:
      return "weft: ";
    case log::Level::Warning:
      return "weft: warning: ";
    case log::Level::Info:
      return "weft: info: ";
    case log::Level::Debug:
      return "weft: debug: ";
    case log::Level::Trace:
      return "weft: trace: ";
  }
  return "weft: ";
}

/// One system call for each line, so that lines of several threads or processes stay whole.
void writeLine(log::Level level, std::string_view line) noexcept {
  const int savedErrno = errno;
  const std::string_view prefix = levelName(level);
  char newline = '\n';
  const std::array<iovec, 3> parts{{{const_cast<char*>(prefix.data()), prefix.size()},
                                    {const_cast<char*>(line.data()), line.size()},
                                    {&newline, 1}}};
  const int descriptor = logDescriptor().load(std::memory_order_relaxed);
  // A log that cannot be written is lost; there is nobody to tell.
  while (writev(descriptor, parts.data(), parts.size()) < 0 && errno == EINTR) {
  }
  errno = savedErrno;
}

}  // namespace

void writeLogLine(std::string_view line) noexcept { writeLine(log::Level::Info, line); }

bool startLogging(const LogChoice& choice) {
  int descriptor = STDERR_FILENO;
  if (!choice.file.empty()) {
    descriptor = open(choice.file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0) return false;
  }
  logDescriptor().store(descriptor, std::memory_order_relaxed);
  log::configure(choice.level, choice.level == log::Level::Off ? nullptr : writeLine);
  return true;
}

}  // namespace weft
