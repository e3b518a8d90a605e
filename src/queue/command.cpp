// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/command.h"

#include <cstdio>
#include <string>

#include "queue/graph.h"

namespace weft {
namespace {

/// Output of kernels beyond this is written before the command ends.
constexpr size_t kMaxHeldOutput = size_t{16} << 20;

void writeToStdout(std::string_view text) noexcept {
  // One call, which stdio makes whole with respect to other writers. Flushed, so that the text
  // is there when the application next looks at the file behind stdout.
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

cl_int failureCode(runtime::FailureKind kind) noexcept {
  switch (kind) {
    case runtime::FailureKind::BarrierDivergence:
      return CL_INVALID_KERNEL;
    case runtime::FailureKind::WaitFailed:
      return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    case runtime::FailureKind::OutOfResources:
    case runtime::FailureKind::WrongSlicing:
      return CL_OUT_OF_RESOURCES;
  }
  return CL_OUT_OF_RESOURCES;
}

}  // namespace

void Command::deliverCallbacks() noexcept { Graph::instance().started(*this); }

void Command::finished() noexcept { jobFinished(); }

void Command::endWork() noexcept {
  if (profiled_) {
    // What had nothing to run begins as it ends; what was run in place has its stamps.
    if (time(Stamp::Started) == 0) stamp(Stamp::Started);
    if (time(Stamp::Ended) == 0) stamp(Stamp::Ended);
  }
  enter(EventState::Ended);
}

void Command::endRun() noexcept {
  if (state() != EventState::Ended) endWork();
  writeOutput();
  Graph::instance().ended(*this, failure_.load(std::memory_order_relaxed));
}

void Command::beginInPlace() noexcept {
  if (!profiled_) return;
  stamp(Stamp::Submitted);
  stamp(Stamp::Started);
}

void Command::endInPlace() noexcept {
  if (profiled_) stamp(Stamp::Ended);
  parts = 0;
}

void Command::failed(runtime::FailureKind kind, std::string_view message) noexcept {
  cl_int none = CL_SUCCESS;
  const bool first = failure_.compare_exchange_strong(none, failureCode(kind));
  if (first) context().notify(message);
}

void Command::fail(cl_int code) noexcept {
  cl_int none = CL_SUCCESS;
  failure_.compare_exchange_strong(none, code);
}

void Command::printed(std::string_view text) noexcept {
  MutexLock lock(outputMutex_);
  try {
    if (output_.size() + text.size() <= kMaxHeldOutput) {
      output_.append(text);
      return;
    }
  } catch (...) {  // no memory to hold it: written at once, below
  }
  writeToStdout(output_);
  output_.clear();
  writeToStdout(text);
}

// All parts have ended, so nobody adds to the output any more.
void Command::writeOutput() noexcept WEFT_NO_TSA {
  if (output_.empty()) return;
  writeToStdout(output_);
  std::string().swap(output_);
}

void Command::reserveDependencies(size_t count) {
  if (count <= inlineDependencies_.size() || count <= moreDependencies_.size()) return;
  moreDependencies_.resize(count);
  dependencies_ = moreDependencies_.data();
}

}  // namespace weft
