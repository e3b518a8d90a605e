// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "memory/memory.h"
#include "queue/command.h"
#include "queue/transfer.h"

namespace weft {

/// A command with nothing to run: markers, barriers, unmap, migration.
class EmptyCommand final : public Command {
 public:
  EmptyCommand(Queue& queue, cl_command_type type, Order order = Order::Free) noexcept
      : Command(queue, type, 0, order) {}

 private:
  ~EmptyCommand() override = default;
};

/// A map: host and device share the bytes, so there is nothing to run. Ends the mapping when the
/// command fails.
class MapCommand final : public Command {
 public:
  MapCommand(Queue& queue, cl_command_type type, Memory& memory, Memory::MapId map) noexcept
      : Command(queue, type, 0), memory_(&memory), map_(map) {}

 private:
  ~MapCommand() override = default;
  void releasePayload() noexcept override;
  void abandoned() noexcept override { memory_->cancelMap(map_); }

  Ref<Memory> memory_;
  Memory::MapId map_;
};

/// A read, write, copy or fill, with the memory objects it keeps alive.
class TransferCommand final : public Command {
 public:
  TransferCommand(Queue& queue, cl_command_type type, const Transfer& transfer, Memory* first,
                  Memory* second) noexcept;

  void runPart(size_t part, runtime::Slot& slot) noexcept override;
  /// Does the whole work on the calling thread. Before it is enqueued, instead of its run.
  void runInPlace() noexcept;

 private:
  ~TransferCommand() override = default;
  void releasePayload() noexcept override;

  Transfer transfer_;
  Ref<Memory> first_;
  Ref<Memory> second_;
};

/// What an application asks of one enqueue, besides the command itself.
struct EnqueueRequest {
  cl_command_type type;
  bool blocking = false;
  WaitList waits;
  cl_event* event = nullptr;
};

/// Enqueues a transfer; a small one on a queue that has nothing before it runs at once on the
/// calling thread. `first` and `second`, which may be null, are kept alive.
Result<void> enqueueTransfer(Queue& queue, const EnqueueRequest& request, const Transfer& transfer,
                             Memory* first, Memory* second = nullptr);

/// Enqueues the command of a map that Memory::addMap has given; cancels that map on failure.
Result<void> enqueueMap(Queue& queue, const EnqueueRequest& request, Memory& memory,
                        Memory::MapId map);

/// Enqueues a command that moves no bytes.
Result<void> enqueueEmpty(Queue& queue, const EnqueueRequest& request);

}  // namespace weft
