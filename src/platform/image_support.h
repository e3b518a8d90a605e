// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace weft {

/// Whether the device reports images: in CL_DEVICE_IMAGE_SUPPORT and what goes with it, as
/// extensions, and to its compiler as features. The functions for images are there all the same.
inline constexpr bool kReportsImages = true;

}  // namespace weft
