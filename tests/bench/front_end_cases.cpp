// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it takes to read a program: a source, or a module of SPIR-V.
#include <bit>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "cases.h"
#include "compute.h"
#include "session.h"
#include "timing.h"

namespace weft::bench {
namespace {

/// One of the benchmark's sources, which no cache has seen.
std::string sourceOf(const char* name, uint64_t number) {
  std::ifstream file(std::string(WEFT_BENCH_KERNELS "/") + name);
  std::ostringstream text;
  text << "#define UNIQUE 1\nkernel void unique(global ulong* r) { *r = " << number << "; }\n"
       << file.rdbuf();
  return text.str();
}

/// Milliseconds to compile one of them to an object, which is what front ends do and a little more.
double compileOnce(const Session& session, const char* name) {
  const std::string source =
      sourceOf(name, static_cast<uint64_t>(Clock::now().time_since_epoch().count()));
  (void)session.translated(source);
  const auto start = Clock::now();
  cl_program program = session.create(source);
  check(clCompileProgram(program, 1, &session.device, "", 0, nullptr, nullptr, nullptr, nullptr),
        "clCompileProgram");
  const double seconds = secondsSince(start);
  clReleaseProgram(program);
  return seconds * 1e3;
}

template <size_t N>
struct Name {
  constexpr Name(const char (&text)[N]) { std::copy_n(text, N, characters); }
  char characters[N];
};

/// The median of seven, after one that starts the compiler.
template <Name kName>
double compile(const std::string& platform) {
  useOneCpu();
  const Session session(platform);
  compileOnce(session, kName.characters);
  std::vector<double> times;
  for (int i = 0; i < 7; ++i) times.push_back(compileOnce(session, kName.characters));
  std::ranges::nth_element(times, times.begin() + 3);
  return times[3];
}

/// What stands for the number that each small program has of its own, in text and in words.
constexpr uint32_t kMark = 1234567891;

std::string numbered(const std::string& program, uint32_t number) {
  std::string result = program;
  const std::string digits = std::to_string(kMark);
  if (const size_t at = result.find(digits); at != std::string::npos)
    return result.replace(at, digits.size(), std::to_string(number));
  for (size_t at = 0; at + 4 <= result.size(); at += 4) {
    uint32_t word = 0;
    std::memcpy(&word, result.data() + at, 4);
    if (word == kMark) std::memcpy(result.data() + at, &number, 4);
  }
  return result;
}

/// Seconds for a thousand builds of programs of one small kernel, on one core.
double buildThousand(const std::string& platform) {
  useOneCpu();
  const Session session(platform);
  const std::string source =
      "kernel void line(global int* out) { out[get_global_id(0)] = get_global_id(0) ^ " +
      std::to_string(kMark) + "; }";
  const std::string program = session.translated(source);
  const auto first = static_cast<uint32_t>(Clock::now().time_since_epoch().count()) | 0x40000000U;
  const auto build = [&](uint32_t number) {
    clReleaseProgram(session.buildTranslated(numbered(program, number)));
  };
  build(first & 0x7fffffffU);
  const auto start = Clock::now();
  for (uint32_t i = 1; i <= 1000; ++i) build((first + i) & 0x7fffffffU);
  return secondsSince(start);
}

constexpr Case kCases[] = {
    {"front end, twenty.cl", "ms", false, compile<"twenty.cl">},
    {"front end, hash.cl", "ms", false, compile<"hash.cl">},
    {"front end, filters.cl", "ms", false, compile<"filters.cl">},
    {"front end, histogram.cl", "ms", false, compile<"histogram.cl">},
    {"front end, divergence.cl", "ms", false, compile<"divergence.cl">},
    {"1,000 small programs built, one core", "s", false, buildThousand},
};

}  // namespace

std::span<const Case> frontEndCases() { return kCases; }

}  // namespace weft::bench
