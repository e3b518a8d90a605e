// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes that arrive: every transfer against a plain host loop.
#include <cstring>
#include <random>
#include <vector>

#include "support/objects.h"

namespace weft::test {
namespace {

using Bytes = std::vector<unsigned char>;

class TransferTest : public testing::TestWithParam<cl_command_queue_properties> {
 protected:
  Bytes randomBytes(size_t size) {
    Bytes bytes(size);
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
    return bytes;
  }
  MemoryHolder make(const Bytes& bytes) {
    cl_int error = CL_INVALID_VALUE;
    MemoryHolder buffer(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes.size(),
                                       const_cast<unsigned char*>(bytes.data()), &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return buffer;
  }
  Bytes contents(cl_mem buffer, size_t size) {
    Bytes bytes(size);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, bytes.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    return bytes;
  }
  size_t pick(size_t low, size_t high) {
    return std::uniform_int_distribution<size_t>(low, high)(random);
  }

  std::mt19937 random{20240611};
  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context, GetParam());
};

INSTANTIATE_TEST_SUITE_P(Queues, TransferTest,
                         testing::Values(cl_command_queue_properties{0},
                                         cl_command_queue_properties{
                                             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE},
                                         cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE}));

TEST_P(TransferTest, LinearOfAllSizes) {
  for (const size_t size :
       {size_t{1}, size_t{63}, size_t{4097}, size_t{20'000}, size_t{300'001}, size_t{3'000'007}}) {
    const Bytes data = randomBytes(size);
    const MemoryHolder source = make(Bytes(size));
    const MemoryHolder target = make(Bytes(size));
    cl_event written = nullptr;
    EXPECT_EQ(
        clEnqueueWriteBuffer(queue, source, CL_FALSE, 0, size, data.data(), 0, nullptr, &written),
        CL_SUCCESS);
    const EventHolder first(written);
    cl_event copied = nullptr;
    EXPECT_EQ(clEnqueueCopyBuffer(queue, source, target, 0, 0, size, 1, &written, &copied),
              CL_SUCCESS);
    const EventHolder second(copied);
    Bytes back(size);
    EXPECT_EQ(
        clEnqueueReadBuffer(queue, target, CL_TRUE, 0, size, back.data(), 1, &copied, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(back, data) << size;
  }
}

TEST_P(TransferTest, OffsetsTouchNothingElse) {
  const Bytes initial = randomBytes(10'000);
  for (int round = 0; round < 50; ++round) {
    const MemoryHolder buffer = make(initial);
    const size_t offset = pick(0, 9'999);
    const size_t size = pick(0, 10'000 - offset);
    const Bytes data = randomBytes(size + 1);
    Bytes expected = initial;
    std::copy_n(data.begin(), size, expected.begin() + static_cast<ptrdiff_t>(offset));
    EXPECT_EQ(clEnqueueWriteBuffer(queue, buffer, round % 2 ? CL_TRUE : CL_FALSE, offset, size,
                                   data.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(contents(buffer, initial.size()), expected);
  }
}

TEST_P(TransferTest, FillsWithEveryPattern) {
  const size_t total = size_t{1} << 20;
  const Bytes initial = randomBytes(total);
  for (size_t patternSize = 1; patternSize <= 128; patternSize *= 2) {
    for (const size_t count : {size_t{1}, size_t{3}, total / patternSize - 2}) {
      const MemoryHolder buffer = make(initial);
      const Bytes pattern = randomBytes(patternSize);
      Bytes expected = initial;
      for (size_t i = 0; i < count * patternSize; ++i)
        expected[patternSize + i] = pattern[i % patternSize];
      EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, pattern.data(), patternSize, patternSize,
                                    count * patternSize, 0, nullptr, nullptr),
                CL_SUCCESS);
      EXPECT_EQ(contents(buffer, total), expected) << patternSize << " times " << count;
    }
  }
}

TEST_P(TransferTest, LargeFillsPastTheCaches) {
  const size_t total = (size_t{65} << 20) + 24;
  const MemoryHolder buffer(clCreateBuffer(context, 0, total, nullptr, nullptr));
  const cl_ulong pattern = 0x0123456789abcdef;
  for (const size_t offset : {size_t{0}, size_t{8}}) {
    EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, &pattern, 8, offset, total - offset, 0, nullptr,
                                  nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    auto* const mapped = static_cast<cl_ulong*>(clEnqueueMapBuffer(
        queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, total, 0, nullptr, nullptr, nullptr));
    size_t wrong = 0;
    for (size_t i = offset / 8; i < total / 8; ++i) {
      wrong += mapped[i] != pattern;
      mapped[i] = 0;
    }
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr), CL_SUCCESS);
  }
}

struct Box {
  size_t origin[3];
  size_t rowPitch, slicePitch;
  size_t at(size_t x, size_t y, size_t z) const {
    return origin[0] + x + (origin[1] + y) * rowPitch + (origin[2] + z) * slicePitch;
  }
};

TEST_P(TransferTest, RectsAgainstLoops) {
  constexpr size_t kTotal = 200'000;
  const Bytes initial = randomBytes(kTotal);
  const Bytes other = randomBytes(kTotal);
  for (int round = 0; round < 200; ++round) {
    const size_t region[3] = {pick(1, 100), pick(1, 12), pick(1, 6)};
    const auto box = [&]() -> Box {
      Box box{{pick(0, 30), pick(0, 5), pick(0, 3)}, 0, 0};
      box.rowPitch = region[0] + pick(0, 1) * pick(0, 40);
      box.slicePitch = box.rowPitch * (region[1] + pick(0, 1) * pick(0, 4));
      return box;
    };
    const Box from = box();
    const Box to = box();
    Bytes expected = initial;
    for (size_t z = 0; z < region[2]; ++z)
      for (size_t y = 0; y < region[1]; ++y)
        for (size_t x = 0; x < region[0]; ++x) expected[to.at(x, y, z)] = other[from.at(x, y, z)];

    // Into a buffer, out of a buffer, and between two.
    const MemoryHolder written = make(initial);
    EXPECT_EQ(clEnqueueWriteBufferRect(queue, written, CL_TRUE, to.origin, from.origin, region,
                                       to.rowPitch, to.slicePitch, from.rowPitch, from.slicePitch,
                                       other.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(contents(written, kTotal), expected);

    const MemoryHolder source = make(other);
    Bytes read = initial;
    EXPECT_EQ(clEnqueueReadBufferRect(queue, source, CL_TRUE, from.origin, to.origin, region,
                                      from.rowPitch, from.slicePitch, to.rowPitch, to.slicePitch,
                                      read.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(read, expected);

    const MemoryHolder target = make(initial);
    EXPECT_EQ(clEnqueueCopyBufferRect(queue, source, target, from.origin, to.origin, region,
                                      from.rowPitch, from.slicePitch, to.rowPitch, to.slicePitch, 0,
                                      nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(contents(target, kTotal), expected);
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

TEST_P(TransferTest, LargeRectIsSharedByWorkers) {
  constexpr size_t kRow = 4000, kRows = 1500, kPitch = 4096;
  const Bytes data = randomBytes(kPitch * kRows);
  const MemoryHolder source = make(data);
  const MemoryHolder target = make(Bytes(data.size()));
  const size_t zero[3] = {}, region[3] = {kRow, kRows, 1};
  EXPECT_EQ(clEnqueueCopyBufferRect(queue, source, target, zero, zero, region, kPitch, 0, kPitch, 0,
                                    0, nullptr, nullptr),
            CL_SUCCESS);
  Bytes expected(data.size());
  for (size_t row = 0; row < kRows; ++row)
    std::memcpy(expected.data() + row * kPitch, data.data() + row * kPitch, kRow);
  EXPECT_EQ(contents(target, data.size()), expected);
}

TEST_P(TransferTest, MapIsZeroCopyAndCounted) {
  const Bytes data = randomBytes(1 << 20);
  const MemoryHolder buffer = make(data);
  const auto count = [&] {
    cl_uint maps = 0;
    EXPECT_EQ(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof maps, &maps, nullptr),
              CL_SUCCESS);
    return maps;
  };
  const auto map = [&](cl_map_flags flags, size_t offset, size_t size) {
    cl_int error = CL_INVALID_VALUE;
    void* const pointer = clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, offset, size, 0,
                                             nullptr, nullptr, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    return static_cast<unsigned char*>(pointer);
  };
  unsigned char* const all = map(CL_MAP_READ, 0, data.size());
  unsigned char* const again = map(CL_MAP_READ, 0, 16);
  unsigned char* const inside = map(CL_MAP_READ | CL_MAP_WRITE, 1000, 10);
  EXPECT_EQ(all, again);
  EXPECT_EQ(inside, all + 1000);
  EXPECT_EQ(count(), 3u);
  inside[0] = static_cast<unsigned char>(~data[1000]);
  for (unsigned char* const pointer : {inside, all, again})
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, pointer, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(count(), 0u);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, all, 0, nullptr, nullptr), CL_INVALID_VALUE);
  Bytes expected = data;
  expected[1000] = static_cast<unsigned char>(~data[1000]);
  EXPECT_EQ(contents(buffer, data.size()), expected);
}

TEST_P(TransferTest, NativeKernelSeesMemoryObjects) {
  struct Arguments {
    int factor;
    int* values;
    void* none;
  };
  int values[64];
  for (int i = 0; i < 64; ++i) values[i] = i;
  const MemoryHolder buffer(
      clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, nullptr));
  Arguments arguments{3, nullptr, &arguments};
  const cl_mem list[] = {buffer, nullptr};
  const void* places[] = {&arguments.values, &arguments.none};
  EXPECT_EQ(clEnqueueNativeKernel(
                queue,
                [](void* block) {
                  const auto& arguments = *static_cast<Arguments*>(block);
                  if (arguments.none) return;
                  for (int i = 0; i < 64; ++i) arguments.values[i] *= arguments.factor;
                },
                &arguments, sizeof arguments, 2, list, places, 0, nullptr, nullptr),
            CL_SUCCESS);
  arguments.factor = 1000;  // the command has its own copy
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(
      clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, nullptr, nullptr),
      CL_SUCCESS);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(values[i], i * 3);
}

}  // namespace
}  // namespace weft::test
