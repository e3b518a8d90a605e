// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/error.h"

namespace weft::api {

/// Answers the calls that list handles (clGetPlatformIDs, clGetDeviceIDs, ...).
///
/// CL_INVALID_VALUE when both outputs are null, or `entries` is 0 with somewhere to write.
template <class Handle>
Result<void> listHandles(std::span<const Handle> all, cl_uint entries, Handle* out,
                         cl_uint* count) noexcept {
  if (out == nullptr && count == nullptr) return clError(CL_INVALID_VALUE);
  if (out != nullptr && entries == 0) return clError(CL_INVALID_VALUE);
  if (out) std::copy_n(all.begin(), std::min<size_t>(entries, all.size()), out);
  if (count) *count = static_cast<cl_uint>(all.size());
  return {};
}

}  // namespace weft::api
