// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>

/// What abi/image_formats.def says of formats, for passes.
namespace weft::compiler {

/// Of an image of this format, what its field at `offset` in abi::Image holds; nothing for fields
/// that the format does not tell, and for formats that there are none of.
std::optional<uint64_t> imageField(uint64_t format, uint64_t offset);

/// "RGBA, UNORM_INT8".
std::string imageFormatName(uint64_t format);

/// "normalised coordinates, CLAMP_TO_EDGE, LINEAR".
std::string samplerName(uint64_t sampler);

}  // namespace weft::compiler
