// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the cases of compute kernels share: inputs, launches, timing, comparison of results.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cases.h"
#include "session.h"

namespace weft::bench {

/// What the platform has no way to run. The case is left out of tables, it has not failed.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Set in the environment, it has the figures of compute kernels come from the processor time of
/// the process over its CPUs: on a machine with other work that is what a launch alone would take,
/// if it keeps all CPUs busy.
inline constexpr const char* kCpuTimeVariable = "BENCH_CPU_TIME";

/// Seconds of one of several calls of `body` after some that warm up: of the best by the wall
/// clock, of the median in processor time. `prepare` comes before each and is not timed.
double steadySeconds(const std::function<void()>& body, const std::function<void()>& prepare = {});

/// The same for a native loop: `body(begin, end)` covers [0, count) on all CPUs of the process, in
/// pieces of multiples of `grain`.
double nativeSeconds(size_t count, size_t grain,
                     const std::function<void(size_t begin, size_t end)>& body,
                     const std::function<void()>& prepare = {});

/// One call of `body` for each piece of [0, count), on all CPUs of the process.
void onAllCpus(size_t count, size_t grain,
               const std::function<void(size_t begin, size_t end)>& body);

/// A small generator with the same numbers everywhere.
class Random {
 public:
  explicit Random(uint64_t seed = 1) : state_(seed) {}
  uint32_t bits() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state_ >> 33) ^ static_cast<uint32_t>(state_ >> 13);
  }
  double between(double low, double high) { return low + (high - low) * bits() * 0x1p-32; }

 private:
  uint64_t state_;
};

template <class T>
std::vector<T> randoms(size_t count, double low, double high, uint64_t seed = 1) {
  Random random(seed);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(random.between(low, high));
  return values;
}

using Sizes = std::array<size_t, 3>;

/// A launch's shape. Unused dimensions are 0; a local size of 0 leaves it to the platform.
struct Shape {
  Sizes global{};
  Sizes local{};
};

/// A kernel from tests/bench/kernels and its arguments, given in order.
class ComputeKernel {
 public:
  /// Throws Unsupported when the device lacks `extension`.
  ComputeKernel(const std::string& platform, const char* file, const char* name,
                const std::string& options = "", const char* extension = "");

  template <class T>
  ComputeKernel& in(const std::vector<T>& values) {
    return input(values.data(), values.size() * sizeof(T));
  }
  /// Read back after a last launch, which finds a pattern there.
  template <class T>
  ComputeKernel& out(std::vector<T>& values) {
    return output(values.data(), values.size() * sizeof(T), false);
  }
  /// Images of two or three dimensions, without gaps between their rows.
  ComputeKernel& imageIn(const cl_image_format& format, const Sizes& size, const void* data);
  ComputeKernel& imageOut(const cl_image_format& format, const Sizes& size, void* data);
  /// The same, for kernels that add to it: zero before every launch.
  template <class T>
  ComputeKernel& sum(std::vector<T>& values) {
    return output(values.data(), values.size() * sizeof(T), true);
  }
  template <class T>
  ComputeKernel& value(T value) {
    check(clSetKernelArg(kernel_, next_++, sizeof value, &value), "clSetKernelArg");
    return *this;
  }
  ComputeKernel& local(size_t bytes) {
    check(clSetKernelArg(kernel_, next_++, bytes, nullptr), "clSetKernelArg");
    return *this;
  }

  /// Seconds of one launch until it is finished.
  double seconds(const Shape& shape);

 private:
  struct Output {
    cl_mem memory;
    void* host;
    size_t bytes;
    bool zeroed;
    Sizes image{};  ///< its size in pixels where it is one
  };
  ComputeKernel& input(const void* data, size_t bytes);
  ComputeKernel& output(void* data, size_t bytes, bool zeroed);
  ComputeKernel& memory(cl_mem memory);
  cl_mem image(const cl_image_format& format, const Sizes& size, const void* data);
  void fill(const Output& output, cl_uint pattern) const;
  void readBack(const Output& output) const;

  Session session_;
  cl_kernel kernel_ = nullptr;
  cl_uint next_ = 0;
  std::vector<Output> outputs_;
};

/// Throws when results are too far from `reference(i)`: more than `tolerance` of the larger of it
/// and 1, in more than `allowed` of the elements looked at (every `step`-th).
template <class T, class Reference>
void expect(const std::vector<T>& got, Reference&& reference, double tolerance = 0, size_t step = 1,
            double allowed = 0) {
  size_t wrong = 0, looked = 0, first = 0;
  for (size_t i = 0; i < got.size(); i += step, ++looked) {
    const auto want = static_cast<double>(reference(i));
    const double difference = std::abs(static_cast<double>(got[i]) - want);
    if (difference <= tolerance * std::max(1.0, std::abs(want))) continue;
    if (wrong++ == 0) first = i;
  }
  if (static_cast<double>(wrong) <= allowed * static_cast<double>(looked)) return;
  throw std::runtime_error("wrong results: " + std::to_string(wrong) + " of " +
                           std::to_string(looked) + ", first at " + std::to_string(first) + ": " +
                           std::to_string(got[first]) + " instead of " +
                           std::to_string(static_cast<double>(reference(first))));
}

}  // namespace weft::bench
