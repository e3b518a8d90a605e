// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <random>
#include <vector>

#include "support/objects.h"

namespace weft::test {
namespace {

constexpr size_t kSize = 2048;
using Triple = std::array<size_t, 3>;

class CopyOverlapTest : public testing::Test {
 protected:
  MemoryHolder makeSub(size_t origin, size_t size) {
    const cl_buffer_region region{origin, size};
    return MemoryHolder(
        clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  }
  cl_int copyRect(cl_mem source, cl_mem target, const Triple& from, const Triple& to,
                  const Triple& region, size_t rowPitch, size_t slicePitch) {
    return clEnqueueCopyBufferRect(queue, source, target, from.data(), to.data(), region.data(),
                                   rowPitch, slicePitch, rowPitch, slicePitch, 0, nullptr, nullptr);
  }
  size_t pick(size_t low, size_t high) {
    return std::uniform_int_distribution<size_t>(low, high)(random);
  }

  std::mt19937 random{7};
  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
  MemoryHolder buffer{clCreateBuffer(context, 0, kSize, nullptr, nullptr)};
};

TEST_F(CopyOverlapTest, RowsThatRunOverTheirPitchMayLieBetweenSlices) {
  const Triple from{0, 0, 0}, to{28, 4, 0}, region{8, 4, 2};
  EXPECT_EQ(copyRect(buffer, buffer, from, to, region, 32, 9 * 32), CL_SUCCESS);
  EXPECT_EQ(copyRect(buffer, buffer, from, to, region, 32, 8 * 32), CL_MEM_COPY_OVERLAP);
}

TEST_F(CopyOverlapTest, RectsThatShareBytesAreFound) {
  const MemoryHolder low = makeSub(0, 1280);
  const MemoryHolder high = makeSub(256, 1280);
  const struct {
    cl_mem memory;
    size_t offset, size;
  } objects[] = {{buffer, 0, kSize}, {low, 0, 1280}, {high, 256, 1280}};
  int refused = 0, done = 0;
  for (int round = 0; round < 4000; ++round) {
    const Triple region{pick(1, 12), pick(1, 4), pick(1, 3)};
    const size_t rowPitch = region[0] + pick(0, 12);
    const size_t slicePitch = rowPitch * (region[1] + pick(0, 4));
    const Triple from{pick(0, 20), pick(0, 6), pick(0, 2)};
    const Triple to{pick(0, 20), pick(0, 6), pick(0, 2)};
    const auto& source = objects[pick(0, 2)];
    const auto& target = objects[pick(0, 2)];
    std::vector<char> touched(2 * kSize);
    const auto touch = [&](const Triple& origin, size_t offset, char mark) {
      size_t shared = 0;
      for (size_t z = 0; z < region[2]; ++z)
        for (size_t y = 0; y < region[1]; ++y)
          for (size_t x = 0; x < region[0]; ++x) {
            char& byte = touched.at(offset + origin[0] + x + (origin[1] + y) * rowPitch +
                                    (origin[2] + z) * slicePitch);
            shared += byte == 1 && mark == 2;
            byte = mark;
          }
      return shared;
    };
    touch(from, source.offset, 1);
    const bool shares = touch(to, target.offset, 2) != 0;
    const cl_int code =
        copyRect(source.memory, target.memory, from, to, region, rowPitch, slicePitch);
    if (code == CL_INVALID_VALUE) continue;  // past the end
    if (shares) {
      ASSERT_EQ(code, CL_MEM_COPY_OVERLAP) << "round " << round;
    }
    (code == CL_SUCCESS ? done : refused) += 1;
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(done, 100);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

}  // namespace
}  // namespace weft::test
