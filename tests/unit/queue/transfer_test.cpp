// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/transfer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "queue/stream.h"

namespace weft {
namespace {

using Bytes = std::vector<std::byte>;

class TransferTest : public testing::Test {
 protected:
  size_t pick(size_t low, size_t high) {
    return std::uniform_int_distribution<size_t>(low, high)(random);
  }
  Bytes randomBytes(size_t size) {
    Bytes bytes(size);
    std::ranges::generate(bytes, [&] { return static_cast<std::byte>(random()); });
    return bytes;
  }

  struct Layout {
    size_t start, row, slice, end;
  };
  /// With gaps or without, more often than not without some of them.
  Layout pickLayout(const RectRegion& region) {
    Layout layout{};
    layout.start = pick(0, 70);
    layout.row = region.width + (pick(0, 1) ? pick(1, 90) : 0);
    layout.slice = layout.row * region.height + (pick(0, 1) ? pick(1, 300) : 0);
    layout.end = layout.start + (region.depth - 1) * layout.slice +
                 (region.height - 1) * layout.row + region.width;
    return layout;
  }
  template <class Body>
  static void forRows(const RectRegion& region, const Layout& layout, const Body& body) {
    for (size_t z = 0; z < region.depth; ++z)
      for (size_t y = 0; y < region.height; ++y)
        body(layout.start + z * layout.slice + y * layout.row, (z * region.height + y));
  }
  /// All parts, in an order of their own.
  void run(const Transfer& transfer, size_t parts) {
    std::vector<size_t> order(parts);
    for (size_t i = 0; i < parts; ++i) order[i] = i;
    std::ranges::shuffle(order, random);
    for (const size_t part : order) transfer.run(part, parts);
  }

  std::mt19937 random{11};
};

TEST_F(TransferTest, CopiesBoxesBetweenAllLayouts) {
  for (int round = 0; round < 3000; ++round) {
    const RectRegion region{pick(1, 300), pick(1, 5), pick(1, 4)};
    const Layout from = pickLayout(region);
    const Layout to = pickLayout(region);
    const Bytes source = randomBytes(from.end);
    Bytes target = randomBytes(to.end);
    Bytes wanted = target;
    std::vector<size_t> starts;
    forRows(region, from, [&](size_t at, size_t) { starts.push_back(at); });
    forRows(region, to, [&](size_t at, size_t row) {
      std::memcpy(wanted.data() + at, source.data() + starts[row], region.width);
    });
    const Transfer transfer(RectCopy{source.data() + from.start, target.data() + to.start, region,
                                     from.row, from.slice, to.row, to.slice});
    EXPECT_EQ(transfer.size(), region.width * region.height * region.depth);
    run(transfer, pick(1, 7));
    ASSERT_EQ(target, wanted) << "round " << round;
  }
}

TEST_F(TransferTest, FillsTheRowsOfBoxes) {
  for (int round = 0; round < 3000; ++round) {
    const size_t element = size_t{1} << pick(0, 4);
    const RectRegion region{element * pick(1, 40), pick(1, 5), pick(1, 4)};
    const Layout to = pickLayout(region);
    RectFill fill{};
    fill.region = region;
    fill.rowPitch = to.row;
    fill.slicePitch = to.slice;
    fill.patternSize = element;
    const bool repeatsItself = pick(0, 3) == 0;
    const size_t period = repeatsItself ? std::max<size_t>(element / 2, 1) : element;
    const Bytes pattern = randomBytes(period);
    for (size_t i = 0; i < element; ++i) fill.pattern[i] = pattern[i % period];
    // Rows of an odd pitch start with the pattern all the same.
    if (element > 1 && pick(0, 1) == 0) fill.rowPitch = to.row + 1;
    Layout layout = to;
    layout.row = fill.rowPitch;
    layout.slice = fill.slicePitch = std::max(to.slice, layout.row * region.height);
    layout.end += region.depth * region.height + region.depth * 6;
    Bytes target = randomBytes(layout.end);
    Bytes wanted = target;
    forRows(region, layout, [&](size_t at, size_t) {
      for (size_t i = 0; i < region.width; ++i) wanted[at + i] = pattern[i % period];
    });
    fill.target = target.data() + layout.start;
    run(Transfer(fill), pick(1, 7));
    ASSERT_EQ(target, wanted) << "round " << round;
  }
}

TEST_F(TransferTest, WritesPastTheCachesAtAnyAddress) {
  for (const size_t offset : {0, 1, 15, 16, 63, 64, 100})
    for (const size_t size : {0, 1, 63, 64, 65, 127, 128, 200, 1000, 4099}) {
      const Bytes source = randomBytes(size + 3);
      Bytes target = randomBytes(offset + size + 1);
      Bytes wanted = target;
      std::memcpy(wanted.data() + offset, source.data() + 3, size);
      streamCopy(target.data() + offset, source.data() + 3, size);
      streamEnd();
      ASSERT_EQ(target, wanted) << offset << " " << size;
      const Bytes pattern = randomBytes(128);
      for (size_t i = 0; i < size; ++i) wanted[offset + i] = pattern[i % 128];
      streamFill(target.data() + offset, size, pattern.data());
      streamEnd();
      ASSERT_EQ(target, wanted) << offset << " " << size;
    }
}

TEST_F(TransferTest, LargeBoxesAreCopiedAndFilled) {
  const RectRegion region{(size_t{64} << 10) - 48, 1026, 1};
  const size_t pitch = size_t{64} << 10;
  ASSERT_GE(region.width * region.height, kStreamFrom);
  Bytes source(pitch * region.height);
  for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 31 >> 7);
  Bytes target(source.size() + 5);
  const auto inThreads = [](const Transfer& transfer) {
    std::vector<std::thread> threads;
    for (size_t part = 0; part < 3; ++part)
      threads.emplace_back([&transfer, part] { transfer.run(part, 3); });
    for (std::thread& thread : threads) thread.join();
  };
  inThreads(RectCopy{source.data(), target.data() + 5, region, pitch, 0, pitch, 0});
  for (size_t y = 0; y < region.height; ++y) {
    const std::byte* const row = target.data() + 5 + y * pitch;
    ASSERT_EQ(std::memcmp(row, source.data() + y * pitch, region.width), 0) << y;
    ASSERT_EQ(row[region.width], std::byte{0});
  }
  RectFill fill{target.data() + 5, region, pitch, 0, {}, 16};
  for (size_t i = 0; i < 16; ++i) fill.pattern[i] = static_cast<std::byte>(i + 1);
  inThreads(fill);
  for (size_t y = 0; y < region.height; ++y) {
    const std::byte* const row = target.data() + 5 + y * pitch;
    for (size_t x = 0; x < region.width; x += 16)
      ASSERT_EQ(std::memcmp(row + x, fill.pattern.data(), 16), 0) << y << " " << x;
    ASSERT_EQ(row[region.width], std::byte{0});
  }
}

TEST_F(TransferTest, InALinearFormTheyCanBeSplitFinely) {
  std::byte bytes[1];
  const size_t much = size_t{1} << 30;
  const Transfer packed(RectCopy{bytes, bytes, {64, 4, much / 256}, 64, 256, 64, 256});
  EXPECT_EQ(packed.parts(1000), 1000u);
  const Transfer rows(RectCopy{bytes, bytes, {much / 4, 4, 1}, much, 0, much, 0});
  EXPECT_EQ(rows.parts(1000), 4u);
}

}  // namespace
}  // namespace weft
