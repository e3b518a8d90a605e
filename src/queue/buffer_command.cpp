// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/buffer_command.h"

#include "platform/platform.h"
#include "queue/graph.h"

namespace weft {
namespace {

/// Up to here the calling thread does a transfer itself: less than it takes to hand it over when
/// the call returns at once, about what one thread does best when it has to wait anyway.
constexpr size_t kInPlace = size_t{16} << 10;
constexpr size_t kInPlaceBlocking = size_t{256} << 10;

}  // namespace

void MapCommand::releasePayload() noexcept {
  if (result() < 0) memory_->cancelMap(map_);
  memory_ = nullptr;
}

TransferCommand::TransferCommand(Queue& queue, cl_command_type type, const Transfer& transfer,
                                 Memory* first, Memory* second) noexcept
    : Command(queue, type, transfer.parts(queue.slots())),
      transfer_(transfer),
      first_(first),
      second_(second) {}

void TransferCommand::runPart(size_t part, runtime::Slot&) noexcept {
  if (!hasFailed()) transfer_.run(part, parts);
}

void TransferCommand::runInPlace() noexcept {
  beginInPlace();
  transfer_.run(0, 1);
  endInPlace();
}

void TransferCommand::releasePayload() noexcept {
  first_ = nullptr;
  second_ = nullptr;
}

Result<void> enqueueTransfer(Queue& queue, const EnqueueRequest& request, const Transfer& transfer,
                             Memory* first, Memory* second) {
  const size_t limit = request.blocking ? kInPlaceBlocking : kInPlace;
  const bool inPlace = transfer.size() <= limit && queue.isIdle(request.waits);
  if (inPlace && request.event == nullptr) {
    if (transfer.size() != 0) transfer.run(0, 1);
    return {};
  }
  auto command = makeRef<TransferCommand>(queue, request.type, transfer, first, second);
  if (inPlace && command->hasWork()) command->runInPlace();
  return Graph::instance().enqueue(std::move(command), request.waits, request.event,
                                   request.blocking);
}

Result<void> enqueueMap(Queue& queue, const EnqueueRequest& request, Memory& memory,
                        Memory::MapId map) {
  if (request.event == nullptr && queue.isIdle(request.waits)) return {};
  try {
    auto command = makeRef<MapCommand>(queue, request.type, memory, map);
    auto enqueued = Graph::instance().enqueue(std::move(command), request.waits, request.event,
                                              request.blocking);
    // The command itself may come to that only after the waiting caller has woken up.
    if (!enqueued) memory.cancelMap(map);
    return enqueued;
  } catch (...) {
    memory.cancelMap(map);
    throw;
  }
}

Result<void> enqueueEmpty(Queue& queue, const EnqueueRequest& request) {
  if (request.event == nullptr && queue.isIdle(request.waits)) return {};
  return Graph::instance().enqueue(makeRef<EmptyCommand>(queue, request.type), request.waits,
                                   request.event, request.blocking);
}

}  // namespace weft
