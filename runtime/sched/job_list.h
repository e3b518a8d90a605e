// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "weft/runtime/executor.h"

namespace weft::runtime {

/// Jobs linked through Job::next_ and previous_, oldest first. A job is in one list at most.
class JobList {
 public:
  Job* first() const noexcept { return first_; }
  static Job* next(const Job& job) noexcept { return job.next_; }
  bool empty() const noexcept { return first_ == nullptr; }

  void push(Job& job) noexcept {
    job.next_ = nullptr;
    job.previous_ = last_;
    (last_ ? last_->next_ : first_) = &job;
    last_ = &job;
  }
  void remove(Job& job) noexcept {
    (job.previous_ ? job.previous_->next_ : first_) = job.next_;
    (job.next_ ? job.next_->previous_ : last_) = job.previous_;
  }

 private:
  Job* first_ = nullptr;
  Job* last_ = nullptr;
};

}  // namespace weft::runtime
