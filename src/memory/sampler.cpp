// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "weft/abi/image.h"

namespace weft {
namespace {

// The language's CLK_ constants.
constexpr uint64_t kNormalized = 1;
constexpr uint64_t kAddressStep = 2;
constexpr uint64_t kFilterStep = 0x10;
static_assert(CL_ADDRESS_MIRRORED_REPEAT - CL_ADDRESS_NONE == 4);
static_assert(CL_FILTER_LINEAR - CL_FILTER_NEAREST == 1);

/// Levels of detail beyond this are the same as this, for whatever image.
constexpr float kMaxLevel = 64;

/// `level` as a half, cut to what a half and the images that there are have.
uint64_t halfOf(float level) noexcept {
  const float value = std::clamp(level, -kMaxLevel, kMaxLevel);
  const uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  if (value == 0) return sign;
  // In units of the tenth bit below the leading one, or of the smallest number.
  int exponent = 0;
  std::frexp(value, &exponent);
  exponent = std::max(exponent, -13);
  const auto digits =
      static_cast<uint64_t>(std::nearbyint(std::ldexp(std::abs(value), 11 - exponent)));
  // Rounding up to the next power carries into the exponent, as it should.
  return sign + digits + (static_cast<uint64_t>(exponent + 13) << 10);
}

}  // namespace

uint64_t samplerWord(const SamplerOptions& options) noexcept {
  constexpr uint64_t kZeroLimit = 0x8000;  // minus zero: a zero would mean that there is no limit
  uint64_t word = options.normalized ? kNormalized : 0;
  word |= kAddressStep * (options.addressing - CL_ADDRESS_NONE);
  word |= kFilterStep * (options.filter - CL_FILTER_NEAREST + 1);
  if (options.mipFilter == CL_FILTER_LINEAR) word |= abi::kSamplerLinearLevels;
  word |= halfOf(options.lodMin) << abi::kSamplerLodMinShift;
  if (options.lodMax < kMaxLevel) {
    const uint64_t limit = halfOf(options.lodMax);
    word |= (limit != 0 ? limit : kZeroLimit) << abi::kSamplerLodMaxShift;
  }
  return word;
}

}  // namespace weft
