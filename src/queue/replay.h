// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/object_mutex.h"
#include "platform/device.h"
#include "queue/replay_plan.h"
#include "weft/runtime/executor.h"
#include "weft/support/mutex.h"
#include "weft/support/ref.h"

namespace weft {

class Command;
class ReplayPool;

/// One run of a command buffer's plan: the part of a command that lives while it runs.
///
/// *Members* are jobs of one part each: a thread that runs one takes segments that are ready, one
/// after the other, until none is left. A replay of small steps is one member and no other
/// traffic. More are submitted when what is ready is worth it, by the costs of earlier replays;
/// and a step that is large and has several parts becomes a job of its own, in which all workers
/// join, after which its segment is ready again with the steps that follow.
///
/// Segment: Waiting -> Ready (in the list) -> Running (taken by a member) -> Done; from Running
/// back to Ready after a while, or to Wide (a step of it is a job), and from there to Ready or
/// Done.
///
/// Ownership: from a pool, to which it goes back when the last reference is gone. The command holds
/// one, and so does every submitted job until it is finished: the command may complete while a
/// member that came too late still waits for its turn. What that member needs is held until then:
/// the plan, and the device with the slots that it waits for.
/// Threads: start() once for each run; all else from any thread. Nothing waits for anything here.
class Replay final : public RefCounted {
 public:
  Replay(Ref<ReplayPool> pool, Ref<const ReplayShape> shape, unsigned slots);

  /// Begins to run `plan` for `command`, whose started() and finished() say how it goes on.
  /// Pre: the plan has work and the shape of this.
  void start(Command& command, Ref<const ReplayPlan> plan, runtime::Executor& executor,
             runtime::Urgency urgency) noexcept WEFT_EXCLUDES(mutex_);
  /// Runs what is queued on the calling thread. False when there was nothing.
  bool help(runtime::Executor& executor) noexcept WEFT_EXCLUDES(mutex_);
  /// Takes the run back when it has not begun: the command will not be finished. False when it has,
  /// or when start() is still to come; its steps then look at Command::hasFailed().
  bool withdraw(runtime::Executor& executor) noexcept WEFT_EXCLUDES(mutex_);

 private:
  friend class ReplayPool;

  /// A thread's place in the replay.
  struct Member final : runtime::Job {
    void runPart(size_t part, runtime::Slot& slot) noexcept override;
    void started() noexcept override;
    void finished() noexcept override;
    void failed(runtime::FailureKind, std::string_view) noexcept override {}
    void printed(std::string_view) noexcept override {}

    Replay* replay = nullptr;
    Member* nextFree = nullptr;
    bool isFirst = false;    ///< its start is that of the command
    bool completes = false;  ///< it has run the last segment
    bool submitted = false;
  };

  /// The state of a segment, and the job of its step that is wide.
  struct SegmentRun final : runtime::Job {
    void runPart(size_t part, runtime::Slot& slot) noexcept override;
    void started() noexcept override {}
    void finished() noexcept override;
    void failed(runtime::FailureKind, std::string_view) noexcept override {}
    void printed(std::string_view) noexcept override {}

    Replay* replay = nullptr;
    uint32_t index = 0;
    uint32_t unmet = 0;
    uint32_t next = 0;       ///< the step to go on with
    size_t widePart = 0;     ///< first part of the wide step that is the job's
    uint32_t readyCost = 0;  ///< what it counts for while it is ready
    bool isWide = false;
    SegmentRun* nextReady = nullptr;
  };

  ~Replay() override = default;
  void destroy() const noexcept override;

  /// How a member leaves a segment.
  enum class Left : uint8_t {
    Done,    ///< at its end
    Wide,    ///< at a step that is a job now: it is out of the member's hands
    Paused,  ///< after a while, with steps left, so that the slot can go to something else
  };

  void work(Member& member, runtime::Slot& slot) noexcept WEFT_EXCLUDES(mutex_);
  /// Runs a segment's steps from `next` on.
  Left runSegment(SegmentRun& segment, runtime::Slot& slot) noexcept WEFT_EXCLUDES(mutex_);
  Left runSteps(SegmentRun& segment, runtime::Slot& slot) noexcept WEFT_EXCLUDES(mutex_);
  /// Runs a step of unknown cost; false when it has become wide.
  bool runUnknownStep(SegmentRun& segment, const Step& step, runtime::Slot& slot) noexcept;
  void makeWide(SegmentRun& segment, size_t firstPart) noexcept WEFT_EXCLUDES(mutex_);
  void memberFinished(Member& member) noexcept WEFT_EXCLUDES(mutex_);
  void wideFinished(SegmentRun& segment) noexcept WEFT_EXCLUDES(mutex_);

  void pushReady(SegmentRun& segment) noexcept WEFT_REQUIRES(mutex_);
  SegmentRun* takeReady() noexcept WEFT_REQUIRES(mutex_);
  /// Sets free what comes after a segment. True when it was the last one of the replay.
  bool complete(SegmentRun& segment) noexcept WEFT_REQUIRES(mutex_);
  /// A member for what is ready and worth a thread; null when there is nothing, or none is free.
  Member* recruit() noexcept WEFT_REQUIRES(mutex_);
  Member* takeMember() noexcept WEFT_REQUIRES(mutex_);
  void giveMember(Member& member) noexcept WEFT_REQUIRES(mutex_);

  mutable Ref<ReplayPool> pool_;  ///< null while it is in the pool
  const Ref<const ReplayShape> shape_;
  const unsigned slots_;
  std::vector<SegmentRun> segments_;
  std::vector<Member> members_;
  mutable Replay* nextFree_ = nullptr;  ///< in the pool's list

  // Of one run; written by start().
  Command* command_ = nullptr;
  runtime::Executor* executor_ = nullptr;
  mutable Ref<Device> device_;
  mutable Ref<const ReplayPlan> plan_;

  Mutex mutex_;
  SegmentRun* firstReady_ WEFT_GUARDED_BY(mutex_) = nullptr;
  SegmentRun* lastReady_ WEFT_GUARDED_BY(mutex_) = nullptr;
  uint64_t readyCost_ WEFT_GUARDED_BY(mutex_) = 0;  ///< of the ready segments
  uint32_t left_ WEFT_GUARDED_BY(mutex_) = 0;       ///< segments that are not done
  uint32_t wide_ WEFT_GUARDED_BY(mutex_) = 0;
  Member* freeMembers_ WEFT_GUARDED_BY(mutex_) = nullptr;
  Member* first_ WEFT_GUARDED_BY(mutex_) = nullptr;  ///< until it runs
};

/// Replays of one command buffer that are not in use, so that an enqueue allocates nothing once
/// there have been as many at the same time before.
///
/// Ownership: shared by the command buffer and its replays. Threads: any.
class ReplayPool final : public RefCounted {
 public:
  ReplayPool(Ref<const ReplayShape> shape, unsigned slots) noexcept
      : shape_(std::move(shape)), slots_(slots) {}

  /// Throws std::bad_alloc.
  Ref<Replay> take() WEFT_EXCLUDES(mutex_);

 private:
  friend class Replay;
  ~ReplayPool() override;
  void give(const Replay& replay) noexcept WEFT_EXCLUDES(mutex_);

  const Ref<const ReplayShape> shape_;
  const unsigned slots_;
  ObjectMutex mutex_;
  Replay* free_ WEFT_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace weft
