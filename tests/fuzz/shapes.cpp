// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ranges, indices that wrap, calls that the whole group makes, and loops that are entered in two
/// places.
#include <bit>
#include <cstdint>

#include "fuzz/generator.h"
#include "fuzz/nodes.h"

namespace weft::fuzz {

using namespace node;

namespace {

const Type kInt = scalarType(Scalar::Int), kUInt = scalarType(Scalar::UInt);

/// More work-items than this take the interpreter too long.
constexpr uint64_t kMostItems = 600;

}  // namespace

void Generator::chooseShape() {
  Shape& shape = program_.shape;
  using Sizes = std::array<uint64_t, 3>;
  shape.local = pick<Sizes>({{1, 1, 1},
                             {3, 1, 1},
                             {2 + below(14), 1, 1},  // all of its loops may be unrolled
                             {2 + below(14), 1, 1},
                             {7, 1, 1},
                             {8, 1, 1},
                             {16, 1, 1},
                             {16, 1, 1},
                             {17, 1, 1},
                             {64, 1, 1},
                             {64, 1, 1},
                             {100, 1, 1},
                             {16, 4, 1},
                             {5, 3, 1},
                             {4, 4, 1},
                             {8, 2, 2},
                             {3, 2, 2}});
  if (chance(40)) {
    const unsigned dimensions = pick<unsigned>({1, 1, 1, 2, 2, 3});
    if (dimensions == 1) shape.local = {1 + below(256), 1, 1};
    if (dimensions == 2) shape.local = {1 + below(24), 1 + below(10), 1};
    if (dimensions == 3) shape.local = {1 + below(10), 1 + below(5), 1 + below(5)};
  }
  shape.dimensions = shape.local[2] > 1 ? 3 : shape.local[1] > 1 ? 2 : 1;
  const bool ragged = chance(30);
  uint64_t left = std::max<uint64_t>(kMostItems / shape.groupItems(), 1);
  for (uint32_t d = 0; d < shape.dimensions; ++d) {
    const uint64_t most = shape.dimensions == 1 && shape.local[0] < 17 ? 6 : 3;
    const uint64_t groups = 1 + below(std::min(left, most));
    left /= groups;
    shape.global[d] = shape.local[d] * groups;
    if (ragged && shape.local[d] > 1 && chance(70))
      shape.global[d] += 1 + below(shape.local[d] - 1);
    if (chance(15)) shape.offset[d] = 1 + below(20);
  }
  items_ = 1;
  for (uint32_t d = 0; d < shape.dimensions; ++d) items_ *= shape.offset[d] + shape.global[d];
}

/// An index that is not a multiple of the linear id over all of a group: it wraps or repeats.
ExprPtr Generator::foldedIndex(uint64_t count) {
  if (linear_ < 0 || function_ != 0) return nullptr;
  const int id = localLinear_ >= 0 && chance(30) ? localLinear_ : linear_;
  Type type = var(id).type;
  const uint64_t most = known(id).below;
  switch (below(5)) {
    case 4: {  // in numbers of any size and sign
      using enum Scalar;
      const Type in =
          scalarType(pick({Char, UChar, Short, UShort, Int, UInt, Long, ULong, UShort, UChar}));
      ExprPtr scaled = binary(BinaryOp::Mul, convert(in, name(id)), random(in));
      ExprPtr sum =
          binary(chance(50) ? BinaryOp::Add : BinaryOp::Sub, std::move(scaled), random(in));
      const uint64_t mask = (std::bit_floor(count) - 1) & (bitMask(in.scalar) >> 1);
      return binary(BinaryOp::And, std::move(sum), constant(in, mask));
    }
    case 0: {  // wraps at a power of two
      ExprPtr sum = binary(BinaryOp::Add,
                           binary(BinaryOp::Mul, convert(kUInt, name(id)),
                                  constant(kUInt, pick<uint64_t>({1, 1, 2, 3, 0xffffffff}))),
                           constant(kUInt, pick<uint64_t>({0, 1, 5, 0xfffffff0})));
      if (count >= 256 && chance(60)) return convert(scalarType(Scalar::UChar), std::move(sum));
      return binary(BinaryOp::And, std::move(sum), constant(kUInt, std::bit_floor(count) - 1));
    }
    case 1: {
      const uint64_t by = 1 + below(3);
      if ((most - 1) >> by >= count) return nullptr;
      return binary(BinaryOp::Shr, name(id), constant(type, by));
    }
    case 2: {
      const uint64_t by = 2 + below(6);
      if ((most - 1) / by >= count) return nullptr;
      return binary(BinaryOp::Div, name(id), constant(type, by));
    }
    default:
      return binary(BinaryOp::Rem, name(id),
                    constant(type, 1 + below(std::min<uint64_t>(count, 60))));
  }
}

/// A function in which the group exchanges what each work-item has, some times over.
void Generator::makeBarrierHelper() {
  const Type cell = var(cells_).type.element();
  const uint64_t count = program_.shape.groupItems();
  barrierHelper_ = static_cast<int>(program_.functions.size());
  program_.functions.push_back({});
  function_ = barrierHelper_;
  const int cells = addVariable("cell", VariableKind::Parameter, cell.pointerTo(Space::Local));
  const int id = addVariable("id", VariableKind::Parameter, kUInt);
  const int mine = addVariable("mine", VariableKind::Parameter, cell);
  Body body;
  const auto at = [&](ExprPtr where) { return node::index(name(cells), std::move(where)); };
  const auto other = [&] {
    return binary(BinaryOp::Rem, binary(BinaryOp::Add, name(id), constant(kUInt, 1 + below(9))),
                  constant(kUInt, count));
  };
  Body iteration;
  iteration.push_back(barrier(1));
  iteration.push_back(assign(at(name(id)), name(mine)));
  iteration.push_back(barrier(1));
  if (chance(40)) {  // some take it, and some do not
    StmtPtr branch = statement(
        StmtKind::If, compare(CompareOp::Less, name(id), constant(kUInt, below(count + 1))));
    branch->body.push_back(assign(name(mine), at(other())));
    iteration.push_back(std::move(branch));
  } else {
    iteration.push_back(assign(name(mine), at(other())));
  }
  if (chance(40)) {
    const int t = addPrivate(kUInt, "t");
    StmtPtr loop =
        statement(StmtKind::For, compare(CompareOp::Less, name(t), constant(kUInt, 1 + below(3))));
    loop->init.push_back(declare(t, constant(kUInt, 0)));
    loop->step.push_back(compound(BinaryOp::Add, name(t), constant(kUInt, 1)));
    loop->body = std::move(iteration);
    body.push_back(std::move(loop));
  } else {
    body = std::move(iteration);
  }
  body.push_back(statement(StmtKind::Return, name(mine)));
  Function& function = program_.functions.back();
  function.name = "exchange";
  function.result = cell;
  function.parameters = {cells, id, mine};
  function.keptApart = chance(25);
  function.body = std::move(body);
  function_ = 0;
}

void Generator::exchangeByCall(Body& body, int target) {
  const Type cell = var(cells_).type.element();
  ExprPtr call = make(ExprKind::Call, cell);
  call->ref = barrierHelper_;
  call->args.push_back(
      addressOf(node::index(name(cells_), constant(scalarType(Scalar::Int), 0)), Space::Local));
  call->args.push_back(convert(kUInt, name(localLinear_)));
  call->args.push_back(expression(cell, 2, false));
  body.push_back(assign(name(target), std::move(call)));
}

/// Begins with its first part or with its second, and iterates over both some times.
void Generator::tangle(Body& body, const Place& place) {
  Place inside = place;
  --inside.depth;
  ++inside.loops;
  inside.uniform = false;
  const int t = addPrivate(kUInt, "t");
  known(t) = {.fixed = true, .below = 6};
  body.push_back(declare(t, constant(kUInt, 0)));
  show(t);
  StmtPtr result = statement(StmtKind::Tangle, condition(chance(20)));
  result->ref = labels_++;
  result->body = statements(inside, 2);
  result->otherwise = statements(inside, 2);
  ExprPtr next = make(ExprKind::PostIncrement, kUInt, name(t));
  ExprPtr again = compare(CompareOp::Less, std::move(next), constant(kUInt, 1 + below(4)));
  ExprPtr more = condition(false);
  result->exprs.push_back(
      make(ExprKind::LogicalAnd, scalarType(Scalar::Int), std::move(again), std::move(more)));
  body.push_back(std::move(result));
}

/// Signed sums that come to an end of their type in the work-items that use them, and would be
/// beyond it in others.
void Generator::edge(Body& body) {
  const Type wide = scalarType(Scalar::Long);
  const bool isMost = var(end_).initial[0] == uint64_t{INT32_MAX};
  const bool isAfter = chance(50);  // it is the work-items from `cut` on that use them
  const ExprPtr cut = constant(kInt, below(items_));
  const ExprPtr id = convert(kInt, name(linear_));
  const bool rises = isMost != isAfter;
  ExprPtr distance =
      binary(BinaryOp::Sub, (rises ? id : cut)->clone(), (rises ? cut : id)->clone(), true);
  ExprPtr sum = convert(wide, binary(BinaryOp::Add, name(end_), std::move(distance), true));
  ExprPtr test =
      compare(isAfter ? CompareOp::GreaterEqual : CompareOp::LessEqual, id->clone(), cut->clone());
  const bool isIndex = chance(50);
  const Type type = isIndex ? var(inputs_[0]).type.element() : integer();
  const int target = findVariable(type, false, true);
  if (target < 0) return;
  ExprPtr used;
  if (isIndex) {
    ExprPtr end = convert(wide, name(end_));
    used = node::index(name(inputs_[0]),
                       isMost ? binary(BinaryOp::Sub, std::move(end), std::move(sum), true)
                              : binary(BinaryOp::Sub, std::move(sum), std::move(end), true));
  } else {
    const Type bits = scalarType(Scalar::ULong);
    used = convert(type, binary(BinaryOp::Shr, convert(bits, std::move(sum)),
                                constant(bits, pick<uint64_t>({0, 8, 30, 32, 33}))));
  }
  if (chance(40)) {
    body.push_back(assign(name(target), make(ExprKind::Conditional, type, std::move(test),
                                             std::move(used), leaf(type, false))));
    return;
  }
  StmtPtr branch = statement(StmtKind::If, std::move(test));
  branch->body.push_back(assign(name(target), std::move(used)));
  body.push_back(std::move(branch));
}

}  // namespace weft::fuzz
