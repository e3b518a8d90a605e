// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "support/objects.h"
#include "support/wait_list.h"

namespace weft::test {
namespace {

constexpr size_t kSize = 1024;

class MapTest : public testing::Test {
 protected:
  MemoryHolder make(cl_mem_flags flags = 0, void* pointer = nullptr) {
    cl_int error = CL_INVALID_VALUE;
    MemoryHolder buffer(clCreateBuffer(context, flags, kSize, pointer, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return buffer;
  }
  MemoryHolder makeSub(cl_mem parent, size_t origin, size_t size) {
    const cl_buffer_region region{origin, size};
    cl_int error = CL_INVALID_VALUE;
    MemoryHolder part(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return part;
  }
  /// Null when the map is refused, for which there is but one right code here.
  void* map(cl_mem memory, cl_map_flags flags, size_t offset, size_t size) {
    cl_int error = CL_SUCCESS;
    void* const pointer = clEnqueueMapBuffer(queue, memory, CL_TRUE, flags, offset, size, 0,
                                             nullptr, nullptr, &error);
    EXPECT_EQ(error, pointer ? CL_SUCCESS : CL_INVALID_OPERATION);
    return pointer;
  }
  cl_int unmap(cl_mem memory, void* pointer) {
    return clEnqueueUnmapMemObject(queue, memory, pointer, 0, nullptr, nullptr);
  }
  static cl_uint mapCount(cl_mem memory) {
    cl_uint count = 77;
    EXPECT_EQ(clGetMemObjectInfo(memory, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr),
              CL_SUCCESS);
    return count;
  }

  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
  MemoryHolder buffer = make();
};

TEST_F(MapTest, RegionsMappedForWritingMayNotOverlap) {
  for (const cl_map_flags first :
       {CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}) {
    for (const cl_map_flags second :
         {CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}) {
      void* const mapped = map(buffer, first, 256, 256);
      ASSERT_NE(mapped, nullptr);
      EXPECT_EQ(map(buffer, second, 256, 256), nullptr);
      EXPECT_EQ(map(buffer, second, 0, kSize), nullptr);
      EXPECT_EQ(map(buffer, second, 0, 257), nullptr);
      EXPECT_EQ(map(buffer, second, 511, 1), nullptr);
      void* const before = map(buffer, second, 0, 256);
      void* const after = map(buffer, second, 512, 512);
      EXPECT_NE(before, nullptr);
      EXPECT_NE(after, nullptr);
      EXPECT_EQ(mapCount(buffer), 3u) << "what was refused does not count";
      EXPECT_EQ(unmap(buffer, mapped), CL_SUCCESS);
      EXPECT_EQ(unmap(buffer, before), CL_SUCCESS);
      EXPECT_EQ(unmap(buffer, after), CL_SUCCESS);
      EXPECT_EQ(mapCount(buffer), 0u);
    }
  }
}

TEST_F(MapTest, RegionsMappedForReadingMayOverlap) {
  void* const first = map(buffer, CL_MAP_READ, 0, kSize);
  void* const second = map(buffer, CL_MAP_READ, 0, 16);
  void* const third = map(buffer, CL_MAP_READ, 8, 64);
  EXPECT_EQ(first, second);
  EXPECT_EQ(static_cast<char*>(third), static_cast<char*>(first) + 8);
  EXPECT_EQ(mapCount(buffer), 3u);
  // One pointer, mapped twice, is unmapped twice.
  EXPECT_EQ(unmap(buffer, first), CL_SUCCESS);
  EXPECT_EQ(unmap(buffer, second), CL_SUCCESS);
  EXPECT_EQ(unmap(buffer, second), CL_INVALID_VALUE);
  EXPECT_EQ(unmap(buffer, third), CL_SUCCESS);
  EXPECT_EQ(mapCount(buffer), 0u);
}

TEST_F(MapTest, SubBuffersShareTheRule) {
  const MemoryHolder low = makeSub(buffer, 0, 512);
  const MemoryHolder middle = makeSub(buffer, 256, 512);
  const MemoryHolder high = makeSub(buffer, 512, 512);
  void* const mapped = map(low, CL_MAP_WRITE, 0, 512);
  EXPECT_EQ(map(middle, CL_MAP_WRITE, 0, 16), nullptr);
  EXPECT_EQ(map(buffer, CL_MAP_WRITE, 0, kSize), nullptr);
  void* const beside = map(high, CL_MAP_WRITE, 0, 512);
  EXPECT_NE(beside, nullptr);
  void* const read = map(buffer, CL_MAP_READ, 0, 16);
  EXPECT_EQ(read, mapped) << "the same bytes, not the same mapping";
  // Each object counts its own.
  EXPECT_EQ(mapCount(low), 1u);
  EXPECT_EQ(mapCount(middle), 0u);
  EXPECT_EQ(mapCount(buffer), 1u);
  EXPECT_EQ(unmap(middle, mapped), CL_INVALID_VALUE);
  EXPECT_EQ(unmap(buffer, read), CL_SUCCESS);
  EXPECT_EQ(unmap(buffer, read), CL_INVALID_VALUE);
  EXPECT_EQ(unmap(low, mapped), CL_SUCCESS);
  EXPECT_EQ(unmap(high, beside), CL_SUCCESS);
  void* const whole = map(buffer, CL_MAP_WRITE, 0, kSize);
  EXPECT_NE(whole, nullptr);
  EXPECT_EQ(unmap(buffer, whole), CL_SUCCESS);
}

TEST_F(MapTest, PointersOfHostMemoryAreTheApplications) {
  alignas(128) char host[kSize];
  const MemoryHolder own = make(CL_MEM_USE_HOST_PTR, host);
  const MemoryHolder part = makeSub(own, 128, 256);
  void* const mapped = map(part, CL_MAP_READ | CL_MAP_WRITE, 7, 100);
  EXPECT_EQ(mapped, host + 128 + 7);
  EXPECT_EQ(unmap(part, mapped), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(MapTest, AMapThatFailsLeavesNothingMapped) {
  const auto status = [&](cl_bool blocking) {
    const EventHolder failed = makeUserEvent(context);
    EXPECT_EQ(clSetUserEventStatus(failed, -42), CL_SUCCESS);
    const cl_event list[] = {failed};
    cl_event event = nullptr;
    cl_int error = CL_SUCCESS;
    void* const pointer = clEnqueueMapBuffer(queue, buffer, blocking, CL_MAP_WRITE, 0, kSize, 1,
                                             list, &event, &error);
    EXPECT_EQ(pointer != nullptr, error == CL_SUCCESS);
    const EventHolder holder(event);
    if (event) {
      EXPECT_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    }
    return error;
  };
  EXPECT_EQ(status(CL_TRUE), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(mapCount(buffer), 0u);
  EXPECT_EQ(status(CL_FALSE), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  for (int i = 0; i < 20'000 && mapCount(buffer) != 0; ++i) std::this_thread::yield();
  EXPECT_EQ(mapCount(buffer), 0u);
}

TEST_F(MapTest, AnUnmapThatIsRefusedLeavesItMapped) {
  void* const mapped = map(buffer, CL_MAP_READ, 0, kSize);
  const cl_event none = nullptr;
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, mapped, 1, &none, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(unmap(buffer, static_cast<char*>(mapped) + 1), CL_INVALID_VALUE);
  EXPECT_EQ(mapCount(buffer), 1u);
  EXPECT_EQ(unmap(buffer, mapped), CL_SUCCESS);
}

TEST_F(MapTest, AMappedPointerIsGoodForTransfersOfOtherBuffers) {
  std::vector<unsigned char> bytes(kSize);
  std::iota(bytes.begin(), bytes.end(), 0);
  const MemoryHolder source = make(CL_MEM_COPY_HOST_PTR, bytes.data());
  void* const target = map(buffer, CL_MAP_WRITE_INVALIDATE_REGION, 0, kSize);
  EXPECT_EQ(clEnqueueReadBuffer(queue, source, CL_TRUE, 0, kSize, target, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(std::memcmp(target, bytes.data(), kSize), 0);
  EXPECT_EQ(unmap(buffer, target), CL_SUCCESS);
}

TEST_F(MapTest, ManyMapsCostNoSquare) {
  constexpr size_t kMaps = 300'000;  // looking through all for each would be 10^11
  cl_int error = CL_INVALID_VALUE;
  const MemoryHolder large(clCreateBuffer(context, 0, kMaps, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  std::vector<void*> mapped;
  for (size_t i = 0; i < kMaps; ++i) {
    mapped.push_back(map(large, i % 2 ? CL_MAP_WRITE : CL_MAP_READ, i, 1));
    ASSERT_NE(mapped.back(), nullptr);
  }
  EXPECT_EQ(mapCount(large), kMaps);
  EXPECT_EQ(map(large, CL_MAP_WRITE, 0, 2), nullptr);
  EXPECT_EQ(map(large, CL_MAP_WRITE, kMaps - 2, 2), nullptr);
  for (void* const pointer : mapped) ASSERT_EQ(unmap(large, pointer), CL_SUCCESS);
  EXPECT_EQ(mapCount(large), 0u);
  void* const all = map(large, CL_MAP_WRITE, 0, kMaps);
  EXPECT_NE(all, nullptr);
  EXPECT_EQ(unmap(large, all), CL_SUCCESS);
  EXPECT_NE(unmap(large, all), CL_SUCCESS);
}

TEST_F(MapTest, ManyThreadsMapAndReleaseAtOnce) {
  std::atomic<int> refused{0};
  std::vector<std::thread> threads;
  for (size_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      const QueueHolder own = makeQueue(context);
      for (int round = 0; round < 200; ++round) {
        MemoryHolder part = makeSub(buffer, thread * 256, 256);
        cl_int error = CL_SUCCESS;
        void* const pointer = clEnqueueMapBuffer(own, part, CL_FALSE, CL_MAP_WRITE, 0, 256, 0,
                                                 nullptr, nullptr, &error);
        if (pointer == nullptr) {
          ++refused;
          continue;
        }
        EXPECT_EQ(clEnqueueUnmapMemObject(own, part, pointer, 0, nullptr, nullptr), CL_SUCCESS);
        // The object may go while its unmap is still queued.
        part.reset();
      }
      EXPECT_EQ(clFinish(own), CL_SUCCESS);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(refused, 0) << "the threads' regions are apart";
  void* const whole = map(buffer, CL_MAP_WRITE, 0, kSize);
  EXPECT_NE(whole, nullptr) << "a region is still mapped";
  EXPECT_EQ(unmap(buffer, whole), CL_SUCCESS);
}

TEST_F(MapTest, ASubBufferReleasedWhileMappedFreesItsRegion) {
  {
    const MemoryHolder part = makeSub(buffer, 0, 512);
    EXPECT_NE(map(part, CL_MAP_WRITE, 0, 512), nullptr);
  }
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  void* const whole = map(buffer, CL_MAP_WRITE, 0, kSize);
  EXPECT_NE(whole, nullptr);
  EXPECT_EQ(mapCount(buffer), 1u);
  EXPECT_EQ(unmap(buffer, whole), CL_SUCCESS);
}

}  // namespace
}  // namespace weft::test
