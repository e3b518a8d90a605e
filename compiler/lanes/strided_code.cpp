// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/strided_code.h"

#include <llvm/ADT/bit.h>

namespace weft::compiler {

using namespace llvm;

namespace {

/// Some elements of a vector, by where they belong in the result; -1 where others do.
struct Source {
  Value* vector;
  SmallVector<int, 64> at;
};

/// Merges the sources two by two until all elements are in one vector in their places.
Value* merge(LaneBuilder& builder, SmallVector<Source, 16> sources) {
  if (sources.empty()) return nullptr;
  if (sources.size() == 1)
    return builder.CreateShuffleVector(sources.front().vector, sources.front().at);
  while (sources.size() > 1) {
    SmallVector<Source, 16> merged;
    for (size_t i = 0; i + 1 < sources.size(); i += 2) {
      const auto length = static_cast<int>(sources[i].at.size());
      SmallVector<int, 64> mask(length, -1);
      Source both{nullptr, SmallVector<int, 64>(length, -1)};
      for (int lane = 0; lane < length; ++lane) {
        if (sources[i].at[lane] >= 0)
          mask[lane] = sources[i].at[lane];
        else if (sources[i + 1].at[lane] >= 0)
          mask[lane] = length + sources[i + 1].at[lane];
        if (mask[lane] >= 0) both.at[lane] = lane;
      }
      both.vector = builder.CreateShuffleVector(sources[i].vector, sources[i + 1].vector, mask);
      merged.push_back(std::move(both));
    }
    if (sources.size() % 2 != 0) merged.push_back(std::move(sources.back()));
    sources = std::move(merged);
  }
  return sources.front().vector;
}

unsigned lengthOf(ArrayRef<Value*> vectors) {
  for (Value* vector : vectors)
    if (vector) return cast<FixedVectorType>(vector->getType())->getNumElements();
  return 0;
}

uint64_t halfOf(uint64_t wanted, unsigned factor, unsigned odd) {
  uint64_t half = 0;
  for (unsigned k = odd; k < factor; k += 2) half |= ((wanted >> k) & 1) << (k / 2);
  return half;
}

/// One vector made of every second element of two.
Value* everySecond(LaneBuilder& builder, Value* left, Value* right, unsigned odd) {
  if (!left && !right) return nullptr;
  Value* some = left ? left : right;
  const unsigned length = cast<FixedVectorType>(some->getType())->getNumElements();
  SmallVector<int, 64> mask;
  for (unsigned i = 0; i < length; ++i) {
    const bool known = i < length / 2 ? left != nullptr : right != nullptr;
    mask.push_back(known ? static_cast<int>(2 * i + odd) : -1);
  }
  Value* none = PoisonValue::get(some->getType());
  return builder.CreateShuffleVector(left ? left : none, right ? right : none, mask);
}

}  // namespace

Pieces takeApart(LaneBuilder& builder, ArrayRef<Value*> pieces, uint64_t wanted) {
  const auto factor = static_cast<unsigned>(pieces.size());
  if (factor == 1) return {pieces.front()};
  Pieces fields(factor, nullptr);
  if (factor % 2 == 0) {
    for (unsigned odd = 0; odd < 2; ++odd) {
      const uint64_t half = halfOf(wanted, factor, odd);
      if (half == 0) continue;
      Pieces halves;
      for (unsigned i = 0; i < factor; i += 2)
        halves.push_back(everySecond(builder, pieces[i], pieces[i + 1], odd));
      const Pieces taken = takeApart(builder, halves, half);
      for (unsigned k = 0; k < factor / 2; ++k) fields[2 * k + odd] = taken[k];
    }
    return fields;
  }
  const unsigned length = lengthOf(pieces);
  for (unsigned field = 0; field < factor; ++field) {
    if (((wanted >> field) & 1) == 0) continue;
    SmallVector<Source, 16> sources;
    for (unsigned piece = 0; piece < factor; ++piece) {
      if (!pieces[piece]) continue;
      Source source{pieces[piece], SmallVector<int, 64>(length, -1)};
      bool hasSome = false;
      for (unsigned lane = 0; lane < length; ++lane) {
        const unsigned element = lane * factor + field;
        if (element / length != piece) continue;
        source.at[lane] = static_cast<int>(element % length);
        hasSome = true;
      }
      if (hasSome) sources.push_back(std::move(source));
    }
    fields[field] = merge(builder, std::move(sources));
  }
  return fields;
}

Pieces putTogether(LaneBuilder& builder, ArrayRef<Value*> fields) {
  const auto factor = static_cast<unsigned>(fields.size());
  if (factor == 1) return {fields.front()};
  Pieces pieces(factor, nullptr);
  const unsigned length = lengthOf(fields);
  if (length == 0) return pieces;
  if (factor % 2 == 0) {
    Pieces halves[2];
    for (unsigned k = 0; k < factor; ++k) halves[k % 2].push_back(fields[k]);
    const Pieces even = putTogether(builder, halves[0]);
    const Pieces odd = putTogether(builder, halves[1]);
    for (unsigned i = 0; i < factor; ++i) {
      Value* left = even[i / 2];
      Value* right = odd[i / 2];
      if (!left && !right) continue;
      Value* none = PoisonValue::get((left ? left : right)->getType());
      SmallVector<int, 64> mask;
      for (unsigned k = 0; k < length; ++k) {
        const bool isRight = k % 2 != 0;
        const auto from = static_cast<int>(k / 2 + (i % 2) * (length / 2));
        mask.push_back(!(isRight ? right : left) ? -1
                       : isRight                 ? from + static_cast<int>(length)
                                                 : from);
      }
      pieces[i] = builder.CreateShuffleVector(left ? left : none, right ? right : none, mask);
    }
    return pieces;
  }
  for (unsigned piece = 0; piece < factor; ++piece) {
    SmallVector<Source, 16> sources;
    for (unsigned field = 0; field < factor; ++field) {
      if (!fields[field]) continue;
      Source source{fields[field], SmallVector<int, 64>(length, -1)};
      bool hasSome = false;
      for (unsigned k = 0; k < length; ++k) {
        const unsigned element = piece * length + k;
        if (element % factor != field) continue;
        source.at[k] = static_cast<int>(element / factor);
        hasSome = true;
      }
      if (hasSome) sources.push_back(std::move(source));
    }
    pieces[piece] = merge(builder, std::move(sources));
  }
  return pieces;
}

unsigned countShuffles(unsigned factor, uint64_t wanted) {
  if (factor == 1 || wanted == 0) return 0;
  if (factor % 2 != 0) return static_cast<unsigned>(llvm::popcount(wanted)) * (factor - 1);
  unsigned sum = 0;
  for (unsigned odd = 0; odd < 2; ++odd)
    if (const uint64_t half = halfOf(wanted, factor, odd))
      sum += factor / 2 + countShuffles(factor / 2, half);
  return sum;
}

bool hasWanted(unsigned piece, unsigned factor, unsigned length, uint64_t wanted) {
  for (unsigned k = 0; k < length; ++k)
    if ((wanted >> ((piece * length + k) % factor)) & 1) return true;
  return false;
}

}  // namespace weft::compiler
