// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernel is told of a dma-buf. Few systems let a test make one, so a memfd stands in: the
// functions of the C library by which it would differ are answered here.
#include <linux/dma-buf.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include <cerrno>
#include <cstdarg>
#include <mutex>

#include "support/external_memory.h"
#include "support/wait_list.h"
#include "weft/khr/immutable_memory.h"

namespace {

struct StandIn {
  std::mutex mutex;
  int file = -1;                   ///< the dma-buf
  std::vector<uint64_t> requests;  ///< flags of its ioctls
  std::vector<int> answers;        ///< errors of the first ones
} standIn;

}  // namespace

// Those of the executable come before the C library's for the library under test as well.
extern "C" __attribute__((visibility("default"))) int fstatfs(int file,
                                                              struct statfs* system) noexcept {
  const int result = static_cast<int>(syscall(SYS_fstatfs, file, system));
  const std::lock_guard lock(standIn.mutex);
  if (result == 0 && file == standIn.file) system->f_type = DMA_BUF_MAGIC;
  return result;
}

extern "C" __attribute__((visibility("default"))) int ioctl(int file, unsigned long request,
                                                            ...) noexcept {
  va_list arguments;
  va_start(arguments, request);
  void* const argument = va_arg(arguments, void*);
  va_end(arguments);
  if (request != DMA_BUF_IOCTL_SYNC)
    return static_cast<int>(syscall(SYS_ioctl, file, request, argument));
  const std::lock_guard lock(standIn.mutex);
  EXPECT_EQ(file, standIn.file);
  standIn.requests.push_back(static_cast<dma_buf_sync*>(argument)->flags);
  if (standIn.answers.empty()) return 0;
  errno = standIn.answers.front();
  standIn.answers.erase(standIn.answers.begin());
  return -1;
}

namespace weft::test {
namespace {

constexpr size_t kBytes = 5000;

class DmaBufSync : public testing::Test {
 protected:
  void SetUp() override {
    standIn.file = memory.handle();
    standIn.requests.clear();
    standIn.answers.clear();
  }
  void TearDown() override { standIn.file = -1; }
  MemoryHolder import(cl_mem_flags flags = 0) {
    return importBuffer(context, importOf(CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, standIn.file),
                        kBytes, flags);
  }
  /// How a command ends.
  cl_int statusOf(clEnqueueAcquireExternalMemObjectsKHR_fn call, cl_mem object) {
    cl_event handle = nullptr;
    EXPECT_EQ(call(queue, 1, &object, 0, nullptr, &handle), CL_SUCCESS);
    const EventHolder event(handle);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    return executionStatus(event);
  }

  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
  SharedMemory memory{kBytes};
};

using Requests = std::vector<uint64_t>;

TEST_F(DmaBufSync, SurroundsAccesses) {
  const MemoryHolder buffer = import();
  EXPECT_TRUE(standIn.requests.empty());
  EXPECT_EQ(statusOf(externalMemory().acquire, buffer), CL_COMPLETE);
  EXPECT_EQ(standIn.requests, Requests{DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW});
  EXPECT_EQ(statusOf(externalMemory().release, buffer), CL_COMPLETE);
  EXPECT_EQ(standIn.requests.back(), uint64_t{DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW});
  EXPECT_EQ(standIn.requests.size(), 2u);
}

TEST_F(DmaBufSync, SaysThatNothingIsWritten) {
  const MemoryHolder buffer = import(khr::kMemImmutable);
  EXPECT_EQ(statusOf(externalMemory().acquire, buffer), CL_COMPLETE);
  EXPECT_EQ(statusOf(externalMemory().release, buffer), CL_COMPLETE);
  EXPECT_EQ(standIn.requests, (Requests{DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ,
                                        DMA_BUF_SYNC_END | DMA_BUF_SYNC_READ}));
}

TEST_F(DmaBufSync, IsAskedForAgainAfterASignal) {
  const MemoryHolder buffer = import();
  standIn.answers = {EINTR, EAGAIN};
  EXPECT_EQ(statusOf(externalMemory().acquire, buffer), CL_COMPLETE);
  EXPECT_EQ(standIn.requests, Requests(3, DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW));
}

TEST_F(DmaBufSync, FailuresAreThoseOfTheCommand) {
  const MemoryHolder buffer = import();
  standIn.answers = {EIO};
  EXPECT_EQ(statusOf(externalMemory().acquire, buffer), CL_OUT_OF_RESOURCES);
  EXPECT_EQ(statusOf(externalMemory().release, buffer), CL_COMPLETE);
}

TEST_F(DmaBufSync, DoesNotRunAfterAFailure) {
  const MemoryHolder buffer = import();
  const EventHolder gate = makeUserEvent(context);
  const cl_event first = gate;
  const cl_mem one = buffer;
  EXPECT_EQ(externalMemory().acquire(queue, 1, &one, 1, &first, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, -5), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_TRUE(standIn.requests.empty());
}

TEST_F(DmaBufSync, KeepsTheDescriptorAsLongAsTheObject) {
  MemoryHolder buffer = import();
  EXPECT_TRUE(isOpen(standIn.file));
  EXPECT_EQ(statusOf(externalMemory().acquire, buffer), CL_COMPLETE);
  buffer.reset();
  EXPECT_FALSE(isOpen(standIn.file));
  EXPECT_EQ(sharedMappings(), 1u);
}

}  // namespace
}  // namespace weft::test
