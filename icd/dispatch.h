// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl_icd.h>

#include <span>

#include "weft/khr/icd.h"
#include "weft/khr/opencl_3_1.h"

namespace weft::icd {

/// The table that every handle points to: that of Debian's cl_icd.h and what came after it.
struct DispatchTable {
  cl_icd_dispatch core;
  khr::GetKernelSuggestedLocalWorkSize clGetKernelSuggestedLocalWorkSize;
};
static_assert(sizeof(DispatchTable) == sizeof(cl_icd_dispatch) + sizeof(void*));

/// A function that applications or loaders may ask for by name.
struct NamedFunction {
  const char* name;
  void* address;
};

/// Functions of the extensions that the platform reports, which anybody may ask for.
std::span<const NamedFunction> extensionFunctions() noexcept;

}  // namespace weft::icd
