// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Buffers of gigabytes of which each work-item uses a few elements that lie together: where
/// offsets pass 2^31 and 2^32, strides are that far apart, and indices are negative.
#include <algorithm>
#include <bit>

#include "fuzz/generator.h"
#include "fuzz/nodes.h"

namespace weft::fuzz {

using namespace node;

namespace {

const Type kInt = scalarType(Scalar::Int), kUInt = scalarType(Scalar::UInt),
           kLong = scalarType(Scalar::Long), kULong = scalarType(Scalar::ULong);

/// Each chunk has pages of its own, and a process can have some tens of thousands.
constexpr uint64_t kMostChunks = 2000;

}  // namespace

/// Elements of one chunk.
uint64_t Generator::sparseElements(int buffer) {
  return var(buffer).chunks.bytes / program_.sizeOf(var(buffer).type.element());
}

int Generator::addSparse(const std::string& name, Type element, bool written) {
  const uint64_t size = program_.sizeOf(element);
  const uint64_t elements = pick<uint64_t>({1, 1, 2, 4, 4, 7, 16});
  const uint64_t count = std::max<uint64_t>(items_ + (written ? 0 : below(4)), 2);
  // The last elements are about where 32 bits end, of bytes or of elements, signed or not.
  const uint64_t end = pick<uint64_t>({uint64_t{1} << 31, uint64_t{1} << 32, size << 31, size << 32,
                                       uint64_t{3} << 31}) +
                       below(uint32_t{1} << 20);
  uint64_t pitch = std::max(end / count / size, elements) + below(64);
  if (chance(30)) pitch = std::bit_ceil(pitch);
  const int ref = addBuffer(name, element, count * elements, written);
  var(ref).chunks = {.count = count,
                     .bytes = elements * size,
                     .pitch = pitch * size,
                     .origin = chance(30) ? below(count) : 0};
  known(ref) = {.uniform = true, .fixed = true};
  return ref;
}

void Generator::makeSparse() {
  if (items_ > kMostChunks) return;
  sparseInput_ = addSparse("far", scalar(), false);
  if (chance(70)) sparseOutput_ = addSparse("fars", integer(), true);
  if (chance(50)) {
    const int buffer = sparseOutput_ >= 0 && chance(50) ? sparseOutput_ : sparseInput_;
    const uint64_t pitch = var(buffer).chunks.pitch / program_.sizeOf(var(buffer).type.element());
    sparsePitch_ = addParameter(
        pitch <= INT32_MAX ? pick({kInt, kUInt, kLong, kULong}) : pick({kLong, kULong}), pitch);
    known(sparsePitch_).fixed = true;
  }
}

/// Element `within` of a chunk; both are below their numbers, as integers of any type.
ExprPtr Generator::sparseElement(int buffer, ExprPtr chunk, ExprPtr within) {
  const Chunks& chunks = var(buffer).chunks;
  const uint64_t size = program_.sizeOf(var(buffer).type.element());
  const uint64_t pitch = chunks.pitch / size, last = chunks.span() / size;
  Type type = kLong;
  if (chunks.origin == 0 && chance(40)) type = kULong;
  if (last <= INT32_MAX && chance(60)) type = kInt;
  if (chunks.origin == 0 && last <= UINT32_MAX && chance(60)) type = kUInt;
  const bool native = isSigned(type.scalar);
  ExprPtr at = convert(type, std::move(chunk));
  if (chunks.origin != 0)
    at = binary(BinaryOp::Sub, std::move(at), constant(type, chunks.origin), native);
  const bool isParameter = sparsePitch_ >= 0 && var(sparsePitch_).initial[0] == pitch;
  ExprPtr step =
      isParameter && chance(70) ? convert(type, name(sparsePitch_)) : constant(type, pitch);
  at = binary(BinaryOp::Mul, std::move(at), std::move(step), native);
  if (chance(25))
    return node::index(make(ExprKind::Advance, var(buffer).type, name(buffer), std::move(at)),
                       std::move(within));
  at = binary(BinaryOp::Add, std::move(at), convert(type, std::move(within)), native);
  return node::index(name(buffer), type == kUInt ? roundabout(std::move(at)) : std::move(at));
}

/// Some element of the chunk that belongs to the work-item.
ExprPtr Generator::ownSparseElement() {
  ExprPtr within = index(sparseElements(sparseOutput_), 1, false);
  return sparseElement(sparseOutput_, name(linear_), std::move(within));
}

ExprPtr Generator::loadSparse(int depth, bool uniform) {
  if (sparseOutput_ >= 0 && !uniform && linear_ >= 0 && chance(20)) return ownSparseElement();
  ExprPtr within = index(sparseElements(sparseInput_), depth, uniform);
  return sparseElement(sparseInput_, index(var(sparseInput_).chunks.count, depth, uniform),
                       std::move(within));
}

}  // namespace weft::fuzz
