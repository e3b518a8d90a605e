// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pthread.h>
#include <signal.h>

#include <thread>
#include <utility>

namespace weft::runtime {

/// Starts a thread of ours inside somebody else's process: it takes none of the application's
/// signals, and debuggers show what it is for. Throws what std::thread throws.
template <class Function>
std::thread startServiceThread(const char* name, Function&& function) {
  sigset_t all, before;
  sigfillset(&all);
  // Faults of kernels still reach the application's handlers on this thread.
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS})
    sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  struct Restore {
    const sigset_t& mask;
    ~Restore() { pthread_sigmask(SIG_SETMASK, &mask, nullptr); }
  } restore{before};
  std::thread thread(std::forward<Function>(function));
  pthread_setname_np(thread.native_handle(), name);
  return thread;
}

}  // namespace weft::runtime
