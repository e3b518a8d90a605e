// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "support/info_query.h"
#include "support/objects.h"
#include "support/svm.h"

namespace weft::test {
namespace {

class SvmAllocation : public testing::Test {
 protected:
  template <class T>
  static T info(cl_mem memory, cl_mem_info name) {
    return infoValue<T>([&](size_t size, void* value, size_t* sizeRet) {
      return clGetMemObjectInfo(memory, name, size, value, sizeRet);
    });
  }
  cl_int migrate(const void* pointer, size_t size) {
    return clEnqueueSVMMigrateMem(queue, 1, &pointer, &size, 0, 0, nullptr, nullptr);
  }

  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
};

TEST_F(SvmAllocation, DeviceReportsEverything) {
  cl_device_svm_capabilities all = 0;
  EXPECT_EQ(clGetDeviceInfo(device(), CL_DEVICE_SVM_CAPABILITIES, sizeof all, &all, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(all, cl_device_svm_capabilities{
                     CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                     CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS});
}

TEST_F(SvmAllocation, TakesEveryFlagAlignmentAndSize) {
  for (const cl_svm_mem_flags access :
       {0, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY}) {
    for (const cl_svm_mem_flags sharing :
         {0, CL_MEM_SVM_FINE_GRAIN_BUFFER, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS}) {
      void* const pointer = clSVMAlloc(context, access | sharing, 100, 0);
      EXPECT_NE(pointer, nullptr) << (access | sharing);
      clSVMFree(context, pointer);
    }
  }
  for (cl_uint alignment = 0; alignment <= 128; alignment = alignment ? alignment * 2 : 1) {
    for (const size_t size : {size_t{1}, size_t{127}, size_t{4097}, size_t{3} << 20}) {
      auto* const pointer = static_cast<char*>(clSVMAlloc(context, 0, size, alignment));
      ASSERT_NE(pointer, nullptr);
      // 0 asks for the alignment of the largest type.
      EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % (alignment ? alignment : 128), 0u);
      std::memset(pointer, 1, size);
      clSVMFree(context, pointer);
    }
  }
}

TEST_F(SvmAllocation, GivesNullForBadArguments) {
  cl_ulong most = 0;
  ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr),
            CL_SUCCESS);
  const struct {
    cl_svm_mem_flags flags;
    size_t size;
    cl_uint alignment;
  } rows[] = {
      {CL_MEM_SVM_ATOMICS, 64, 0},
      {CL_MEM_READ_WRITE | CL_MEM_SVM_ATOMICS, 64, 0},
      {CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, 64, 0},
      {CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY, 64, 0},
      {CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0},
      {CL_MEM_USE_HOST_PTR, 64, 0},
      {CL_MEM_ALLOC_HOST_PTR, 64, 0},
      {CL_MEM_HOST_NO_ACCESS, 64, 0},
      {cl_svm_mem_flags{1} << 40, 64, 0},
      {CL_MEM_READ_WRITE, 0, 0},
      {CL_MEM_READ_WRITE, static_cast<size_t>(most) + 1, 0},
      {CL_MEM_READ_WRITE, SIZE_MAX, 0},
      {CL_MEM_READ_WRITE, 64, 3},
      {CL_MEM_READ_WRITE, 64, 96},
      {CL_MEM_READ_WRITE, 64, 256},
      {CL_MEM_READ_WRITE, 64, 1u << 31},
  };
  for (const auto& row : rows)
    EXPECT_EQ(clSVMAlloc(context, row.flags, row.size, row.alignment), nullptr)
        << row.flags << ' ' << row.size << ' ' << row.alignment;
  EXPECT_EQ(clSVMAlloc(nullptr, CL_MEM_READ_WRITE, 64, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(reinterpret_cast<cl_context>(queue.get()), 0, 64, 0), nullptr);
}

TEST_F(SvmAllocation, FreesOnlyWhatIsItsOwn) {
  const ContextHolder other = makeContext();
  SvmArray<char> memory(context, 64);
  char plain = 0;
  clSVMFree(context, nullptr);
  clSVMFree(context, &plain);
  clSVMFree(nullptr, memory.data());
  clSVMFree(other, memory.data());
  clSVMFree(context, memory.data() + 1);
  EXPECT_EQ(migrate(memory.data(), 64), CL_SUCCESS);
  clSVMFree(context, memory.data());
  EXPECT_EQ(migrate(memory.data(), 64), CL_INVALID_VALUE);
  clSVMFree(context, memory.release());  // not known any more
}

TEST_F(SvmAllocation, OutlivesTheContextsHandle) {
  ContextHolder shortLived = makeContext();
  static std::atomic<int> destroyed;
  destroyed = 0;
  ASSERT_EQ(clSetContextDestructorCallback(
                shortLived, [](cl_context, void*) { ++destroyed; }, nullptr),
            CL_SUCCESS);
  const cl_context handle = shortLived;
  auto* const memory = static_cast<char*>(clSVMAlloc(handle, 0, 4096, 0));
  shortLived.reset();
  std::memset(memory, 7, 4096);
  EXPECT_EQ(destroyed, 0);
  clSVMFree(handle, memory);
  while (destroyed == 0) std::this_thread::yield();
}

TEST_F(SvmAllocation, MigrationKnowsRanges) {
  const SvmArray<char> memory(context, 1000);
  const SvmArray<char> second(context, 10);
  EXPECT_EQ(migrate(memory.data() + 10, 990), CL_SUCCESS);
  EXPECT_EQ(migrate(memory.data() + 10, 991), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(memory.data() + 10, SIZE_MAX), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(memory.data() + 999, 0), CL_SUCCESS);
  EXPECT_EQ(migrate(memory.data() - 1, 1), CL_INVALID_VALUE);
  char plain = 0;
  EXPECT_EQ(migrate(&plain, 1), CL_INVALID_VALUE);
  const ContextHolder other = makeContext();
  const SvmArray<char> foreign(other, 10);
  EXPECT_EQ(migrate(foreign.data(), 1), CL_INVALID_VALUE);
  const void* pointers[] = {memory.data(), second.data() + 9};
  const size_t sizes[] = {0, 2};
  EXPECT_EQ(clEnqueueSVMMigrateMem(queue, 2, pointers, sizes, 0, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(
      clEnqueueSVMMigrateMem(queue, 2, pointers, nullptr,
                             CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED,
                             0, nullptr, nullptr),
      CL_SUCCESS);
}

TEST_F(SvmAllocation, BuffersOverSvm) {
  const SvmArray<char> memory(context, 1024);
  const auto make = [&](cl_mem_flags flags, size_t size, void* pointer, cl_int expected) {
    cl_int error = CL_INVALID_OPERATION;
    MemoryHolder buffer(clCreateBuffer(context, flags, size, pointer, &error));
    EXPECT_EQ(error, expected) << flags << ' ' << size;
    return buffer;
  };
  const MemoryHolder buffer = make(CL_MEM_USE_HOST_PTR, 1024, memory.data(), CL_SUCCESS);
  EXPECT_EQ(info<cl_bool>(buffer, CL_MEM_USES_SVM_POINTER), cl_bool{CL_TRUE});
  EXPECT_EQ(info<void*>(buffer, CL_MEM_HOST_PTR), memory.data());
  const cl_buffer_region region{256, 128};
  const MemoryHolder sub(
      clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  EXPECT_EQ(info<cl_bool>(sub, CL_MEM_USES_SVM_POINTER), cl_bool{CL_TRUE});
  EXPECT_EQ(info<void*>(sub, CL_MEM_HOST_PTR), memory.data() + 256);
  const MemoryHolder inner = make(CL_MEM_USE_HOST_PTR, 512, memory.data() + 512, CL_SUCCESS);
  EXPECT_EQ(info<cl_bool>(inner, CL_MEM_USES_SVM_POINTER), cl_bool{CL_TRUE});
  const MemoryHolder copied = make(CL_MEM_COPY_HOST_PTR, 1024, memory.data(), CL_SUCCESS);
  EXPECT_EQ(info<cl_bool>(copied, CL_MEM_USES_SVM_POINTER), cl_bool{CL_FALSE});
  char plain[16];
  const MemoryHolder ordinary = make(CL_MEM_USE_HOST_PTR, 16, plain, CL_SUCCESS);
  EXPECT_EQ(info<cl_bool>(ordinary, CL_MEM_USES_SVM_POINTER), cl_bool{CL_FALSE});

  make(CL_MEM_USE_HOST_PTR, 1025, memory.data(), CL_INVALID_BUFFER_SIZE);
  make(CL_MEM_COPY_HOST_PTR, 1025, memory.data(), CL_INVALID_BUFFER_SIZE);
  make(CL_MEM_USE_HOST_PTR, 513, memory.data() + 512, CL_INVALID_BUFFER_SIZE);

  // One storage: what is written through the buffer is there at the address.
  const char value = 42;
  EXPECT_EQ(clEnqueueFillBuffer(queue, sub, &value, 1, 0, 128, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(std::count(memory.begin() + 256, memory.begin() + 384, value), 128);
}

TEST_F(SvmAllocation, ManyThreads) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 300;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int id = 0; id < kThreads; ++id) {
    threads.emplace_back([&, id] {
      const QueueHolder own = makeQueue(context);
      std::vector<unsigned char*> held;
      for (int round = 0; round < kRounds; ++round) {
        const size_t size = 1 + static_cast<size_t>((id * 7919 + round * 104729) % 9000);
        auto* const memory = static_cast<unsigned char*>(clSVMAlloc(context, 0, size, 0));
        memory[0] = memory[size - 1] = static_cast<unsigned char>(id);
        const void* last = memory + size - 1;
        const size_t sizes[] = {1, 2};
        wrong +=
            clEnqueueSVMMigrateMem(own, 1, &last, &sizes[0], 0, 0, nullptr, nullptr) != CL_SUCCESS;
        wrong += clEnqueueSVMMigrateMem(own, 1, &last, &sizes[1], 0, 0, nullptr, nullptr) !=
                 CL_INVALID_VALUE;
        held.push_back(memory);
        if (held.size() < 8) continue;
        wrong += held.front()[0] != id;
        void* oldest[] = {held.front()};
        held.erase(held.begin());
        if (round % 2 == 0) {
          clSVMFree(context, oldest[0]);
        } else {
          wrong +=
              clEnqueueSVMFree(own, 1, oldest, nullptr, nullptr, 0, nullptr, nullptr) != CL_SUCCESS;
        }
      }
      wrong += clFinish(own) != CL_SUCCESS;
      for (void* memory : held) clSVMFree(context, memory);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(SvmAllocation, ForkedChildHasTheRegistry) {
  const SvmArray<int> memory(context, 100);
  memory[0] = 5;
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop) clSVMFree(context, clSVMAlloc(context, 0, 256, 0));
  });
  for (int round = 0; round < 5; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(60);  // ends a child that hangs
      const bool known = migrate(memory.data(), memory.bytes()) == CL_SUCCESS;
      void* const own = clSVMAlloc(context, 0, 1 << 20, 0);
      clSVMFree(context, own);
      _exit(known && own != nullptr && memory[0] == 5 ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  stop = true;
  busy.join();
}

}  // namespace
}  // namespace weft::test
