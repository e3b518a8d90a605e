// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/strided_code.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/Sequence.h>
#include <llvm/ADT/bit.h>

namespace weft::compiler {

using namespace llvm;

namespace {

/// Shuffles vectors of `length` elements, of which each `section` is shuffled alike.
class SectionCode {
 public:
  SectionCode(LaneBuilder& builder, unsigned length, unsigned section)
      : builder_(builder), length_(length), section_(std::min(length, section)) {}

  /// `wanted` of the fields that alternate in each section of the pieces.
  Pieces takeApart(ArrayRef<Value*> pieces, uint64_t wanted);
  /// The inverse.
  Pieces putTogether(ArrayRef<Value*> fields);

  /// Pieces whose sections together hold, one after the other, what each section of those that
  /// takeApart() needs has to hold.
  Pieces bySection(ArrayRef<Value*> pieces, uint64_t wanted);
  /// The inverse.
  Pieces inOrder(ArrayRef<Value*> pieces);

 private:
  /// By lane, numbers of elements: those of a second vector follow those of the first. -1 for any.
  using Mask = SmallVector<int, 64>;
  /// Some elements of a vector, by where they belong in the result; -1 where others do.
  struct Source {
    Value* vector;
    Mask at;
  };
  using Sources = SmallVector<Source, 16>;
  /// An element of one of several vectors.
  struct Place {
    unsigned vector, element;
  };

  Pieces takeHalves(ArrayRef<Value*> pieces, uint64_t wanted);
  Pieces takeOneByOne(ArrayRef<Value*> pieces, uint64_t wanted);
  Pieces putHalves(ArrayRef<Value*> fields);
  Pieces putOneByOne(ArrayRef<Value*> fields);
  Value* merge(Sources sources);
  Value* collect(ArrayRef<Value*> vectors, unsigned lanes, function_ref<Place(unsigned)> placeOf);
  Value* everySecond(Value* left, Value* right, unsigned odd);
  Value* alternating(Value* left, Value* right, bool isUpper);
  Value* shuffled(Value* left, Value* right, ArrayRef<int> mask);

  LaneBuilder& builder_;
  unsigned length_, section_;
};

/// Whether fields are taken as runs of as many as a section has elements: each is transposed alone.
bool areRuns(unsigned factor, unsigned section) {
  return factor > section && factor % section == 0;
}

/// Those of every `step` vectors that begin with number `first`.
Pieces everyNth(ArrayRef<Value*> vectors, size_t first, size_t step) {
  Pieces some;
  for (size_t i = first; i < vectors.size(); i += step) some.push_back(vectors[i]);
  return some;
}

uint64_t halfOf(uint64_t wanted, unsigned factor, unsigned odd) {
  uint64_t half = 0;
  for (unsigned k = odd; k < factor; k += 2) half |= ((wanted >> k) & 1) << (k / 2);
  return half;
}

uint64_t runOf(uint64_t wanted, unsigned first, unsigned fields) {
  return (wanted >> first) & maskTrailingOnes<uint64_t>(fields);
}

/// Both may be null; `mask` is of one section, or of the whole vectors.
Value* SectionCode::shuffled(Value* left, Value* right, ArrayRef<int> mask) {
  if (!left && !right) return nullptr;
  const auto part = static_cast<unsigned>(mask.size());
  Mask whole;
  for (unsigned start = 0; start < length_; start += part)
    for (const int element : mask) {
      const auto number = static_cast<unsigned>(element);
      const bool isRight = number >= part;
      whole.push_back(element < 0 || !(isRight ? right : left) ? -1
                      : isRight ? static_cast<int>(length_ + start + number - part)
                                : static_cast<int>(start + number));
    }
  Value* none = PoisonValue::get((left ? left : right)->getType());
  return builder_.CreateShuffleVector(left ? left : none, right ? right : none, whole);
}

/// Merges the sources two by two until all elements are in one vector in their places.
Value* SectionCode::merge(Sources sources) {
  if (sources.empty()) return nullptr;
  if (sources.size() == 1) return shuffled(sources.front().vector, nullptr, sources.front().at);
  while (sources.size() > 1) {
    Sources merged;
    for (size_t i = 0; i + 1 < sources.size(); i += 2) {
      const auto length = static_cast<int>(sources[i].at.size());
      Mask mask(length, -1);
      Source both{nullptr, Mask(length, -1)};
      for (int lane = 0; lane < length; ++lane) {
        if (sources[i].at[lane] >= 0)
          mask[lane] = sources[i].at[lane];
        else if (sources[i + 1].at[lane] >= 0)
          mask[lane] = length + sources[i + 1].at[lane];
        if (mask[lane] >= 0) both.at[lane] = lane;
      }
      both.vector = shuffled(sources[i].vector, sources[i + 1].vector, mask);
      merged.push_back(std::move(both));
    }
    if (sources.size() % 2 != 0) merged.push_back(std::move(sources.back()));
    sources = std::move(merged);
  }
  return sources.front().vector;
}

/// Of those of the vectors that are not null, by lane, the element at `placeOf` that lane.
Value* SectionCode::collect(ArrayRef<Value*> vectors, unsigned lanes,
                            function_ref<Place(unsigned)> placeOf) {
  Sources sources;
  for (unsigned vector = 0; vector < vectors.size(); ++vector) {
    if (!vectors[vector]) continue;
    Source source{vectors[vector], Mask(lanes, -1)};
    bool hasSome = false;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const Place place = placeOf(lane);
      if (place.vector != vector) continue;
      source.at[lane] = static_cast<int>(place.element);
      hasSome = true;
    }
    if (hasSome) sources.push_back(std::move(source));
  }
  return merge(std::move(sources));
}

/// One vector made of every second element of two.
Value* SectionCode::everySecond(Value* left, Value* right, unsigned odd) {
  Mask mask;
  for (unsigned i = 0; i < section_; ++i) mask.push_back(static_cast<int>(2 * i + odd));
  return shuffled(left, right, mask);
}

/// The elements of two lower or upper halves, alternating.
Value* SectionCode::alternating(Value* left, Value* right, bool isUpper) {
  Mask mask;
  for (unsigned i = 0; i < section_; ++i)
    mask.push_back(
        static_cast<int>((i + (isUpper ? section_ : 0)) / 2 + (i % 2 != 0 ? section_ : 0)));
  return shuffled(left, right, mask);
}

Pieces SectionCode::takeApart(ArrayRef<Value*> pieces, uint64_t wanted) {
  const auto factor = static_cast<unsigned>(pieces.size());
  if (factor == 1) return {pieces.front()};
  if (!areRuns(factor, section_))
    return factor % 2 == 0 ? takeHalves(pieces, wanted) : takeOneByOne(pieces, wanted);
  Pieces fields;
  for (unsigned first = 0; first < factor; first += section_)
    fields.append(takeApart(everyNth(pieces, first / section_, factor / section_),
                            runOf(wanted, first, section_)));
  return fields;
}

Pieces SectionCode::takeHalves(ArrayRef<Value*> pieces, uint64_t wanted) {
  const auto factor = static_cast<unsigned>(pieces.size());
  Pieces fields(factor, nullptr);
  for (unsigned odd = 0; odd < 2; ++odd) {
    const uint64_t half = halfOf(wanted, factor, odd);
    if (half == 0) continue;
    Pieces halves;
    for (unsigned i = 0; i < factor; i += 2)
      halves.push_back(everySecond(pieces[i], pieces[i + 1], odd));
    const Pieces taken = takeApart(halves, half);
    for (unsigned k = 0; k < factor / 2; ++k) fields[2 * k + odd] = taken[k];
  }
  return fields;
}

Pieces SectionCode::takeOneByOne(ArrayRef<Value*> pieces, uint64_t wanted) {
  const auto factor = static_cast<unsigned>(pieces.size());
  Pieces fields(factor, nullptr);
  for (unsigned field = 0; field < factor; ++field)
    if ((wanted >> field) & 1)
      fields[field] = collect(pieces, section_, [&](unsigned lane) {
        const unsigned element = lane * factor + field;
        return Place{element / section_, element % section_};
      });
  return fields;
}

Pieces SectionCode::putTogether(ArrayRef<Value*> fields) {
  const auto factor = static_cast<unsigned>(fields.size());
  if (factor == 1) return {fields.front()};
  if (!areRuns(factor, section_)) return factor % 2 == 0 ? putHalves(fields) : putOneByOne(fields);
  Pieces pieces(factor, nullptr);
  for (unsigned first = 0; first < factor; first += section_)
    for (const auto& [i, piece] : enumerate(putTogether(fields.slice(first, section_))))
      pieces[i * (factor / section_) + first / section_] = piece;
  return pieces;
}

Pieces SectionCode::putHalves(ArrayRef<Value*> fields) {
  const Pieces even = putTogether(everyNth(fields, 0, 2));
  const Pieces odd = putTogether(everyNth(fields, 1, 2));
  Pieces pieces;
  for (size_t i = 0; i < fields.size(); ++i)
    pieces.push_back(alternating(even[i / 2], odd[i / 2], i % 2 != 0));
  return pieces;
}

Pieces SectionCode::putOneByOne(ArrayRef<Value*> fields) {
  const auto factor = static_cast<unsigned>(fields.size());
  Pieces pieces;
  for (unsigned piece = 0; piece < factor; ++piece)
    pieces.push_back(collect(fields, section_, [&](unsigned lane) {
      const unsigned element = piece * section_ + lane;
      return Place{element % factor, element / factor};
    }));
  return pieces;
}

Pieces SectionCode::bySection(ArrayRef<Value*> pieces, uint64_t wanted) {
  const auto factor = static_cast<unsigned>(pieces.size());
  const unsigned sections = length_ / section_;
  Pieces result(factor, nullptr);
  for (unsigned i = 0; i < factor; ++i)
    if (hasWanted(i, factor, section_, wanted))
      result[i] = collect(pieces, length_, [&](unsigned lane) {
        const unsigned number = lane / section_ * factor + i;
        return Place{number / sections, number % sections * section_ + lane % section_};
      });
  return result;
}

Pieces SectionCode::inOrder(ArrayRef<Value*> pieces) {
  const auto factor = static_cast<unsigned>(pieces.size());
  const unsigned sections = length_ / section_;
  Pieces result;
  for (unsigned i = 0; i < factor; ++i)
    result.push_back(collect(pieces, length_, [&](unsigned lane) {
      const unsigned number = i * sections + lane / section_;
      return Place{number % factor, number / factor * section_ + lane % section_};
    }));
  return result;
}

unsigned lengthOf(ArrayRef<Value*> vectors) {
  for (Value* vector : vectors)
    if (vector) return cast<FixedVectorType>(vector->getType())->getNumElements();
  return 0;
}

/// Where the elements of a field are whose pieces were taken apart where they are, section by
/// section: every section of a piece holds as many.
SmallVector<int, 64> placesOfField(unsigned factor, unsigned length, unsigned section) {
  const unsigned sections = length / section, inSection = section / factor;
  SmallVector<int, 64> places;
  for (unsigned i = 0; i < length; ++i) {
    const unsigned number = i / inSection;
    places.push_back(static_cast<int>(number % sections * section + number / sections * inSection +
                                      i % inSection));
  }
  return places;
}

/// Whether elements of a field change places afterwards: then only those of fields that are wanted.
/// Those of a section of 128 bits fill 32 or more, which one instruction moves.
bool areMovedAfterwards(unsigned factor, unsigned section) {
  return isPowerOf2_32(factor) && factor <= std::min(section, 4U);
}

unsigned countInSection(unsigned factor, uint64_t wanted, unsigned section) {
  if (factor == 1 || wanted == 0) return 0;
  unsigned sum = 0;
  if (areRuns(factor, section)) {
    for (unsigned first = 0; first < factor; first += section)
      sum += countInSection(section, runOf(wanted, first, section), section);
    return sum;
  }
  if (factor % 2 != 0) return static_cast<unsigned>(llvm::popcount(wanted)) * (factor - 1);
  for (unsigned odd = 0; odd < 2; ++odd)
    if (const uint64_t half = halfOf(wanted, factor, odd))
      sum += factor / 2 + countInSection(factor / 2, half, section);
  return sum;
}

}  // namespace

unsigned sectionOf(FixedVectorType& type, const TargetTransformInfo& target) {
  constexpr unsigned kSectionBits = 128;
  const unsigned length = type.getNumElements(), bits = type.getScalarSizeInBits();
  if (bits == 0 || length * bits <= kSectionBits || length * bits % kSectionBits != 0)
    return length;
  const InstructionCost cost = target.getShuffleCost(TargetTransformInfo::SK_PermuteTwoSrc, &type);
  return cost > 1 ? kSectionBits / bits : length;
}

Pieces takeApart(LaneBuilder& builder, ArrayRef<Value*> pieces, uint64_t wanted, unsigned section) {
  const auto factor = static_cast<unsigned>(pieces.size());
  const unsigned length = lengthOf(pieces);
  if (length == 0 || factor == 1) return Pieces(pieces);
  SectionCode code(builder, length, section);
  if (length <= section) return code.takeApart(pieces, wanted);
  if (!areMovedAfterwards(factor, section))
    return code.takeApart(code.bySection(pieces, wanted), wanted);
  Pieces fields = code.takeApart(pieces, wanted);
  for (Value*& field : fields)
    if (field) field = builder.CreateShuffleVector(field, placesOfField(factor, length, section));
  return fields;
}

Pieces putTogether(LaneBuilder& builder, ArrayRef<Value*> fields, unsigned section) {
  const unsigned length = lengthOf(fields);
  if (length == 0 || fields.size() == 1) return Pieces(fields);
  SectionCode code(builder, length, section);
  const Pieces pieces = code.putTogether(fields);
  return length <= section ? pieces : code.inOrder(pieces);
}

unsigned countShuffles(unsigned factor, uint64_t wanted, unsigned length, unsigned section) {
  const unsigned inSection = countInSection(factor, wanted, std::min(length, section));
  if (length <= section || inSection == 0) return inSection;
  if (areMovedAfterwards(factor, section))
    return inSection + static_cast<unsigned>(llvm::popcount(wanted));
  const auto moved = count_if(
      seq(factor), [&](unsigned piece) { return hasWanted(piece, factor, section, wanted); });
  return inSection + static_cast<unsigned>(moved) * (length / section - 1);
}

bool hasWanted(unsigned piece, unsigned factor, unsigned length, uint64_t wanted) {
  for (unsigned k = 0; k < length; ++k)
    if ((wanted >> ((piece * length + k) % factor)) & 1) return true;
  return false;
}

}  // namespace weft::compiler
