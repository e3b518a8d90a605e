// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device.h"
#include "picture.h"

namespace weft::demo {

/// Turns a picture about its centre on an OpenCL device, in images that a sampler with a linear
/// filter reads; what comes from outside is black and transparent. Throws std::runtime_error when a
/// call fails.
Picture turnOnDevice(const Device& device, const Picture& source, float degrees, Timing& timing);

/// The same in plain C++.
Picture turnOnHost(const Picture& source, float degrees);

}  // namespace weft::demo
