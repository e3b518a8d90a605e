// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>

#include "fuzz/generator.h"
#include "fuzz/nodes.h"
#include "fuzz/sub_group.h"

namespace weft::fuzz {

using namespace node;

namespace {
const Type kInt = scalarType(Scalar::Int), kUInt = scalarType(Scalar::UInt);
constexpr int kBothFences = 3;
}  // namespace

Body Generator::statements(const Place& place, unsigned most) {
  const size_t outside = visible_.size();
  const std::vector<Part> before = parts_;
  Body body;
  const unsigned count = 1 + below(most);
  for (unsigned i = 0; i < count; ++i) addStatement(body, place);
  visible_.resize(outside);
  partsAfter_ = std::exchange(parts_, before);  // whether this was reached is not known
  return body;
}

void Generator::addStatement(Body& body, const Place& place) {
  --budget_;
  if (!parts_.empty() && function_ == 0 && chance(35) && writeParts(body, place)) return;
  if (place.depth > 0 && budget_ > 0 && chance(48)) return compoundStatement(body, place);
  const bool mayMeet = barriers_ && place.uniform && function_ == 0 && place.depth > 0;
  if (mayMeet && programScope_ && chance(20)) return atomicsOfGroup(body);
  if (mayMeet && chance(30)) {
    if (chance(30) && collect(body)) return;
    switch (below(8)) {
      case 0:
        return publish(body);
      case 1:
        return reduceTree(body);
      case 2:
        if (atomics_) return atomicsOfGroup(body);
        break;
      default:
        break;
    }
    return exchange(body);
  }
  simple(body, place);
}

void Generator::simple(Body& body, const Place& place) {
  const auto add = [&](StmtPtr made) {
    if (!made) return false;
    body.push_back(std::move(made));
    return true;
  };
  if (subGroups_ && function_ == 0 && chance(35) && meet(body)) return;
  if (!writtenImages_.empty() && function_ == 0 && chance(25)) {
    body.push_back(writeImage());
    return;
  }
  switch (below(16)) {
    case 0:
    case 1:
      if (guards_ && function_ == 0 && linear_ >= 0) return guarded(body, place);
      break;
    case 12:
      if (edges_ && function_ == 0 && linear_ >= 0) return edge(body);
      break;
    case 2:
    case 3:
      if (pointers_) return pointers(body, place);
      break;
    case 4:
      if (atomics_ && function_ == 0 && add(globalAtomic(place))) return;
      break;
    case 5:
    case 6:
    case 7:
    case 8:
      if (add(store(place))) return;
      break;
    case 9:
      return declareNew(body, place);
    case 10:
    case 11:
      if (add(jump(place))) return;
      break;
    default:
      break;
  }
  add(assignVariable(place));
}

void Generator::compoundStatement(Body& body, const Place& place) {
  switch (below(10)) {
    case 0:
    case 1:
    case 2:
    case 3:
      body.push_back(branch(place));
      return;
    case 4:
    case 5:
    case 6:
      if (place.loops < 3) return loop(body, place);
      body.push_back(branch(place));
      return;
    case 7:
      body.push_back(switches_ ? choose(place) : branch(place));
      return;
    case 8:
      if (jumps_ && !subGroups_ && chance(50)) return tangle(body, place);
      [[fallthrough]];
    default:
      body.push_back(jumps_ ? labelled(place) : branch(place));
      return;
  }
}

StmtPtr Generator::assignVariable(const Place& place) {
  const bool toUniform = place.uniform && chance(20);
  std::vector<int> targets = visibleWith([&](const Variable& variable, const Known& known) {
    return variable.type.isValue() && !known.fixed && variable.kind != VariableKind::Buffer &&
           known.uniform == toUniform;
  });
  if (targets.empty()) return nullptr;
  const int target = pick(targets);
  const Type type = var(target).type;
  const bool uniform = known(target).uniform || chance(8);
  ExprPtr value = expression(type, 3, uniform);
  if (neverOverflows(type.scalar) && chance(35)) {
    const BinaryOp op = isFloat(type.scalar) ? pick({BinaryOp::Add, BinaryOp::Sub})
                                             : pick({BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul,
                                                     BinaryOp::Xor, BinaryOp::Or, BinaryOp::And});
    return compound(op, name(target), std::move(value));
  }
  return assign(name(target), std::move(value));
}

void Generator::declareNew(Body& body, const Place& place) {
  const Type type = value();
  const bool uniform = place.uniform && chance(25);
  ExprPtr first = expression(type, 2, uniform);
  const int fresh = addPrivate(type);
  known(fresh).uniform = uniform;
  body.push_back(declare(fresh, std::move(first)));
  show(fresh);
}

/// A condition that all work-items of a group agree on, now and then so that nobody can prove it.
ExprPtr Generator::disguised(ExprPtr condition, const Place& inside) {
  if (!disguises_ || !inside.uniform || function_ != 0 || !chance(60)) return condition;
  const Type id = var(localLinear_).type;
  if (bitsOf(id.scalar) < 32) return condition;
  ExprPtr always = compare(CompareOp::Less, name(localLinear_), constant(id, 100000));
  return make(ExprKind::LogicalAnd, kInt, std::move(condition), std::move(always));
}

StmtPtr Generator::branch(const Place& place) {
  Place inside = place;
  --inside.depth;
  const bool uniform = chance(place.uniform && barriers_ ? 55 : 30);
  inside.uniform = place.uniform && uniform;
  StmtPtr result = statement(StmtKind::If, disguised(condition(uniform, 2), inside));
  result->body = statements(inside, 3);
  const std::vector<Part> after = partsAfter_;
  if (chance(45)) {
    result->otherwise = statements(inside, 3);
    parts_ = both(after, partsAfter_);
  }
  return result;
}

StmtPtr Generator::conditionalJump(const Place& place, StmtPtr jump, bool uniform) {
  (void)place;
  StmtPtr result = statement(StmtKind::If, condition(uniform));
  result->body.push_back(std::move(jump));
  return result;
}

void Generator::loop(Body& body, const Place& place) {
  const bool uniform = chance(place.uniform && barriers_ ? 60 : 30);
  Place inside = place;
  --inside.depth;
  ++inside.loops;
  inside.uniform = place.uniform && uniform;
  inside.inLoop = true;
  inside.inSwitch = false;
  inside.loopUniform = inside.uniform;
  const uint64_t most = place.loops == 0 ? 7 : 3;
  const Type type = pick({kUInt, kUInt, kInt, kInt, longs_ ? scalarType(Scalar::ULong) : kUInt,
                          small_ ? scalarType(Scalar::UShort) : kInt});
  const bool native = isSigned(type.scalar) && bitsOf(type.scalar) >= 32;
  const int t = addPrivate(type, "t");
  known(t) = {.uniform = uniform && place.uniform, .fixed = true, .below = most + 1};
  ExprPtr bound =
      uniform && chance(40) ? constant(type, 1 + below(most)) : masked(type, most, 1, uniform);
  const auto up = [&] { return compare(CompareOp::Less, name(t), std::move(bound)); };
  const auto step = [&](BinaryOp op) {
    return assign(name(t), binary(op, name(t), constant(type, 1), native));
  };
  const size_t outside = visible_.size();
  StmtPtr result;
  const unsigned kind = below(6);
  if (kind <= 2) {
    result = statement(StmtKind::For,
                       kind == 2 ? compare(CompareOp::Greater, name(t), constant(type, 0)) : up());
    result->init.push_back(declare(t, kind == 2 ? std::move(bound) : constant(type, 0)));
    result->step.push_back(step(kind == 2 ? BinaryOp::Sub : BinaryOp::Add));
    if (chance(25)) {  // one more way out
      ExprPtr more = condition(uniform);
      result->exprs[0] =
          make(ExprKind::LogicalAnd, kInt, std::move(result->exprs[0]), std::move(more));
    }
  } else {
    body.push_back(declare(t, constant(type, 0)));
    known(t).below = most + 2;
    ExprPtr next = make(ExprKind::PostIncrement, type, name(t));
    ExprPtr goesOn = compare(CompareOp::Less, std::move(next), std::move(bound));
    if (chance(40)) {
      ExprPtr more = condition(uniform);
      goesOn = make(ExprKind::LogicalAnd, kInt, std::move(goesOn), std::move(more));
    }
    result = statement(kind == 5 ? StmtKind::DoWhile : StmtKind::While, std::move(goesOn));
  }
  result->exprs[0] = disguised(std::move(result->exprs[0]), inside);
  show(t);
  result->body = statements(inside, 4);
  if (result->kind == StmtKind::DoWhile) parts_ = partsAfter_;
  if (chance(50) && !inside.uniform) {  // a way out before anything else
    StmtPtr way =
        conditionalJump(inside, statement(pick({StmtKind::Break, StmtKind::Continue})), chance(25));
    result->body.insert(result->body.begin() + below(result->body.size() + 1), std::move(way));
  }
  if (kind <= 2) visible_.resize(outside);
  body.push_back(std::move(result));
}

StmtPtr Generator::choose(const Place& place) {
  const bool uniform = chance(place.uniform && barriers_ ? 55 : 25);
  Place inside = place;
  --inside.depth;
  inside.uniform = place.uniform && uniform;
  inside.inSwitch = true;
  inside.switchUniform = inside.uniform;
  StmtPtr result =
      statement(StmtKind::Switch, masked(kInt, pick<uint64_t>({3, 7, 15}), 2, uniform));
  const unsigned cases = 2 + below(5);
  // A table in disguise: every case gives one variable a constant.
  const int target = chance(30) ? findVariable(kUInt, false, true) : -1;
  const unsigned hasDefault = below(cases + 1);
  for (unsigned c = 0; c < cases; ++c) {
    auto branch = statement(StmtKind::Case);
    if (c != hasDefault) {
      branch->values.push_back(c * (cases > 4 ? 1 : 1 + seed_ % 2));
      if (chance(15)) branch->values.push_back(20 + c);
    }
    if (target >= 0 && !known(target).uniform)
      branch->body.push_back(assign(name(target), random(kUInt)));
    else
      branch->body = statements(inside, 2);
    if (chance(65)) branch->body.push_back(statement(StmtKind::Break));
    result->body.push_back(std::move(branch));
  }
  return result;
}

/// Jumps forward out of whatever nest stands inside.
StmtPtr Generator::labelled(const Place& place) {
  StmtPtr result = statement(StmtKind::Labelled);
  result->ref = labels_++;
  Place inside = place;
  --inside.depth;
  inside.labels.push_back(result->ref);
  inside.uniform = false;
  result->body = statements(inside, 4);
  return result;
}

StmtPtr Generator::jump(const Place& place) {
  // Who has returned is not waited for.
  if (place.uniform && function_ == 0 && earlyReturn_ && chance(25))
    return conditionalJump(place, statement(StmtKind::Return), false);
  if (place.uniform && !chance(15)) return nullptr;  // the rest of the group goes on
  const bool uniform = place.uniform || chance(20);
  std::vector<StmtPtr> ways;
  if (place.inLoop && (!place.loopUniform || place.uniform)) {
    ways.push_back(statement(StmtKind::Continue));
    if (!place.inSwitch) ways.push_back(statement(StmtKind::Break));
  }
  if (!place.labels.empty() && jumps_) {
    ways.push_back(statement(StmtKind::Goto));
    ways.back()->ref = pick(place.labels);
  }
  if (function_ != 0) {
    const Type result = program_.functions[static_cast<size_t>(function_)].result;
    ways.push_back(statement(StmtKind::Return, expression(result, 2, false)));
  } else if (earlyReturn_ && chance(25)) {
    ways.push_back(statement(StmtKind::Return));
  }
  if (ways.empty()) return nullptr;
  return conditionalJump(place, std::move(ways[below(ways.size())]), uniform);
}

/// Every work-item writes its own cell, and after a barrier reads others'.
void Generator::exchange(Body& body) {
  const Type type = var(cells_).type.element();
  const uint64_t count = program_.shape.groupItems();
  const int target = findVariable(type, false, true);
  if (target < 0 || program_.shape.ragged()) return publish(body);
  if (barrierHelper_ > 0 && chance(45)) return exchangeByCall(body, target);
  body.push_back(barrier(chance(50) ? 1 : kBothFences));
  ExprPtr own = name(localLinear_);
  if (chance(30))
    own = binary(BinaryOp::Sub, constant(var(localLinear_).type, count - 1), std::move(own));
  body.push_back(assign(node::index(name(cells_), std::move(own)), expression(type, 2, false)));
  body.push_back(barrier(chance(70) ? 1 : kBothFences));
  ExprPtr other = name(localLinear_);
  const Type id = var(localLinear_).type;
  switch (below(4)) {
    case 0:
      other = binary(BinaryOp::Sub, constant(id, count - 1), std::move(other));
      break;
    case 1:
      other = binary(BinaryOp::Rem, binary(BinaryOp::Add, std::move(other), constant(id, 1)),
                     constant(id, count));
      break;
    case 2:
      other = constant(id, below(count));
      break;
    default:
      other = binary(BinaryOp::Rem, expression(kUInt, 2, false), constant(kUInt, count));
      break;
  }
  StmtPtr read = assign(name(target), node::index(name(cells_), std::move(other)));
  if (chance(25)) {
    StmtPtr branch = statement(StmtKind::If, condition(false));
    branch->body.push_back(std::move(read));
    read = std::move(branch);
  }
  body.push_back(std::move(read));
}

/// The group meets to combine what its work-items have. False when there is no place for it.
bool Generator::collect(Body& body) {
  using enum Collective::Op;
  using Kind = Collective::Kind;
  using enum Scalar;
  const Scalar scalar = pick({Int, Int, UInt, Long, ULong, Float, Double});
  Collective what{isFloat(scalar)
                      ? pick({Add, Add, Mul, Min, Max, Broadcast})
                      : pick({Add, Add, Mul, Min, Max, And, Or, Xor, All, Any, Broadcast})};
  if (what.op == All || what.op == Any)
    what.kind = Kind::Reduce;
  else if (what.op != Broadcast)
    what.kind = pick({Kind::Reduce, Kind::ScanInclusive, Kind::ScanExclusive});
  const bool isTruth = what.op == All || what.op == Any;
  const Type type = isTruth ? kInt : scalarType(scalar);
  int target = -1;
  if (what.kind == Kind::Reduce) target = findVariable(type, true, true);
  if (target < 0) target = findVariable(type, false, true);
  if (target < 0) return false;
  StmtPtr made = statement(StmtKind::Collect, name(target),
                           isTruth ? convert(kInt, condition(false)) : expression(type, 2, false));
  made->collective = what;
  body.push_back(std::move(made));
  return true;
}

/// Those of a sub-group who come here do something together. False when there is no place for it.
bool Generator::meet(Body& body) {
  using enum Collective::Op;
  using Kind = SubGroupCall::Kind;
  using enum Scalar;
  const Kind kind =
      pick({Kind::Reduce, Kind::Reduce, Kind::ScanInclusive, Kind::ScanExclusive, Kind::Cluster,
            Kind::Broadcast, Kind::BroadcastFirst, Kind::Shuffle, Kind::Shuffle, Kind::ShuffleXor,
            Kind::ShuffleUp, Kind::ShuffleDown, Kind::Rotate, Kind::Any, Kind::All, Kind::Elect,
            Kind::Count, Kind::Rank, Kind::Barrier});
  StmtPtr made = statement(StmtKind::Meet);
  made->subGroup.kind = kind;
  const bool isVote =
      kind == Kind::Any || kind == Kind::All || kind == Kind::Count || kind == Kind::Rank;
  const Type type = isVote || kind == Kind::Elect
                        ? kInt
                        : scalarType(pick({Int, Int, UInt, UInt, Long, ULong, Float, Double}));
  if (kind != Kind::Barrier) {
    const int target = findVariable(type, false, true);
    if (target < 0) return false;
    made->exprs.push_back(name(target));
  }
  if (isVote)
    made->exprs.push_back(convert(kInt, condition(false)));
  else if (argumentsOf(kind) > 0)
    made->exprs.push_back(expression(type, 2, false));
  if (argumentsOf(kind) > 1) made->exprs.push_back(expression(kUInt, 2, chance(30)));
  made->subGroup.op = isFloat(type.scalar) ? pick({Add, Add, Mul, Min, Max})
                                           : pick({Add, Add, Mul, Min, Max, And, Or, Xor});
  made->subGroup.number = kind == Kind::Cluster ? 1u << below(4) : below(program_.subGroupSize);
  body.push_back(std::move(made));
  return true;
}

/// One work-item decides what a variable of all becomes.
void Generator::publish(Body& body) {
  body.push_back(barrier(1));
  const Type type = var(shared_).type.element();
  ExprPtr isFirst =
      compare(CompareOp::Equal, name(localLinear_),
              constant(var(localLinear_).type,
                       program_.shape.ragged() ? 0 : below(program_.shape.groupItems())));
  StmtPtr branch = statement(StmtKind::If, std::move(isFirst));
  branch->body.push_back(
      assign(node::index(name(shared_), constant(kInt, 0)), expression(type, 2, false)));
  body.push_back(std::move(branch));
  body.push_back(barrier(1));
  const int target = findVariable(type, true, true);
  if (target >= 0)
    body.push_back(assign(name(target), node::index(name(shared_), constant(kInt, 0))));
}

/// s = n / 2, n / 4 ... : the first s work-items add what the next s have.
void Generator::reduceTree(Body& body) {
  const Type type = var(cells_).type.element();
  const uint64_t count = program_.shape.groupItems();
  if (isFloat(type.scalar) || program_.shape.ragged()) return publish(body);
  const Type id = var(localLinear_).type;
  body.push_back(barrier(1));
  body.push_back(assign(node::index(name(cells_), name(localLinear_)), expression(type, 2, false)));
  body.push_back(barrier(1));
  const int s = addPrivate(id, "s");
  known(s) = {.uniform = true, .fixed = true};
  StmtPtr loop = statement(StmtKind::For, compare(CompareOp::Greater, name(s), constant(id, 0)));
  loop->init.push_back(declare(s, constant(id, std::bit_floor(count) / 2)));
  loop->step.push_back(assign(name(s), binary(BinaryOp::Shr, name(s), constant(id, 1))));
  const auto cell = [&](ExprPtr at) { return node::index(name(cells_), std::move(at)); };
  StmtPtr branch = statement(StmtKind::If, compare(CompareOp::Less, name(localLinear_), name(s)));
  branch->body.push_back(assign(cell(name(localLinear_)),
                                binary(BinaryOp::Add, cell(name(localLinear_)),
                                       cell(binary(BinaryOp::Add, name(localLinear_), name(s))))));
  loop->body.push_back(std::move(branch));
  loop->body.push_back(barrier(1));
  body.push_back(std::move(loop));
  const int target = findVariable(type, false, true);
  if (target >= 0) body.push_back(assign(name(target), cell(constant(kInt, 0))));
}

}  // namespace weft::fuzz
