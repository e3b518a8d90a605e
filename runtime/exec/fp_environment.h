// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace weft::runtime {

/// MXCSR that kernels start with: round to nearest, all exceptions masked, no flag set.
constexpr uint32_t kernelMxcsr(bool flushDenormals) noexcept {
  constexpr uint32_t kDefault = 0x1f80;
  constexpr uint32_t kFlushToZero = 0x8000;
  constexpr uint32_t kDenormalsAreZero = 0x0040;
  return kDefault | (flushDenormals ? kFlushToZero | kDenormalsAreZero : 0);
}

/// Gives kernels a defined floating-point environment, and the thread its own one back.
/// Threads: lives on one thread's stack.
class FpEnvironment {
 public:
  explicit FpEnvironment(bool flushDenormals) noexcept : mxcsr_(_mm_getcsr()) {
    asm volatile("fnstcw %0" : "=m"(x87_));
    if (mxcsr_ != kernelMxcsr(flushDenormals)) _mm_setcsr(kernelMxcsr(flushDenormals));
    if (x87_ != kX87Default) asm volatile("fldcw %0" : : "m"(kX87Default));
  }
  ~FpEnvironment() {
    _mm_setcsr(mxcsr_);
    if (x87_ != kX87Default) asm volatile("fldcw %0" : : "m"(x87_));
  }
  FpEnvironment(const FpEnvironment&) = delete;
  FpEnvironment& operator=(const FpEnvironment&) = delete;

 private:
  static constexpr uint16_t kX87Default = 0x037f;  // 64-bit precision, nearest, all masked

  uint32_t mxcsr_;
  uint16_t x87_ = 0;
};

}  // namespace weft::runtime
