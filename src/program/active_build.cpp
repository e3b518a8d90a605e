// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/active_build.h"

#include "base/process_wide.h"
#include "program/build_registry.h"

namespace weft {

ActiveBuild::ActiveBuild(Program& program, std::span<Device* const> devices)
    : program_(&program), devices_(devices.begin(), devices.end()) {}

Result<std::unique_ptr<ActiveBuild>> ActiveBuild::begin(Program& program,
                                                        std::span<Device* const> devices,
                                                        std::string_view options) {
  std::unique_ptr<ActiveBuild> build(new ActiveBuild(program, devices));
  // Before the devices are marked: a fork in between must find them.
  BuildRegistry::instance().enter(*build);
  WEFT_TRY_VOID(program.beginBuild(devices, options));
  build->begun_ = true;
  return build;
}

ActiveBuild::~ActiveBuild() {
  while (begun_ && next_ < devices_.size()) finishNext(nullptr, {});
  BuildRegistry::instance().leave(*this);
}

void ActiveBuild::finishNext(Ref<compiler::Program> code, std::string_view log) noexcept {
  program_->finishBuild(*devices_[next_++], std::move(code), log);
}

BuildRegistry& BuildRegistry::instance() noexcept {
  static constinit ProcessWide<BuildRegistry> registry;
  return registry.get();
}

void BuildRegistry::enter(ActiveBuild& build) noexcept {
  MutexLock lock(mutex_);
  build.nextBuild_ = first_;
  if (first_ != nullptr) first_->previousBuild_ = &build;
  first_ = &build;
}

void BuildRegistry::leave(ActiveBuild& build) noexcept {
  MutexLock lock(mutex_);
  if (build.previousBuild_ != nullptr)
    build.previousBuild_->nextBuild_ = build.nextBuild_;
  else if (first_ == &build)
    first_ = build.nextBuild_;
  if (build.nextBuild_ != nullptr) build.nextBuild_->previousBuild_ = build.previousBuild_;
  build.previousBuild_ = build.nextBuild_ = nullptr;
}

void BuildRegistry::prepareFork() noexcept {
  mutex_.lock();  // never held for long
}

void BuildRegistry::afterForkInParent() noexcept { mutex_.unlock(); }

void BuildRegistry::afterForkInChild() noexcept {
  // The builds themselves belong to stacks and queues of threads that are not here: they are left.
  for (ActiveBuild* build = first_; build != nullptr; build = build->nextBuild_)
    build->program_->abandonBuilds();
  first_ = nullptr;
  mutex_.unlock();
}

}  // namespace weft
