// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/image_type.h"
#include "fuzz/types.h"
#include "fuzz/value.h"

/// What reading and writing an image of the fuzzer's programs does by the specification. Written by
/// hand, and in no way derived from what Weft's library does.
namespace weft::fuzz {

/// A sampler's number is made of the language's constants.
inline constexpr uint64_t kNormalizedCoordinates = 1, kAddressNone = 0, kAddressEdge = 2,
                          kAddressBorder = 4, kAddressRepeat = 6, kAddressMirrored = 8,
                          kAddressMask = 14, kFilterNearest = 0x10;
std::string samplerText(uint64_t number);

/// Where an element lies in the image, in bytes. Nothing where the border is read instead, or
/// nothing is written. Throws Undefined where the specification leaves open what is read.
std::optional<uint64_t> placeToRead(const ImageType& image, Scalar scalar, const Value& at,
                                    std::optional<uint64_t> sampler);
std::optional<uint64_t> placeToWrite(const ImageType& image, const Value& at);

Value decodePixel(const ImageType& image, const uint8_t* element);
Value borderPixel(const ImageType& image);
/// Small floating-point numbers, and integers of all sizes.
std::vector<uint8_t> initialPixels(const ImageType& image, uint64_t seed);
/// Throws Undefined at a NaN, whose bits are open.
std::array<uint8_t, 16> encodePixel(const ImageType& image, const Value& color);

enum class ImageQuery : uint8_t { Width, Height, Depth, ArraySize, Type, Order };
Type typeOf(ImageQuery query);
const char* nameOf(ImageQuery query);
bool hasQuery(ImageKind kind, ImageQuery query);
uint64_t answer(const ImageType& image, ImageQuery query);

}  // namespace weft::fuzz
