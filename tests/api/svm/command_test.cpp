// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of shared virtual memory: what they do, their errors, and the rules of wait lists.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "support/objects.h"
#include "support/svm.h"
#include "support/wait_list.h"

namespace weft::test {
namespace {

class SvmCommand : public testing::Test {
 protected:
  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
  SvmArray<int> memory{context, 1024};
  SvmArray<int> second{context, 1024};
};

TEST_F(SvmCommand, CopiesBetweenAllKindsOfMemory) {
  std::vector<int> host(1024);
  std::iota(host.begin(), host.end(), 1);
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_FALSE, memory.data(), host.data(), memory.bytes(), 0,
                               nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_FALSE, second.data() + 1, memory.data() + 1,
                               memory.bytes() - 8, 0, nullptr, nullptr),
            CL_SUCCESS);
  std::vector<int> result(1022);
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, result.data(), second.data() + 1, 1022 * sizeof(int),
                               0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_TRUE(std::equal(result.begin(), result.end(), host.begin() + 1));
  // Ranges that touch do not overlap.
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, memory.data() + 512, memory.data(),
                               512 * sizeof(int), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(memory[1023], 512);
  EXPECT_EQ(
      clEnqueueSVMMemcpy(queue, CL_TRUE, memory.data(), memory.data(), 0, 0, nullptr, nullptr),
      CL_SUCCESS);
}

TEST_F(SvmCommand, LargeCopyAndFillAreWhole) {
  constexpr size_t kCount = size_t{2} << 20;
  const SvmArray<cl_uint> source(context, kCount);
  const SvmArray<cl_uint> target(context, kCount);
  std::iota(source.begin(), source.end(), 3u);
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, target.data(), source.data(), source.bytes(), 0,
                               nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_TRUE(std::equal(source.begin(), source.end(), target.begin()));
  const cl_uint pattern = 0x01020304;
  EXPECT_EQ(clEnqueueSVMMemFill(queue, target.data() + 1, &pattern, 4, target.bytes() - 8, 0,
                                nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(std::count(target.begin(), target.end(), pattern), static_cast<long>(kCount) - 2);
  EXPECT_EQ(target[0], 3u);
  EXPECT_EQ(target[kCount - 1], kCount + 2);
}

TEST_F(SvmCommand, CopyErrors) {
  const auto copy = [&](void* to, const void* from, size_t size) {
    return clEnqueueSVMMemcpy(queue, CL_TRUE, to, from, size, 0, nullptr, nullptr);
  };
  EXPECT_EQ(copy(nullptr, memory.data(), 4), CL_INVALID_VALUE);
  EXPECT_EQ(copy(memory.data(), nullptr, 4), CL_INVALID_VALUE);
  EXPECT_EQ(copy(memory.data(), memory.data(), 1), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(memory.data(), memory.data() + 1, 5), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(memory.data() + 1, memory.data(), 5), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(memory.data() + 1, memory.data(), SIZE_MAX), CL_MEM_COPY_OVERLAP);
}

TEST_F(SvmCommand, FillErrors) {
  const char pattern[256] = {};
  const auto fill = [&](void* to, const void* from, size_t patternSize, size_t size) {
    return clEnqueueSVMMemFill(queue, to, from, patternSize, size, 0, nullptr, nullptr);
  };
  EXPECT_EQ(fill(nullptr, pattern, 4, 8), CL_INVALID_VALUE);
  EXPECT_EQ(fill(memory.data() + 1, pattern, 8, 8), CL_INVALID_VALUE);
  EXPECT_EQ(fill(memory.data(), nullptr, 4, 8), CL_INVALID_VALUE);
  EXPECT_EQ(fill(memory.data(), pattern, 0, 8), CL_INVALID_VALUE);
  EXPECT_EQ(fill(memory.data(), pattern, 3, 9), CL_INVALID_VALUE);
  EXPECT_EQ(fill(memory.data(), pattern, 256, 256), CL_INVALID_VALUE);
  EXPECT_EQ(fill(memory.data(), pattern, 8, 12), CL_INVALID_VALUE);
  for (size_t patternSize = 1; patternSize <= 128; patternSize *= 2)
    EXPECT_EQ(fill(memory.data(), pattern, patternSize, 256), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(SvmCommand, MapAndUnmapErrors) {
  const auto map = [&](cl_map_flags flags, void* pointer, size_t size) {
    return clEnqueueSVMMap(queue, CL_TRUE, flags, pointer, size, 0, nullptr, nullptr);
  };
  EXPECT_EQ(map(CL_MAP_READ, nullptr, 4), CL_INVALID_VALUE);
  EXPECT_EQ(map(CL_MAP_READ, memory.data(), 0), CL_INVALID_VALUE);
  EXPECT_EQ(map(cl_map_flags{1} << 20, memory.data(), 4), CL_INVALID_VALUE);
  EXPECT_EQ(map(CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, memory.data(), 4), CL_INVALID_VALUE);
  for (const cl_map_flags flags :
       {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}) {
    EXPECT_EQ(map(flags, memory.data(), 4), CL_SUCCESS);
    EXPECT_EQ(clEnqueueSVMUnmap(queue, memory.data(), 0, nullptr, nullptr), CL_SUCCESS);
  }
  EXPECT_EQ(clEnqueueSVMUnmap(queue, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(SvmCommand, MapSeesWhatWasEnqueuedBefore) {
  const EventHolder gate = makeUserEvent(context);
  const cl_event list[] = {gate};
  const int one = 1;
  std::fill(memory.begin(), memory.end(), 0);
  EXPECT_EQ(clEnqueueSVMMemFill(queue, memory.data(), &one, 4, memory.bytes(), 1, list, nullptr),
            CL_SUCCESS);
  cl_event handle = nullptr;
  EXPECT_EQ(clEnqueueSVMMap(queue, CL_FALSE, CL_MAP_READ, memory.data(), memory.bytes(), 0, nullptr,
                            &handle),
            CL_SUCCESS);
  const EventHolder mapped(handle);
  EXPECT_EQ(memory[0], 0);
  EXPECT_GT(executionStatus(mapped), CL_COMPLETE);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &handle), CL_SUCCESS);
  EXPECT_EQ(std::count(memory.begin(), memory.end(), 1), 1024);
  EXPECT_EQ(clEnqueueSVMUnmap(queue, memory.data(), 0, nullptr, nullptr), CL_SUCCESS);
}

TEST_F(SvmCommand, MigrationErrors) {
  const void* pointers[] = {memory.data()};
  const auto migrate = [&](cl_uint count, const void** list, cl_mem_migration_flags flags) {
    return clEnqueueSVMMigrateMem(queue, count, list, nullptr, flags, 0, nullptr, nullptr);
  };
  EXPECT_EQ(migrate(0, pointers, 0), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(1, nullptr, 0), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(1, pointers, 4), CL_INVALID_VALUE);
}

TEST_F(SvmCommand, FreeErrors) {
  void* pointers[] = {memory.data()};
  EXPECT_EQ(clEnqueueSVMFree(queue, 0, pointers, nullptr, nullptr, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMFree(queue, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMFree(queue, 0, nullptr, nullptr, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
}

TEST_F(SvmCommand, FreeTakesItsPlaceInTheQueue) {
  const EventHolder gate = makeUserEvent(context);
  const cl_event list[] = {gate};
  void* pointers[] = {clSVMAlloc(context, 0, 64, 0), clSVMAlloc(context, 0, 1 << 20, 0)};
  const void* const last = static_cast<char*>(pointers[1]) + (1 << 20) - 1;
  const auto known = [&](cl_command_queue on) {
    const size_t size = 1;
    const void* pointer = last;
    return clEnqueueSVMMigrateMem(on, 1, &pointer, &size, 0, 0, nullptr, nullptr) == CL_SUCCESS;
  };
  const QueueHolder other = makeQueue(context);
  EXPECT_EQ(clEnqueueSVMFree(queue, 2, pointers, nullptr, nullptr, 1, list, nullptr), CL_SUCCESS);
  pointers[0] = pointers[1] = nullptr;  // the command has its own copy
  EXPECT_EQ(clFlush(queue), CL_SUCCESS);
  EXPECT_TRUE(known(other));
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_FALSE(known(other));
}

TEST_F(SvmCommand, FreeCallsTheApplication) {
  struct Call {
    cl_context context;
    cl_command_queue queue = nullptr;
    std::vector<void*> pointers;
    int valueThen = 0;
  } call{context, nullptr, {}, 0};
  std::vector<int> plain(4);
  void* pointers[] = {clSVMAlloc(context, 0, 64, 0), plain.data()};
  const int nine = 9;
  EXPECT_EQ(clEnqueueSVMMemFill(queue, pointers[0], &nine, 4, 64, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueSVMFree(
                queue, 2, pointers,
                [](cl_command_queue given, cl_uint count, void* list[], void* userData) {
                  auto& seen = *static_cast<Call*>(userData);
                  seen.queue = given;
                  seen.pointers.assign(list, list + count);
                  seen.valueThen = *static_cast<int*>(list[0]);
                  clSVMFree(seen.context, list[0]);
                },
                &call, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(call.queue, queue.get());
  EXPECT_EQ(call.pointers, std::vector<void*>(pointers, pointers + 2));
  EXPECT_EQ(call.valueThen, 9);
}

std::vector<EnqueueCall> svmCalls(int* memory, int* target) {
  const auto rule = [](cl_command_queue, cl_uint, void**, void*) {};
  return {
      {"clEnqueueSVMFree", CL_COMMAND_SVM_FREE,
       [=](cl_command_queue queue, cl_uint count, const cl_event* list, cl_event* event) {
         void* pointers[] = {memory};
         return clEnqueueSVMFree(queue, 1, pointers, rule, nullptr, count, list, event);
       }},
      {"clEnqueueSVMMemcpy", CL_COMMAND_SVM_MEMCPY,
       [=](cl_command_queue queue, cl_uint count, const cl_event* list, cl_event* event) {
         return clEnqueueSVMMemcpy(queue, CL_FALSE, target, memory, 64, count, list, event);
       }},
      {"clEnqueueSVMMemFill", CL_COMMAND_SVM_MEMFILL,
       [=](cl_command_queue queue, cl_uint count, const cl_event* list, cl_event* event) {
         const int zero = 0;
         return clEnqueueSVMMemFill(queue, memory, &zero, 4, 64, count, list, event);
       }},
      {"clEnqueueSVMMap", CL_COMMAND_SVM_MAP,
       [=](cl_command_queue queue, cl_uint count, const cl_event* list, cl_event* event) {
         return clEnqueueSVMMap(queue, CL_FALSE, CL_MAP_READ, memory, 64, count, list, event);
       }},
      {"clEnqueueSVMUnmap", CL_COMMAND_SVM_UNMAP,
       [=](cl_command_queue queue, cl_uint count, const cl_event* list, cl_event* event) {
         return clEnqueueSVMUnmap(queue, memory, count, list, event);
       }},
      {"clEnqueueSVMMigrateMem", CL_COMMAND_SVM_MIGRATE_MEM,
       [=](cl_command_queue queue, cl_uint count, const cl_event* list, cl_event* event) {
         const void* pointers[] = {memory};
         return clEnqueueSVMMigrateMem(queue, 1, pointers, nullptr, 0, count, list, event);
       }},
  };
}

TEST_F(SvmCommand, WaitLists) {
  const QueueHolder outOfOrder = makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (const EnqueueCall& call : svmCalls(memory.data(), second.data())) {
    checkWaitListErrors(call, context, queue);
    checkWaitListOrder(call, context, queue);
    checkWaitListOrder(call, context, outOfOrder);
  }
}

TEST_F(SvmCommand, BlockingCallsReportFailedWaits) {
  const EventHolder failed = makeUserEvent(context);
  EXPECT_EQ(clSetUserEventStatus(failed, -1), CL_SUCCESS);
  const cl_event list[] = {failed};
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, second.data(), memory.data(), 64, 1, list, nullptr),
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory.data(), 64, 1, list, nullptr),
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

}  // namespace
}  // namespace weft::test
