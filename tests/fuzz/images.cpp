// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Images of random programs, and what reads and writes them.
#include <algorithm>
#include <bit>
#include <climits>

#include "fuzz/generator.h"
#include "fuzz/image.h"
#include "fuzz/nodes.h"

namespace weft::fuzz {

using namespace node;

namespace {

const Type kInt = scalarType(Scalar::Int), kUInt = scalarType(Scalar::UInt),
           kFloat = scalarType(Scalar::Float);

ExprPtr real(float value) { return constant(kFloat, std::bit_cast<uint32_t>(value)); }

/// Samplers that give every coordinate a pixel.
bool isTotal(uint64_t sampler) { return (sampler & kAddressMask) != kAddressNone; }

}  // namespace

int Generator::addImage(const ImageType& image) {
  const int ref = addVariable("im" + std::to_string(nextName_++), VariableKind::Image, kObject);
  Variable& variable = var(ref);
  variable.image = image;
  variable.written = image.access != ImageAccess::Read;
  variable.guardBelow = chance(30);
  variable.seed = random_();
  known(ref) = {.uniform = true, .fixed = true};
  program_.functions[0].parameters.push_back(ref);
  return ref;
}

int Generator::addSampler() {
  const bool isNormalized = chance(45);
  const uint64_t address =
      isNormalized
          ? pick({kAddressNone, kAddressEdge, kAddressBorder, kAddressRepeat, kAddressMirrored})
          : pick({kAddressNone, kAddressEdge, kAddressEdge, kAddressBorder});
  const int ref = addVariable("how" + std::to_string(nextName_++), VariableKind::Sampler, kObject);
  var(ref).initial = {kFilterNearest | address | (isNormalized ? kNormalizedCoordinates : 0)};
  var(ref).isArgument = chance(45);
  known(ref) = {.uniform = true, .fixed = true};
  if (var(ref).isArgument) program_.functions[0].parameters.push_back(ref);
  return ref;
}

void Generator::drawFormat(ImageType& image) {
  using enum ChannelOrder;
  image.channel = static_cast<Channel>(below(kChannelTypes));
  image.order = Rgba;
  if (image.channel == Channel::Unorm101010_2) return;
  const bool isOfBytes = image.channel <= Channel::UInt8;
  image.order = isOfBytes && chance(30)                        ? pick({Bgra, Argb})
                : image.pixel() == Scalar::Float && chance(10) ? A
                                                               : pick({R, Rg, Rgba, Rgba});
}

/// An image of which each work-item has a pixel: where its ids say, as far as the image has
/// coordinates for them, or by its linear id.
int Generator::addWrittenImage() {
  using enum ImageKind;
  ImageType image;
  image.kind = pick({Line, OfBuffer, Lines, Plane, Plane, Plane, Planes, Volume});
  image.access = chance(60) ? ImageAccess::Write : ImageAccess::Both;
  drawFormat(image);
  const unsigned coordinates = image.dimensions() + (image.isArray() ? 1 : 0);
  std::array<uint32_t, 3> sizes{1, 1, 1};
  const bool byIds = coordinates >= program_.shape.dimensions && chance(70);
  if (byIds) {
    for (unsigned c = 0; c < coordinates; ++c)
      sizes[c] = c < program_.shape.dimensions ? static_cast<uint32_t>(extentOf(c)) + below(3)
                                               : 1 + below(3);
  } else {
    uint64_t left = items_;
    for (unsigned c = 0; c + 1 < coordinates; ++c) {
      sizes[c] = pick<uint32_t>({1, 3, 8, 16, 17});
      left = (left + sizes[c] - 1) / sizes[c];
    }
    sizes[coordinates - 1] = static_cast<uint32_t>(left) + below(2);
  }
  image.width = sizes[0];
  if (image.dimensions() > 1) image.height = sizes[1];
  if (coordinates > 1 && image.kind != Plane) image.slices = sizes[coordinates - 1];
  const int ref = addImage(image);
  known(ref).linear = !byIds;
  return ref;
}

void Generator::makeImages() {
  using enum ImageKind;
  const unsigned pictures = 1 + below(3);
  for (unsigned i = 0; i < pictures; ++i) {
    ImageType image;
    image.kind = pick({Line, OfBuffer, Lines, Plane, Plane, Plane, Planes, Volume});
    drawFormat(image);
    const auto size = [&](unsigned dimension) {
      return chance(40) ? static_cast<uint32_t>(extentOf(dimension))
                        : pick<uint32_t>({1, 2, 3, 5, 8, 16, 17, 33});
    };
    image.width = size(0);
    if (image.dimensions() > 1) image.height = size(1);
    if (image.isArray() || image.kind == Volume) image.slices = chance(50) ? size(2) : 1 + below(5);
    pictures_.push_back(addImage(image));
  }
  const unsigned samplers = 1 + below(4);
  for (unsigned i = 0; i < samplers; ++i) samplers_.push_back(addSampler());
  const unsigned written = below(3);
  for (unsigned i = 0; i < written; ++i) writtenImages_.push_back(addWrittenImage());
}

/// A function that reads some image of a kind, by some sampler.
void Generator::addImageParameters(std::vector<int>& parameters) {
  const ImageType like = var(pick(pictures_)).image;
  if (like.kind == ImageKind::OfBuffer) return;
  const int image =
      addVariable("im" + std::to_string(nextName_++), VariableKind::Parameter, kObject);
  var(image).image = {
      .kind = like.kind, .channel = like.channel, .width = 0, .height = 0, .slices = 0};
  const int sampler =
      addVariable("how" + std::to_string(nextName_++), VariableKind::Parameter, kObject);
  var(sampler).isSampler = true;
  var(sampler).initial = {kAddressEdge | (chance(40) ? kNormalizedCoordinates : 0)};
  imageParameters_ = {image, sampler};
  parameters.insert(parameters.end(), {image, sampler});
}

/// What may be given for such a parameter; null where there is none.
ExprPtr Generator::imageArgument(int parameter) {
  const Variable wanted = var(parameter);
  std::vector<int> fitting;
  if (wanted.isSampler) {
    std::ranges::copy_if(samplers_, std::back_inserter(fitting), [&](int ref) {
      const uint64_t sampler = var(ref).initial[0];
      return isTotal(sampler) && ((sampler ^ wanted.initial[0]) & kNormalizedCoordinates) == 0;
    });
  } else {
    std::ranges::copy_if(pictures_, std::back_inserter(fitting), [&](int ref) {
      const ImageType& image = var(ref).image;
      return image.kind == wanted.image.kind && image.pixel() == wanted.image.pixel();
    });
  }
  return fitting.empty() ? nullptr : name(pick(fitting));
}

/// A pixel, or part of it, as a value of another type.
ExprPtr Generator::inType(Type type, ExprPtr pixel) {
  const bool isLarge = isFloat(type.scalar) && !isFloat(pixel->type.scalar);
  const auto small = [&](ExprPtr value) {
    const Type from = value->type;
    return isLarge ? binary(BinaryOp::And, std::move(value), constant(from, 0x7f))
                   : std::move(value);
  };
  if (type.lanes == 4) return convert(type, small(std::move(pixel)));
  ExprPtr value = convert(type.lane(), small(component(std::move(pixel), below(4))));
  return type.isScalar() ? std::move(value) : make(ExprKind::Vector, type, std::move(value));
}

ExprPtr Generator::queryImage(Type type) {
  std::vector<int> images = function_ == 0 ? pictures_ : std::vector{imageParameters_[0]};
  if (function_ == 0) images.insert(images.end(), writtenImages_.begin(), writtenImages_.end());
  const int image = pick(images);
  const auto query = static_cast<ImageQuery>(below(6));
  if (!hasQuery(var(image).image.kind, query)) return nullptr;
  ExprPtr asked = make(ExprKind::QueryImage, typeOf(query), name(image));
  asked->op = static_cast<uint8_t>(query);
  ExprPtr number = convert(type.lane(), std::move(asked));
  return type.isScalar() ? std::move(number) : make(ExprKind::Vector, type, std::move(number));
}

ExprPtr Generator::readImage(Type type, int depth, bool uniform) {
  if (function_ != 0 && imageParameters_.empty()) return nullptr;
  if (chance(8)) return queryImage(type);
  if (function_ == 0 && !uniform && linear_ >= 0 && !writtenImages_.empty() && chance(20)) {
    const int own = pick(writtenImages_);
    if (var(own).image.access == ImageAccess::Both)
      return inType(type, make(ExprKind::ReadImage, vectorType(var(own).image.pixel(), 4),
                               name(own), ownPixel(own)));
  }
  const int image = function_ == 0 ? pick(pictures_) : imageParameters_[0];
  const ImageType from = var(image).image;
  const Type pixel = vectorType(from.pixel(), 4);
  const bool hasSampler = from.kind != ImageKind::OfBuffer && (function_ != 0 || chance(70));
  if (!hasSampler)
    return inType(type, make(ExprKind::ReadImage, pixel, name(image),
                             coordinates(image, Scalar::Int, kAddressNone, depth, uniform)));
  const int sampler = function_ == 0 ? pick(samplers_) : imageParameters_[1];
  const uint64_t how = var(sampler).initial[0];
  const bool byFloats = (how & kNormalizedCoordinates) != 0 || chance(50);
  ExprPtr at = coordinates(image, byFloats ? Scalar::Float : Scalar::Int, how, depth, uniform);
  return inType(type, make(ExprKind::ReadImage, pixel, name(image), std::move(at), name(sampler)));
}

ExprPtr Generator::coordinates(int image, Scalar scalar, uint64_t sampler, int depth,
                               bool uniform) {
  const ImageType type = var(image).image;
  const unsigned lanes = type.coordinateLanes();
  const Type lane = scalarType(scalar);
  ExprPtr all = make(ExprKind::Vector, vectorType(scalar, lanes));
  for (unsigned c = 0; c < lanes; ++c) {
    const bool isLayer = type.isArray() && c == type.dimensions();
    const bool means = c < type.dimensions() || isLayer;
    if (!means) {
      all->args.push_back(leaf(lane, uniform));
      continue;
    }
    const uint32_t size = type.sizeOf(c);
    const bool isInside = !isTotal(sampler) && !isLayer;
    ExprPtr at = integerCoordinate(c, size, isInside, depth, uniform);
    if (scalar == Scalar::Float)
      at = floatCoordinate(std::move(at), size, isLayer ? kAddressEdge : sampler, isInside, depth,
                           uniform);
    all->args.push_back(std::move(at));
  }
  return lanes == 1 ? std::move(all->args[0]) : std::move(all);
}

/// `size` is 0 where it is not known.
ExprPtr Generator::integerCoordinate(unsigned c, uint32_t size, bool isInside, int depth,
                                     bool uniform) {
  const auto id = [&](unsigned dimension) {
    return convert(kInt, query(ItemQuery::GlobalId, static_cast<int>(dimension)));
  };
  const bool hasId = !uniform && function_ == 0;
  const unsigned dimension = std::min(c, program_.shape.dimensions - 1);
  if (isInside) {
    if (hasId && extentOf(dimension) <= size && chance(40)) return id(dimension);
    return convert(kInt, index(size, depth - 1, uniform));
  }
  const auto step = [&](ExprPtr from) {
    const int64_t by = static_cast<int64_t>(below(9)) - 4;
    return binary(BinaryOp::Add, std::move(from), constant(kInt, static_cast<uint64_t>(by)),
                  chance(50));
  };
  const int64_t edge = size;
  switch (below(8)) {
    case 0:
    case 1:
    case 2:
      if (hasId) return chance(70) ? step(id(dimension)) : id(dimension);
      break;
    case 3:
      return constant(
          kInt, static_cast<uint64_t>(pick<int64_t>({-1, INT_MIN, INT_MAX, INT_MAX - 1, edge,
                                                     edge - 1, -edge, 0, 1 << 24, -(1 << 30)})));
    case 4:
      return expression(kInt, depth - 1, uniform);
    case 5: {
      const std::vector<int> counters = visibleWith([&](const Variable& v, const Known& k) {
        return v.type.isScalar() && k.below != 0 && !k.linear && (!uniform || k.uniform);
      });
      if (counters.empty()) break;
      ExprPtr counter = convert(kInt, name(pick(counters)));
      if (!hasId) return step(std::move(counter));
      return binary(BinaryOp::Add, id(dimension), std::move(counter), chance(50));
    }
    default:
      break;
  }
  if (size == 0) return step(convert(kInt, masked(kUInt, 15, depth - 1, uniform)));
  return convert(kInt, index(size, depth - 1, uniform));
}

/// Of numbers alone: what others mean is open.
ExprPtr Generator::floatCoordinate(ExprPtr whole, uint32_t size, uint64_t sampler, bool isInside,
                                   int depth, bool uniform) {
  if (!isInside && chance(12))
    return real(pick({1e30f, -1e30f, 3e38f, -3e38f, -0.0f, 0x1p-140f, -0x1p-140f, 0.99999994f,
                      -0x1p-26f, 0x1p31f, -0x1p31f, 1.0f}));
  if (!isInside && chance(15)) {
    ExprPtr any = expression(kFloat, depth - 1, uniform);
    ExprPtr isFinite = compare(CompareOp::Less, call(Builtin::Fabs, kFloat, any->clone()),
                               real(pick({1e30f, 100.0f})));
    return make(ExprKind::Conditional, kFloat, std::move(isFinite), std::move(any), real(0.5f));
  }
  ExprPtr at = convert(kFloat, std::move(whole));
  at = binary(BinaryOp::Add, std::move(at), real(pick({0.5f, 0.5f, 0.0f, 0.25f, 0.875f})));
  if ((sampler & kNormalizedCoordinates) == 0) return at;
  const auto extent = static_cast<float>(size == 0 ? 8 : size);
  if (chance(50)) return binary(BinaryOp::Div, std::move(at), real(extent));
  return binary(BinaryOp::Mul, std::move(at), real(1.0f / extent));
}

/// The pixel that nobody but the work-item touches.
ExprPtr Generator::ownPixel(int image) {
  const ImageType type = var(image).image;
  const bool byLinearId = known(image).linear;
  const unsigned used = type.dimensions() + (type.isArray() ? 1 : 0);
  const Type id = var(linear_).type;
  ExprPtr left = name(linear_);
  ExprPtr all = make(ExprKind::Vector, vectorType(Scalar::Int, type.coordinateLanes()));
  for (unsigned c = 0; c < type.coordinateLanes(); ++c) {
    ExprPtr at;
    if (c >= used) {
      at = constant(kInt, below(100));
    } else if (!byLinearId) {
      at = c < program_.shape.dimensions
               ? convert(kInt, query(ItemQuery::GlobalId, static_cast<int>(c)))
               : constant(kInt, type.sizeOf(c) - 1);
    } else if (c + 1 == used) {
      at = convert(kInt, left->clone());
    } else {
      const uint64_t size = type.sizeOf(c);
      at = convert(kInt, binary(BinaryOp::Rem, left->clone(), constant(id, size)));
      left = binary(BinaryOp::Div, std::move(left), constant(id, size));
    }
    all->args.push_back(std::move(at));
  }
  return all->args.size() == 1 ? std::move(all->args[0]) : std::move(all);
}

/// Without NaNs, whose bits are open.
ExprPtr Generator::colorFor(Scalar pixel) {
  const Type color = vectorType(pixel, 4);
  if (pixel != Scalar::Float) return expression(color, 2, false);
  if (chance(50)) {
    ExprPtr whole = masked(vectorType(pick({Scalar::Int, Scalar::UInt}), 4),
                           pick<uint64_t>({0xff, 0x1ff, 0xffff}), 2, false);
    ExprPtr scaled = convert(color, std::move(whole));
    return binary(BinaryOp::Mul, std::move(scaled),
                  constant(color, std::bit_cast<uint32_t>(
                                      pick({1 / 255.0f, 1 / 256.0f, 0.25f, -1.0f, 17.0f}))));
  }
  ExprPtr all = make(ExprKind::Vector, color);
  for (unsigned c = 0; c < 4; ++c) {
    ExprPtr any = expression(kFloat, 1, false);
    ExprPtr isNumber = compare(CompareOp::Equal, any->clone(), any->clone());
    all->args.push_back(
        make(ExprKind::Conditional, kFloat, std::move(isNumber), std::move(any), real(0.125f)));
  }
  return all;
}

StmtPtr Generator::writeImage() {
  const int image = pick(writtenImages_);
  ExprPtr at = ownPixel(image);
  if (chance(15)) {  // or none
    ExprPtr& first = at->kind == ExprKind::Vector ? at->args[0] : at;
    const int64_t away = pick<int64_t>({-1, INT_MIN, INT_MAX, 1 << 20, var(image).image.width});
    first = make(ExprKind::Conditional, kInt, condition(false), std::move(first),
                 constant(kInt, static_cast<uint64_t>(away)));
  }
  StmtPtr written = statement(StmtKind::WriteImage, name(image), std::move(at),
                              colorFor(var(image).image.pixel()));
  if (!chance(25)) return written;
  StmtPtr branch = statement(StmtKind::If, condition(false));
  branch->body.push_back(std::move(written));
  return branch;
}

}  // namespace weft::fuzz
