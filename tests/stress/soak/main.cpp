// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "soak.h"

namespace {

constexpr const char* kUsage =
    "usage: weft_soak [--builds N] [--enqueues N] [--threads N]\n"
    "Runs that many builds (10000) and enqueues (1000000), and fails when memory grows, a "
    "callback\n"
    "is lost or a command does not run exactly once.\n";

struct Options {
  uint64_t builds = 10'000;
  uint64_t enqueues = 1'000'000;
  unsigned threads = 4;
};

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const unsigned long long value = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--builds")
      options.builds = value;
    else if (name == "--enqueues")
      options.enqueues = value;
    else if (name == "--threads" && value != 0)
      options.threads = static_cast<unsigned>(value);
    else
      return false;
  }
  return argc % 2 == 1;
}

void run(const Options& options) {
  using namespace weft::soak;
  cl_platform_id platform = nullptr;
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  cl_device_id device = nullptr;
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  cl_int error = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  check(error, "clCreateContext");
  if (options.enqueues != 0) runEnqueues(context, device, options.enqueues, options.threads);
  if (options.builds != 0) runBuilds(context, device, options.builds, options.threads);
  check(clReleaseContext(context), "clReleaseContext");
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  try {
    run(options);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
  return 0;
}
