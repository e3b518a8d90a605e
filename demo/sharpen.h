// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "picture.h"

namespace weft::demo {

/// What one run of the filter on an OpenCL device took.
struct Timing {
  std::string device;
  double buildMilliseconds = 0;
  double kernelMilliseconds = 0;  ///< best of several launches
};

/// Weights of a Gaussian blur of the given radius, 2 * radius + 1 of them.
std::vector<float> gaussian(int radius);

/// Sharpens on the first OpenCL device. Throws std::runtime_error when a call fails.
Picture sharpenOnDevice(const Picture& source, const std::vector<float>& weights, float amount,
                        Timing& timing);

/// The same filter in plain C++.
Picture sharpenOnHost(const Picture& source, const std::vector<float>& weights, float amount);

}  // namespace weft::demo
