// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

/// cl_ext_image_raw10_raw12 and cl_ext_image_unorm_int_2_101010 1.0.0, which Debian's headers do
/// not have.
namespace weft::khr {

/// CL_UNSIGNED_INT_RAW10_EXT and CL_UNSIGNED_INT_RAW12_EXT.
inline constexpr cl_channel_type kUnsignedIntRaw10 = 0x10E3;
inline constexpr cl_channel_type kUnsignedIntRaw12 = 0x10E4;
/// CL_UNORM_INT_2_101010_EXT.
inline constexpr cl_channel_type kUnormInt2_101010 = 0x10E5;

}  // namespace weft::khr
