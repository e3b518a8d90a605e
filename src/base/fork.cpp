// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/fork.h"

#include <pthread.h>

#include <array>
#include <ranges>

#include "base/object_mutex.h"
#include "weft/support/log.h"
#include "weft/support/mutex.h"

namespace weft {
namespace {

/// Held from the first preparation to the end of a fork, since the C library lets two threads run
/// fork handlers at once.
constinit Mutex forkMutex;
constinit std::array<ForkParticipant*, kForkParticipants> participants{};  ///< null until enlisted
constinit ObjectSections objects;
constinit bool handlersRegistered = false;

auto enlisted() {
  return participants | std::views::filter([](ForkParticipant* p) { return p != nullptr; });
}

void prepareFork() noexcept WEFT_NO_TSA {
  forkMutex.lock();
  for (ForkParticipant* participant : enlisted()) participant->prepareFork();
}

void afterForkInParent() noexcept WEFT_NO_TSA {
  for (ForkParticipant* participant : enlisted() | std::views::reverse)
    participant->afterForkInParent();
  forkMutex.unlock();
}

void afterForkInChild() noexcept WEFT_NO_TSA {
  for (ForkParticipant* participant : enlisted() | std::views::reverse)
    participant->afterForkInChild();
  forkMutex.unlock();
}

void registerHandlers() noexcept {
  if (handlersRegistered) return;
  handlersRegistered = true;
  participants[static_cast<size_t>(ForkOrder::Objects)] = &objects;
  // Without memory for the handlers a child that uses OpenCL is on its own.
  if (pthread_atfork(prepareFork, afterForkInParent, afterForkInChild) != 0)
    log::write(log::Level::Warning, "no memory for fork handlers");
}

}  // namespace

NoFork::NoFork() noexcept WEFT_NO_TSA { forkMutex.lock(); }

NoFork::~NoFork() WEFT_NO_TSA { forkMutex.unlock(); }

void NoFork::enlist(ForkParticipant& participant, ForkOrder place) noexcept {
  registerHandlers();
  participants[static_cast<size_t>(place)] = &participant;
}

}  // namespace weft
