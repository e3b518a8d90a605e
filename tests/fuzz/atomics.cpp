// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/generator.h"
#include "fuzz/nodes.h"

namespace weft::fuzz {

using namespace node;

namespace {
const Type kInt = scalarType(Scalar::Int), kUInt = scalarType(Scalar::UInt),
           kULong = scalarType(Scalar::ULong);
constexpr int kBothFences = 3;
}  // namespace

/// Has the atomic function be one of C11, with any order and scope that it may have.
void Generator::chooseOrder(Expr& atomic) {
  using enum AtomicOrder;
  const auto op = static_cast<AtomicOp>(atomic.op);
  const AtomicOrder order =
      op == AtomicOp::Load ? pick({Relaxed, Acquire, SequentiallyConsistent})
      : op == AtomicOp::Store
          ? pick({Relaxed, Release, SequentiallyConsistent})
          : pick({Relaxed, Acquire, Release, AcquireRelease, SequentiallyConsistent});
  atomic.ref = 1 + 3 * static_cast<int>(order) + static_cast<int>(below(3));
}

/// What the work-items of a group make together of cells in local memory, or of cells at program
/// scope that no other group has.
void Generator::atomicsOfGroup(Body& body) {
  const bool isLocal = programSums_ < 0 || chance(40);
  const int sums = isLocal ? localSums_ : programSums_;
  const Type type = var(sums).type.element();
  const uint64_t count = isLocal ? var(sums).type.array : kSumsOfGroup;
  const int fences = isLocal ? 1 : kBothFences;
  const auto cell = [&](ExprPtr place) {
    if (isLocal) return node::index(name(sums), std::move(place));
    ExprPtr group = query(ItemQuery::GroupId, 2);
    for (const int dimension : {1, 0})
      group =
          binary(BinaryOp::Add,
                 binary(BinaryOp::Mul, std::move(group), query(ItemQuery::NumGroups, dimension)),
                 query(ItemQuery::GroupId, dimension));
    return node::index(
        name(sums),
        binary(BinaryOp::Add, binary(BinaryOp::Mul, std::move(group), constant(kULong, count)),
               convert(kULong, std::move(place))));
  };
  const auto atomic = [&](AtomicOp op, ExprPtr place, bool isC11) {
    ExprPtr result =
        make(ExprKind::Atomic, type,
             addressOf(cell(std::move(place)), isLocal ? Space::Local : Space::Global));
    result->op = static_cast<uint8_t>(op);
    if (isC11) chooseOrder(*result);
    return result;
  };
  body.push_back(barrier(fences));
  StmtPtr clear = statement(StmtKind::If, compare(CompareOp::Equal, name(localLinear_),
                                                  constant(var(localLinear_).type, 0)));
  for (uint64_t i = 0; i < count; ++i) {
    if (isLocal) {
      clear->body.push_back(assign(cell(constant(kInt, i)), random(type)));
      continue;
    }
    ExprPtr store = atomic(AtomicOp::Store, constant(kInt, i), true);
    store->args.push_back(random(type));
    clear->body.push_back(statement(StmtKind::Evaluate, std::move(store)));
  }
  body.push_back(std::move(clear));
  body.push_back(barrier(fences));
  const AtomicOp op = pick({AtomicOp::Add, AtomicOp::Sub, AtomicOp::Min, AtomicOp::Max,
                            AtomicOp::And, AtomicOp::Or, AtomicOp::Xor, AtomicOp::Inc});
  const bool isC11 = programScope_ && op != AtomicOp::Inc && chance(70);
  ExprPtr change = atomic(op, index(count, 1, false), isC11);
  if (op != AtomicOp::Inc) change->args.push_back(expression(type, 2, false));
  StmtPtr update = statement(StmtKind::Evaluate, std::move(change));
  if (chance(60)) {
    StmtPtr branch = statement(StmtKind::If, condition(false));
    branch->body.push_back(std::move(update));
    update = std::move(branch);
  }
  body.push_back(std::move(update));
  body.push_back(barrier(fences));
  const int target = findVariable(type, false, true);
  if (target < 0) return;
  ExprPtr place = index(count, 1, false);
  body.push_back(assign(name(target), isLocal ? cell(std::move(place))
                                              : atomic(AtomicOp::Load, std::move(place), true)));
}

/// Sums of all work-items, which nobody reads, or operations on a cell of one's own.
StmtPtr Generator::globalAtomic(const Place& /*place*/) {
  const Type type = var(accumulators_).type.element();
  if (chance(60)) {
    ExprPtr cell = node::index(name(accumulators_), index(8, 1, false));
    ExprPtr atomic = make(ExprKind::Atomic, type, addressOf(std::move(cell), Space::Global),
                          expression(type, 2, false));
    atomic->op = static_cast<uint8_t>(AtomicOp::Add);
    return statement(StmtKind::Evaluate, std::move(atomic));
  }
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const Type element = var(outputs_[i]).type.element();
    if (element != kInt && element != kUInt) continue;
    const int target = findVariable(element, false, true);
    if (target < 0) continue;
    uint64_t room = 0;
    ExprPtr cell = node::index(name(outputs_[i]), ownIndex(static_cast<int>(i), room));
    const AtomicOp op =
        pick({AtomicOp::Add, AtomicOp::Xchg, AtomicOp::CmpXchg, AtomicOp::Max, AtomicOp::Xor});
    ExprPtr atomic = make(ExprKind::Atomic, element, addressOf(std::move(cell), Space::Global),
                          leaf(element, false));
    if (op == AtomicOp::CmpXchg) atomic->args.push_back(leaf(element, false));
    atomic->op = static_cast<uint8_t>(op);
    atomic->native = true;
    return assign(name(target), std::move(atomic));
  }
  return nullptr;
}

}  // namespace weft::fuzz
