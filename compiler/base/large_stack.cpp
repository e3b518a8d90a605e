// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/large_stack.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "weft/support/mutex.h"

namespace weft::compiler {
namespace {

struct Stack {
  void* memory = nullptr;
  size_t bytes = 0;
};

/// Reserved, with a page that nobody can touch at its end; pages cost memory when touched.
Stack reserve(std::span<const size_t> sizes) {
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  for (const size_t bytes : sizes) {
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) continue;
    if (::mprotect(memory, page, PROT_NONE) == 0) return {memory, bytes};
    ::munmap(memory, bytes);
  }
  return {};
}

struct Call {
  const std::function<void(size_t)>* function;
  size_t bytes;
  ucontext_t caller;
  ucontext_t callee;
};

thread_local Call* currentCall = nullptr;

void enter() { (*currentCall->function)(currentCall->bytes); }

}  // namespace

bool callOnLargeStack(std::span<const size_t> sizes, const std::function<void(size_t)>& function) {
  static Mutex mutex;
  static Stack stack;
  MutexLock lock(mutex);
  if (!stack.memory) stack = reserve(sizes);
  if (!stack.memory) return false;
  Call call{&function, stack.bytes, {}, {}};
  if (::getcontext(&call.callee) != 0) return false;
  call.callee.uc_stack.ss_sp = stack.memory;
  call.callee.uc_stack.ss_size = stack.bytes;
  call.callee.uc_link = &call.caller;
  ::makecontext(&call.callee, &enter, 0);
  currentCall = &call;
  const bool called = ::swapcontext(&call.caller, &call.callee) == 0;
  currentCall = nullptr;
  ::madvise(stack.memory, stack.bytes, MADV_DONTNEED);
  return called;
}

}  // namespace weft::compiler
