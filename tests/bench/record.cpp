// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "record.h"

#include <sched.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>

namespace weft::bench {
namespace {

constexpr const char* kBegin = "<!-- written by ./dev bench --record: begin -->\n";
constexpr const char* kEnd = "<!-- written by ./dev bench --record: end -->\n";

/// The first line that a command writes.
std::string firstLine(const std::string& command) {
  std::array<char, 256> line{};
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  const char* const read = fgets(line.data(), line.size(), pipe);
  pclose(pipe);
  std::string text = read != nullptr ? read : "";
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::array<char, 32> text{};
  std::tm fields{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d", gmtime_r(&now, &fields));
  return text.data();
}

std::string host() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  sched_getaffinity(0, sizeof cpus, &cpus);
  std::string model = firstLine("sed -n 's/^model name[^:]*: //p' /proc/cpuinfo");
  return model + ", " + std::to_string(CPU_COUNT(&cpus)) + " CPUs";
}

/// Threads that wanted to run in the last minute: figures of a run beside others are not to be
/// trusted.
std::string load() {
  double average = 0;
  std::array<char, 32> text{};
  if (getloadavg(&average, 1) == 1) std::snprintf(text.data(), text.size(), "%.1f", average);
  return text.data();
}

}  // namespace

std::string provenanceOf(const std::string& command) {
  const std::string git = std::string("git -C ") + WEFT_BENCH_SOURCE + " ";
  std::string commit = firstLine(git + "rev-parse --short HEAD");
  if (!firstLine(git + "status --porcelain --untracked-files=no").empty()) commit += ", changed";
  return "Run on " + today() + ", commit " + commit + ", host " + host() + ", with a load of " +
         load() + " from other work, by\n`" + command + "`:\n\n";
}

bool record(const std::string& file, const std::string& text) {
  std::stringstream contents;
  contents << std::ifstream(file).rdbuf();
  std::string whole = contents.str();
  const size_t begin = whole.find(kBegin);
  const size_t end = whole.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    std::fprintf(stderr, "%s: no markers to write between\n", file.c_str());
    return false;
  }
  const size_t first = begin + std::string(kBegin).size();
  whole.replace(first, end - first, "\n" + text + "\n");
  std::ofstream(file) << whole;
  return true;
}

}  // namespace weft::bench
