// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "weft/runtime/kernel_provider.h"
#include "weft/support/mutex.h"

namespace weft {

class Platform;

/// What decides on forms and widths besides the kernel's own facts.
struct FormPolicy {
  compiler::Overrides overrides;  ///< the user's
  uint32_t subGroupSize = 1;      ///< the device's S
  unsigned slots = 1;             ///< of the executor
};

/// Has compiler::choose() say what code a launch has, and gets that. A form or width that the user
/// asks for in vain is a line in the log. Where the compiler fails at a variant, or it is one for
/// yet another work-group size, launches have fibers, or the group loop where there are no
/// barriers.
///
/// Threads: any.
class HostKernelProvider final : public runtime::KernelProvider {
 public:
  explicit HostKernelProvider(const FormPolicy& policy) noexcept : policy_(policy) {}

  compiler::PlannedBox choose(const compiler::KernelInfo& kernel, const NDRange& range,
                              bool farIndices) const noexcept override;
  compiler::Result<const compiler::Variant*> provide(compiler::Program& program, size_t kernel,
                                                     runtime::KernelLaunch& launch) override;

 private:
  compiler::LaunchFacts factsOf(const NDRange& range, bool farIndices) const noexcept;
  void reportFallback(const compiler::KernelInfo& kernel, const compiler::VariantKey& wanted,
                      const compiler::VariantKey& taken, const compiler::Error& reason);

  const FormPolicy policy_;
  Mutex mutex_;
  std::set<std::string> reported_ WEFT_GUARDED_BY(mutex_);  ///< lines, each written once
};

/// Writes what the executor needs of a box and its variant into a launch.
void applyVariant(const compiler::PlannedBox& box, const compiler::Variant& variant,
                  runtime::KernelLaunch& launch) noexcept;

/// The provider of the process's configuration.
std::unique_ptr<runtime::KernelProvider> createKernelProvider(Platform& platform);

}  // namespace weft
