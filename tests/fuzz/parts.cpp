// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that are declared without a value and written part by part: bits of scalars, components
// of vectors, fields of structures. What has not been written is never looked at.
#include <algorithm>

#include "fuzz/generator.h"
#include "fuzz/nodes.h"

namespace weft::fuzz {

using namespace node;

namespace {
const Type kInt = scalarType(Scalar::Int), kUInt = scalarType(Scalar::UInt);

uint64_t bit(size_t number) { return uint64_t{1} << number; }
}  // namespace

void Generator::declareParts(Body& body) {
  using enum Scalar;
  const auto add = [&](Type type) {
    const int fresh = addPrivate(type, "w");
    var(fresh).isPartial = true;
    known(fresh).fixed = true;
    body.push_back(declare(fresh));
    parts_.push_back({fresh, 0});
  };
  const unsigned scalars = 1 + below(3), vectors = below(3);
  for (unsigned i = 0; i < scalars; ++i) {
    add(scalarType(pick({UInt, UInt, UInt, ULong, UShort, UChar})));
    var(parts_.back().ref).isVolatile = chance(8);
  }
  for (unsigned i = 0; i < vectors; ++i)
    add(vectorType(pick({UInt, UInt, Int, Float, UShort}), pick<unsigned>({2, 3, 4, 8})));
  if (!structs_) return;
  add(Type{.structure = 0});
  if (chance(50)) add(Type{.structure = 0});
}

/// Bits that are next to each other more often than not.
uint64_t Generator::someBits(unsigned bits) {
  const uint64_t all = ~uint64_t{0} >> (64 - bits);
  switch (below(4)) {
    case 0:
      return (random_() & all) | 1;
    case 1: {
      const unsigned unit = bits / kUnits;
      return (all >> (bits - unit)) << (unit * below(kUnits));
    }
    default:
      return chance(50) ? all >> (bits / 2) : all << (bits / 2) & all;
  }
}

StmtPtr Generator::writePart(Part& part) {
  const Type type = var(part.ref).type;
  const bool uniform = chance(25);
  if (type.structure >= 0) {
    const auto& fields = program_.structs[static_cast<size_t>(type.structure)].fields;
    const unsigned f = below(fields.size());
    if (!fields[f].type.isValue()) return nullptr;
    ExprPtr value = expression(fields[f].type, 2, uniform);
    part.known |= bit(f);
    return assign(field(program_, name(part.ref), static_cast<int>(f)), std::move(value));
  }
  if (type.isVector()) {
    const unsigned which = below(type.lanes);
    ExprPtr value = expression(type.lane(), 2, uniform);
    part.known |= bit(which);
    return assign(component(name(part.ref), which), std::move(value));
  }
  const uint64_t bits = someBits(bitsOf(type.scalar));
  ExprPtr value = expression(type, 2, uniform);
  part.known |= bits;
  StmtPtr result = statement(StmtKind::Merge, name(part.ref), std::move(value));
  result->values.push_back(bits);
  return result;
}

/// All components at once, those without a value too.
StmtPtr Generator::changeVector() {
  const Part& part = pick(parts_);
  const Type type = var(part.ref).type;
  if (!type.isVector() || !neverOverflows(type.scalar)) return nullptr;
  const BinaryOp op = isFloat(type.scalar)
                          ? pick({BinaryOp::Add, BinaryOp::Mul})
                          : pick({BinaryOp::Add, BinaryOp::Mul, BinaryOp::Xor, BinaryOp::Or});
  return compound(op, name(part.ref), expression(type, 2, false));
}

/// The whole of one variable, where the other loses nothing that it holds.
StmtPtr Generator::copyPart() {
  const Part from = pick(parts_);
  const size_t which = below(parts_.size());
  Part& to = parts_[which];
  const bool fits = var(from.ref).type == var(to.ref).type && (to.known & ~from.known) == 0;
  if (!fits || from.ref == to.ref) return nullptr;
  to.known = from.known;
  std::erase_if(promises_, [&](const Promise& promise) { return promise.part == which; });
  return assign(name(to.ref), name(from.ref));
}

/// One unit of a scalar in each iteration, written; or read into some variable.
StmtPtr Generator::units(const Part& part, ExprPtr bound, bool isRead) {
  const Type type = var(part.ref).type;
  const unsigned unit = bitsOf(type.scalar) / kUnits;
  const uint64_t bits = bitMask(type.scalar) >> (bitsOf(type.scalar) - unit);
  const Type counter = bound->type;
  const int t = addPrivate(counter, "t");
  known(t) = {.fixed = true, .below = kUnits};
  StmtPtr result = statement(StmtKind::For, compare(CompareOp::Less, name(t), std::move(bound)));
  result->init.push_back(declare(t, constant(counter, 0)));
  result->step.push_back(assign(name(t), binary(BinaryOp::Add, name(t), constant(counter, 1))));
  const auto shift = [&] { return binary(BinaryOp::Mul, name(t), constant(counter, unit)); };
  const auto read = [&]() -> StmtPtr {
    const int target = findVariable(kUInt, false, true);
    if (target < 0) return nullptr;
    ExprPtr value = make(ExprKind::Part, type, name(part.ref), shift());
    value->lanes.push_back(bits);
    return compound(pick({BinaryOp::Add, BinaryOp::Xor}), name(target),
                    convert(kUInt, std::move(value)));
  };
  if (isRead) {
    StmtPtr reads = read();
    if (!reads) return nullptr;
    result->body.push_back(std::move(reads));
    return result;
  }
  const size_t outside = visible_.size();
  show(t);
  const auto write = [&] {
    StmtPtr made =
        statement(StmtKind::Merge, name(part.ref), expression(type, 2, chance(20)), shift());
    made->values.push_back(bits);
    return made;
  };
  if (chance(30)) {
    StmtPtr branch = statement(StmtKind::If, condition(chance(30)));
    branch->body.push_back(write());
    branch->otherwise.push_back(write());
    result->body.push_back(std::move(branch));
  } else {
    result->body.push_back(write());
  }
  if (chance(30))
    if (StmtPtr reads = read()) result->body.push_back(std::move(reads));
  visible_.resize(outside);
  return result;
}

/// A whole scalar.
StmtPtr Generator::assemble() {
  Part& part = parts_[below(parts_.size())];
  const Type type = var(part.ref).type;
  if (!type.isScalar()) return nullptr;
  ExprPtr bound = chance(60) ? name(unitCount_) : constant(kUInt, kUnits);
  StmtPtr result = units(part, std::move(bound), false);
  part.known = bitMask(type.scalar);
  return result;
}

/// What is written where a condition holds, to be read where it holds again.
void Generator::makePromise(Body& body, const Place& place) {
  const size_t which = below(parts_.size());
  Part part = parts_[which];
  const bool uniform = place.uniform && chance(40);
  const bool each = var(part.ref).type.isScalar() && chance(50);
  ExprPtr value =
      each ? masked(kInt, kUnits - 1, 2, uniform) : convert(kInt, condition(uniform, 2));
  const int c = addPrivate(kInt, "c");
  known(c) = {.uniform = uniform, .fixed = true};
  body.push_back(declare(c, std::move(value)));
  if (each) {
    body.push_back(units(part, name(c), false));
  } else {
    StmtPtr branch =
        statement(StmtKind::If, compare(CompareOp::NotEqual, name(c), constant(kInt, 0)));
    const unsigned count = 1 + below(2);
    for (unsigned i = 0; i < count; ++i)
      if (StmtPtr write = writePart(part)) branch->body.push_back(std::move(write));
    body.push_back(std::move(branch));
  }
  show(c);
  promises_.push_back({c, which, part.known, each});
}

StmtPtr Generator::redeemPromise() {
  std::vector<Promise> open;
  for (const Promise& promise : promises_)
    if (std::ranges::find(visible_, promise.condition) != visible_.end()) open.push_back(promise);
  const int target = findVariable(kUInt, false, true);
  if (open.empty() || target < 0) return nullptr;
  const Promise& promise = pick(open);
  const Part& part = parts_[promise.part];
  if (promise.each) return units(part, name(promise.condition), true);
  if ((part.known | promise.known) == 0) return nullptr;
  StmtPtr branch = statement(
      StmtKind::If, compare(CompareOp::NotEqual, name(promise.condition), constant(kInt, 0)));
  ExprPtr value = readPart(part, part.known | promise.known);
  if (!value->type.isScalar()) return nullptr;
  branch->body.push_back(compound(BinaryOp::Xor, name(target), convert(kUInt, std::move(value))));
  return branch;
}

/// False when there is no place for it.
bool Generator::writeParts(Body& body, const Place& place) {
  StmtPtr made;
  switch (below(10)) {
    case 0:
    case 1:
    case 2:
      made = writePart(parts_[below(parts_.size())]);
      break;
    case 3:
    case 4:
      made = assemble();
      break;
    case 5:
      made = changeVector();
      break;
    case 6:
      made = copyPart();
      break;
    case 7:
      makePromise(body, place);
      return true;
    default:
      made = redeemPromise();
      break;
  }
  if (!made) return false;
  body.push_back(std::move(made));
  return true;
}

/// Some of what is known.
ExprPtr Generator::readPart(const Part& part, uint64_t known) {
  const Type type = var(part.ref).type;
  if (type.isScalar()) {
    uint64_t bits = known & someBits(bitsOf(type.scalar));
    if (bits == 0 || chance(40)) bits = known;
    ExprPtr value = make(ExprKind::Part, type, name(part.ref));
    value->lanes.push_back(bits);
    return value;
  }
  std::vector<unsigned> held;
  for (unsigned i = 0; i < 64; ++i)
    if ((known >> i & 1) != 0) held.push_back(i);
  const unsigned which = pick(held);
  if (type.isVector()) return component(name(part.ref), which);
  return field(program_, name(part.ref), static_cast<int>(which));
}

ExprPtr Generator::readPart(Type type) {
  const Part& part = pick(parts_);
  if (part.known == 0) return nullptr;
  ExprPtr value = readPart(part, part.known);
  if (value->type.isVector()) return value->type == type ? std::move(value) : nullptr;
  value = convert(type.lane(), std::move(value));
  return type.isVector() ? make(ExprKind::Vector, type, std::move(value)) : std::move(value);
}

std::vector<Generator::Part> Generator::both(std::vector<Part> one,
                                             const std::vector<Part>& other) {
  for (size_t i = 0; i < one.size(); ++i) one[i].known &= other[i].known;
  return one;
}

void Generator::hashParts(Body& body, int hash) {
  for (const Part& part : parts_) {
    if (part.known == 0) continue;
    ExprPtr value = readPart(part, part.known);
    if (!value->type.isScalar() || isFloat(value->type.scalar)) continue;
    addToHash(body, hash, convert(kUInt, std::move(value)));
  }
}

}  // namespace weft::fuzz
