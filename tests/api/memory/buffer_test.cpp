// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

#include "support/info_query.h"
#include "support/objects.h"
#include "support/sanitizers.h"

namespace weft::test {
namespace {

class BufferTest : public testing::Test {
 protected:
  MemoryHolder make(cl_mem_flags flags, size_t size, void* pointer = nullptr) {
    cl_int error = CL_INVALID_VALUE;
    MemoryHolder buffer(clCreateBuffer(context, flags, size, pointer, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return buffer;
  }
  MemoryHolder makeSub(cl_mem parent, cl_mem_flags flags, size_t origin, size_t size,
                       cl_int expected = CL_SUCCESS) {
    const cl_buffer_region region{origin, size};
    cl_int error = CL_INVALID_OPERATION;
    MemoryHolder buffer(
        clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    EXPECT_EQ(error, expected) << "flags " << flags << " origin " << origin << " size " << size;
    EXPECT_EQ(buffer.get() != nullptr, error == CL_SUCCESS);
    return buffer;
  }
  template <class T>
  static T info(cl_mem memory, cl_mem_info name) {
    return infoValue<T>([&](size_t size, void* value, size_t* sizeRet) {
      return clGetMemObjectInfo(memory, name, size, value, sizeRet);
    });
  }

  ContextHolder context = makeContext();
};

TEST_F(BufferTest, RefusesWhatTheSpecificationNames) {
  char host[64];
  cl_ulong most = 0;
  ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr),
            CL_SUCCESS);
  const struct {
    cl_mem_flags flags;
    size_t size;
    void* pointer;
    cl_int code;
  } rows[] = {
      {CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, 64, nullptr, CL_INVALID_VALUE},
      {CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY, 64, nullptr, CL_INVALID_VALUE},
      {CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, nullptr, CL_INVALID_VALUE},
      {CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 64, host, CL_INVALID_VALUE},
      {CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, host, CL_INVALID_VALUE},
      {CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, 64, nullptr, CL_INVALID_VALUE},
      {CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 64, nullptr, CL_INVALID_VALUE},
      {cl_mem_flags{1} << 40, 64, nullptr, CL_INVALID_VALUE},
      {CL_MEM_KERNEL_READ_AND_WRITE, 64, nullptr, CL_INVALID_VALUE},
      {0, 0, nullptr, CL_INVALID_BUFFER_SIZE},
      {0, SIZE_MAX, nullptr, CL_INVALID_BUFFER_SIZE},
      {0, static_cast<size_t>(most) + 1, nullptr, CL_INVALID_BUFFER_SIZE},
      {CL_MEM_USE_HOST_PTR, 64, nullptr, CL_INVALID_HOST_PTR},
      {CL_MEM_COPY_HOST_PTR, 64, nullptr, CL_INVALID_HOST_PTR},
      {CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 64, nullptr, CL_INVALID_HOST_PTR},
      {0, 64, host, CL_INVALID_HOST_PTR},
      {CL_MEM_ALLOC_HOST_PTR, 64, host, CL_INVALID_HOST_PTR},
  };
  for (const auto& row : rows) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(clCreateBuffer(context, row.flags, row.size, row.pointer, &error), nullptr);
    EXPECT_EQ(error, row.code) << "flags " << row.flags << " size " << row.size;
    EXPECT_EQ(
        clCreateBufferWithProperties(context, nullptr, row.flags, row.size, row.pointer, nullptr),
        nullptr);
  }
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateBuffer(nullptr, 0, 64, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  const cl_mem_properties unknown[] = {0x1234, 1, 0};
  EXPECT_EQ(clCreateBufferWithProperties(context, unknown, 0, 64, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROPERTY);
}

TEST_F(BufferTest, HandlesOfOtherKindsAreRefused) {
  for (const cl_mem wrong : {cl_mem{nullptr}, reinterpret_cast<cl_mem>(context.get())}) {
    cl_uint count = 0;
    EXPECT_EQ(clRetainMemObject(wrong), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(clReleaseMemObject(wrong), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(clGetMemObjectInfo(wrong, CL_MEM_REFERENCE_COUNT, sizeof count, &count, nullptr),
              CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(clSetMemObjectDestructorCallback(
                  wrong, [](cl_mem, void*) {}, nullptr),
              CL_INVALID_MEM_OBJECT);
    cl_int error = CL_SUCCESS;
    const cl_buffer_region region{0, 16};
    EXPECT_EQ(clCreateSubBuffer(wrong, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
  }
  const MemoryHolder buffer = make(0, 64);
  EXPECT_EQ(clSetMemObjectDestructorCallback(buffer, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetMemObjectInfo(buffer, 0x7777, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(BufferTest, AnswersEveryQuery) {
  alignas(128) static char host[1024];
  const MemoryHolder buffer = make(CL_MEM_USE_HOST_PTR | CL_MEM_HOST_READ_ONLY, 1024, host);
  EXPECT_EQ(info<cl_mem_object_type>(buffer, CL_MEM_TYPE), cl_uint{CL_MEM_OBJECT_BUFFER});
  EXPECT_EQ(info<cl_mem_flags>(buffer, CL_MEM_FLAGS),
            cl_mem_flags{CL_MEM_USE_HOST_PTR | CL_MEM_HOST_READ_ONLY | CL_MEM_READ_WRITE});
  EXPECT_EQ(info<size_t>(buffer, CL_MEM_SIZE), 1024u);
  EXPECT_EQ(info<void*>(buffer, CL_MEM_HOST_PTR), host);
  EXPECT_EQ(info<cl_uint>(buffer, CL_MEM_MAP_COUNT), 0u);
  EXPECT_EQ(info<cl_uint>(buffer, CL_MEM_REFERENCE_COUNT), 1u);
  EXPECT_EQ(info<cl_context>(buffer, CL_MEM_CONTEXT), context.get());
  EXPECT_EQ(info<cl_mem>(buffer, CL_MEM_ASSOCIATED_MEMOBJECT), nullptr);
  EXPECT_EQ(info<size_t>(buffer, CL_MEM_OFFSET), 0u);
  EXPECT_EQ(info<cl_bool>(buffer, CL_MEM_USES_SVM_POINTER), cl_bool{CL_FALSE});

  const MemoryHolder part = makeSub(buffer, CL_MEM_READ_ONLY, 128, 256);
  EXPECT_EQ(info<cl_mem>(part, CL_MEM_ASSOCIATED_MEMOBJECT), buffer.get());
  EXPECT_EQ(info<size_t>(part, CL_MEM_OFFSET), 128u);
  EXPECT_EQ(info<size_t>(part, CL_MEM_SIZE), 256u);
  EXPECT_EQ(info<void*>(part, CL_MEM_HOST_PTR), host + 128);
  EXPECT_EQ(info<cl_mem_flags>(part, CL_MEM_FLAGS),
            cl_mem_flags{CL_MEM_USE_HOST_PTR | CL_MEM_HOST_READ_ONLY | CL_MEM_READ_ONLY});
}

TEST_F(BufferTest, PropertiesAreGivenBack) {
  const auto list = [](cl_mem memory) {
    return infoList<cl_mem_properties>([&](size_t size, void* value, size_t* sizeRet) {
      return clGetMemObjectInfo(memory, CL_MEM_PROPERTIES, size, value, sizeRet);
    });
  };
  const cl_mem_properties empty[] = {0};
  const MemoryHolder without = make(0, 16);
  const MemoryHolder with(clCreateBufferWithProperties(context, empty, 0, 16, nullptr, nullptr));
  EXPECT_TRUE(list(without).empty());
  EXPECT_EQ(list(with), std::vector<cl_mem_properties>{0});
}

TEST_F(BufferTest, HostPointerFlagsDoWhatTheySay) {
  const QueueHolder queue = makeQueue(context);
  std::vector<unsigned char> host(300'000);
  std::iota(host.begin(), host.end(), 0);
  for (const size_t size : {size_t{1}, size_t{100}, size_t{5000}, host.size()}) {
    for (const cl_mem_flags flags :
         {cl_mem_flags{CL_MEM_COPY_HOST_PTR}, cl_mem_flags{CL_MEM_USE_HOST_PTR},
          cl_mem_flags{CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR}}) {
      const MemoryHolder buffer = make(flags, size, host.data());
      auto* const mapped = static_cast<unsigned char*>(clEnqueueMapBuffer(
          queue, buffer, CL_TRUE, CL_MAP_READ, 0, size, 0, nullptr, nullptr, nullptr));
      ASSERT_NE(mapped, nullptr);
      EXPECT_EQ(std::memcmp(mapped, host.data(), size), 0);
      if (flags & CL_MEM_USE_HOST_PTR) {
        EXPECT_EQ(mapped, host.data());
      } else {
        EXPECT_EQ(reinterpret_cast<uintptr_t>(mapped) % (size < 4096 ? 128 : 4096), 0u);
      }
      EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr), CL_SUCCESS);
    }
  }
}

TEST_F(BufferTest, SubBufferRules) {
  const MemoryHolder buffer = make(0, 1024);
  const MemoryHolder readOnly = make(CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, 1024);
  const MemoryHolder writeOnly = make(CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY, 1024);
  const MemoryHolder closed = make(CL_MEM_HOST_NO_ACCESS, 1024);

  makeSub(buffer, 0, 0, 1024);
  makeSub(buffer, 0, 896, 128);
  makeSub(buffer, 0, 0, 0, CL_INVALID_BUFFER_SIZE);
  makeSub(buffer, 0, 0, 1025, CL_INVALID_VALUE);
  makeSub(buffer, 0, 1024, 1, CL_INVALID_VALUE);
  makeSub(buffer, 0, 128, SIZE_MAX, CL_INVALID_VALUE);
  makeSub(buffer, 0, SIZE_MAX - 127, 256, CL_INVALID_VALUE);
  makeSub(buffer, 0, 64, 64, CL_MISALIGNED_SUB_BUFFER_OFFSET);
  for (const cl_mem_flags flags :
       {CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR, CL_MEM_COPY_HOST_PTR,
        CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS})
    makeSub(buffer, flags, 0, 128, CL_INVALID_VALUE);

  makeSub(readOnly, CL_MEM_READ_ONLY, 0, 128);
  makeSub(readOnly, CL_MEM_READ_WRITE, 0, 128, CL_INVALID_VALUE);
  makeSub(readOnly, CL_MEM_WRITE_ONLY, 0, 128, CL_INVALID_VALUE);
  makeSub(readOnly, CL_MEM_HOST_WRITE_ONLY, 0, 128, CL_INVALID_VALUE);
  makeSub(readOnly, CL_MEM_HOST_NO_ACCESS, 0, 128);
  makeSub(writeOnly, CL_MEM_READ_ONLY, 0, 128, CL_INVALID_VALUE);
  makeSub(writeOnly, CL_MEM_READ_WRITE, 0, 128, CL_INVALID_VALUE);
  makeSub(writeOnly, CL_MEM_HOST_READ_ONLY, 0, 128, CL_INVALID_VALUE);
  makeSub(closed, CL_MEM_HOST_READ_ONLY, 0, 128, CL_INVALID_VALUE);
  makeSub(closed, CL_MEM_HOST_WRITE_ONLY, 0, 128, CL_INVALID_VALUE);

  const MemoryHolder part = makeSub(buffer, 0, 0, 512);
  makeSub(part, 0, 0, 128, CL_INVALID_MEM_OBJECT);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  const cl_buffer_region region{0, 16};
  EXPECT_EQ(clCreateSubBuffer(buffer, 0, 0, &region, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
}

TEST_F(BufferTest, SubBufferSharesBytesAndOutlivesItsParentsHandle) {
  const QueueHolder queue = makeQueue(context);
  std::vector<unsigned char> data(1024);
  std::iota(data.begin(), data.end(), 0);
  MemoryHolder buffer = make(CL_MEM_COPY_HOST_PTR, data.size(), data.data());
  const MemoryHolder part = makeSub(buffer, 0, 256, 128);
  buffer.reset();
  std::vector<unsigned char> read(128);
  EXPECT_EQ(
      clEnqueueReadBuffer(queue, part, CL_TRUE, 0, read.size(), read.data(), 0, nullptr, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(std::memcmp(read.data(), data.data() + 256, read.size()), 0);
}

struct Order {
  std::atomic<int> calls{0};
  int seen[3]{};
};

TEST_F(BufferTest, DestructorCallbacksRunInReverseOrder) {
  Order order;
  struct Row {
    Order* order;
    int index;
  } rows[3];
  {
    const MemoryHolder buffer = make(0, 64);
    for (int i = 0; i < 3; ++i) {
      rows[i] = {&order, i};
      EXPECT_EQ(clSetMemObjectDestructorCallback(
                    buffer,
                    [](cl_mem memory, void* data) {
                      const Row& row = *static_cast<Row*>(data);
                      // The object may still be looked at, and even be retained for a while.
                      size_t size = 0;
                      EXPECT_EQ(
                          clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof size, &size, nullptr),
                          CL_SUCCESS);
                      EXPECT_EQ(size, 64u);
                      EXPECT_EQ(clRetainMemObject(memory), CL_SUCCESS);
                      EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
                      row.order->seen[row.index] = row.order->calls + 1;
                      ++row.order->calls;
                    },
                    &rows[i]),
                CL_SUCCESS);
    }
    EXPECT_EQ(order.calls, 0);
  }
  for (int i = 0; i < 5000 && order.calls < 3; ++i) usleep(1000);
  EXPECT_EQ(order.seen[0], 3);
  EXPECT_EQ(order.seen[1], 2);
  EXPECT_EQ(order.seen[2], 1);
}

TEST_F(BufferTest, OverReleaseIsAnError) {
  // The parent is kept alive by its sub-buffer, so its handle may still be looked at.
  const cl_mem parent = clCreateBuffer(context, 0, 1024, nullptr, nullptr);
  const MemoryHolder part = makeSub(parent, 0, 0, 128);
  EXPECT_EQ(clRetainMemObject(parent), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(parent), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(parent), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(parent), CL_INVALID_MEM_OBJECT);
}

// Kernels and programs that read what nobody has written give the same in each run.
TEST_F(BufferTest, NewBuffersAreZeros) {
  const QueueHolder queue = makeQueue(context);
  for (const size_t size : {size_t{4}, size_t{100}, size_t{5000}, size_t{200} << 10}) {
    for (int round = 0; round < 8; ++round) {
      const MemoryHolder buffer = make(CL_MEM_READ_WRITE, size);
      std::vector<char> bytes(size, 1);
      EXPECT_EQ(
          clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, bytes.data(), 0, nullptr, nullptr),
          CL_SUCCESS);
      EXPECT_EQ(bytes, std::vector<char>(size)) << size;
      const char used = 0x5a;
      EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, &used, 1, 0, size, 0, nullptr, nullptr),
                CL_SUCCESS);
      EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    }
  }
}

TEST_F(BufferTest, NoMemoryIsAnAllocationFailure) {
  const size_t size = size_t{1} << 30;
  cl_ulong most = 0;
  ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr),
            CL_SUCCESS);
  if (most < size) GTEST_SKIP() << "the device is too small";
  if (kSanitizer) GTEST_SKIP() << "sanitizers need the address space";
  const pid_t child = fork();
  if (child == 0) {
    long pages = 0;
    if (FILE* file = std::fopen("/proc/self/statm", "r")) {
      if (std::fscanf(file, "%ld", &pages) != 1) pages = 0;
      std::fclose(file);
    }
    const rlim_t limit = static_cast<rlim_t>(pages) * 4096 + (rlim_t{64} << 20);
    const rlimit space{limit, limit};
    setrlimit(RLIMIT_AS, &space);
    cl_int error = CL_SUCCESS;
    const bool refused = clCreateBuffer(context, 0, size, nullptr, &error) == nullptr;
    _exit(refused && error == CL_MEM_OBJECT_ALLOCATION_FAILURE ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace weft::test
