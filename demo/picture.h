// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::demo {

/// An image of 8-bit RGBA pixels, row by row from the top.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> rgba;
};

/// A synthetic landscape with hazy detail at every scale, as a camera would deliver it.
Picture landscape(int width, int height);

/// Writes a PNG file; throws std::runtime_error when it cannot.
void writePng(const Picture& picture, const std::string& path);

}  // namespace weft::demo
