// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/svm_commands.h"

#include "queue/buffer_command.h"
#include "validate/queue.h"
#include "validate/svm.h"

namespace weft::api {
namespace {

Result<EnqueueRequest> requestOf(const Queue& queue, const CommandArguments& arguments) {
  WEFT_TRY(const WaitList waits,
           validate::waitList(queue.context(), arguments.waitCount, arguments.waitList));
  return EnqueueRequest{arguments.type, arguments.blocking != CL_FALSE, waits, arguments.event};
}

/// Enqueues what validate::svm... found sound, or fails with what it found.
Result<void> enqueueChecked(const CommandArguments& arguments,
                            const Result<validate::CheckedTransfer>& checked) {
  WEFT_TRY(Queue * queue, validate::queue(arguments.queue));
  if (!checked) return fail(checked.error());
  WEFT_TRY(const EnqueueRequest request, requestOf(*queue, arguments));
  return enqueueTransfer(*queue, request, checked->transfer, nullptr);
}

}  // namespace

Result<void> enqueueMemcpy(const CommandArguments& arguments, void* target, const void* source,
                           size_t size) {
  return enqueueChecked(arguments, validate::svmMemcpy(target, source, size));
}

Result<void> enqueueMemFill(const CommandArguments& arguments, void* target, const void* pattern,
                            size_t patternSize, size_t size) {
  return enqueueChecked(arguments, validate::svmMemFill(target, pattern, patternSize, size));
}

Result<void> enqueueNoBytes(const CommandArguments& arguments, const Result<void>& checked) {
  WEFT_TRY(Queue * queue, validate::queue(arguments.queue));
  WEFT_TRY_VOID(checked);
  WEFT_TRY(const EnqueueRequest request, requestOf(*queue, arguments));
  return enqueueEmpty(*queue, request);
}

}  // namespace weft::api
