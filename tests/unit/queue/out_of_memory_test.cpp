// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left behind when memory runs out in the middle of a call.
#include <cstdlib>
#include <new>
#include <thread>

#include "graph_fixture.h"
#include "support/sanitizers.h"

// Sanitizers have an operator new of their own, which cannot be replaced everywhere.
#if !WEFT_SANITIZER

namespace {

/// Whether operator new fails on this thread: only for little, so that the fake executor, which may
/// not fail, keeps its own.
thread_local bool noMemory = false;
constexpr size_t kLittle = 64;

}  // namespace

// In place of those of the library, for the whole test program.
void* operator new(size_t size) {
  if (noMemory && size <= kLittle) throw std::bad_alloc();
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace weft::test {
namespace {

using OutOfMemoryTest = GraphTest;

// A blocking call that has enqueued its command must wait for it to the end: when it returns, with
// whatever code, the application's memory is the application's.
TEST_F(OutOfMemoryTest, BlockingReadDoesNotLeaveItsCommandBehind) {
  const QueueHolder queue = makeQueue(context, kOutOfOrder);
  std::vector<unsigned char> from(size_t{1} << 20, 7), to(from.size(), 0);
  const MemoryHolder buffer(
      clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, from.size(), from.data(), nullptr));
  // The waiting thread has something to remember: what stands before the read.
  const EventHolder first = enqueueWithEvent(queue, 'a');
  const cl_event before[] = {first};
  std::thread worker([&] {
    // Once the read has been enqueued.
    while (fake::executor().urgent() == 0) std::this_thread::yield();
    fake::executor().runAll();
    while (journal.names().empty()) std::this_thread::yield();
    fake::executor().runAll();
  });
  noMemory = true;
  const cl_int error =
      clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, to.size(), to.data(), 1, before, nullptr);
  noMemory = false;
  const std::vector<unsigned char> seen = to;
  fake::executor().kick();
  worker.join();
  fake::executor().runAll();
  EXPECT_TRUE(to == seen) << "written to after the call, which gave " << error;
  if (error == CL_SUCCESS) {
    EXPECT_TRUE(to == from);
  }
}

}  // namespace
}  // namespace weft::test

#endif
