// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contestant.h"

#include <time.h>

#include <cmath>
#include <cstring>
#include <thread>

namespace weft::bench::generated {
namespace {

constexpr double kSampleSeconds = 0.010;
constexpr double kWarmUpSeconds = 0.030;
constexpr double kLongestWarmUp = 20;
constexpr auto kLookSeconds = std::chrono::milliseconds(10);

std::vector<void*> pointersTo(Contents& contents) {
  std::vector<void*> pointers;
  for (Content& one : contents) pointers.push_back(one.data());
  return pointers;
}

/// Of all threads of the process.
double cpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Whether threads of the process are at work while nothing was asked of them.
bool worksInBackground() {
  const double before = cpuSeconds();
  std::this_thread::sleep_for(kLookSeconds);
  return cpuSeconds() - before > 0.3 * std::chrono::duration<double>(kLookSeconds).count();
}

template <class T>
bool isNear(const char* got, const char* expected, double tolerance) {
  T a, b;
  std::memcpy(&a, got, sizeof a);
  std::memcpy(&b, expected, sizeof b);
  if (std::memcmp(&a, &b, sizeof a) == 0) return true;
  return std::abs(static_cast<double>(a) - static_cast<double>(b)) <= tolerance;
}

}  // namespace

Contents contentsFor(const Program& program) {
  Contents contents;
  for (const Argument& argument : program.arguments) {
    contents.emplace_back(argument.size());
    argument.fill(contents.back().data());
  }
  return contents;
}

std::optional<std::string> differenceOf(const Program& program, const Contents& got,
                                        const Contents& expected) {
  for (size_t i = 0; i < got.size(); ++i) {
    const Argument& argument = program.arguments[i];
    if (!argument.isOutput()) continue;
    for (size_t at = 0, part = 0; at < argument.size(); ++part) {
      const char letter = argument.layout[part % argument.layout.size()];
      const char *a = got[i].data() + at, *b = expected[i].data() + at;
      const bool near = letter == 'f'   ? isNear<float>(a, b, argument.tolerance)
                        : letter == 'd' ? isNear<double>(a, b, argument.tolerance)
                                        : *a == *b;
      if (!near) {
        char text[160];
        float fa = 0, fb = 0;
        if (letter == 'f') std::memcpy(&fa, a, 4), std::memcpy(&fb, b, 4);
        std::snprintf(text, sizeof text,
                      "argument %zu differs at byte %zu of %zu (%g, %g; %g allowed)", i, at,
                      argument.size(), letter == 'f' ? fa : *a, letter == 'f' ? fb : *b,
                      argument.tolerance);
        return text;
      }
      at += letter == 'f' ? 4 : letter == 'd' ? 8 : 1;
    }
  }
  return std::nullopt;
}

/// A program on a device.
struct Contestant::Device {
  Device(const Program& program, const std::string& platform) : session(platform) {
    if (program.options.find("CL3.0") != std::string::npos && !hasOpenCl3())
      throw Unsupported("OpenCL C 3.0");
    kernel = session.kernel(program.source(), "k", program.options);
    for (cl_uint i = 0; i < program.arguments.size(); ++i) {
      const Argument& argument = program.arguments[i];
      buffers.push_back(argument.use == Argument::Use::Value ? nullptr
                                                             : session.buffer(argument.size()));
      if (buffers[i] != nullptr)
        check(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]), "clSetKernelArg");
    }
    while (dimensions < 3 && program.shape.global[dimensions] != 0) ++dimensions;
  }
  ~Device() {
    for (cl_mem buffer : buffers)
      if (buffer != nullptr) clReleaseMemObject(buffer);
    if (kernel != nullptr) clReleaseKernel(kernel);
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  bool hasOpenCl3() const {
    char version[64] = {};
    clGetDeviceInfo(session.device, CL_DEVICE_VERSION, sizeof version - 1, version, nullptr);
    return std::strncmp(version, "OpenCL 3", 8) == 0;
  }
  void write(const Program& program, const Contents& contents) const {
    for (cl_uint i = 0; i < buffers.size(); ++i) {
      const size_t bytes = contents[i].size();
      if (buffers[i] == nullptr)
        check(clSetKernelArg(kernel, i, bytes, contents[i].data()), "clSetKernelArg");
      else
        check(clEnqueueWriteBuffer(session.queue, buffers[i], CL_TRUE, 0, bytes, contents[i].data(),
                                   0, nullptr, nullptr),
              "clEnqueueWriteBuffer");
    }
    (void)program;
  }
  void read(const Program& program, Contents& contents) const {
    for (size_t i = 0; i < buffers.size(); ++i)
      if (program.arguments[i].isOutput())
        check(clEnqueueReadBuffer(session.queue, buffers[i], CL_TRUE, 0, contents[i].size(),
                                  contents[i].data(), 0, nullptr, nullptr),
              "clEnqueueReadBuffer");
  }
  void launch(const Shape& shape) const {
    check(clEnqueueNDRangeKernel(session.queue, kernel, dimensions, nullptr, shape.global.data(),
                                 shape.local[0] == 0 ? nullptr : shape.local.data(), 0, nullptr,
                                 nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(session.queue), "clFinish");
  }

  Session session;
  cl_kernel kernel = nullptr;
  std::vector<cl_mem> buffers;
  cl_uint dimensions = 0;
};

Contestant::Contestant(const Program& program, const std::string& platform,
                       const NativeLibrary& library)
    : program_(program),
      native_(library.function(program)),
      contents_(contentsFor(program)),
      expected_(contents_) {
  if (platform != kNative) device_ = std::make_unique<Device>(program, platform);
  const std::vector<void*> arguments = pointersTo(expected_);
  native_(arguments.data(), 0, program.units());
}

Contestant::~Contestant() = default;

void Contestant::run() {
  if (device_) return device_->launch(program_.shape);
  const std::vector<void*> arguments = pointersTo(contents_);
  onAllCpus(program_.units(), 1,
            [&](size_t begin, size_t end) { native_(arguments.data(), begin, end); });
}

void Contestant::verify() {
  Contents got = contentsFor(program_);
  if (device_)
    device_->write(program_, got);
  else
    contents_ = got;
  run();
  if (device_)
    device_->read(program_, got);
  else
    got = contents_;
  if (const auto difference = differenceOf(program_, got, expected_))
    throw WrongResult(*difference);
}

double Contestant::secondsOf(size_t runs) {
  const auto start = Clock::now();
  for (size_t i = 0; i < runs; ++i) run();
  return secondsSince(start) / static_cast<double>(runs);
}

void Contestant::warmUp(double seconds) {
  const auto start = Clock::now();
  double least = secondsOf(1);
  for (int calm = 0;
       secondsSince(start) < seconds || (calm < 2 && secondsSince(start) < kLongestWarmUp);) {
    const auto phase = Clock::now();
    do least = std::min(least, secondsOf(1));
    while (secondsSince(phase) < kWarmUpSeconds);
    calm = device_ && worksInBackground() ? 0 : calm + 1;
  }
  // What came before may have been other code.
  least = secondsOf(1);
  for (int i = 0; i < 2; ++i) least = std::min(least, secondsOf(1));
  runs_ = static_cast<size_t>(std::max(1.0, std::ceil(kSampleSeconds / least)));
}

double Contestant::sample() { return secondsOf(runs_); }

}  // namespace weft::bench::generated
