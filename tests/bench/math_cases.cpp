// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sched.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "cases.h"
#include "session.h"
#include "timing.h"

// Throughput of math functions over arrays that fit the second-level cache, on one CPU, four calls
// for each element so that launch and memory count little.
namespace weft::bench {
namespace {

struct Measured {
  const char* name;  ///< of the case
  const char* call;  ///< of `x`
  double low, high;  ///< arguments
  bool isDouble = false;
  const char* tag = "maths";
};

constexpr const char* kForms = "maths-forms";

constexpr Measured kMeasured[] = {
    {"sin float", "sin(x)", -30, 30},
    {"cos float", "cos(x)", -30, 30},
    {"tan float", "tan(x)", -30, 30},
    {"exp float", "exp(x)", -30, 30},
    {"exp2 float", "exp2(x)", -30, 30},
    {"log float", "log(x)", 0.001, 1000},
    {"pow float", "pow(x, 1.7f)", 0.001, 1000},
    {"sqrt float", "sqrt(x)", 0.001, 1000},
    {"cbrt float", "cbrt(x)", 0.001, 1000},
    {"tanh float", "tanh(x)", -5, 5},
    {"atan2 float", "atan2(x, 1.5f)", -30, 30},
    {"erf float", "erf(x)", -3, 3},
    {"erfc float", "erfc(x)", -3, 3},
    {"tgamma float", "tgamma(x)", 0.1, 20},
    {"lgamma float", "lgamma(x)", 0.1, 20},
    {"fmod float", "fmod(x, 1.7f)", -30, 30},
    {"native_sin float", "native_sin(x)", -30, 30},
    {"native_exp float", "native_exp(x)", -30, 30},
    {"sin double", "sin(x)", -30, 30, true},
    {"exp double", "exp(x)", -30, 30, true},
    {"log double", "log(x)", 0.001, 1000, true},
    {"pow double", "pow(x, 1.7)", 0.001, 1000, true},
    // With those above, each function beside its half_ and native_ forms.
    {"half_sqrt float", "half_sqrt(x)", 0.001, 1000, false, kForms},
    {"native_sqrt float", "native_sqrt(x)", 0.001, 1000, false, kForms},
    {"rsqrt float", "rsqrt(x)", 0.001, 1000, false, kForms},
    {"half_rsqrt float", "half_rsqrt(x)", 0.001, 1000, false, kForms},
    {"native_rsqrt float", "native_rsqrt(x)", 0.001, 1000, false, kForms},
    {"recip float", "1.0f / x", 0.001, 1000, false, kForms},
    {"half_recip float", "half_recip(x)", 0.001, 1000, false, kForms},
    {"native_recip float", "native_recip(x)", 0.001, 1000, false, kForms},
    {"divide float", "2.7f / x", 0.001, 1000, false, kForms},
    {"half_divide float", "half_divide(2.7f, x)", 0.001, 1000, false, kForms},
    {"native_divide float", "native_divide(2.7f, x)", 0.001, 1000, false, kForms},
    {"half_sin float", "half_sin(x)", -30, 30, false, kForms},
    {"half_cos float", "half_cos(x)", -30, 30, false, kForms},
    {"native_cos float", "native_cos(x)", -30, 30, false, kForms},
    {"half_tan float", "half_tan(x)", -30, 30, false, kForms},
    {"native_tan float", "native_tan(x)", -30, 30, false, kForms},
    {"half_exp float", "half_exp(x)", -30, 30, false, kForms},
    {"half_exp2 float", "half_exp2(x)", -30, 30, false, kForms},
    {"native_exp2 float", "native_exp2(x)", -30, 30, false, kForms},
    {"exp10 float", "exp10(x)", -30, 30, false, kForms},
    {"half_exp10 float", "half_exp10(x)", -30, 30, false, kForms},
    {"native_exp10 float", "native_exp10(x)", -30, 30, false, kForms},
    {"half_log float", "half_log(x)", 0.001, 1000, false, kForms},
    {"native_log float", "native_log(x)", 0.001, 1000, false, kForms},
    {"log2 float", "log2(x)", 0.001, 1000, false, kForms},
    {"half_log2 float", "half_log2(x)", 0.001, 1000, false, kForms},
    {"native_log2 float", "native_log2(x)", 0.001, 1000, false, kForms},
    {"log10 float", "log10(x)", 0.001, 1000, false, kForms},
    {"half_log10 float", "half_log10(x)", 0.001, 1000, false, kForms},
    {"native_log10 float", "native_log10(x)", 0.001, 1000, false, kForms},
    {"powr float", "powr(x, 1.7f)", 0.001, 1000, false, kForms},
    {"half_powr float", "half_powr(x, 1.7f)", 0.001, 1000, false, kForms},
    {"native_powr float", "native_powr(x, 1.7f)", 0.001, 1000, false, kForms},
};

constexpr size_t kElements = 1 << 16;
constexpr int kCalls = 4;
constexpr int kLaunches = 8;  ///< in one sample

std::string source(const Measured& measured) {
  const std::string real = measured.isDouble ? "double" : "float";
  const std::string suffix = measured.isDouble ? "" : "f";
  std::string text = "kernel void k(global const " + real + "* in, global " + real + "* out) {\n" +
                     "  size_t i = get_global_id(0);\n  " + real + " sum = 0, x = in[i];\n";
  for (int i = 0; i < kCalls; ++i)
    text += std::string("  sum += ") + measured.call + "; x *= 0.99" + suffix + ";\n";
  return text + "  out[i] = sum;\n}\n";
}

template <class T>
std::vector<T> inputs(const Measured& measured) {
  std::vector<T> values(kElements);
  uint64_t state = 1;
  for (T& value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double unit = static_cast<double>(state >> 11) * 0x1p-53;
    value = static_cast<T>(measured.low + (measured.high - measured.low) * unit);
  }
  return values;
}

template <class T>
void fill(const Session& session, cl_mem memory, const Measured& measured) {
  const std::vector<T> values = inputs<T>(measured);
  check(clEnqueueWriteBuffer(session.queue, memory, CL_TRUE, 0, values.size() * sizeof(T),
                             values.data(), 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
}

/// Nanoseconds for one call.
double run(const std::string& platform, const Measured& measured) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(sched_getcpu(), &cpus);
  sched_setaffinity(0, sizeof cpus, &cpus);
  const Session session(platform);
  const size_t bytes = kElements * (measured.isDouble ? sizeof(double) : sizeof(float));
  cl_mem in = session.buffer(bytes), out = session.buffer(bytes);
  measured.isDouble ? fill<double>(session, in, measured) : fill<float>(session, in, measured);
  cl_kernel kernel = session.kernel(source(measured), "k");
  clSetKernelArg(kernel, 0, sizeof in, &in);
  clSetKernelArg(kernel, 1, sizeof out, &out);
  auto launch = [&] {
    for (int i = 0; i < kLaunches; ++i)
      check(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &kElements, nullptr, 0,
                                   nullptr, nullptr),
            "clEnqueueNDRangeKernel");
    check(clFinish(session.queue), "clFinish");
  };
  launch();
  return medianSeconds(51, launch) * 1e9 / (double(kElements) * kCalls * kLaunches);
}

template <size_t I>
double runOf(const std::string& platform) {
  return run(platform, kMeasured[I]);
}

template <size_t... I>
constexpr auto makeCases(std::index_sequence<I...>) {
  return std::array{Case{kMeasured[I].name, "ns", false, runOf<I>, kMeasured[I].tag}...};
}
constexpr auto kCases = makeCases(std::make_index_sequence<std::size(kMeasured)>());

}  // namespace

std::span<const Case> mathCases() { return kCases; }

}  // namespace weft::bench
