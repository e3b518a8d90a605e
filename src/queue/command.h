// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "queue/event.h"
#include "queue/queue.h"
#include "weft/runtime/executor.h"
#include "weft/support/mutex.h"

namespace weft {

/// A command of a queue: its event, its node in the graph and its job, in one object.
///
/// A kind of command derives from it, takes its payload in its constructor, sets Job::parts and
/// overrides runPart(). parts == 0 says that there is nothing to run: the command completes
/// as soon as its dependencies are met. Give it to Graph::enqueue, which may be done once.
///
/// Ownership: holds a Ref to its queue, and through it to the context. What the payload holds
/// is dropped by releasePayload(), so that an event kept by the application pins nothing.
/// Threads: as Job and Event.
class Command : public Event, public runtime::Job {
 public:
  /// How a command is ordered in an out-of-order queue.
  enum class Order : uint8_t {
    Free,     ///< after its wait list and the last barrier
    Marker,   ///< without a wait list: after every earlier command
    Barrier,  ///< as Marker, and every later command comes after it
  };

  /// `partCount` as Job::parts; 0 for nothing to run.
  Command(Queue& queue, cl_command_type type, size_t partCount, Order order = Order::Free) noexcept
      : Event(type), queue_(&queue), order_(order) {
    parts = partCount;
    placement = queue.placement();
    profiled_ = queue.profiling();
    if (profiled_) stamp(Stamp::Queued);
  }

  Context& context() const noexcept override { return queue_->context(); }
  Queue* queue() const noexcept override { return queue_.get(); }
  Command* command() noexcept override { return this; }
  bool hasWork() const noexcept { return parts != 0; }
  Order order() const noexcept { return order_; }
  /// Whether its run has ended abnormally already; what is left of it need not run.
  bool hasFailed() const noexcept { return failure_.load(std::memory_order_relaxed) != CL_SUCCESS; }
  /// For work that looks at it between its steps: CL_SUCCESS until then.
  const std::atomic<cl_int>& failure() const noexcept { return failure_; }

  /// Hands the work to the executor; the command is Ready. A command whose work is not one job,
  /// this one, overrides both.
  virtual void submitTo(runtime::Executor& executor, runtime::Urgency urgency) noexcept {
    executor.submit(*this, urgency);
  }
  /// Does some of the submitted work on the calling thread. False when there was none to be had.
  virtual bool helpWith(runtime::Executor& executor) noexcept { return executor.help(*this); }
  /// Takes back submitted work, unless some of it has begun: then what is left of it should look
  /// at hasFailed().
  virtual bool withdrawFrom(runtime::Executor& executor) noexcept {
    return executor.withdraw(*this);
  }

  void runPart(size_t part, runtime::Slot& slot) noexcept override {}
  void started() noexcept final {
    if (profiled_) stamp(Stamp::Started);
    // Either this sees that a callback is just being added, or Graph::addCallback sees the state.
    enter(EventState::Running, std::memory_order_seq_cst);
    if (hasCallbacks_.load(std::memory_order_seq_cst)) [[unlikely]]
      deliverCallbacks();
  }
  void finished() noexcept final;
  void failed(runtime::FailureKind kind, std::string_view message) noexcept final;
  void printed(std::string_view text) noexcept final;

 protected:
  ~Command() override = default;

  /// Ends the command with a negative code. From runPart; the first code wins.
  void fail(cl_int code) noexcept;

  /// Around work that the enqueueing thread does itself, before the command is enqueued. There is
  /// then nothing left to run.
  void beginInPlace() noexcept;
  void endInPlace() noexcept;

  /// The pool is done with the job. Whoever overrides it calls endRun() later.
  virtual void jobFinished() noexcept { endRun(); }
  /// Nothing of the command's run is left.
  void endRun() noexcept;
  /// The command is Ended: its own work is over, though not what it has begun. Once; endRun() does
  /// it for those that have not.
  void endWork() noexcept;

  /// Drops what the command kept alive for its run. Called once, after it is complete, with no
  /// lock held. Not called for commands that end through fork().
  virtual void releasePayload() noexcept {}

  /// Instead, for a command that ends through fork(): undoes what its enqueueing did to objects,
  /// and releases nothing. With the graph's lock held, in the child.
  virtual void abandoned() noexcept {}

 private:
  friend class Graph;

  /// Makes room for that many dependencies in all. Throws std::bad_alloc.
  void reserveDependencies(size_t count);
  void deliverCallbacks() noexcept;
  void writeOutput() noexcept;

  Ref<Queue> queue_;
  const Order order_;
  bool waitsForAll_ = false;  ///< a marker or barrier without a wait list
  bool waitFailed_ = false;   ///< an event of the wait list ended abnormally
  bool terminated_ = false;   ///< ended with its context, whatever it depends on
  std::atomic<cl_int> failure_{CL_SUCCESS};
  uint64_t sequence_ = 0;  ///< position in the queue's history
  uint32_t unmet_ = 0;
  uint32_t dependencyCount_ = 0;
  uint32_t metFirst_ = 0;     ///< dependencies that are met, counted from the first
  Command* older_ = nullptr;  ///< neighbours in the queue's list of incomplete commands
  Command* newer_ = nullptr;
  std::array<Dependency, 4> inlineDependencies_;
  Dependency* dependencies_ = inlineDependencies_.data();
  std::vector<Dependency> moreDependencies_;

  Mutex outputMutex_;
  std::string output_ WEFT_GUARDED_BY(outputMutex_);  ///< of printf, until the command ends
};

}  // namespace weft
