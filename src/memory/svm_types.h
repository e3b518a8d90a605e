// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>

#include "weft/khr/unified_svm.h"

/// The types of shared virtual memory of cl_khr_unified_svm: what an allocation is for. All are
/// memory of the host, which it and every device of its context may use at once, so that types
/// differ in whose it is said to be and in who allocates it.
namespace weft {

inline constexpr khr::cl_svm_capabilities kAllSvmCanDo =
    khr::kSvmSingleAddressSpace | khr::kSvmDeviceUnassociated | khr::kSvmContextAccess |
    khr::kSvmHostRead | khr::kSvmHostWrite | khr::kSvmHostMap | khr::kSvmDeviceRead |
    khr::kSvmDeviceWrite | khr::kSvmDeviceAtomicAccess | khr::kSvmConcurrentAccess |
    khr::kSvmConcurrentAtomicAccess | khr::kSvmIndirectAccess;

/// In the order of their indices. The first is what clSVMAlloc gives.
inline constexpr std::array<khr::cl_svm_capabilities, 4> kSvmTypes{
    kAllSvmCanDo,
    kAllSvmCanDo | khr::kSvmDeviceOwned,
    kAllSvmCanDo | khr::kSvmHostOwned,
    kAllSvmCanDo | khr::kSvmSystemAllocated,
};

}  // namespace weft
