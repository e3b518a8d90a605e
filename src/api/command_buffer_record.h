// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>

#include "queue/command_buffer.h"
#include "validate/command_buffer.h"
#include "validate/transfer.h"

/// What the recording functions of command buffers have in common.
namespace weft::khr {

using validate::RecordArguments;
using validate::Recording;

/// Appends a step and gives its sync point to the application. Gives its place in the recording.
inline Result<size_t> record(const Recording& recording, Ref<const Step> step,
                             CommandBuffer::Order order, cl_sync_point* syncPoint) {
  WEFT_TRY(const size_t place, recording.buffer.record(std::move(step), order, recording.waits));
  if (syncPoint) *syncPoint = static_cast<cl_sync_point>(place) + 1;
  return place;
}

/// Records a copy or fill; `check` gives its work for the context.
template <class Check>
Result<void> recordTransfer(const RecordArguments& arguments, Check&& check) {
  WEFT_TRY(const Recording recording, validate::plainRecording(arguments));
  WEFT_TRY(const validate::CheckedTransfer checked, check(recording.buffer.context()));
  auto step = makeRef<TransferStep>(checked.transfer, recording.buffer.queue().slots(),
                                    checked.first, checked.second);
  WEFT_TRY_VOID(
      record(recording, std::move(step), CommandBuffer::Order::Free, arguments.syncPoint));
  return {};
}

}  // namespace weft::khr
