// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include "weft/support/result.h"

namespace weft {

/// A CL error code as the error of a Result. Never CL_SUCCESS.
struct ClError {
  cl_int code;
};

template <class T>
using Result = Expected<T, ClError>;

[[nodiscard]] inline std::unexpected<ClError> clError(cl_int code) {
  return std::unexpected<ClError>(ClError{code});
}

/// Fails with `code` unless `condition` holds.
[[nodiscard]] inline Result<void> require(bool condition, cl_int code) {
  if (!condition) [[unlikely]]
    return clError(code);
  return {};
}

}  // namespace weft
