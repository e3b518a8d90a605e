// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <utility>

#include "compute.h"

// Chains of multiply-adds, one for each scalar, in scalar and vector types: the same work, so that
// every type could be as fast as every other one. Gop/s count a multiplication and an addition.
namespace weft::bench {
namespace {

enum class Scalar { Float, Double, Int, Half };

struct Chain {
  const char* name;  ///< of the case
  const char* type;
  size_t width;
  Scalar scalar;
};

constexpr Chain kChains[] = {
    {"fma float", "float", 1, Scalar::Float},      {"fma float2", "float2", 2, Scalar::Float},
    {"fma float4", "float4", 4, Scalar::Float},    {"fma float8", "float8", 8, Scalar::Float},
    {"fma float16", "float16", 16, Scalar::Float}, {"fma double", "double", 1, Scalar::Double},
    {"fma double4", "double4", 4, Scalar::Double}, {"fma int", "int", 1, Scalar::Int},
    {"fma int4", "int4", 4, Scalar::Int},          {"fma half", "half", 1, Scalar::Half},
};

constexpr size_t kScalars = size_t{1} << 19;
constexpr cl_int kSteps = 512;

/// Seconds of kSteps steps for all of `data`.
template <class Real>
double run(const std::string& platform, const Chain& chain, const char* scalar, const char* step,
           Real factor, Real addend, const std::vector<Real>& data, std::vector<Real>& results) {
  const bool half = chain.scalar == Scalar::Half;
  const std::string options = std::string("-DTYPE=") + chain.type + " -DSCALAR=" + scalar +
                              " -DSTEP=" + step + (half ? " -DHALF" : "");
  return ComputeKernel(platform, "chain.cl", "chain", options, half ? "cl_khr_fp16" : "")
      .in(data)
      .out(results)
      .value(factor)
      .value(addend)
      .value(kSteps)
      .seconds({{kScalars / chain.width}, {64}});
}

/// Goes to 2 in thousands of steps.
template <class Real>
double runReal(const std::string& platform, const Chain& chain, const char* scalar) {
  constexpr Real kFactor = 1 - 0x1p-11, kAddend = 0x1p-10;
  const auto data = randoms<Real>(kScalars, 0, 1);
  std::vector<Real> results(kScalars);
  const double seconds = run(platform, chain, scalar, "fma", kFactor, kAddend, data, results);
  const double left = std::pow(double(kFactor), kSteps);
  expect(results, [&](size_t i) { return 2 + (double(data[i]) - 2) * left; }, 1e-5);
  return seconds;
}

double runInt(const std::string& platform, const Chain& chain) {
  constexpr cl_uint kFactor = 1664525, kAddend = 1013904223;
  const auto data = randoms<cl_uint>(kScalars, 0, 4e9);
  std::vector<cl_uint> results(kScalars);
  const double seconds =
      run(platform, chain, "int", "MULTIPLY_ADD", kFactor, kAddend, data, results);
  const auto reference = [&](size_t i) {
    cl_uint x = data[i];
    for (cl_int n = 0; n < kSteps; ++n) x = x * kFactor + kAddend;
    return x;
  };
  expect(results, reference, 0, 31);
  return seconds;
}

/// Goes to 2 in a few steps, since half has few digits for more.
double runHalf(const std::string& platform, const Chain& chain) {
  constexpr cl_half kOneHalf = 0x3800, kOne = 0x3c00, kTwo = 0x4000;
  std::vector<cl_half> data(kScalars), results(kScalars);
  for (size_t i = 0; i < kScalars; ++i) data[i] = static_cast<cl_half>(kOneHalf + i % 0x400);
  const double seconds =
      run(platform, chain, "half", "MULTIPLY_ADD", kOneHalf, kOne, data, results);
  expect(results, [&](size_t) { return kTwo; }, 0x1p-14);
  return seconds;
}

double gigaops(const std::string& platform, const Chain& chain) {
  double seconds = 0;
  switch (chain.scalar) {
    case Scalar::Float:
      seconds = runReal<float>(platform, chain, "float");
      break;
    case Scalar::Double:
      seconds = runReal<double>(platform, chain, "double");
      break;
    case Scalar::Int:
      seconds = runInt(platform, chain);
      break;
    case Scalar::Half:
      seconds = runHalf(platform, chain);
      break;
  }
  return 2e-9 * double(kScalars) * kSteps / seconds;
}

template <size_t I>
double runOf(const std::string& platform) {
  return gigaops(platform, kChains[I]);
}

constexpr const char* scalarForm(const Chain& chain) {
  if (chain.width == 1) return nullptr;
  switch (chain.scalar) {
    case Scalar::Float:
      return "^fma float$";
    case Scalar::Double:
      return "^fma double$";
    case Scalar::Int:
      return "^fma int$";
    case Scalar::Half:
      return "^fma half$";
  }
  return nullptr;
}

template <size_t... I>
constexpr auto makeCases(std::index_sequence<I...>) {
  return std::array{Case{kChains[I].name, "Gop/s", true, runOf<I>, "compute types", false,
                         scalarForm(kChains[I])}...};
}
constexpr auto kCases = makeCases(std::make_index_sequence<std::size(kChains)>());

}  // namespace

std::span<const Case> chainCases() { return kCases; }

}  // namespace weft::bench
