// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/replay.h"

namespace weft {

Replay::Replay(Ref<ReplayPool> pool, Ref<const runtime::StepGraph> graph, unsigned slots)
    : StepRun(std::move(graph), slots), pool_(std::move(pool)) {}

void Replay::start(Command& command, Ref<const runtime::StepPlan> plan, runtime::Executor& executor,
                   runtime::Urgency urgency) noexcept {
  device_ = Ref<Device>(&command.queue()->device());
  StepRun::start(command, command.failure(), std::move(plan), executor, urgency);
}

void Replay::destroy() const noexcept {
  release();
  device_ = nullptr;
  // The pool may go with this reference to it, and this replay with the pool.
  const Ref<ReplayPool> pool = std::move(pool_);
  pool->give(*this);
}

Ref<Replay> ReplayPool::take() {
  {
    ObjectLock lock(mutex_);
    if (Replay* const replay = free_) {
      free_ = std::exchange(replay->nextFree_, nullptr);
      replay->resurrect();
      replay->pool_ = Ref<ReplayPool>(this);
      return Ref<Replay>::adopt(replay);
    }
  }
  return makeRef<Replay>(Ref<ReplayPool>(this), graph_, slots_);
}

void ReplayPool::give(const Replay& replay) noexcept {
  ObjectLock lock(mutex_);
  replay.nextFree_ = std::exchange(free_, const_cast<Replay*>(&replay));
}

ReplayPool::~ReplayPool() {
  while (free_ != nullptr) delete std::exchange(free_, free_->nextFree_);
}

}  // namespace weft
