// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>

#include "fuzz/generator.h"
#include "fuzz/nodes.h"

namespace weft::fuzz {

using namespace node;

namespace {
const Type kInt = scalarType(Scalar::Int), kUInt = scalarType(Scalar::UInt);
}

/// The same index by way of numbers that may wrap, which nobody knows before the launch.
ExprPtr Generator::roundabout(ExprPtr index) {
  if (distance_ < 0 || function_ != 0 || !chance(40)) return index;
  const uint64_t distance = var(distance_).initial[0];
  const Type type = chance(25) ? scalarType(Scalar::ULong) : kUInt;
  ExprPtr there =
      binary(BinaryOp::Add, convert(type, std::move(index)), convert(type, name(distance_)));
  if (chance(30)) {
    const uint64_t part = below(1000);
    there = binary(BinaryOp::Add, std::move(there), constant(type, part));
    return binary(BinaryOp::Sub, convert(kUInt, std::move(there)),
                  constant(kUInt, distance + part));
  }
  there = convert(kUInt, std::move(there));
  return chance(30) ? binary(BinaryOp::Sub, std::move(there), convert(kUInt, name(distance_)))
                    : binary(BinaryOp::Add, std::move(there), constant(kUInt, 0 - distance));
}

/// An index that stays below `count`, a multiple of the linear id plus something.
ExprPtr Generator::linearIndex(uint64_t count) {
  if (linear_ < 0 || function_ != 0 || count < items_) return nullptr;
  Type type = var(linear_).type;
  ExprPtr id = name(linear_);
  if (chance(30)) {
    type = pick({kInt, kUInt, scalarType(Scalar::ULong), scalarType(Scalar::Long)});
    id = convert(type, std::move(id));
  }
  const bool native = isSigned(type.scalar);
  const uint64_t room = count - items_;
  switch (below(5)) {
    case 0:
      return binary(BinaryOp::Sub, constant(type, items_ - 1), std::move(id), native);
    case 1:
      if (count >= 2 * items_) {
        const uint64_t factor = 2 + below(count / items_ - 1);
        const uint64_t offset = below(count - factor * (items_ - 1));
        ExprPtr scaled = binary(BinaryOp::Mul, std::move(id), constant(type, factor), native);
        return binary(BinaryOp::Add, std::move(scaled), constant(type, offset), native);
      }
      break;
    case 2:
    case 3:
      if (room > 0) {
        const std::vector<int> counters = visibleWith([&](const Variable& v, const Known& k) {
          return v.type.isScalar() && k.below != 0 && k.below <= room && !k.linear;
        });
        if (!counters.empty() && chance(70))
          return binary(BinaryOp::Add, std::move(id), convert(type, name(pick(counters))), native);
        if (chance(40) && std::bit_floor(room) > 1)
          return binary(BinaryOp::Add, std::move(id),
                        convert(type, masked(kUInt, std::bit_floor(room) - 1, 1, chance(50))),
                        native);
        return binary(BinaryOp::Add, std::move(id), constant(type, below(room + 1)), native);
      }
      break;
    default:
      break;
  }
  return id;
}

ExprPtr Generator::index(uint64_t count, int depth, bool uniform) {
  if (!uniform && chance(12))
    if (ExprPtr folded = foldedIndex(count)) return folded;
  if (!uniform && chance(50))
    if (ExprPtr linear = linearIndex(count)) return roundabout(std::move(linear));
  const std::vector<int> counters = visibleWith([&](const Variable& v, const Known& k) {
    return v.type.isScalar() && k.below != 0 && k.below <= count && (!uniform || k.uniform);
  });
  if (!counters.empty() && chance(45)) return name(pick(counters));
  if (chance(20)) return constant(pick({kInt, kUInt}), below(count));
  const Type type = pick({kUInt, kUInt, kInt, scalarType(Scalar::ULong)});
  if (std::has_single_bit(count) || chance(50))
    return masked(type, std::bit_floor(count) - 1, depth, uniform);
  const Type rest = isSigned(type.scalar) ? kUInt : type;
  return binary(BinaryOp::Rem, expression(rest, depth, uniform), constant(rest, count));
}

/// A scalar within a place: the place itself, an element, field or component of it.
ExprPtr Generator::scalarIn(ExprPtr place, int depth, bool uniform) {
  while (!place->type.isScalar()) {
    const Type type = place->type;
    if (type.array != 0) {
      ExprPtr at = index(type.array, depth, uniform);
      place = node::index(std::move(place), std::move(at));
    } else if (type.structure >= 0) {
      const Structure& structure = program_.structs[static_cast<size_t>(type.structure)];
      place = field(program_, std::move(place), static_cast<int>(below(structure.fields.size())));
    } else if (elements_ && chance(35)) {
      place =
          make(ExprKind::Element, type.lane(), std::move(place), index(type.lanes, depth, uniform));
    } else {
      place = component(std::move(place), below(type.lanes));
    }
  }
  return place;
}

ExprPtr Generator::loadScalar(int variable, int depth, bool uniform) {
  const Variable& from = var(variable);
  ExprPtr place = name(variable);
  if (from.type.pointer) {
    const uint64_t count =
        from.kind == VariableKind::Buffer ? from.count : known(variable).elements;
    ExprPtr at = index(count, depth, uniform);
    place = node::index(std::move(place), std::move(at));
  }
  return scalarIn(std::move(place), depth, uniform);
}

/// One of the four elements of local memory that belong to the work-item.
ExprPtr Generator::scratchCell() {
  const Type type = var(localLinear_).type;
  ExprPtr first = binary(BinaryOp::Mul, name(localLinear_), constant(type, 4));
  ExprPtr within =
      chance(50) ? constant(type, below(4)) : convert(type, masked(kUInt, 3, 1, chance(40)));
  return node::index(name(scratch_), binary(BinaryOp::Add, std::move(first), std::move(within)));
}

/// The structure in local memory that belongs to the work-item.
ExprPtr Generator::ownSlot() { return node::index(name(slots_), name(localLinear_)); }

ExprPtr Generator::load(Type type, int depth, bool uniform) {
  if (images_ && chance(40))
    if (ExprPtr pixel = readImage(type, depth, uniform)) return pixel;
  if (scratch_ >= 0 && function_ == 0 && !uniform && type.isScalar() && !isFloat(type.scalar) &&
      chance(12))
    return convert(type, scratchCell());
  if (chance(8) && function_ == 0 && linear_ >= 0) {  // where every item owns a part
    for (size_t i = 0; i < outputs_.size(); ++i) {
      if (chance(50)) continue;
      if (!type.isScalar() || isFloat(type.scalar)) continue;
      uint64_t room = 0;
      ExprPtr own = node::index(name(outputs_[i]), ownIndex(static_cast<int>(i), room));
      return convert(type, scalarIn(std::move(own), 0, uniform));
    }
  }
  std::vector<int> sources = visibleWith([&](const Variable& variable, const Known& known) {
    if (uniform && !known.uniform) return false;
    if (variable.type.pointer)
      return variable.kind == VariableKind::Buffer ? !variable.written : known.elements != 0;
    return variable.kind != VariableKind::Local &&
           (variable.type.array != 0 || variable.type.structure >= 0 || variable.type.isVector());
  });
  if (sources.empty()) return nullptr;
  const int source = pick(sources);
  const Variable& from = var(source);
  if (type.isVector()) {
    // A vector in memory, or one put together from scalars there.
    const Type element = from.type.element();
    const uint64_t count = from.type.pointer && from.kind == VariableKind::Buffer
                               ? from.count
                               : known(source).elements;
    if (from.type.pointer && element.isScalar() && element.scalar == type.scalar &&
        count >= type.lanes) {
      // From the start, or from where vectors are not aligned.
      const uint64_t skipped =
          chance(40) ? below(std::min<uint64_t>(count - type.lanes + 1, 4)) : 0;
      ExprPtr base = name(source);
      if (skipped != 0)
        base = make(ExprKind::Advance, from.type, std::move(base), constant(kInt, skipped));
      ExprPtr at = index((count - skipped) / type.lanes, depth, uniform);
      return make(ExprKind::VLoad, type, std::move(at), std::move(base));
    }
    if (from.type.pointer && element == type) {
      ExprPtr at = index(count, depth, uniform);
      return node::index(name(source), std::move(at));
    }
    return make(ExprKind::Vector, type, convert(type.lane(), loadScalar(source, depth, uniform)));
  }
  ExprPtr loaded =
      slots_ >= 0 && function_ == 0 && !uniform && chance(20) ? scalarIn(ownSlot(), depth, uniform)
      : sparseInput_ >= 0 && function_ == 0 && chance(35)     ? loadSparse(depth, uniform)
                                                              : loadScalar(source, depth, uniform);
  if (isFloat(type.scalar) && !isFloat(loaded->type.scalar)) {
    ExprPtr mask = constant(loaded->type, 0x7f);
    loaded = binary(BinaryOp::And, std::move(loaded), std::move(mask));
  }
  return convert(type, std::move(loaded));
}

/// The part of an output that belongs to the work-item: its first element; `room` are its others.
ExprPtr Generator::ownIndex(int output, uint64_t& room) {
  const Type type = var(linear_).type;
  const bool native = isSigned(type.scalar) && native_;
  ExprPtr id = name(linear_);
  room = 1;
  switch (patterns_[static_cast<size_t>(output)]) {
    case Pattern::Own:
      return id;
    case Pattern::Reversed:
      return binary(BinaryOp::Sub, constant(type, items_ - 1), std::move(id), native);
    case Pattern::Strided:
      return binary(BinaryOp::Add, binary(BinaryOp::Mul, std::move(id), constant(type, 3), native),
                    constant(type, 1), native);
    case Pattern::Chunk: {
      room = 4;
      ExprPtr first = binary(BinaryOp::Mul, std::move(id), constant(type, 4), native);
      if (chance(30)) return first;
      ExprPtr within =
          chance(50) ? constant(type, below(4)) : convert(type, masked(kUInt, 3, 1, chance(40)));
      return binary(BinaryOp::Add, std::move(first), std::move(within), native);
    }
  }
  return id;
}

StmtPtr Generator::storeOwn(const Place& /*place*/) {
  const auto output = static_cast<int>(below(outputs_.size()));
  const int buffer = outputs_[static_cast<size_t>(output)];
  const Type element = var(buffer).type.element();
  uint64_t room = 0;
  ExprPtr at = ownIndex(output, room);
  if (room == 4 && element.isScalar() && vectors_ && chance(40)) {
    const Type wide = vectorType(element.scalar, pick<unsigned>({2, 4}));
    ExprPtr id = name(linear_);
    if (wide.lanes == 2)
      id = binary(BinaryOp::Mul, std::move(id), constant(var(linear_).type, 2), false);
    return statement(StmtKind::VStore, expression(wide, 2, false), std::move(id), name(buffer));
  }
  ExprPtr target = node::index(name(buffer), roundabout(std::move(at)));
  if (element.structure >= 0) target = scalarIn(std::move(target), 1, false);
  const Type type = target->type;
  if (!isSigned(type.scalar) && type.isScalar() && chance(25))
    return compound(pick({BinaryOp::Add, BinaryOp::Xor}), std::move(target),
                    expression(type, 2, false));
  return assign(std::move(target), expression(type, 2, false));
}

StmtPtr Generator::storePrivate(const Place& /*place*/) {
  const std::vector<int> targets = visibleWith([&](const Variable& variable, const Known& known) {
    if (known.fixed) return false;
    if (variable.type.pointer) return known.written && known.elements != 0;
    return variable.kind == VariableKind::Private && !known.uniform &&
           (variable.type.array != 0 || variable.type.structure >= 0 || variable.type.isVector());
  });
  if (targets.empty()) return nullptr;
  const int target = pick(targets);
  if (var(target).type.structure >= 0 && var(target).type.array == 0 && !var(target).type.pointer &&
      chance(25)) {
    const int source = findVariable(var(target).type, false, false);
    if (source >= 0 && source != target) return assign(name(target), name(source));
  }
  if (var(target).type.isVector() && var(target).type.lanes >= 2 && chance(30)) {
    const Type two = vectorType(var(target).type.scalar, 2);
    ExprPtr part = make(ExprKind::Swizzle, two, name(target));
    const uint64_t first = below(var(target).type.lanes);
    part->lanes = {first, (first + 1) % var(target).type.lanes};
    return assign(std::move(part), expression(two, 2, false));
  }
  ExprPtr to = loadScalar(target, 1, false);
  const Type type = to->type;
  if (!isSigned(type.scalar) && bitsOf(type.scalar) >= 32 && chance(40))
    return compound(pick({BinaryOp::Add, BinaryOp::Sub, BinaryOp::Xor, BinaryOp::Or}),
                    std::move(to), expression(type, 2, false));
  return assign(std::move(to), expression(type, 2, false));
}

StmtPtr Generator::storeVector(const Place& /*place*/) {
  const std::vector<int> arrays = visibleWith([&](const Variable& variable, const Known& known) {
    return variable.kind == VariableKind::Private && variable.type.array >= 2 && !known.fixed &&
           variable.type.element().isScalar();
  });
  if (arrays.empty()) return nullptr;
  const int array = pick(arrays);
  const Type element = var(array).type.element();
  const unsigned lanes = var(array).type.array >= 4 ? pick<unsigned>({2, 3, 4}) : 2;
  const unsigned skipped = chance(40) ? below(var(array).type.array - lanes + 1) : 0;
  ExprPtr first = node::index(name(array), constant(kInt, skipped));
  ExprPtr at = index((var(array).type.array - skipped) / lanes, 1, false);
  return statement(StmtKind::VStore, expression(vectorType(element.scalar, lanes), 2, false),
                   std::move(at), addressOf(std::move(first), Space::Private));
}

StmtPtr Generator::store(const Place& place) {
  if (scratch_ >= 0 && function_ == 0 && chance(25))
    return chance(50) ? assign(scratchCell(), expression(kUInt, 2, false))
                      : compound(pick({BinaryOp::Add, BinaryOp::Xor}), scratchCell(),
                                 expression(kUInt, 2, false));
  if (slots_ >= 0 && function_ == 0 && chance(20)) {
    ExprPtr place = scalarIn(ownSlot(), 1, false);
    const Type type = place->type;
    return assign(std::move(place), expression(type, 2, false));
  }
  if (sparseOutput_ >= 0 && function_ == 0 && chance(35)) {
    ExprPtr place = ownSparseElement();
    const Type type = place->type;
    return assign(std::move(place), expression(type, 2, false));
  }
  if (vectors_ && chance(15))
    if (StmtPtr stored = storeVector(place)) return stored;
  if (!outputs_.empty() && function_ == 0 && chance(50)) return storeOwn(place);
  return storePrivate(place);
}

/// A write that only its guard keeps within a buffer.
void Generator::guardedStore(Body& body) {
  const int buffer = pick(guardedOutputs_);
  ExprPtr inside =
      compare(CompareOp::Less, name(linear_), convert(var(linear_).type, name(guard_)));
  if (chance(40)) {
    ExprPtr more = condition(false);
    inside = make(ExprKind::LogicalAnd, kInt, std::move(inside), std::move(more));
  }
  StmtPtr branch = statement(StmtKind::If, std::move(inside));
  branch->body.push_back(assign(node::index(name(buffer), name(linear_)),
                                expression(var(buffer).type.element(), 2, false)));
  body.push_back(std::move(branch));
}

/// i - k < n in unsigned numbers: the first work-items wrap, and are beyond n.
void Generator::guardedShifted(Body& body, int buffer, int target) {
  const Type type = guardBelow_ < 200 && chance(30) ? scalarType(Scalar::UChar)
                    : chance(70)                    ? kUInt
                                                    : scalarType(Scalar::ULong);
  const int j = addPrivate(type, "j");
  body.push_back(declare(
      j, binary(BinaryOp::Sub, convert(type, name(linear_)), constant(type, 1 + below(9)))));
  StmtPtr branch =
      statement(StmtKind::If, compare(CompareOp::Less, name(j), convert(type, name(guard_))));
  branch->body.push_back(assign(name(target), node::index(name(buffer), name(j))));
  body.push_back(std::move(branch));
}

/// Reads that only their guard keeps within a buffer, which ends where memory cannot be touched.
void Generator::guarded(Body& body, const Place& place) {
  const Type id = var(linear_).type;
  if (!guardedOutputs_.empty() && chance(30)) return guardedStore(body);
  const int buffer = pick(guardedInputs_);
  const Type element = var(buffer).type.element();
  const int target = findVariable(element, false, true);
  if (target < 0) return;
  if (chance(20)) return guardedShifted(body, buffer, target);
  const auto limit = [&](Type type) { return convert(type, name(guard_)); };
  const auto at = [&](ExprPtr where) { return node::index(name(buffer), std::move(where)); };
  switch (below(5)) {
    case 0: {  // in range
      StmtPtr branch = statement(StmtKind::If, compare(CompareOp::Less, name(linear_), limit(id)));
      branch->body.push_back(assign(name(target), at(name(linear_))));
      if (chance(40)) {
        Place inside = place;
        inside.uniform = false;
        --inside.depth;
        const size_t outside = visible_.size();
        simple(branch->body, inside);
        visible_.resize(outside);
      }
      body.push_back(std::move(branch));
      return;
    }
    case 1: {  // the one before: unsigned numbers wrap
      ExprPtr i = convert(kUInt, name(linear_));
      StmtPtr branch =
          statement(StmtKind::If, make(ExprKind::LogicalAnd, kInt,
                                       compare(CompareOp::Greater, i->clone(), constant(kUInt, 0)),
                                       compare(CompareOp::LessEqual, i->clone(), limit(kUInt))));
      branch->body.push_back(
          assign(name(target), at(binary(BinaryOp::Sub, std::move(i), constant(kUInt, 1)))));
      body.push_back(std::move(branch));
      return;
    }
    case 2: {  // only one side is evaluated
      ExprPtr otherwise = leaf(element, false);
      body.push_back(assign(name(target), make(ExprKind::Conditional, element,
                                               compare(CompareOp::Less, name(linear_), limit(id)),
                                               at(name(linear_)), std::move(otherwise))));
      return;
    }
    case 3: {  // a stencil
      if (isFloat(element.scalar)) break;
      const int t = addPrivate(kUInt, "t");
      known(t).fixed = true;
      StmtPtr loop =
          statement(StmtKind::For, compare(CompareOp::Less, name(t), constant(kUInt, 3)));
      loop->init.push_back(declare(t, constant(kUInt, 0)));
      loop->step.push_back(compound(BinaryOp::Add, name(t), constant(kUInt, 1)));
      const int j = addPrivate(kUInt, "j");
      ExprPtr around =
          binary(BinaryOp::Sub, binary(BinaryOp::Add, convert(kUInt, name(linear_)), name(t)),
                 constant(kUInt, 1));
      loop->body.push_back(declare(j, std::move(around)));
      StmtPtr branch = statement(StmtKind::If, compare(CompareOp::Less, name(j), limit(kUInt)));
      branch->body.push_back(
          assign(name(target), binary(BinaryOp::Add, name(target), at(name(j)))));
      loop->body.push_back(std::move(branch));
      body.push_back(std::move(loop));
      return;
    }
    default: {  // a loop that ends at the end of the buffer
      if (isFloat(element.scalar)) break;
      const int t = addPrivate(kInt, "t");
      known(t).fixed = true;
      ExprPtr sum = binary(BinaryOp::Add, convert(kInt, name(linear_)), name(t), true);
      StmtPtr loop = statement(StmtKind::For,
                               make(ExprKind::LogicalAnd, kInt,
                                    compare(CompareOp::Less, name(t), constant(kInt, 1 + below(6))),
                                    compare(CompareOp::Less, sum->clone(), limit(kInt))));
      loop->init.push_back(declare(t, constant(kInt, 0)));
      loop->step.push_back(compound(BinaryOp::Add, name(t), constant(kInt, 1)));
      loop->body.push_back(
          assign(name(target), binary(BinaryOp::Add, name(target), at(std::move(sum)))));
      body.push_back(std::move(loop));
      return;
    }
  }
}

/// Pointers that differ between work-items in the object they point to, or walk through it.
void Generator::pointers(Body& body, const Place& place) {
  const std::vector<int> pointers = visibleWith([&](const Variable& variable, const Known& known) {
    return variable.kind == VariableKind::Private && variable.type.pointer && !known.fixed;
  });
  if (pointers.empty()) return;
  const int pointer = pick(pointers);
  const Type type = var(pointer).type;
  const uint64_t elements = known(pointer).elements;
  const std::vector<int> objects = visibleWith([&](const Variable& variable, const Known& known) {
    if (variable.type.element() != type.element()) return false;
    if (known.uniform && variable.kind == VariableKind::Private) return false;
    if (type.space == Space::Private)
      return variable.kind == VariableKind::Private && variable.type.array >= elements;
    return variable.kind == VariableKind::Buffer && !variable.written &&
           variable.type.space == type.space && variable.count >= elements;
  });
  if (objects.empty()) return;
  const auto aim = [&] {
    const int object = pick(objects);
    const uint64_t count =
        type.space == Space::Private ? var(object).type.array : var(object).count;
    ExprPtr at = index(count - elements + 1, 1, false);
    if (type.space != Space::Private && chance(50))
      return make(ExprKind::Advance, type, name(object), std::move(at));
    return addressOf(node::index(name(object), std::move(at)), type.space);
  };
  switch (below(4)) {
    case 0: {
      ExprPtr one = aim();
      body.push_back(assign(name(pointer), make(ExprKind::Conditional, type, condition(false),
                                                std::move(one), aim())));
      return;
    }
    case 1: {
      StmtPtr branch = statement(StmtKind::If, condition(false));
      branch->body.push_back(assign(name(pointer), aim()));
      body.push_back(std::move(branch));
      return;
    }
    case 2: {  // a walk
      const Type element = type.element();
      const int target = findVariable(element, false, true);
      if (target < 0) break;
      const int walker = addPrivate(type, "q"), t = addPrivate(kUInt, "t");
      known(walker).fixed = known(t).fixed = true;
      ExprPtr bound = masked(kUInt, std::bit_floor(elements) - 1, 1, chance(30));
      StmtPtr loop = statement(StmtKind::For, compare(CompareOp::Less, name(t), std::move(bound)));
      loop->init.push_back(declare(t, constant(kUInt, 0)));
      loop->step.push_back(compound(BinaryOp::Add, name(t), constant(kUInt, 1)));
      body.push_back(declare(walker, name(pointer)));
      loop->body.push_back(assign(
          name(target),
          binary(BinaryOp::Add, name(target), node::index(name(walker), constant(kInt, 0)))));
      StmtPtr advance =
          assign(name(walker), make(ExprKind::Advance, type, name(walker), constant(kInt, 1)));
      if (chance(30)) {
        StmtPtr branch = statement(StmtKind::If, condition(false));
        branch->body.push_back(std::move(advance));
        advance = std::move(branch);
      }
      loop->body.push_back(std::move(advance));
      body.push_back(std::move(loop));
      return;
    }
    default:
      break;
  }
  (void)place;
  body.push_back(assign(name(pointer), aim()));
}

}  // namespace weft::fuzz
