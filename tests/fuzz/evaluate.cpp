// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/evaluate.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace weft::fuzz {
namespace {

/// Calls `lane` for each lane of the result with the bits of that lane of each argument.
template <class Lane>
Value lanewise(unsigned lanes, const Value* arguments, size_t count, Lane lane) {
  Value result;
  result.lanes = lanes;
  for (unsigned i = 0; i < lanes; ++i) {
    std::array<uint64_t, 3> bits{};
    for (size_t a = 0; a < count; ++a) bits[a] = arguments[a].lane[arguments[a].lanes == 1 ? 0 : i];
    result.lane[i] = lane(bits.data());
  }
  return result;
}

bool signBit(Scalar scalar, uint64_t bits) { return ((bits >> (bitsOf(scalar) - 1)) & 1) != 0; }

bool isNan(Scalar scalar, uint64_t bits) {
  if (scalar == Scalar::Half) return (bits & 0x7fff) > 0x7c00;
  return scalar == Scalar::Float ? std::isnan(std::bit_cast<float>(static_cast<uint32_t>(bits)))
                                 : std::isnan(std::bit_cast<double>(bits));
}

/// 1 for scalars, -1 in a lane of a vector.
uint64_t truth(bool value, Type type) {
  if (!value) return 0;
  return type.lanes == 1 ? 1 : bitMask(type.scalar);
}

}  // namespace

bool isConstant(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::Constant:
      return true;
    case ExprKind::Negate:
    case ExprKind::Complement:
    case ExprKind::LogicalNot:
    case ExprKind::Binary:
    case ExprKind::Compare:
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr:
    case ExprKind::Conditional:
    case ExprKind::Convert:
    case ExprKind::Reinterpret:
    case ExprKind::Vector:
    case ExprKind::Swizzle:
    case ExprKind::Element:
      return std::ranges::all_of(expr.args, [](const ExprPtr& e) { return isConstant(*e); });
    default:
      return false;
  }
}

Value Evaluator::load(Type type, Address address, Item& item) {
  Value value;
  if (type.pointer) {
    std::memcpy(value.lane.data(), memory_.access(item.actor, address, 8, Memory::Access::Read), 8);
    return value;
  }
  const unsigned bytes = bytesOf(type.scalar);
  const uint8_t* memory =
      memory_.access(item.actor, address, uint64_t{bytes} * type.lanes, Memory::Access::Read);
  value.lanes = type.lanes;
  for (unsigned i = 0; i < type.lanes; ++i) {
    value.lane[i] = 0;
    std::memcpy(&value.lane[i], memory + size_t{i} * bytes, bytes);
  }
  return value;
}

void Evaluator::store(Type type, Address address, const Value& value, Item& item) {
  const unsigned bytes = type.pointer ? 8 : bytesOf(type.scalar);
  const unsigned lanes = type.pointer ? 1 : type.lanes;
  uint8_t* memory =
      memory_.access(item.actor, address, uint64_t{bytes} * lanes, Memory::Access::Write);
  for (unsigned i = 0; i < lanes; ++i)
    std::memcpy(memory + size_t{i} * bytes, &value.lane[i], bytes);
}

Address Evaluator::place(const Expr& expr, Item& item) {
  step();
  switch (expr.kind) {
    case ExprKind::Variable:
      return {expr.ref, 0};
    case ExprKind::Index: {
      const Expr& base = *expr.args[0];
      Address address =
          base.type.pointer ? Address::fromBits(evaluate(base, item).lane[0]) : place(base, item);
      const int64_t index = integer(*expr.args[1], item);
      if (!base.type.pointer && (index < 0 || index >= base.type.array))
        throw Undefined{"index out of bounds"};
      const auto size = static_cast<int64_t>(program_.sizeOf(expr.type));
      if (const int64_t most = Address::kFarthest / size; index > most || index < -most)
        throw Undefined{"index out of bounds"};
      address.offset += index * size;
      return address;
    }
    case ExprKind::Field: {
      Address address = place(*expr.args[0], item);
      const Structure& structure =
          program_.structs[static_cast<size_t>(expr.args[0]->type.structure)];
      address.offset +=
          static_cast<int64_t>(structure.fields[static_cast<size_t>(expr.ref)].offset);
      return address;
    }
    default:
      throw Undefined{"not a place"};
  }
}

void Evaluator::assign(const Expr& target, const Value& value, Item& item) {
  if (target.kind != ExprKind::Swizzle && target.kind != ExprKind::Element)
    return store(target.type, place(target, item), value, item);
  const Expr& vector = *target.args[0];
  const Address address = place(vector, item);
  const unsigned bytes = bytesOf(target.type.scalar);
  if (target.kind == ExprKind::Element) {
    const int64_t index = integer(*target.args[1], item);
    if (index < 0 || index >= vector.type.lanes) throw Undefined{"component out of bounds"};
    return store(target.type, {address.variable, address.offset + index * bytes}, value, item);
  }
  for (unsigned i = 0; i < target.type.lanes; ++i)
    store(target.type.lane(),
          {address.variable, address.offset + static_cast<int64_t>(target.lanes[i] * bytes)},
          Value(value.lane[i]), item);
}

int64_t Evaluator::integer(const Expr& expr, Item& item) {
  return toSignedBits(expr.type.scalar, evaluate(expr, item).lane[0] & bitMask(expr.type.scalar)) &
         (isSigned(expr.type.scalar) || bitsOf(expr.type.scalar) == 64
              ? -1
              : static_cast<int64_t>(bitMask(expr.type.scalar)));
}

bool Evaluator::isTrue(const Expr& expr, Item& item) {
  const uint64_t bits = evaluate(expr, item).lane[0];
  if (isFloat(expr.type.scalar)) return compare(CompareOp::NotEqual, expr.type.scalar, bits, 0);
  return bits != 0;
}

Value Evaluator::binaryOf(const Expr& expr, Item& item) {
  const std::array arguments{evaluate(*expr.args[0], item), evaluate(*expr.args[1], item)};
  const auto op = static_cast<BinaryOp>(expr.op);
  const bool mayFold = (op == BinaryOp::Div || op == BinaryOp::Rem) && isConstant(*expr.args[1]);
  return lanewise(expr.type.lanes, arguments.data(), 2, [&](const uint64_t* v) {
    // What the front end computes itself is left alone, and has no value.
    if (mayFold && (v[1] == 0 || v[1] == bitMask(expr.type.scalar)))
      throw Undefined{"division by a constant that may trap"};
    return binary(op, expr.type.scalar, expr.type.lanes > 1, expr.native, v[0], v[1]);
  });
}

Value Evaluator::conditional(const Expr& expr, Item& item) {
  const Expr& condition = *expr.args[0];
  if (condition.type.lanes == 1) return evaluate(*expr.args[isTrue(condition, item) ? 1 : 2], item);
  const std::array arguments{evaluate(condition, item), evaluate(*expr.args[1], item),
                             evaluate(*expr.args[2], item)};
  return lanewise(expr.type.lanes, arguments.data(), 3, [&](const uint64_t* v) {
    return signBit(condition.type.scalar, v[0]) ? v[1] : v[2];
  });
}

Value Evaluator::callBuiltin(const Expr& expr, Item& item) {
  std::array<Value, 3> arguments;
  for (size_t i = 0; i < expr.args.size(); ++i) arguments[i] = evaluate(*expr.args[i], item);
  const auto function = static_cast<Builtin>(expr.op);
  const Type type = expr.args[0]->type;
  switch (function) {
    case Builtin::Any:
    case Builtin::All: {
      unsigned set = 0;
      for (unsigned i = 0; i < type.lanes; ++i)
        set += signBit(type.scalar, arguments[0].lane[i]) ? 1 : 0;
      return Value(function == Builtin::Any ? set != 0 : set == type.lanes);
    }
    case Builtin::Select: {
      const Scalar condition = expr.args[2]->type.scalar;
      return lanewise(type.lanes, arguments.data(), 3, [&](const uint64_t* v) {
        return (type.lanes == 1 ? v[2] != 0 : signBit(condition, v[2])) ? v[1] : v[0];
      });
    }
    case Builtin::Shuffle: {
      Value result;
      result.lanes = expr.type.lanes;
      for (unsigned i = 0; i < result.lanes; ++i)
        result.lane[i] = arguments[0].lane[arguments[1].lane[i] & (type.lanes - 1u)];
      return result;
    }
    case Builtin::IsNan:
      return lanewise(type.lanes, arguments.data(), 1, [&](const uint64_t* v) {
        return truth(isNan(type.scalar, v[0]), expr.type);
      });
    default:
      return lanewise(type.lanes, arguments.data(), expr.args.size(),
                      [&](const uint64_t* v) { return builtin(function, type.scalar, v); });
  }
}

Value Evaluator::reinterpret(const Expr& expr, Item& item) {
  const Value from = evaluate(*expr.args[0], item);
  const Type type = expr.args[0]->type;
  std::array<uint8_t, 128> bytes{};
  for (unsigned i = 0; i < type.lanes; ++i) {
    // Which NaN an operation gives is open.
    if (isFloat(type.scalar) && isNan(type.scalar, from.lane[i])) throw Undefined{"bits of a NaN"};
    std::memcpy(bytes.data() + size_t{i} * bytesOf(type.scalar), &from.lane[i],
                bytesOf(type.scalar));
  }
  Value result;
  result.lanes = expr.type.lanes;
  for (unsigned i = 0; i < expr.type.lanes; ++i) {
    result.lane[i] = 0;
    std::memcpy(&result.lane[i], bytes.data() + size_t{i} * bytesOf(expr.type.scalar),
                bytesOf(expr.type.scalar));
  }
  return result;
}

Value Evaluator::vectorOf(const Expr& expr, Item& item) {
  Value result;
  result.lanes = expr.type.lanes;
  unsigned filled = 0;
  for (const ExprPtr& part : expr.args) {
    const Value value = evaluate(*part, item);
    for (unsigned i = 0; i < part->type.lanes; ++i) result.lane[filled++] = value.lane[i];
  }
  for (; filled < expr.type.lanes; ++filled) result.lane[filled] = result.lane[0];
  return result;
}

Value Evaluator::atomic(const Expr& expr, Item& item) {
  const Address address = Address::fromBits(evaluate(*expr.args[0], item).lane[0]);
  Value operand, other;
  if (expr.args.size() > 1) operand = evaluate(*expr.args[1], item);
  if (expr.args.size() > 2) other = evaluate(*expr.args[2], item);
  const Scalar scalar = expr.type.scalar;
  const unsigned bytes = bytesOf(scalar);
  const auto op = static_cast<AtomicOp>(expr.op);
  const auto how = op == AtomicOp::Load    ? Memory::Access::Read
                   : op == AtomicOp::Store ? Memory::Access::Write
                                           : Memory::Access::Atomic;
  // An old value that is looked at depends on the order of all atomics there.
  uint8_t* memory = memory_.access(item.actor, address, bytes, how);
  if (expr.native) memory = memory_.access(item.actor, address, bytes, Memory::Access::Write);
  Value old;
  std::memcpy(old.lane.data(), memory, bytes);
  const auto fold = [&]() -> uint64_t {
    switch (op) {
      case AtomicOp::Add:
        return binary(BinaryOp::Add, scalar, false, false, old.lane[0], operand.lane[0]);
      case AtomicOp::Sub:
        return binary(BinaryOp::Sub, scalar, false, false, old.lane[0], operand.lane[0]);
      case AtomicOp::Min:
      case AtomicOp::Max: {
        const std::array both{old.lane[0], operand.lane[0]};
        return builtin(op == AtomicOp::Min ? Builtin::Min : Builtin::Max, scalar, both.data());
      }
      case AtomicOp::And:
        return old.lane[0] & operand.lane[0];
      case AtomicOp::Or:
        return old.lane[0] | operand.lane[0];
      case AtomicOp::Xor:
        return old.lane[0] ^ operand.lane[0];
      case AtomicOp::Xchg:
      case AtomicOp::Store:
        return operand.lane[0];
      case AtomicOp::Load:
        return old.lane[0];
      case AtomicOp::CmpXchg:
        return old.lane[0] == operand.lane[0] ? other.lane[0] : old.lane[0];
      case AtomicOp::Inc:
        return (old.lane[0] + 1) & bitMask(scalar);
    }
    throw Undefined{"unknown atomic"};
  };
  const uint64_t now = fold();
  std::memcpy(memory, &now, bytes);
  return old;
}

int Evaluator::imageOf(const Expr& expr, Item& item) {
  const int variable = Address::fromBits(evaluate(expr, item).lane[0]).variable;
  if (program_.variables[static_cast<size_t>(variable)].kind != VariableKind::Image)
    throw Undefined{"not an image"};
  return variable;
}

Value Evaluator::readImage(const Expr& expr, Item& item) {
  const int variable = imageOf(*expr.args[0], item);
  const ImageType& image = imageType(variable);
  const Value at = evaluate(*expr.args[1], item);
  std::optional<uint64_t> sampler;
  if (expr.args.size() > 2) sampler = evaluate(*expr.args[2], item).lane[0];
  const auto offset = placeToRead(image, expr.args[1]->type.scalar, at, sampler);
  if (!offset) return borderPixel(image);
  return decodePixel(image, memory_.access(item.actor, {variable, static_cast<int64_t>(*offset)},
                                           image.elementBytes(), Memory::Access::Read));
}

void Evaluator::writeImage(const Stmt& statement, Item& item) {
  const int variable = imageOf(*statement.exprs[0], item);
  const ImageType& image = imageType(variable);
  const Value at = evaluate(*statement.exprs[1], item);
  const auto element = encodePixel(image, evaluate(*statement.exprs[2], item));
  const auto offset = placeToWrite(image, at);
  if (!offset) return;
  std::copy_n(element.begin(), image.elementBytes(),
              memory_.access(item.actor, {variable, static_cast<int64_t>(*offset)},
                             image.elementBytes(), Memory::Access::Write));
}

uint64_t Evaluator::query(const Expr& expr, const Item& item) const {
  const auto d = static_cast<size_t>(expr.ref);
  const Shape& shape = program_.shape;
  switch (static_cast<ItemQuery>(expr.op)) {
    case ItemQuery::GlobalId:
      return item.globalId[d];
    case ItemQuery::LocalId:
      return item.localId[d];
    case ItemQuery::GroupId:
      return item.groupId[d];
    case ItemQuery::GlobalSize:
      return shape.global[d];
    case ItemQuery::LocalSize:
      return item.localSize[d];
    case ItemQuery::NumGroups:
      return (shape.global[d] + shape.local[d] - 1) / shape.local[d];
    case ItemQuery::GlobalOffset:
      return shape.offset[d];
  }
  throw Undefined{"unknown query"};
}

Value Evaluator::evaluate(const Expr& expr, Item& item) {
  step();
  const Type type = expr.type;
  switch (expr.kind) {
    case ExprKind::Constant: {
      Value value;
      value.lanes = type.lanes;
      std::copy_n(expr.lanes.begin(), type.lanes, value.lane.begin());
      return value;
    }
    case ExprKind::Variable: {
      const Variable& variable = program_.variables[static_cast<size_t>(expr.ref)];
      if (variable.isMemory()) return Value(Address{expr.ref, 0}.bits());
      if (variable.kind == VariableKind::Sampler) return Value(variable.initial[0]);
      return load(type, {expr.ref, 0}, item);
    }
    case ExprKind::Index:
    case ExprKind::Field:
      return load(type, place(expr, item), item);
    case ExprKind::Swizzle:
      return componentsOf(expr, item);
    case ExprKind::Element: {
      const Value vector = evaluate(*expr.args[0], item);
      const int64_t index = integer(*expr.args[1], item);
      if (index < 0 || index >= static_cast<int64_t>(vector.lanes))
        throw Undefined{"component out of bounds"};
      return Value(vector.lane[static_cast<size_t>(index)]);
    }
    case ExprKind::AddressOf:
      return Value(place(*expr.args[0], item).bits());
    case ExprKind::Advance: {
      Address address = Address::fromBits(evaluate(*expr.args[0], item).lane[0]);
      address.offset += integer(*expr.args[1], item) *
                        static_cast<int64_t>(program_.sizeOf(expr.args[0]->type.element()));
      return Value(address.bits());
    }
    case ExprKind::Negate: {
      const Value value = evaluate(*expr.args[0], item);
      return lanewise(type.lanes, &value, 1, [&](const uint64_t* v) {
        if (isFloat(type.scalar)) return v[0] ^ (uint64_t{1} << (bitsOf(type.scalar) - 1));
        return binary(BinaryOp::Sub, type.scalar, type.lanes > 1, expr.native, 0, v[0]);
      });
    }
    case ExprKind::Complement: {
      const Value value = evaluate(*expr.args[0], item);
      return lanewise(type.lanes, &value, 1,
                      [&](const uint64_t* v) { return ~v[0] & bitMask(type.scalar); });
    }
    case ExprKind::LogicalNot:
      return Value(isTrue(*expr.args[0], item) ? 0 : 1);
    case ExprKind::Binary:
      return binaryOf(expr, item);
    case ExprKind::Compare: {
      const std::array arguments{evaluate(*expr.args[0], item), evaluate(*expr.args[1], item)};
      const Scalar scalar = expr.args[0]->type.pointer ? Scalar::ULong : expr.args[0]->type.scalar;
      return lanewise(type.lanes, arguments.data(), 2, [&](const uint64_t* v) {
        return truth(compare(static_cast<CompareOp>(expr.op), scalar, v[0], v[1]), type);
      });
    }
    case ExprKind::LogicalAnd:
      return Value(isTrue(*expr.args[0], item) && isTrue(*expr.args[1], item) ? 1 : 0);
    case ExprKind::LogicalOr:
      return Value(isTrue(*expr.args[0], item) || isTrue(*expr.args[1], item) ? 1 : 0);
    case ExprKind::Conditional:
      return conditional(expr, item);
    case ExprKind::Convert: {
      const Value value = evaluate(*expr.args[0], item);
      return lanewise(type.lanes, &value, 1, [&](const uint64_t* v) {
        return convert(type.scalar, expr.args[0]->type.scalar, static_cast<Rounding>(expr.op),
                       expr.saturate, v[0]);
      });
    }
    case ExprKind::Reinterpret:
      return reinterpret(expr, item);
    case ExprKind::Vector:
      return vectorOf(expr, item);
    case ExprKind::Call:
      return call(expr, item);
    case ExprKind::CallBuiltin:
      return callBuiltin(expr, item);
    case ExprKind::Item:
      return Value(query(expr, item));
    case ExprKind::VLoad: {
      Address address = Address::fromBits(evaluate(*expr.args[1], item).lane[0]);
      address.offset += integer(*expr.args[0], item) * type.lanes * bytesOf(type.scalar);
      return load(type, address, item);
    }
    case ExprKind::Atomic:
      return atomic(expr, item);
    case ExprKind::PostIncrement: {
      const Address address = place(*expr.args[0], item);
      const Value value = load(type, address, item);
      store(type, address, Value(binary(BinaryOp::Add, type.scalar, false, true, value.lane[0], 1)),
            item);
      return value;
    }
    case ExprKind::ReadImage:
      return readImage(expr, item);
    case ExprKind::QueryImage:
      return Value(
          answer(imageType(imageOf(*expr.args[0], item)), static_cast<ImageQuery>(expr.op)));
    case ExprKind::Part:
      return part(expr, item);
  }
  throw Undefined{"unknown expression"};
}

}  // namespace weft::fuzz
