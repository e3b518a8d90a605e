// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/fork.h"
#include "weft/support/mutex.h"

namespace weft {

class ActiveBuild;

/// The builds under way on any thread. A fork() leaves their threads behind: in the child they end
/// as failed, so that no program stays in progress for ever, and their callbacks do not run.
///
/// Ownership: borrows the builds, which leave before they end. Threads: any.
class BuildRegistry final : public ForkParticipant {
 public:
  static constexpr ForkOrder kForkOrder = ForkOrder::Builds;
  static BuildRegistry& instance() noexcept;

  void enter(ActiveBuild& build) noexcept WEFT_EXCLUDES(mutex_);
  void leave(ActiveBuild& build) noexcept WEFT_EXCLUDES(mutex_);

  void prepareFork() noexcept override WEFT_NO_TSA;
  void afterForkInParent() noexcept override WEFT_NO_TSA;
  void afterForkInChild() noexcept override WEFT_NO_TSA;

 private:
  Mutex mutex_;
  ActiveBuild* first_ WEFT_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace weft
