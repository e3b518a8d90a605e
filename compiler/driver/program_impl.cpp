// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/program_impl.h"

#include <atomic>
#include <utility>

#include "driver/program_block.h"
#include "driver/tier_policy.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {

/// Variables at program scope.
struct ProgramImpl::Scope {
  Mutex mutex;
  std::unique_ptr<ProgramBlock> block WEFT_GUARDED_BY(mutex);  ///< being initialised
  std::atomic<void*> ready = nullptr;                          ///< its memory, once it is
};

ProgramImpl::ProgramImpl(std::shared_ptr<CompilerCore> core, ProgramImage image,
                         std::unique_ptr<IrUnit> unit)
    : core_(std::move(core)),
      image_(std::move(image)),
      variants_(std::make_unique<VariantStore>(*this, *core_, image_, std::move(unit))),
      scope_(std::make_unique<Scope>()) {
  if (image_.kind == ProgramKind::Executable) core_->add(*this);
}

ProgramImpl::~ProgramImpl() {
  const ForkGate::Activity activity(core_->gate(), this);
  core_->remove(*this);
  if (!variants_->clear()) (void)variants_.release();
}

void ProgramImpl::dropModules() noexcept { variants_->dropModules(); }

Result<std::vector<std::byte>> ProgramImpl::serialize() const {
  const std::string text = encodeProgram(image_, hostTarget().tag);
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

Result<const Variant*> ProgramImpl::variant(size_t kernel, const VariantKey& key,
                                            const LaunchOutlook& outlook) {
  if (kernel >= firstBlock() + image_.blocks.size()) {
    return fail(Error{ErrorKind::Internal, "no such kernel in the program\n"});
  }
  while (true) {
    const ForkGate::Activity activity(core_->gate(), this);
    auto code = variants_->get(kernel, anyKernel(kernel), key, outlook);
    // Whoever forks is let through, and what has to be waited for is waited for afterwards.
    const bool isInterrupted = code && (*code)->tier == Tier::Quick && core_->gate().isClosing() &&
                               (*code)->provisional.load(std::memory_order_relaxed) &&
                               tier_policy::patienceFor(outlook).count() != 0;
    if (!isInterrupted) return code;
  }
}

Result<std::string> ProgramImpl::explain(size_t kernel, const VariantKey& key) {
  if (kernel >= image_.kernels.size())
    return fail(Error{ErrorKind::Internal, "no such kernel in the program\n"});
  const ForkGate::Activity activity(core_->gate(), this);
  return variants_->explain(kernel, anyKernel(kernel), key);
}

const KernelInfo& ProgramImpl::anyKernel(size_t index) const {
  const size_t kernels = image_.kernels.size();
  if (index < kernels) return image_.kernels[index];
  return index < firstBlock() ? image_.constructors[index - kernels]
                              : image_.blocks[index - firstBlock()];
}

Result<void*> ProgramImpl::programScope() {
  Scope& scope = *scope_;
  if (void* ready = scope.ready.load(std::memory_order_acquire)) return ready;
  if (image_.programScope.bytes == 0 && image_.constructors.empty()) return nullptr;
  const ForkGate::Activity activity(core_->gate(), this);
  MutexLock lock(scope.mutex);
  if (void* ready = scope.ready.load(std::memory_order_relaxed)) return ready;
  scope.block = ProgramBlock::create(image_.programScope);
  if (!scope.block) {
    return fail(Error{ErrorKind::OutOfMemory, "error: no memory for the program's variables\n"});
  }
  WEFT_TRY_VOID(runConstructors(scope.block->data()));
  scope.ready.store(scope.block->data(), std::memory_order_release);
  return scope.block->data();
}

/// Each is run as a group of one work-item, on a compiler thread, whose stack is large.
Result<void> ProgramImpl::runConstructors(void* block) {
  for (size_t i = 0; i < image_.constructors.size(); ++i) {
    VariantKey key;
    key.form = Form::GroupLoop;
    key.subGroupSize = core_->options().subGroupSize;
    WEFT_TRY(const Variant* code, variant(image_.kernels.size() + i, key, {}));
    abi::Launch launch{};
    launch.workDim = 1;
    launch.subGroupSize = key.subGroupSize;
    launch.programScope = block;
    abi::Group group{};
    group.launch = &launch;
    for (int d = 0; d < 3; ++d) {
      launch.globalSize[d] = launch.enqueuedLocalSize[d] = launch.numGroups[d] = 1;
      group.localSize[d] = group.boxEnd[d] = 1;
    }
    WEFT_TRY_VOID(core_->run([&] { code->groupEntry(&group); }).result);
  }
  return {};
}

void ProgramImpl::replaceAfterFork() {
  // Code handed out before stays valid in the old store, which is never freed.
  (void)variants_.release();
  variants_ = std::make_unique<VariantStore>(*this, *core_, image_, nullptr);
  if (scope_->ready.load() == nullptr) {
    (void)scope_.release();
    scope_ = std::make_unique<Scope>();
  }
}

}  // namespace weft::compiler
