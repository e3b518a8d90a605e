// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/image_formats.h"

#include <cstddef>
#include <iterator>

#include "weft/abi/image.h"

namespace weft::compiler {
namespace {

enum class Kind { Snorm, Unorm, Packed, Signed, Unsigned, Float };

struct Type {
  const char* name;
  uint32_t number, bytes, pixels;
  Kind kind;
};
struct Order {
  const char* name;
  uint32_t number, stored;
};

constexpr Type kTypes[] = {
#define WEFT_IMAGE_TYPE(name, number, bytes, pixels, kind) \
  {#name, number, bytes, pixels, Kind::kind},
#include "weft/abi/image_formats.def"
};
constexpr Order kOrders[] = {
#define WEFT_IMAGE_ORDER(name, number, stored, r, g, b, a, borderAlpha) {#name, number, stored},
#include "weft/abi/image_formats.def"
};

template <class Row, size_t count>
const Row* find(const Row (&rows)[count], uint64_t number) {
  for (const Row& row : rows)
    if (row.number == number) return &row;
  return nullptr;
}

const Type* typeOf(uint64_t format) { return find(kTypes, format & 0x7f); }
const Order* orderOf(uint64_t format) {
  return find(kOrders, (format & ~uint64_t{abi::kMipmapped}) >> 8);
}

}  // namespace

std::optional<uint64_t> imageField(uint64_t format, uint64_t offset) {
  const Type* type = typeOf(format);
  const Order* order = orderOf(format);
  if (!type || !order) return std::nullopt;
  switch (offset) {
    case offsetof(abi::Image, format):
      return format;
    case offsetof(abi::Image, channelType):
      return abi::kFirstChannelType + type->number;
    case offsetof(abi::Image, channelOrder):
      return abi::kFirstChannelOrder + order->number;
    case offsetof(abi::Image, elementBytes):
      return type->kind == Kind::Packed ? type->bytes : type->bytes / type->pixels * order->stored;
    default:
      return std::nullopt;
  }
}

std::string imageFormatName(uint64_t format) {
  const Type* type = typeOf(format);
  const Order* order = orderOf(format);
  if (!type || !order) return "an unknown format";
  return std::string(order->name) + ", " + type->name +
         ((format & abi::kMipmapped) != 0 ? ", with levels" : "");
}

std::string samplerName(uint64_t sampler) {
  static constexpr const char* kAddress[] = {"NONE", "CLAMP_TO_EDGE", "CLAMP", "REPEAT",
                                             "MIRRORED_REPEAT"};
  const uint64_t address = (sampler >> 1) & 7;
  std::string name = (sampler & 1) != 0 ? "normalised coordinates, " : "coordinates in pixels, ";
  name += address < std::size(kAddress) ? kAddress[address] : "unknown addressing";
  return name + ((sampler & 0x30) == 0x20 ? ", LINEAR" : ", NEAREST");
}

}  // namespace weft::compiler
