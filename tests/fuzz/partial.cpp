// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that hold nothing in some of their bits: these may be copied, and bits beside them read
// and written.
#include <cstring>

#include "fuzz/evaluate.h"

namespace weft::fuzz {
namespace {

uint64_t wordAt(const uint8_t* bytes, uint64_t size) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, size);
  return word;
}

}  // namespace

/// Whether an expression is the name of such a variable.
bool Evaluator::isPartial(const Expr& expr) const {
  return expr.kind == ExprKind::Variable &&
         program_.variables[static_cast<size_t>(expr.ref)].isPartial;
}

Value Evaluator::part(const Expr& expr, Item& item) {
  const unsigned size = bytesOf(expr.type.scalar);
  const uint64_t shift = expr.args.size() > 1 ? evaluate(*expr.args[1], item).lane[0] : 0;
  if (shift >= bitsOf(expr.type.scalar)) throw Undefined{"part beyond a variable"};
  const Memory::Own own = memory_.own(item.actor, place(*expr.args[0], item), size);
  const uint64_t mask = expr.lanes[0], wanted = mask << shift & bitMask(expr.type.scalar);
  if ((wordAt(own.known, size) & wanted) != wanted) throw Undefined{"part without a value"};
  return Value(wordAt(own.bytes, size) >> shift & mask);
}

void Evaluator::merge(const Stmt& statement, Item& item) {
  const Expr& target = *statement.exprs[0];
  const Scalar scalar = target.type.scalar;
  const uint64_t value = evaluate(*statement.exprs[1], item).lane[0];
  const uint64_t shift =
      statement.exprs.size() > 2 ? evaluate(*statement.exprs[2], item).lane[0] : 0;
  if (shift >= bitsOf(scalar)) throw Undefined{"part beyond a variable"};
  const unsigned size = bytesOf(scalar);
  const Memory::Own own = memory_.own(item.actor, place(target, item), size);
  const uint64_t mask = statement.values[0] << shift & bitMask(scalar);
  const uint64_t bits = (wordAt(own.bytes, size) & ~mask) | (value << shift & mask);
  const uint64_t known = wordAt(own.known, size) | mask;
  std::memcpy(own.bytes, &bits, size);
  std::memcpy(own.known, &known, size);
}

void Evaluator::copyPartial(const Expr& target, const Expr& source, Item& item) {
  const uint64_t size = program_.sizeOf(target.type);
  const Memory::Own from = memory_.own(item.actor, place(source, item), size);
  const Memory::Own to = memory_.own(item.actor, place(target, item), size);
  std::memmove(to.bytes, from.bytes, size);
  std::memmove(to.known, from.known, size);
}

/// target op= value, of a vector: components without a value stay so.
void Evaluator::changePartial(const Stmt& statement, Item& item) {
  const Expr& target = *statement.exprs[0];
  const Value value = evaluate(*statement.exprs[1], item);
  const Address address = place(target, item);
  const unsigned size = bytesOf(target.type.scalar);
  for (unsigned i = 0; i < target.type.lanes; ++i) {
    const Address lane{address.variable, address.offset + int64_t{i} * size};
    if (*memory_.own(item.actor, lane, size).known == 0) continue;
    const Value old = load(target.type.lane(), lane, item);
    store(target.type.lane(), lane,
          Value(binary(statement.op, target.type.scalar, true, true, old.lane[0],
                       value.lane[value.lanes == 1 ? 0 : i])),
          item);
  }
}

Value Evaluator::componentsOf(const Expr& expr, Item& item) {
  const Expr& vector = *expr.args[0];
  Value result;
  result.lanes = expr.type.lanes;
  if (!isPartial(vector)) {
    const Value whole = evaluate(vector, item);
    for (unsigned i = 0; i < result.lanes; ++i) result.lane[i] = whole.lane[expr.lanes[i]];
    return result;
  }
  const auto size = int64_t{bytesOf(expr.type.scalar)};
  for (unsigned i = 0; i < result.lanes; ++i) {
    const Address at{vector.ref, static_cast<int64_t>(expr.lanes[i]) * size};
    result.lane[i] = load(expr.type.lane(), at, item).lane[0];
  }
  return result;
}

}  // namespace weft::fuzz
