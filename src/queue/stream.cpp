// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/stream.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "platform/limits.h"

namespace weft {
namespace {

constexpr size_t kPattern = limits::kMaxPatternSize;
constexpr size_t kLine = 64;

/// Bytes before the first cache line that starts at or after `target`.
size_t headOf(const std::byte* target, size_t size) {
  return std::min(size, -reinterpret_cast<uintptr_t>(target) % kLine);
}

/// The first `size` bytes of what a pattern that has begun `phase` bytes ago goes on with.
void fillPart(std::byte* target, size_t size, const std::byte* pattern, size_t phase) {
  while (size != 0) {
    const size_t block = std::min(size, kPattern - phase);
    std::memcpy(target, pattern + phase, block);
    target += block;
    size -= block;
    phase = 0;
  }
}

}  // namespace

#if defined(__SSE2__)

void streamCopy(std::byte* target, const std::byte* source, size_t size) noexcept {
  const size_t head = headOf(target, size);
  std::memcpy(target, source, head);
  const size_t lines = (size - head) / kLine;
  auto* out = reinterpret_cast<__m128i*>(target + head);
  const std::byte* in = source + head;
  for (size_t i = 0; i < lines; ++i, in += kLine, out += 4) {
    const auto* const from = reinterpret_cast<const __m128i*>(in);
    const __m128i a = _mm_loadu_si128(from);
    const __m128i b = _mm_loadu_si128(from + 1);
    const __m128i c = _mm_loadu_si128(from + 2);
    const __m128i d = _mm_loadu_si128(from + 3);
    _mm_stream_si128(out, a);
    _mm_stream_si128(out + 1, b);
    _mm_stream_si128(out + 2, c);
    _mm_stream_si128(out + 3, d);
  }
  const size_t done = head + lines * kLine;
  std::memcpy(target + done, source + done, size - done);
}

void streamFill(std::byte* target, size_t size, const std::byte* pattern) noexcept {
  const size_t head = headOf(target, size);
  fillPart(target, head, pattern, 0);
  // Twice the pattern, so that it can start anywhere.
  std::array<std::byte, 2 * kPattern> twice;
  std::memcpy(twice.data(), pattern, kPattern);
  std::memcpy(twice.data() + kPattern, pattern, kPattern);
  __m128i vectors[kPattern / sizeof(__m128i)];
  std::memcpy(vectors, twice.data() + head, kPattern);
  const size_t blocks = (size - head) / kPattern;
  auto* out = reinterpret_cast<__m128i*>(target + head);
  for (size_t i = 0; i < blocks; ++i)
    for (const __m128i vector : vectors) _mm_stream_si128(out++, vector);
  const size_t done = head + blocks * kPattern;
  fillPart(target + done, size - done, pattern, done % kPattern);
}

void streamEnd() noexcept { _mm_sfence(); }

#else

void streamCopy(std::byte* target, const std::byte* source, size_t size) noexcept {
  std::memcpy(target, source, size);
}

void streamFill(std::byte* target, size_t size, const std::byte* pattern) noexcept {
  fillPart(target, size, pattern, 0);
}

void streamEnd() noexcept {}

#endif

}  // namespace weft
