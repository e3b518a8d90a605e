// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dispatch.h"

#include <CL/cl_ext.h>

#include "api/unsupported_extensions.h"
#include "base/handle.h"

namespace weft {
namespace icd {
namespace {

/// A tag in the place of a function that nothing calls through the table.
template <class Function>
Function tag() noexcept {
  return reinterpret_cast<Function>(khr::kIcd2Tag);
}

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
#define WEFT_TAG(name) .name = tag<cl_api_##name>(),
#define WEFT_CORE(name) .name = ::name,
#define WEFT_HIDDEN(name, function) .name = hidden<cl_api_##name>(function),
#include "dispatch.def"
#undef WEFT_TAG
#undef WEFT_CORE
#undef WEFT_HIDDEN
        },
    .clGetKernelSuggestedLocalWorkSize = ::clGetKernelSuggestedLocalWorkSize,
};

}  // namespace

std::span<const NamedFunction> tableFunctions() noexcept {
  static const NamedFunction kFunctions[] = {
#define WEFT_TAG(name) {#name, address(::name)},
#define WEFT_CORE(name) {#name, address(::name)},
#define WEFT_HIDDEN(name, function) {#name, address(function)},
#include "dispatch.def"
#undef WEFT_TAG
#undef WEFT_CORE
#undef WEFT_HIDDEN
      {"clGetKernelSuggestedLocalWorkSize", address(::clGetKernelSuggestedLocalWorkSize)},
  };
  return kFunctions;
}

}  // namespace icd

const void* const kDispatchTable = &icd::kTable;

}  // namespace weft
