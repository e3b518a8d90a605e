// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/rect.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "memory/map_list.h"

namespace weft {
namespace {

class RectTest : public testing::Test {
 protected:
  size_t pick(size_t low, size_t high) {
    return std::uniform_int_distribution<size_t>(low, high)(random);
  }
  ByteBox pickBox() {
    ByteBox box{};
    box.region = {pick(1, 12), pick(1, 5), pick(1, 4)};
    box.rowPitch = box.region.width + (pick(0, 1) ? pick(1, 20) : 0);
    box.slicePitch = box.rowPitch * box.region.height + (pick(0, 1) ? pick(1, 40) : 0);
    box.begin = bytes.data() + pick(0, 400);
    return box;
  }
  template <class Body>
  void forBytes(const ByteBox& box, const Body& body) {
    for (size_t z = 0; z < box.region.depth; ++z)
      for (size_t y = 0; y < box.region.height; ++y)
        for (size_t x = 0; x < box.region.width; ++x)
          body(box.begin - bytes.data() + z * box.slicePitch + y * box.rowPitch + x);
  }

  std::mt19937 random{5};
  std::vector<std::byte> bytes = std::vector<std::byte>(2048);
};

TEST_F(RectTest, SharedBytesAreFound) {
  int shared = 0, apart = 0;
  for (int round = 0; round < 20000; ++round) {
    const ByteBox a = pickBox();
    const ByteBox b = pickBox();
    std::vector<bool> touched(bytes.size());
    forBytes(a, [&](size_t at) { touched[at] = true; });
    bool wanted = false;
    forBytes(b, [&](size_t at) { wanted = wanted || touched[at]; });
    ASSERT_EQ(shareBytes(a, b), wanted) << "round " << round;
    ASSERT_EQ(shareBytes(b, a), wanted) << "round " << round;
    (wanted ? shared : apart) += 1;
  }
  EXPECT_GT(shared, 1000);
  EXPECT_GT(apart, 1000);
}

TEST_F(RectTest, MapsForWritingNeverMeet) {
  struct Mapped {
    ByteBox box;
    MapList::Id id;
    bool forWriting;
  };
  MapList maps;
  std::vector<Mapped> open;
  std::vector<int> writers(bytes.size());
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    if (open.size() > 12 || (!open.empty() && pick(0, 2) == 0)) {
      const size_t at = pick(0, open.size() - 1);
      const Mapped gone = open[at];
      open.erase(open.begin() + static_cast<ptrdiff_t>(at));
      maps.remove(this, gone.id);
      if (gone.forWriting) forBytes(gone.box, [&](size_t byte) { --writers[byte]; });
    } else {
      const ByteBox box = pickBox();
      const bool forWriting = pick(0, 2) != 0;
      bool meets = false;
      if (forWriting) forBytes(box, [&](size_t byte) { meets = meets || writers[byte] != 0; });
      const auto id = maps.add(this, box, forWriting);
      ASSERT_EQ(id.has_value(), !meets) << "round " << round;
      refused += meets ? 1 : 0;
      if (id) open.push_back({box, *id, forWriting});
      if (id && forWriting) forBytes(box, [&](size_t byte) { ++writers[byte]; });
    }
    ASSERT_EQ(maps.count(this), open.size());
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace weft
