// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/transfer.h"

#include <algorithm>
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

void run(const Fill& fill, size_t part, size_t parts) {
  const Range range = partOf(fill.size, part, parts, kPartGrain);
  std::byte* const target = fill.target + range.begin;
  const size_t size = range.end - range.begin;
  if (fill.patternSize == 1) {
    std::memset(target, std::to_integer<int>(fill.pattern[0]), size);
    return;
  }
  // The pattern once, then what is there already, doubled until a block that still fits the
  // first cache is reached, which is then repeated.
  size_t done = std::min(fill.patternSize, size);
  std::memcpy(target, fill.pattern.data(), done);
  while (done < size) {
    const size_t block = std::min({done, kPartGrain, size - done});
    std::memcpy(target + done, target, block);
    done += block;
  }
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
