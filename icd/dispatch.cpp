// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dispatch.h"

#include <CL/cl_ext.h>

#include "api/unsupported_extensions.h"
#include "base/handle.h"

namespace weft {
namespace icd {
namespace {

template <class Function>
void* address(Function* function) noexcept {
  return reinterpret_cast<void*>(function);
}

/// Slots of extensions for other systems are plain pointers in the header.
template <class Slot, class Function>
Slot hidden(Function* function) noexcept {
  return reinterpret_cast<Slot>(function);
}

// Never written after it is built; the compiler builds it at compile time.
const DispatchTable kTable{
    .core =
        {
#define WEFT_CORE(name) .name = ::name,
#define WEFT_HIDDEN(name, function) .name = hidden<cl_api_##name>(function),
#include "dispatch.def"
#undef WEFT_CORE
#undef WEFT_HIDDEN
        },
    .clGetKernelSuggestedLocalWorkSize = ::clGetKernelSuggestedLocalWorkSize,
};

}  // namespace

}  // namespace icd

const void* const kDispatchTable = &icd::kTable;

}  // namespace weft
