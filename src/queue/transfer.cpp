// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/transfer.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "weft/support/checked.h"

namespace weft {
namespace {

/// Fewest bytes that are worth a part of their own.
constexpr size_t kMinPart = size_t{256} << 10;

/// Part boundaries fall on multiples of this, so that no cache line is shared and every pattern
/// starts anew.
constexpr size_t kPartGrain = 4096;
static_assert(kPartGrain % limits::kMaxPatternSize == 0);

/// Fills from here on leave nothing in the caches that could be of use, so they do not read what
/// they overwrite.
constexpr size_t kStreamFrom = size_t{64} << 20;

struct Range {
  size_t begin;
  size_t end;
};

/// Part `part` of `parts` of [0, size), cut at multiples of `grain`.
Range partOf(size_t size, size_t part, size_t parts, size_t grain) {
  const size_t units = divideUp(size, grain);
  const size_t each = units / parts;
  const size_t extra = units % parts;  // the first parts take one more
  const size_t first = part * each + std::min(part, extra);
  const size_t last = first + each + (part < extra ? 1 : 0);
  return {std::min(first * grain, size), std::min(last * grain, size)};
}

void run(const LinearCopy& copy, size_t part, size_t parts) {
  if (copy.source == copy.target) return;
  const Range range = partOf(copy.size, part, parts, kPartGrain);
  std::memmove(copy.target + range.begin, copy.source + range.begin, range.end - range.begin);
}

void run(const RectCopy& copy, size_t part, size_t parts) {
  const Range rows = partOf(copy.region.height * copy.region.depth, part, parts, 1);
  for (size_t row = rows.begin; row < rows.end; ++row) {
    const size_t y = row % copy.region.height;
    const size_t z = row / copy.region.height;
    std::memmove(copy.target + y * copy.targetRowPitch + z * copy.targetSlicePitch,
                 copy.source + y * copy.sourceRowPitch + z * copy.sourceSlicePitch,
                 copy.region.width);
  }
}

/// Repeats what stands in the first `done` bytes, in blocks that fit the first cache.
void repeat(std::byte* target, size_t done, size_t size) {
  while (done < size) {
    const size_t block = std::min({done, kPartGrain, size - done});
    std::memcpy(target + done, target, block);
    done += block;
  }
}

#if defined(__SSE2__)
/// Writes a pattern past the caches. Pre: both are aligned to 16 bytes, `size` is a multiple of
/// the largest pattern.
void stream(std::byte* target, size_t size, const std::byte* pattern) {
  constexpr size_t kVectors = limits::kMaxPatternSize / sizeof(__m128i);
  __m128i vectors[kVectors];
  std::memcpy(vectors, pattern, sizeof vectors);
  auto* out = reinterpret_cast<__m128i*>(target);
  for (const auto* const end = out + size / sizeof(__m128i); out != end; out += kVectors)
    for (size_t i = 0; i < kVectors; ++i) _mm_stream_si128(out + i, vectors[i]);
  _mm_sfence();
}
#endif

void run(const Fill& fill, size_t part, size_t parts) {
  const Range range = partOf(fill.size, part, parts, kPartGrain);
  std::byte* target = fill.target + range.begin;
  size_t size = range.end - range.begin;
  if (fill.patternSize == 1) {
    std::memset(target, std::to_integer<int>(fill.pattern[0]), size);
    return;
  }
  alignas(limits::kMaxPatternSize) std::array<std::byte, limits::kMaxPatternSize> pattern;
  std::memcpy(pattern.data(), fill.pattern.data(), fill.patternSize);
  repeat(pattern.data(), fill.patternSize, pattern.size());
#if defined(__SSE2__)
  if (fill.size >= kStreamFrom && reinterpret_cast<uintptr_t>(target) % sizeof(__m128i) == 0) {
    const size_t streamed = size - size % pattern.size();
    stream(target, streamed, pattern.data());
    target += streamed;
    size -= streamed;
  }
#endif
  const size_t first = std::min(pattern.size(), size);
  std::memcpy(target, pattern.data(), first);
  repeat(target, first, size);
}

size_t sizeOf(const LinearCopy& copy) { return copy.size; }
size_t sizeOf(const RectCopy& copy) {
  return copy.region.width * copy.region.height * copy.region.depth;
}
size_t sizeOf(const Fill& fill) { return fill.size; }

size_t mostParts(const LinearCopy& copy) { return divideUp(copy.size, kPartGrain); }
size_t mostParts(const RectCopy& copy) { return copy.region.height * copy.region.depth; }
size_t mostParts(const Fill& fill) { return divideUp(fill.size, kPartGrain); }

}  // namespace

Transfer::Transfer(const RectCopy& copy) noexcept : work_(copy) {
  const RectRegion& region = copy.region;
  const bool rowsJoin = region.height == 1 || (copy.sourceRowPitch == region.width &&
                                               copy.targetRowPitch == region.width);
  const size_t slice = region.width * region.height;
  const bool slicesJoin =
      region.depth == 1 || (copy.sourceSlicePitch == slice && copy.targetSlicePitch == slice);
  if (rowsJoin && slicesJoin) work_ = LinearCopy{copy.source, copy.target, slice * region.depth};
}

size_t Transfer::size() const noexcept {
  return std::visit([](const auto& work) { return sizeOf(work); }, work_);
}

size_t Transfer::parts(unsigned threads) const noexcept {
  const size_t bytes = size();
  if (bytes == 0) return 0;
  const size_t most = std::visit([](const auto& work) { return mostParts(work); }, work_);
  return std::clamp<size_t>(bytes / kMinPart, 1, std::min<size_t>(most, threads));
}

void Transfer::run(size_t part, size_t parts) const noexcept {
  std::visit([=](const auto& work) { weft::run(work, part, parts); }, work_);
}

}  // namespace weft
