// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_executor.h"

#include <algorithm>

#include "backend/backend.h"
#include "base/handle.h"
#include "weft/compiler/binary_tag.h"
#include "weft/compiler/il_support.h"

namespace weft {

const void* const kDispatchTable = nullptr;

namespace runtime {
std::unique_ptr<Executor> createExecutor(const ExecutorOptions&) {
  return std::make_unique<fake::FakeExecutor>();
}
}  // namespace runtime

namespace compiler {
const std::string& binaryTag(CpuLevel) {
  static const std::string tag = "fake";
  return tag;
}
const IlSupport& ilSupport() noexcept {
  static constexpr IlSupport kNone;
  return kNone;
}
std::unique_ptr<Compiler> createCompiler(CompilerOptions) { return nullptr; }
}  // namespace compiler

namespace fake {

class FakeExecutor::NoSlot final : public runtime::Slot {
 public:
  bool runPart(const runtime::KernelLaunch&, size_t, runtime::Job&) noexcept override {
    return true;
  }
  unsigned index() const noexcept override { return 0; }
};

void FakeExecutor::submit(runtime::Job& job, runtime::Urgency urgency) noexcept {
  MutexLock lock(mutex_);
  (urgency == runtime::Urgency::Now ? urgent_ : lazy_).push_back(&job);
}

void FakeExecutor::kick() noexcept {
  MutexLock lock(mutex_);
  urgent_.insert(urgent_.end(), lazy_.begin(), lazy_.end());
  lazy_.clear();
}

bool FakeExecutor::help(runtime::Job& job) noexcept {
  {
    MutexLock lock(mutex_);
    if (std::erase(lazy_, &job) + std::erase(urgent_, &job) == 0) return false;
    ++helped_;
  }
  run(job);
  return true;
}

bool FakeExecutor::withdraw(runtime::Job& job) noexcept {
  MutexLock lock(mutex_);
  return std::erase(lazy_, &job) + std::erase(urgent_, &job) != 0;
}

void FakeExecutor::afterForkInChild() noexcept {
  MutexLock lock(mutex_);
  lazy_.clear();
  urgent_.clear();
}

size_t FakeExecutor::lazy() const {
  MutexLock lock(mutex_);
  return lazy_.size();
}

size_t FakeExecutor::urgent() const {
  MutexLock lock(mutex_);
  return urgent_.size();
}

size_t FakeExecutor::helped() const {
  MutexLock lock(mutex_);
  return helped_;
}

bool FakeExecutor::runOne() {
  runtime::Job* job = nullptr;
  {
    MutexLock lock(mutex_);
    if (urgent_.empty()) return false;
    job = urgent_.front();
    urgent_.pop_front();
  }
  run(*job);
  return true;
}

void FakeExecutor::runAll() {
  do kick();
  while (runOne());
}

void FakeExecutor::run(runtime::Job& job) {
  NoSlot slot;
  const size_t parts = job.parts;
  job.started();
  for (size_t part = 0; part < parts; ++part) job.runPart(part, slot);
  job.finished();
}

FakeExecutor& executor() { return static_cast<FakeExecutor&>(Backend::instance().executor()); }

}  // namespace fake
}  // namespace weft
