// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "weft/runtime/kernel_provider.h"
#include "weft/support/mutex.h"

namespace weft {

class Platform;

/// What decides on forms and widths besides the kernel's own facts.
struct FormPolicy {
  std::optional<compiler::Form> form;  ///< forced by the user
  uint32_t width = 0;                  ///< forced by the user; 0: chosen
  uint32_t subGroupSize = 1;           ///< the device's S
  unsigned slots = 1;                  ///< of the executor
  /// Early returns before a barrier are errors, which the lanes of one fiber do not tell.
  bool strictBarriers = false;
};

/// Chooses by the facts in KernelInfo: a kernel that never meets a barrier needs no fibers, and
/// one that does not observe its group either needs no groups. Barriers that whole groups
/// reach become loops, unless a group would have to keep too much between them. A forced form that
/// would be wrong for a kernel gives way to the nearest one that is right, with a line in the log.
/// So does a variant that the compiler fails at, or one for yet another work-group size: fibers, or
/// the group loop where there are no barriers, are right for every launch.
///
/// Threads: any.
class HostKernelProvider final : public runtime::KernelProvider {
 public:
  explicit HostKernelProvider(const FormPolicy& policy) noexcept : policy_(policy) {}

  compiler::VariantKey choose(const compiler::KernelInfo& kernel, const runtime::NDRange& range,
                              bool farIndices = false) const noexcept override;
  compiler::Result<const compiler::Variant*> provide(compiler::Program& program, size_t kernel,
                                                     runtime::KernelLaunch& launch) override;

 private:
  void reportFallback(const compiler::KernelInfo& kernel, const compiler::VariantKey& wanted,
                      const compiler::VariantKey& taken, const compiler::Error& reason);

  const FormPolicy policy_;
  Mutex mutex_;
  std::set<std::string> reported_ WEFT_GUARDED_BY(mutex_);  ///< lines, each written once
};

/// Whether running `kernel` over `range` in `form` gives the right answers.
bool isLegalForm(const compiler::KernelInfo& kernel, const runtime::NDRange& range,
                 compiler::Form form) noexcept;

/// Writes what the executor needs of a variant into a launch.
void applyVariant(const compiler::Variant& variant, runtime::KernelLaunch& launch) noexcept;

/// The provider of the process's configuration.
std::unique_ptr<runtime::KernelProvider> createKernelProvider(Platform& platform);

}  // namespace weft
