// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bad input of every enqueue function but kernels, and the rules of wait lists for all of them.
#include <array>
#include <cstdint>
#include <vector>

#include "support/objects.h"
#include "support/wait_list.h"

namespace weft::test {
namespace {

constexpr size_t kSize = 1024;
using Triple = std::array<size_t, 3>;

class EnqueueRulesTest : public testing::Test {
 protected:
  MemoryHolder make(cl_mem_flags flags, size_t size = kSize) {
    cl_int error = CL_INVALID_VALUE;
    MemoryHolder buffer(clCreateBuffer(context, flags, size, nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return buffer;
  }
  cl_int read(cl_mem memory, size_t offset, size_t size, void* pointer) {
    return clEnqueueReadBuffer(queue, memory, CL_TRUE, offset, size, pointer, 0, nullptr, nullptr);
  }
  cl_int write(cl_mem memory, size_t offset, size_t size, const void* pointer) {
    return clEnqueueWriteBuffer(queue, memory, CL_TRUE, offset, size, pointer, 0, nullptr, nullptr);
  }
  cl_int copy(cl_mem source, cl_mem target, size_t from, size_t to, size_t size) {
    return clEnqueueCopyBuffer(queue, source, target, from, to, size, 0, nullptr, nullptr);
  }
  cl_int fill(cl_mem memory, const void* pattern, size_t patternSize, size_t offset, size_t size) {
    return clEnqueueFillBuffer(queue, memory, pattern, patternSize, offset, size, 0, nullptr,
                               nullptr);
  }
  cl_int map(cl_mem memory, cl_map_flags flags, size_t offset, size_t size) {
    cl_int error = CL_SUCCESS;
    void* const pointer = clEnqueueMapBuffer(queue, memory, CL_TRUE, flags, offset, size, 0,
                                             nullptr, nullptr, &error);
    EXPECT_EQ(pointer != nullptr, error == CL_SUCCESS);
    if (pointer) {
      EXPECT_EQ(clEnqueueUnmapMemObject(queue, memory, pointer, 0, nullptr, nullptr), CL_SUCCESS);
    }
    return error;
  }

  ContextHolder context = makeContext();
  ContextHolder otherContext = makeContext();
  QueueHolder queue = makeQueue(context);
  MemoryHolder buffer = make(0);
  MemoryHolder second = make(0);
  MemoryHolder foreign{clCreateBuffer(otherContext, 0, kSize, nullptr, nullptr)};
  std::vector<unsigned char> host = std::vector<unsigned char>(kSize);
};

TEST_F(EnqueueRulesTest, WrongMemoryObjects) {
  void* const data = host.data();
  const int pattern = 0;
  const Triple zero{}, one{1, 1, 1};
  const struct {
    cl_mem memory;
    cl_int code;
  } rows[] = {{nullptr, CL_INVALID_MEM_OBJECT},
              {reinterpret_cast<cl_mem>(queue.get()), CL_INVALID_MEM_OBJECT},
              {foreign, CL_INVALID_CONTEXT}};
  for (const auto& [memory, code] : rows) {
    EXPECT_EQ(read(memory, 0, 4, data), code);
    EXPECT_EQ(write(memory, 0, 4, data), code);
    EXPECT_EQ(copy(memory, buffer, 0, 0, 4), code);
    EXPECT_EQ(copy(buffer, memory, 0, 0, 4), code);
    EXPECT_EQ(fill(memory, &pattern, 4, 0, 4), code);
    EXPECT_EQ(map(memory, CL_MAP_READ, 0, 4), code);
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, memory, data, 0, nullptr, nullptr), code);
    EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 1, &memory, 0, 0, nullptr, nullptr), code);
    EXPECT_EQ(clEnqueueReadBufferRect(queue, memory, CL_TRUE, zero.data(), zero.data(), one.data(),
                                      0, 0, 0, 0, data, 0, nullptr, nullptr),
              code);
    EXPECT_EQ(clEnqueueWriteBufferRect(queue, memory, CL_TRUE, zero.data(), zero.data(), one.data(),
                                       0, 0, 0, 0, data, 0, nullptr, nullptr),
              code);
    EXPECT_EQ(clEnqueueCopyBufferRect(queue, memory, buffer, zero.data(), zero.data(), one.data(),
                                      0, 0, 0, 0, 0, nullptr, nullptr),
              code);
    EXPECT_EQ(clEnqueueCopyBufferRect(queue, buffer, memory, zero.data(), zero.data(), one.data(),
                                      0, 0, 0, 0, 0, nullptr, nullptr),
              code);
  }
}

TEST_F(EnqueueRulesTest, Ranges) {
  void* const data = host.data();
  const int pattern = 0;
  const struct {
    size_t offset, size;
    bool fits;
  } rows[] = {
      {0, kSize, true},     {kSize - 4, 4, true},     {0, kSize + 4, false},
      {kSize, 4, false},    {kSize - 4, 8, false},    {SIZE_MAX, 4, false},
      {4, SIZE_MAX, false}, {SIZE_MAX - 3, 4, false}, {SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 1, false}};
  for (const auto& [offset, size, fits] : rows) {
    SCOPED_TRACE(testing::Message() << offset << " + " << size);
    const cl_int code = fits ? CL_SUCCESS : CL_INVALID_VALUE;
    EXPECT_EQ(read(buffer, offset, size, data), code);
    EXPECT_EQ(write(buffer, offset, size, data), code);
    EXPECT_EQ(copy(buffer, second, offset, 0, size), code);
    EXPECT_EQ(copy(buffer, second, 0, offset, size), code);
    EXPECT_EQ(map(buffer, CL_MAP_READ, offset, size), code);
    if (offset % 4 == 0 && size % 4 == 0) {
      EXPECT_EQ(fill(buffer, &pattern, 4, offset, size), code);
    }
  }
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(EnqueueRulesTest, NullPointersAndFlags) {
  EXPECT_EQ(read(buffer, 0, 4, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(write(buffer, 0, 4, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(map(buffer, CL_MAP_READ, 0, 0), CL_INVALID_VALUE);
  EXPECT_EQ(map(buffer, cl_map_flags{1} << 10, 0, 4), CL_INVALID_VALUE);
  EXPECT_EQ(map(buffer, CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_READ, 0, 4), CL_INVALID_VALUE);
  EXPECT_EQ(map(buffer, CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_WRITE, 0, 4), CL_INVALID_VALUE);
  EXPECT_EQ(map(buffer, CL_MAP_WRITE_INVALIDATE_REGION, 0, 4), CL_SUCCESS);
  EXPECT_EQ(map(buffer, CL_MAP_READ | CL_MAP_WRITE, 0, 4), CL_SUCCESS);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, host.data(), 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  const cl_mem memory = buffer;
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 0, nullptr, 0, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 1, nullptr, 0, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 1, &memory, 1 << 5, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMarker(queue, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMarker(nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueBarrier(nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueWaitForEvents(queue, 0, nullptr), CL_INVALID_VALUE);
  const cl_event none[] = {nullptr};
  EXPECT_EQ(clEnqueueWaitForEvents(queue, 1, none), CL_INVALID_EVENT);
  const EventHolder foreignEvent = makeUserEvent(otherContext);
  const cl_event foreignList[] = {foreignEvent};
  EXPECT_EQ(clEnqueueWaitForEvents(queue, 1, foreignList), CL_INVALID_CONTEXT);
}

TEST_F(EnqueueRulesTest, HostAccessFlagsAreKept) {
  const Triple zero{}, one{1, 1, 1};
  const int pattern = 0;
  const struct {
    cl_mem_flags flags;
    bool reads, writes;
  } rows[] = {{0, true, true},
              {CL_MEM_HOST_READ_ONLY, true, false},
              {CL_MEM_HOST_WRITE_ONLY, false, true},
              {CL_MEM_HOST_NO_ACCESS, false, false}};
  for (const auto& [flags, reads, writes] : rows) {
    SCOPED_TRACE(flags);
    const MemoryHolder memory = make(flags);
    const cl_int readCode = reads ? CL_SUCCESS : CL_INVALID_OPERATION;
    const cl_int writeCode = writes ? CL_SUCCESS : CL_INVALID_OPERATION;
    EXPECT_EQ(read(memory, 0, 4, host.data()), readCode);
    EXPECT_EQ(write(memory, 0, 4, host.data()), writeCode);
    EXPECT_EQ(map(memory, CL_MAP_READ, 0, 4), readCode);
    EXPECT_EQ(map(memory, CL_MAP_WRITE, 0, 4), writeCode);
    EXPECT_EQ(map(memory, CL_MAP_WRITE_INVALIDATE_REGION, 0, 4), writeCode);
    EXPECT_EQ(map(memory, CL_MAP_READ | CL_MAP_WRITE, 0, 4),
              reads && writes ? CL_SUCCESS : CL_INVALID_OPERATION);
    EXPECT_EQ(clEnqueueReadBufferRect(queue, memory, CL_TRUE, zero.data(), zero.data(), one.data(),
                                      0, 0, 0, 0, host.data(), 0, nullptr, nullptr),
              readCode);
    EXPECT_EQ(clEnqueueWriteBufferRect(queue, memory, CL_TRUE, zero.data(), zero.data(), one.data(),
                                       0, 0, 0, 0, host.data(), 0, nullptr, nullptr),
              writeCode);
    // The device may do what the host may not.
    EXPECT_EQ(copy(memory, buffer, 0, 0, 4), CL_SUCCESS);
    EXPECT_EQ(fill(memory, &pattern, 4, 0, 4), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  }
}

TEST_F(EnqueueRulesTest, FillPatterns) {
  const std::array<unsigned char, 256> pattern{};
  for (size_t size = 0; size <= pattern.size(); ++size) {
    const bool sound = size != 0 && (size & (size - 1)) == 0 && size <= 128;
    EXPECT_EQ(fill(buffer, pattern.data(), size, 0, 512), sound ? CL_SUCCESS : CL_INVALID_VALUE);
  }
  EXPECT_EQ(fill(buffer, nullptr, 4, 0, 4), CL_INVALID_VALUE);
  EXPECT_EQ(fill(buffer, pattern.data(), 4, 2, 4), CL_INVALID_VALUE);
  EXPECT_EQ(fill(buffer, pattern.data(), 4, 0, 6), CL_INVALID_VALUE);
  EXPECT_EQ(fill(buffer, pattern.data(), 4, 4, 0), CL_SUCCESS);
}

TEST_F(EnqueueRulesTest, OverlappingCopies) {
  EXPECT_EQ(copy(buffer, buffer, 0, 8, 8), CL_SUCCESS);
  EXPECT_EQ(copy(buffer, buffer, 8, 0, 8), CL_SUCCESS);
  EXPECT_EQ(copy(buffer, buffer, 0, 7, 8), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(buffer, buffer, 7, 0, 8), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(buffer, buffer, 5, 5, 8), CL_MEM_COPY_OVERLAP);
  const cl_buffer_region low{0, 512}, high{256, 512};
  const MemoryHolder first(
      clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &low, nullptr));
  const MemoryHolder last(
      clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &high, nullptr));
  EXPECT_EQ(copy(first, last, 0, 0, 256), CL_SUCCESS);
  EXPECT_EQ(copy(first, last, 0, 0, 257), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(first, last, 256, 0, 16), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(buffer, last, 300, 0, 16), CL_SUCCESS);
  EXPECT_EQ(copy(buffer, last, 260, 0, 16), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(EnqueueRulesTest, Rects) {
  const Triple zero{}, region{8, 4, 2};
  const auto readRect = [&](const size_t* bufferOrigin, const size_t* hostOrigin, const size_t* box,
                            size_t rowPitch, size_t slicePitch, size_t hostRowPitch,
                            size_t hostSlicePitch, void* pointer) {
    return clEnqueueReadBufferRect(queue, buffer, CL_TRUE, bufferOrigin, hostOrigin, box, rowPitch,
                                   slicePitch, hostRowPitch, hostSlicePitch, pointer, 0, nullptr,
                                   nullptr);
  };
  void* const data = host.data();
  const size_t* const z = zero.data();
  const size_t* const r = region.data();
  EXPECT_EQ(readRect(z, z, r, 0, 0, 0, 0, data), CL_SUCCESS);
  EXPECT_EQ(readRect(z, z, r, 16, 64, 8, 32, data), CL_SUCCESS);
  EXPECT_EQ(readRect(nullptr, z, r, 0, 0, 0, 0, data), CL_INVALID_VALUE);
  EXPECT_EQ(readRect(z, nullptr, r, 0, 0, 0, 0, data), CL_INVALID_VALUE);
  EXPECT_EQ(readRect(z, z, nullptr, 0, 0, 0, 0, data), CL_INVALID_VALUE);
  EXPECT_EQ(readRect(z, z, r, 0, 0, 0, 0, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(readRect(z, z, r, 7, 0, 0, 0, data), CL_INVALID_VALUE);
  EXPECT_EQ(readRect(z, z, r, 0, 31, 0, 0, data), CL_INVALID_VALUE);
  EXPECT_EQ(readRect(z, z, r, 16, 65, 0, 0, data), CL_INVALID_VALUE);
  EXPECT_EQ(readRect(z, z, r, 0, 0, 7, 0, data), CL_INVALID_VALUE);
  EXPECT_EQ(readRect(z, z, r, 0, 0, 0, 31, data), CL_INVALID_VALUE);
  EXPECT_EQ(readRect(z, z, r, 0, 0, 16, 65, data), CL_INVALID_VALUE);
  for (int i = 0; i < 3; ++i) {
    Triple empty = region;
    empty[i] = 0;
    EXPECT_EQ(readRect(z, z, empty.data(), 0, 0, 0, 0, data), CL_INVALID_VALUE);
    for (const size_t huge : {kSize, SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 32 + 1}) {
      Triple far{};
      far[i] = huge;
      EXPECT_EQ(readRect(far.data(), z, r, 0, 0, 0, 0, data), CL_INVALID_VALUE) << i;
      Triple wide = region;
      wide[i] = huge;
      EXPECT_EQ(readRect(z, z, wide.data(), 0, 0, 0, 0, data), CL_INVALID_VALUE) << i;
    }
  }
  // The last byte of the last row may be the buffer's last.
  const Triple lastFit{kSize - 8 - 3 * 8 - 32, 0, 0}, tooFar{kSize - 8 - 3 * 8 - 32 + 1, 0, 0};
  EXPECT_EQ(readRect(lastFit.data(), z, r, 0, 0, 0, 0, data), CL_SUCCESS);
  EXPECT_EQ(readRect(tooFar.data(), z, r, 0, 0, 0, 0, data), CL_INVALID_VALUE);

  const auto copyRect = [&](Triple from, Triple to, Triple box, size_t rowPitch, size_t slicePitch,
                            size_t toRowPitch) {
    return clEnqueueCopyBufferRect(queue, buffer, buffer, from.data(), to.data(), box.data(),
                                   rowPitch, slicePitch, toRowPitch, 0, 0, nullptr, nullptr);
  };
  EXPECT_EQ(copyRect({}, {16, 0, 0}, {8, 4, 1}, 32, 0, 64), CL_INVALID_VALUE);
  EXPECT_EQ(copyRect({}, {8, 0, 0}, {8, 4, 1}, 32, 0, 32), CL_SUCCESS);
  EXPECT_EQ(copyRect({}, {7, 0, 0}, {8, 4, 1}, 32, 0, 32), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copyRect({}, {0, 4, 0}, {8, 4, 1}, 32, 0, 32), CL_SUCCESS);
  EXPECT_EQ(copyRect({}, {0, 3, 0}, {8, 4, 1}, 32, 0, 32), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copyRect({}, {}, {8, 4, 1}, 32, 0, 32), CL_MEM_COPY_OVERLAP);
}

TEST_F(EnqueueRulesTest, NativeKernels) {
  const auto function = [](void*) {};
  cl_mem memory = buffer;
  char storage[48];
  char(&arguments)[32] = *reinterpret_cast<char(*)[32]>(storage + 8);
  const void* place = arguments + 8;
  const void* beyond = storage + 8 + 28;
  const void* before = storage;
  cl_mem wrong = reinterpret_cast<cl_mem>(queue.get());
  cl_mem other = foreign;
  const struct {
    void(CL_CALLBACK* function)(void*);
    void* arguments;
    size_t size;
    cl_uint count;
    const cl_mem* list;
    const void** places;
    cl_int code;
  } rows[] = {
      {function, nullptr, 0, 0, nullptr, nullptr, CL_SUCCESS},
      {function, arguments, sizeof arguments, 1, &memory, &place, CL_SUCCESS},
      {nullptr, nullptr, 0, 0, nullptr, nullptr, CL_INVALID_VALUE},
      {function, nullptr, 8, 0, nullptr, nullptr, CL_INVALID_VALUE},
      {function, arguments, 0, 0, nullptr, nullptr, CL_INVALID_VALUE},
      {function, nullptr, 0, 1, &memory, &place, CL_INVALID_VALUE},
      {function, arguments, sizeof arguments, 1, nullptr, &place, CL_INVALID_VALUE},
      {function, arguments, sizeof arguments, 1, &memory, nullptr, CL_INVALID_VALUE},
      {function, arguments, sizeof arguments, 0, &memory, nullptr, CL_INVALID_VALUE},
      {function, arguments, sizeof arguments, 0, nullptr, &place, CL_INVALID_VALUE},
      {function, arguments, sizeof arguments, 1, &memory, &beyond, CL_INVALID_VALUE},
      {function, arguments, sizeof arguments, 1, &memory, &before, CL_INVALID_VALUE},
      {function, arguments, sizeof arguments, 1, &wrong, &place, CL_INVALID_MEM_OBJECT},
      {function, arguments, sizeof arguments, 1, &other, &place, CL_INVALID_CONTEXT},
  };
  int index = 0;
  for (const auto& row : rows)
    EXPECT_EQ(clEnqueueNativeKernel(queue, row.function, row.arguments, row.size, row.count,
                                    row.list, row.places, 0, nullptr, nullptr),
              row.code)
        << "row " << index++;
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(EnqueueRulesTest, WaitLists) {
  const Triple zero{}, one{4, 2, 2};
  const int pattern = 7;
  cl_mem memory = buffer;
  const std::vector<EnqueueCall> calls{
      {"ReadBuffer", CL_COMMAND_READ_BUFFER,
       [&](auto q, auto count, auto* list, auto* event) {
         return clEnqueueReadBuffer(q, buffer, CL_FALSE, 0, kSize, host.data(), count, list, event);
       }},
      {"WriteBuffer", CL_COMMAND_WRITE_BUFFER,
       [&](auto q, auto count, auto* list, auto* event) {
         return clEnqueueWriteBuffer(q, buffer, CL_FALSE, 0, kSize, host.data(), count, list,
                                     event);
       }},
      {"CopyBuffer", CL_COMMAND_COPY_BUFFER,
       [&](auto q, auto count, auto* list, auto* event) {
         return clEnqueueCopyBuffer(q, buffer, second, 0, 0, kSize, count, list, event);
       }},
      {"FillBuffer", CL_COMMAND_FILL_BUFFER,
       [&](auto q, auto count, auto* list, auto* event) {
         return clEnqueueFillBuffer(q, buffer, &pattern, 4, 0, kSize, count, list, event);
       }},
      {"ReadBufferRect", CL_COMMAND_READ_BUFFER_RECT,
       [&](auto q, auto count, auto* list, auto* event) {
         return clEnqueueReadBufferRect(q, buffer, CL_FALSE, zero.data(), zero.data(), one.data(),
                                        0, 0, 0, 0, host.data(), count, list, event);
       }},
      {"WriteBufferRect", CL_COMMAND_WRITE_BUFFER_RECT,
       [&](auto q, auto count, auto* list, auto* event) {
         return clEnqueueWriteBufferRect(q, buffer, CL_FALSE, zero.data(), zero.data(), one.data(),
                                         0, 0, 0, 0, host.data(), count, list, event);
       }},
      {"CopyBufferRect", CL_COMMAND_COPY_BUFFER_RECT,
       [&](auto q, auto count, auto* list, auto* event) {
         return clEnqueueCopyBufferRect(q, buffer, second, zero.data(), zero.data(), one.data(), 0,
                                        0, 0, 0, count, list, event);
       }},
      {"MapBuffer", CL_COMMAND_MAP_BUFFER,
       [&](auto q, auto count, auto* list, auto* event) {
         cl_int error = CL_SUCCESS;
         clEnqueueMapBuffer(q, buffer, CL_FALSE, CL_MAP_READ, 0, kSize, count, list, event, &error);
         return error;
       }},
      {"UnmapMemObject", CL_COMMAND_UNMAP_MEM_OBJECT,
       [&](auto q, auto count, auto* list, auto* event) {
         void* const pointer = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, kSize, 0,
                                                  nullptr, nullptr, nullptr);
         return clEnqueueUnmapMemObject(q, buffer, pointer, count, list, event);
       }},
      {"MigrateMemObjects", CL_COMMAND_MIGRATE_MEM_OBJECTS,
       [&](auto q, auto count, auto* list, auto* event) {
         return clEnqueueMigrateMemObjects(q, 1, &memory, 0, count, list, event);
       }},
      {"Marker", CL_COMMAND_MARKER,
       [&](auto q, auto count, auto* list, auto* event) {
         return clEnqueueMarkerWithWaitList(q, count, list, event);
       }},
      {"Barrier", CL_COMMAND_BARRIER,
       [&](auto q, auto count, auto* list, auto* event) {
         return clEnqueueBarrierWithWaitList(q, count, list, event);
       }},
      {"NativeKernel", CL_COMMAND_NATIVE_KERNEL,
       [&](auto q, auto count, auto* list, auto* event) {
         return clEnqueueNativeKernel(
             q, [](void*) {}, nullptr, 0, 0, nullptr, nullptr, count, list, event);
       }},
  };
  for (const EnqueueCall& call : calls) {
    checkWaitListErrors(call, context, queue);
    checkWaitListOrder(call, context, queue);
    const QueueHolder outOfOrder = makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    checkWaitListOrder(call, context, outOfOrder);
  }
}

}  // namespace
}  // namespace weft::test
