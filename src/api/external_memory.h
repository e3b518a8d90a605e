// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "memory/memory.h"

namespace weft::api {

/// For what clCreateBufferWithProperties and clCreateImageWithProperties return: the descriptor of
/// external memory is ours after a success, and the application's after a failure of any kind.
inline cl_mem takeExternalHandle(cl_mem made) noexcept {
  Memory* const memory = Memory::from(made);
  if (memory != nullptr && memory->external() != nullptr) memory->external()->takeHandle();
  return made;
}

}  // namespace weft::api
