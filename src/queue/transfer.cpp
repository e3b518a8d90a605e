// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/transfer.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "queue/stream.h"
#include "weft/support/checked.h"

namespace weft {
namespace {

/// Fewest bytes that are worth a part of their own.
constexpr size_t kMinPart = size_t{256} << 10;

/// Part boundaries fall on multiples of this, so that no cache line is shared and every pattern
/// starts anew.
constexpr size_t kPartGrain = 4096;
static_assert(kPartGrain % limits::kMaxPatternSize == 0);

/// Rows of at least so many bytes are worth being written past the caches.
constexpr size_t kMinStreamedRow = 256;

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

size_t sizeOf(const LinearCopy& copy) { return copy.size; }
size_t sizeOf(const Fill& fill) { return fill.size; }
template <class Rect>
size_t sizeOf(const Rect& rect) {
  return rect.region.width * rect.region.height * rect.region.depth;
}

size_t mostParts(const LinearCopy& copy) { return divideUp(copy.size, kPartGrain); }
size_t mostParts(const Fill& fill) { return divideUp(fill.size, kPartGrain); }
template <class Rect>
size_t mostParts(const Rect& rect) {
  return rect.region.height * rect.region.depth;
}

/// Calls body(y, z) for the rows of part `part` of `parts`.
template <class Body>
void forRows(const RectRegion& region, size_t part, size_t parts, const Body& body) {
  const Range rows = partOf(region.height * region.depth, part, parts, 1);
  size_t y = rows.begin % region.height;
  size_t z = rows.begin / region.height;
  for (size_t row = rows.begin; row < rows.end; ++row) {
    body(y, z);
    if (++y == region.height) {
      y = 0;
      ++z;
    }
  }
}

void run(const RectCopy& copy, size_t part, size_t parts) {
  const auto source = [&](size_t y, size_t z) {
    return copy.source + y * copy.sourceRowPitch + z * copy.sourceSlicePitch;
  };
  const auto target = [&](size_t y, size_t z) {
    return copy.target + y * copy.targetRowPitch + z * copy.targetSlicePitch;
  };
  const size_t width = copy.region.width;
  const bool inPlace = copy.source == copy.target && copy.sourceRowPitch == copy.targetRowPitch &&
                       copy.sourceSlicePitch == copy.targetSlicePitch;
  if (inPlace) return;
  if (sizeOf(copy) < kStreamFrom || width < kMinStreamedRow) {
    forRows(copy.region, part, parts,
            [&](size_t y, size_t z) { std::memmove(target(y, z), source(y, z), width); });
    return;
  }
  forRows(copy.region, part, parts,
          [&](size_t y, size_t z) { streamCopy(target(y, z), source(y, z), width); });
  streamEnd();
}

/// Repeats what stands in the first `done` bytes, in blocks of whole ones that fit the first cache.
void repeat(std::byte* target, size_t done, size_t size) {
  const size_t most = kPartGrain - kPartGrain % std::max<size_t>(done, 1);
  while (done < size) {
    const size_t block = std::min({done, most, size - done});
    std::memcpy(target + done, target, block);
    done += block;
  }
}

/// The pattern of a fill as often as it fits the largest one.
template <class Pattern>
class Repeated {
 public:
  Repeated(const Pattern& pattern, size_t size) : used_(bytes_.size() - bytes_.size() % size) {
    std::memcpy(bytes_.data(), pattern.data(), size);
    repeat(bytes_.data(), size, used_);
  }
  /// All bytes. Pre: the pattern's size is a power of two.
  const std::byte* data() const { return bytes_.data(); }

  /// Fills `size` bytes, a multiple of the pattern.
  void fill(std::byte* target, size_t size) const {
    const size_t first = std::min(used_, size);
    std::memcpy(target, bytes_.data(), first);
    repeat(target, first, size);
  }

 private:
  alignas(limits::kMaxPatternSize) std::array<std::byte, limits::kMaxPatternSize> bytes_;
  size_t used_;  ///< whole patterns
};

void run(const Fill& fill, size_t part, size_t parts) {
  const Range range = partOf(fill.size, part, parts, kPartGrain);
  std::byte* const target = fill.target + range.begin;
  const size_t size = range.end - range.begin;
  if (fill.patternSize == 1) {
    std::memset(target, std::to_integer<int>(fill.pattern[0]), size);
    return;
  }
  const Repeated pattern(fill.pattern, fill.patternSize);
  if (fill.size < kStreamFrom) {
    pattern.fill(target, size);
    return;
  }
  streamFill(target, size, pattern.data());
  streamEnd();
}

void run(const RectFill& fill, size_t part, size_t parts) {
  const auto target = [&](size_t y, size_t z) {
    return fill.target + y * fill.rowPitch + z * fill.slicePitch;
  };
  const size_t width = fill.region.width;
  const Repeated pattern(fill.pattern, fill.patternSize);
  const bool streams = sizeOf(fill) >= kStreamFrom && width >= kMinStreamedRow &&
                       std::has_single_bit(fill.patternSize);
  if (streams) {
    forRows(fill.region, part, parts,
            [&](size_t y, size_t z) { streamFill(target(y, z), width, pattern.data()); });
    streamEnd();
  } else if (fill.patternSize == 1) {
    const int value = std::to_integer<int>(fill.pattern[0]);
    forRows(fill.region, part, parts,
            [&](size_t y, size_t z) { std::memset(target(y, z), value, width); });
  } else {
    forRows(fill.region, part, parts,
            [&](size_t y, size_t z) { pattern.fill(target(y, z), width); });
  }
}

/// A pattern that repeats itself is a shorter one.
template <class AnyFill>
AnyFill shortened(AnyFill fill) {
  while (fill.patternSize > 1 &&
         std::memcmp(fill.pattern.data(), fill.pattern.data() + fill.patternSize / 2,
                     fill.patternSize / 2) == 0)
    fill.patternSize /= 2;
  return fill;
}

struct Pitches {
  size_t* row;
  size_t* slice;
};

/// Joins rows that follow each other without a gap on all sides, and so slices of such rows. Pre:
/// some side has gaps.
template <size_t N>
void join(RectRegion& region, const std::array<Pitches, N>& sides) {
  const auto all = [&](auto&& holds) { return std::ranges::all_of(sides, holds); };
  if (region.height == 1 || all([&](const Pitches& side) { return *side.row == region.width; })) {
    region.width *= region.height;
    region.height = region.depth;
    region.depth = 1;
    for (const Pitches& side : sides) *side.row = *side.slice;
  }
  if (all([&](const Pitches& side) { return *side.slice == *side.row * region.height; })) {
    region.height *= region.depth;
    region.depth = 1;
  }
}

}  // namespace

Transfer::Transfer(const Fill& fill) noexcept : work_(shortened(fill)) {}

Transfer::Transfer(const RectCopy& copy) noexcept {
  const RectRegion& region = copy.region;
  if (isPacked(region, copy.sourceRowPitch, copy.sourceSlicePitch) &&
      isPacked(region, copy.targetRowPitch, copy.targetSlicePitch)) {
    work_ = LinearCopy{copy.source, copy.target, region.width * region.height * region.depth};
    return;
  }
  RectCopy joined = copy;
  join<2>(joined.region, {Pitches{&joined.sourceRowPitch, &joined.sourceSlicePitch},
                          Pitches{&joined.targetRowPitch, &joined.targetSlicePitch}});
  work_ = joined;
}

Transfer::Transfer(const RectFill& fill) noexcept {
  // Other patterns do not start anew where parts of a linear fill do.
  if (!std::has_single_bit(fill.patternSize)) {
    work_ = fill;
    return;
  }
  RectFill joined = shortened(fill);
  const RectRegion& region = joined.region;
  if (isPacked(region, joined.rowPitch, joined.slicePitch)) {
    Fill linear{joined.target, region.width * region.height * region.depth, {}, joined.patternSize};
    std::ranges::copy(joined.pattern, linear.pattern.begin());
    work_ = linear;
    return;
  }
  join<1>(joined.region, {Pitches{&joined.rowPitch, &joined.slicePitch}});
  work_ = joined;
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
