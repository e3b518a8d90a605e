// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cl_khr_external_memory: bad input, and the rules of its commands.
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>

#include "api/command_buffer/fixture.h"
#include "support/external_memory.h"
#include "support/image_description.h"
#include "support/wait_list.h"
#include "weft/khr/immutable_memory.h"

namespace weft::test {
namespace {

constexpr size_t kBytes = 10000;
constexpr cl_mem_properties kType = CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR;

class ExternalMemoryRules : public testing::Test {
 protected:
  /// The code of a buffer that must not be made; the descriptor must stay the test's.
  cl_int bufferError(const Properties& list, cl_mem_flags flags = 0, size_t size = kBytes,
                     void* pointer = nullptr) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(clCreateBufferWithProperties(context, list.data(), flags, size, pointer, &error),
              nullptr);
    EXPECT_TRUE(isOpen(file)) << "a call that failed has closed it";
    EXPECT_EQ(sharedMappings(), 1u);
    return error;
  }
  cl_int imageError(const Properties& list, const cl_image_desc& description,
                    cl_mem_flags flags = 0, void* pointer = nullptr) {
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(clCreateImageWithProperties(context, list.data(), flags, &format, &description,
                                          pointer, &error),
              nullptr);
    EXPECT_TRUE(isOpen(file));
    EXPECT_EQ(sharedMappings(), 1u);
    return error;
  }
  void TearDown() override { close(file); }

  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
  SharedMemory memory{kBytes};
  int file = memory.handle();
  Properties good = importOf(kType, file);
  cl_mem_properties self = reinterpret_cast<cl_mem_properties>(device());
};

TEST_F(ExternalMemoryRules, Properties) {
  const auto fd = static_cast<cl_mem_properties>(file);
  const auto list = khr::kMemDeviceHandleList;
  const auto other = reinterpret_cast<cl_mem_properties>(context.get());
  const struct {
    Properties properties;
    cl_int code;
  } rows[] = {
      {{kType, fd, kType, fd, 0}, CL_INVALID_PROPERTY},
      {{CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, fd, 0}, CL_INVALID_PROPERTY},
      {{kType, fd, 0x7777, 1, 0}, CL_INVALID_PROPERTY},
      {{CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_WIN32_KHR, fd, 0}, CL_INVALID_PROPERTY},
      {{list, self, 0, 0}, CL_INVALID_PROPERTY},
      {{kType, fd, list, self, 0, list, self, 0, 0}, CL_INVALID_PROPERTY},
      {{kType, fd, list, 0, 0}, CL_INVALID_DEVICE},
      {{kType, fd, list, other, 0, 0}, CL_INVALID_DEVICE},
      {{list, self, 12345, 0, kType, fd, 0}, CL_INVALID_DEVICE},
      {{kType, ~cl_mem_properties{0}, 0}, CL_INVALID_PROPERTY},
      {{kType, fd + (cl_mem_properties{1} << 32), 0}, CL_INVALID_PROPERTY},
      {{kType, 1000000, 0}, CL_INVALID_PROPERTY},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(bufferError(row.properties), row.code) << &row - rows;
    EXPECT_EQ(imageError(row.properties, describe(CL_MEM_OBJECT_IMAGE2D, 8, 8)), row.code)
        << &row - rows;
  }
  // The order of properties does not matter, nor do repeated devices.
  const Properties odd{list, self, self, 0, kType, fd, 0};
  const MemoryHolder buffer = importBuffer(context, odd, kBytes);
  file = memory.handle();
}

TEST_F(ExternalMemoryRules, FlagsPointersAndSizes) {
  char host[kBytes];
  cl_ulong most = 0;
  ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr),
            CL_SUCCESS);
  for (const cl_mem_flags flag : {CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR, CL_MEM_COPY_HOST_PTR})
    for (void* const pointer : {static_cast<void*>(nullptr), static_cast<void*>(host)}) {
      EXPECT_EQ(bufferError(good, flag, kBytes, pointer), CL_INVALID_VALUE);
      EXPECT_EQ(imageError(good, describe(CL_MEM_OBJECT_IMAGE1D, 8), flag, pointer),
                CL_INVALID_VALUE);
    }
  EXPECT_EQ(bufferError(good, 0, kBytes, host), CL_INVALID_HOST_PTR);
  EXPECT_EQ(imageError(good, describe(CL_MEM_OBJECT_IMAGE1D, 8), 0, host), CL_INVALID_HOST_PTR);
  EXPECT_EQ(bufferError(good, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY), CL_INVALID_VALUE);
  EXPECT_EQ(bufferError(good, khr::kMemImmutable | CL_MEM_READ_WRITE), CL_INVALID_VALUE);
  EXPECT_EQ(bufferError(good, 0, 0), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(bufferError(good, 0, kBytes + 1), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(bufferError(good, 0, static_cast<size_t>(most) + 1), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(bufferError(good, 0, SIZE_MAX), CL_INVALID_BUFFER_SIZE);
}

TEST_F(ExternalMemoryRules, ImageDescriptors) {
  EXPECT_EQ(imageError(good, describe(CL_MEM_OBJECT_IMAGE2D, 50, 51)), CL_INVALID_IMAGE_SIZE)
      << "it is larger than the memory";
  EXPECT_EQ(imageError(good, describe(CL_MEM_OBJECT_IMAGE2D, 0, 51)), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(imageError(good, describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, 8)),
            CL_INVALID_IMAGE_DESCRIPTOR);
  cl_image_desc pitched = describe(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  for (const size_t pitch : {31, 33}) {
    pitched.image_row_pitch = pitch;
    EXPECT_EQ(imageError(good, pitched), CL_INVALID_IMAGE_DESCRIPTOR) << pitch;
  }
  pitched.image_row_pitch = SIZE_MAX - 3;
  EXPECT_EQ(imageError(good, pitched), CL_INVALID_IMAGE_DESCRIPTOR);
  cl_image_desc levels = describe(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  levels.num_mip_levels = 3;
  EXPECT_EQ(imageError(good, levels), CL_INVALID_IMAGE_DESCRIPTOR);
  const MemoryHolder below(clCreateBuffer(context, 0, kBytes, nullptr, nullptr));
  cl_image_desc two = describe(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  two.mem_object = below;
  EXPECT_EQ(imageError(good, two), CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_F(ExternalMemoryRules, DescriptorsThatCannotBeMapped) {
  int pipes[2], sockets[2];
  ASSERT_EQ(pipe(pipes), 0);
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  const int zeros = open("/dev/zero", O_RDWR), folder = open("/", O_RDONLY);
  const int readable = memory.handle(O_RDONLY), writable = memory.handle(O_WRONLY);
  for (const int wrong : {pipes[0], pipes[1], sockets[0], zeros, folder, readable, writable}) {
    const Properties list = importOf(kType, wrong);
    EXPECT_EQ(bufferError(list), CL_INVALID_PROPERTY) << wrong;
    EXPECT_EQ(bufferError(list, CL_MEM_READ_ONLY), CL_INVALID_PROPERTY)
        << "commands may write to it: " << wrong;
    EXPECT_EQ(imageError(list, describe(CL_MEM_OBJECT_IMAGE2D, 8, 8)), CL_INVALID_PROPERTY)
        << wrong;
    EXPECT_TRUE(isOpen(wrong));
  }
  EXPECT_EQ(bufferError(importOf(kType, writable), khr::kMemImmutable), CL_INVALID_PROPERTY);
  for (const int given :
       {pipes[0], pipes[1], sockets[0], sockets[1], zeros, folder, readable, writable})
    close(given);
}

TEST_F(ExternalMemoryRules, SealedMemoryIsNotWritten) {
  const int sealed = memfd_create("sealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  ASSERT_EQ(ftruncate(sealed, kBytes), 0);
  ASSERT_EQ(fcntl(sealed, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK), 0);
  EXPECT_EQ(bufferError(importOf(kType, sealed)), CL_INVALID_PROPERTY);
  const MemoryHolder buffer =
      importBuffer(context, importOf(kType, sealed), kBytes, khr::kMemImmutable);
}

TEST_F(ExternalMemoryRules, TerminatedContextsLeaveTheDescriptor) {
  const auto terminate = extensionFunction<clTerminateContextKHR_fn>("clTerminateContextKHR");
  const cl_context_properties list[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
  const cl_device_id on = device();
  context = ContextHolder(clCreateContext(list, 1, &on, nullptr, nullptr, nullptr));
  ASSERT_EQ(terminate(context), CL_SUCCESS);
  EXPECT_EQ(bufferError(good), CL_CONTEXT_TERMINATED_KHR);
}

using Enqueue = clEnqueueAcquireExternalMemObjectsKHR_fn;

TEST_F(ExternalMemoryRules, Commands) {
  const MemoryHolder buffer = importBuffer(context, good, kBytes);
  file = memory.handle();
  const MemoryHolder plain(clCreateBuffer(context, 0, 64, nullptr, nullptr));
  const ContextHolder other = makeContext();
  const MemoryHolder foreign = importBuffer(other, importOf(kType, memory.handle()), kBytes);
  const cl_mem one[] = {buffer}, mixed[] = {buffer, plain}, null[] = {buffer, nullptr},
               abroad[] = {foreign}, wrong[] = {reinterpret_cast<cl_mem>(queue.get())};
  for (const Enqueue call : {externalMemory().acquire, externalMemory().release}) {
    const bool acquires = call == externalMemory().acquire;
    const auto code = [&](cl_uint count, const cl_mem* list) {
      return call(queue, count, list, 0, nullptr, nullptr);
    };
    EXPECT_EQ(code(0, one), CL_INVALID_VALUE);
    EXPECT_EQ(code(1, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(code(2, mixed), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(code(2, null), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(code(1, wrong), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(code(1, abroad), CL_INVALID_CONTEXT);
    const EventHolder failed = makeUserEvent(context);
    EXPECT_EQ(clSetUserEventStatus(failed, -5), CL_SUCCESS);
    const cl_event before = failed;
    EXPECT_EQ(call(queue, 1, one, 1, &before, nullptr),
              CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    for (const cl_uint count : {0u, 1u}) {
      const EnqueueCall bound{
          acquires ? "acquire" : "release",
          cl_command_type(acquires ? CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR
                                   : CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR),
          [&](cl_command_queue on, cl_uint waits, const cl_event* list, cl_event* event) {
            return call(on, count, count ? one : nullptr, waits, list, event);
          }};
      checkWaitListErrors(bound, context, queue);
      checkWaitListOrder(bound, context, queue);
    }
  }
}

TEST_F(ExternalMemoryRules, CommandsHaveTimes) {
  const QueueHolder profiling = makeQueue(context, CL_QUEUE_PROFILING_ENABLE);
  const MemoryHolder buffer = importBuffer(context, good, kBytes);
  file = memory.handle();
  const cl_mem one = buffer;
  cl_event handle = nullptr;
  EXPECT_EQ(externalMemory().acquire(profiling, 1, &one, 0, nullptr, &handle), CL_SUCCESS);
  const EventHolder event(handle);
  EXPECT_EQ(clFinish(profiling), CL_SUCCESS);
  cl_ulong last = 0;
  for (const cl_profiling_info name : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                       CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END}) {
    cl_ulong time = 0;
    EXPECT_EQ(clGetEventProfilingInfo(event, name, sizeof time, &time, nullptr), CL_SUCCESS);
    EXPECT_GE(time, last);
    last = time;
  }
}

TEST_F(ExternalMemoryRules, DevicesOfTheList) {
  const cl_device_partition_property scheme[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[2] = {};
  if (clCreateSubDevices(device(), scheme, 2, parts, nullptr) != CL_SUCCESS)
    GTEST_SKIP() << "the device has no parts";
  context = ContextHolder(clCreateContext(nullptr, 2, parts, nullptr, nullptr, nullptr));
  const auto first = reinterpret_cast<cl_mem_properties>(parts[0]);
  EXPECT_EQ(bufferError({kType, good[1], khr::kMemDeviceHandleList, self, 0, 0}), CL_INVALID_DEVICE)
      << "the context has only its parts";
  const MemoryHolder buffer =
      importBuffer(context, {kType, good[1], khr::kMemDeviceHandleList, first, 0, 0}, kBytes);
  file = memory.handle();
  const cl_mem one = buffer;
  for (const cl_device_id part : parts) {
    const QueueHolder on(clCreateCommandQueueWithProperties(context, part, nullptr, nullptr));
    const cl_int expected = part == parts[0] ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
    EXPECT_EQ(externalMemory().acquire(on, 1, &one, 0, nullptr, nullptr), expected);
    EXPECT_EQ(externalMemory().release(on, 1, &one, 0, nullptr, nullptr), expected);
  }
  EXPECT_EQ(externalMemory().acquire(queue, 1, &one, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE)
      << "the object's context has not the queue's device";
  for (const cl_device_id part : parts) EXPECT_EQ(clReleaseDevice(part), CL_SUCCESS);
}

TEST_F(ExternalMemoryRules, CommandBuffersUseIt) {
  const MemoryHolder buffer = importBuffer(context, good, kBytes);
  file = memory.handle();
  const CommandBufferApi& api = commandBufferApi();
  const cl_command_queue on = queue;
  const CommandBufferHolder recorded(api.clCreateCommandBufferKHR(1, &on, nullptr, nullptr));
  const unsigned char pattern = 0x3C;
  EXPECT_EQ(api.clCommandFillBufferKHR(recorded, nullptr, nullptr, buffer, &pattern, 1, 0, kBytes,
                                       0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(api.clFinalizeCommandBufferKHR(recorded), CL_SUCCESS);
  acquire(queue, buffer);
  EXPECT_EQ(api.clEnqueueCommandBufferKHR(0, nullptr, recorded, 0, nullptr, nullptr), CL_SUCCESS);
  release(queue, buffer);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(std::count(memory.data(), memory.data() + kBytes, pattern), std::ptrdiff_t{kBytes});
}

/// A dma-buf of the system, of that many bytes; none where it has no maker of them.
int makeDmaBuf(size_t bytes) {
  if (const int heap = open("/dev/dma_heap/system", O_RDWR | O_CLOEXEC); heap >= 0) {
    dma_heap_allocation_data request{};
    request.len = bytes;
    request.fd_flags = O_RDWR | O_CLOEXEC;
    const bool made = ioctl(heap, DMA_HEAP_IOCTL_ALLOC, &request) == 0;
    close(heap);
    if (made) return static_cast<int>(request.fd);
  }
  const int maker = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
  if (maker < 0) return -1;
  const int below = memfd_create("dma-buf", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  udmabuf_create request{};
  request.memfd = static_cast<__u32>(below);
  request.flags = UDMABUF_FLAGS_CLOEXEC;
  request.size = bytes;
  int made = -1;
  if (ftruncate(below, static_cast<off_t>(bytes)) == 0 &&
      fcntl(below, F_ADD_SEALS, F_SEAL_SHRINK) == 0)
    made = ioctl(maker, UDMABUF_CREATE, &request);
  close(below);
  close(maker);
  return made;
}

TEST_F(ExternalMemoryRules, DmaBufsOfTheSystem) {
  constexpr size_t kSize = 64 << 10;
  const int made = makeDmaBuf(kSize);
  if (made < 0) GTEST_SKIP() << "the system makes no dma-bufs";
  auto* const shared = static_cast<unsigned char*>(
      mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED, made, 0));
  ASSERT_NE(shared, MAP_FAILED);
  EXPECT_EQ(bufferError(importOf(kType, made), 0, kSize + 1), CL_INVALID_BUFFER_SIZE);
  const size_t files = openFiles();
  MemoryHolder buffer = importBuffer(context, importOf(kType, made), kSize);
  const unsigned char pattern = 0x6B;
  acquire(queue, buffer);
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, &pattern, 1, 0, kSize, 0, nullptr, nullptr),
            CL_SUCCESS);
  release(queue, buffer);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(std::count(shared, shared + kSize, pattern), std::ptrdiff_t{kSize});
  EXPECT_EQ(openFiles(), files);
  buffer.reset();
  EXPECT_EQ(openFiles(), files - 1);
  munmap(shared, kSize);
}

}  // namespace
}  // namespace weft::test
