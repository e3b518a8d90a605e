// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "device.h"
#include "picture.h"

namespace weft::demo {

/// Weights of a Gaussian blur of the given radius, 2 * radius + 1 of them.
std::vector<float> gaussian(int radius);

/// Sharpens on an OpenCL device, in buffers. Throws std::runtime_error when a call fails.
Picture sharpenOnDevice(const Device& device, const Picture& source,
                        const std::vector<float>& weights, float amount, Timing& timing);

/// The same filter in plain C++.
Picture sharpenOnHost(const Picture& source, const std::vector<float>& weights, float amount);

}  // namespace weft::demo
