// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cfloat>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/handle.h"
#include "context/context.h"

namespace weft {

/// How a sampler reads. The last three concern mipmapped images alone.
struct SamplerOptions {
  cl_bool normalized = CL_TRUE;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
  cl_filter_mode filter = CL_FILTER_NEAREST;
  cl_filter_mode mipFilter = CL_FILTER_NEAREST;
  cl_float lodMin = 0;
  cl_float lodMax = FLT_MAX;
};

/// What kernels are given for a sampler: see include/weft/abi/image.h.
uint64_t samplerWord(const SamplerOptions& options) noexcept;

/// A sampler of the application's.
///
/// Ownership: holds its context. Threads: any; it never changes.
class Sampler final : public Object<Sampler, _cl_sampler, HandleTag::Sampler> {
 public:
  /// `properties` is the validated list, terminator included; empty when none was given.
  Sampler(Context& context, const SamplerOptions& options,
          std::vector<cl_sampler_properties> properties)
      : context_(&context), options_(options), properties_(std::move(properties)) {}

  Context& context() const noexcept { return *context_; }
  const SamplerOptions& options() const noexcept { return options_; }
  std::span<const cl_sampler_properties> properties() const noexcept { return properties_; }
  uint64_t word() const noexcept { return samplerWord(options_); }

 private:
  ~Sampler() override = default;

  const Ref<Context> context_;
  const SamplerOptions options_;
  const std::vector<cl_sampler_properties> properties_;
};

}  // namespace weft
