// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

/// cl_ext_image_unorm_int_2_101010 1.0.0, which Debian's headers do not have.
namespace weft::khr {

/// CL_UNORM_INT_2_101010_EXT.
inline constexpr cl_channel_type kUnormInt2_101010 = 0x10E5;

}  // namespace weft::khr
