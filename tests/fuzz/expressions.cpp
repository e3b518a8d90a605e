// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>

#include "fuzz/generator.h"
#include "fuzz/nodes.h"
#include "fuzz/value.h"

namespace weft::fuzz {

using namespace node;

ExprPtr Generator::name(int ref) { return node::variable(program_, ref); }

int Generator::findVariable(Type type, bool uniform, bool assignable) {
  const std::vector<int> found = visibleWith([&](const Variable& variable, const Known& known) {
    return variable.type == type && (!uniform || known.uniform) && !(assignable && known.fixed);
  });
  return found.empty() ? -1 : pick(found);
}

ExprPtr Generator::random(Type type) {
  const auto lane = [&]() -> uint64_t {
    if (isFloat(type.scalar)) {
      const double number = (static_cast<int>(below(1024)) - 512) / 8.0;
      if (type.scalar == Scalar::Half) return halfBits(number);
      return type.scalar == Scalar::Float ? std::bit_cast<uint32_t>(static_cast<float>(number))
                                          : std::bit_cast<uint64_t>(number);
    }
    switch (below(6)) {
      case 0:
        return random_() & bitMask(type.scalar);
      case 1:
        return pick<uint64_t>({bitMask(type.scalar), bitMask(type.scalar) >> 1,
                               (bitMask(type.scalar) >> 1) + 1, 0, 1});
      case 2:
        return below(1000) & bitMask(type.scalar);
      default:
        return below(9);
    }
  };
  ExprPtr expr = constant(type, 0);
  for (uint64_t& bits : expr->lanes) bits = lane();
  return expr;
}

ExprPtr Generator::leaf(Type type, bool uniform) {
  if (!parts_.empty() && function_ == 0 && !uniform && chance(30))
    if (ExprPtr part = readPart(type)) return part;
  const int same = findVariable(type, uniform, false);
  if (same >= 0 && chance(60)) return name(same);
  if (type.isScalar() && chance(70)) {
    const std::vector<int> others = visibleWith([&](const Variable& variable, const Known& known) {
      return variable.type.isScalar() && (!uniform || known.uniform);
    });
    if (!others.empty()) return convert(type, name(pick(others)));
    if (observesGroup_ && uniform && !isFloat(type.scalar) && chance(30))
      return convert(type,
                     query(pick({ItemQuery::GroupId, ItemQuery::LocalSize, ItemQuery::NumGroups}),
                           static_cast<int>(below(3))));
  }
  if (type.isVector() && chance(70)) {
    const std::vector<int> others = visibleWith([&](const Variable& variable, const Known& known) {
      return variable.type.isValue() && (!uniform || known.uniform) &&
             (variable.type.lanes == type.lanes || variable.type.lanes == 1);
    });
    if (!others.empty()) {
      const int other = pick(others);
      if (var(other).type.lanes == type.lanes) return convert(type, name(other));
      return make(ExprKind::Vector, type, convert(type.lane(), name(other)));
    }
  }
  return random(type);
}

ExprPtr Generator::masked(Type type, uint64_t mask, int depth, bool uniform) {
  return binary(BinaryOp::And, expression(type, depth, uniform), constant(type, mask));
}

ExprPtr Generator::expression(Type type, int depth, bool uniform) {
  if (depth <= 0 || chance(15)) return leaf(type, uniform);
  if (chance(12)) return conditional(type, depth, uniform);
  if (chance(uniform ? 12 : 22)) {
    if (ExprPtr loaded = load(type, depth - 1, uniform)) return loaded;
  }
  if (helpers_ && function_ == 0 && chance(8))
    if (ExprPtr result = callHelper(type, depth, uniform)) return result;
  if (type.isVector() && chance(55)) return vectorOperation(type, depth, uniform);
  if (isFloat(type.scalar)) return floatOperation(type, depth, uniform);
  return integerOperation(type, depth, uniform);
}

ExprPtr Generator::conditional(Type type, int depth, bool uniform) {
  if (type.isVector() && chance(60)) {
    const Type mask = vectorType(maskOf(type.scalar), type.lanes);
    ExprPtr left = expression(type, depth - 2, uniform), right = leaf(type, uniform);
    ExprPtr test = compare(pick({CompareOp::Less, CompareOp::Equal, CompareOp::GreaterEqual}),
                           std::move(left), std::move(right));
    ExprPtr yes = expression(type, depth - 1, uniform), no = leaf(type, uniform);
    (void)mask;
    if (chance(50))
      return make(ExprKind::Conditional, type, std::move(test), std::move(yes), std::move(no));
    return call(Builtin::Select, type, std::move(yes), std::move(no), std::move(test));
  }
  ExprPtr test = condition(uniform);
  ExprPtr yes = expression(type, depth - 1, uniform);
  ExprPtr no = expression(type, depth - 1, uniform);
  if (type.isScalar() && chance(25)) {
    ExprPtr mask = convert(scalarType(maskOf(type.scalar)), std::move(test));
    return call(Builtin::Select, type, std::move(yes), std::move(no), std::move(mask));
  }
  return make(ExprKind::Conditional, type, std::move(test), std::move(yes), std::move(no));
}

ExprPtr Generator::integerOperation(Type type, int depth, bool uniform) {
  switch (below(type.isScalar() ? 14 : 9)) {
    case 0:
    case 1:
      return integerBuiltin(type, depth, uniform);
    case 2:
      return make(pick({ExprKind::Negate, ExprKind::Complement}), type,
                  expression(type, depth - 1, uniform));
    case 3: {  // a plain signed operator, which must not overflow
      if (!native_ || !isSigned(type.scalar) || bitsOf(type.scalar) < 32) break;
      ExprPtr left = masked(type, 0xfff, depth - 1, uniform);
      return binary(pick({BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul}), std::move(left),
                    masked(type, 0xff, depth - 2, uniform), true);
    }
    case 9: {
      Type other = scalar();
      if (!small_ && bitsOf(other.scalar) < 32) other = scalarType(Scalar::UInt);
      const Rounding rounding =
          isFloat(other.scalar) && chance(40)
              ? pick({Rounding::Even, Rounding::Zero, Rounding::Up, Rounding::Down})
              : Rounding::Default;
      return convert(type, expression(other, depth - 1, uniform), chance(25), rounding);
    }
    case 10:
      if (type.scalar == Scalar::Int) return convert(type, condition(uniform, depth - 1));
      break;
    case 11:
      if (vectors_ && type.scalar == Scalar::Int) {
        const Type wide =
            vectorType(pick({Scalar::Int, Scalar::Int, Scalar::Short}), pick<unsigned>({2, 4}));
        ExprPtr left = expression(wide, depth - 2, uniform);
        return call(pick({Builtin::Any, Builtin::All}), type,
                    compare(CompareOp::Less, std::move(left), leaf(wide, uniform)));
      }
      break;
    case 12:
      if (type.scalar == Scalar::UInt && floats_) {
        const Type other = scalarType(Scalar::Float);
        return convert(type, expression(other, depth - 1, uniform));
      }
      break;
    default:
      break;
  }
  const auto op = static_cast<BinaryOp>(below(10));
  ExprPtr left = expression(type, depth - 1, uniform);
  ExprPtr right = expression(type, depth - 1, uniform);
  if ((op == BinaryOp::Div || op == BinaryOp::Rem) && right->kind == ExprKind::Constant)
    for (uint64_t& bits : right->lanes) bits = (bits & (bitMask(type.scalar) >> 2)) | 1;
  return binary(op, std::move(left), std::move(right));
}

ExprPtr Generator::integerBuiltin(Type type, int depth, bool uniform) {
  ExprPtr a = expression(type, depth - 1, uniform);
  const auto next = [&] { return expression(type, depth - 2, uniform); };
  const bool has24 = type.scalar == Scalar::Int || type.scalar == Scalar::UInt;
  switch (below(19)) {
    case 16:
      return call(Builtin::Ctz, type, std::move(a));
    case 17:
      return call(Builtin::MadHi, type, std::move(a), next(), next());
    case 18:
      return call(Builtin::MadSat, type, std::move(a), next(), next());
    case 0:
      return call(Builtin::Min, type, std::move(a), next());
    case 1:
      return call(Builtin::Max, type, std::move(a), next());
    case 2:
    case 3: {
      const Type result{.scalar = toUnsigned(type.scalar), .lanes = type.lanes};
      ExprPtr positive = chance(50) ? call(Builtin::Abs, result, std::move(a))
                                    : call(Builtin::AbsDiff, result, std::move(a), next());
      if (result == type) return positive;
      return make(ExprKind::Reinterpret, type, std::move(positive));
    }
    case 4: {
      ExprPtr low = random(type), high = random(type);
      for (size_t i = 0; i < low->lanes.size(); ++i) {
        low->lanes[i] = below(20);
        high->lanes[i] = 20 + below(100);
      }
      return call(Builtin::Clamp, type, std::move(a), std::move(low), std::move(high));
    }
    case 5:
      return call(Builtin::Rotate, type, std::move(a), next());
    case 6:
      return call(Builtin::Popcount, type, std::move(a));
    case 7:
      return call(Builtin::Clz, type, std::move(a));
    case 8:
      return call(Builtin::MulHi, type, std::move(a), next());
    case 9:
    case 10: {
      if (!has24) return call(Builtin::MulHi, type, std::move(a), next());
      a = binary(BinaryOp::And, std::move(a), constant(type, 0xffff));
      ExprPtr b = binary(BinaryOp::And, next(), constant(type, 0x7fffff));
      if (chance(50)) return call(Builtin::Mul24, type, std::move(a), std::move(b));
      return call(Builtin::Mad24, type, std::move(a), std::move(b), next());
    }
    case 11:
      return call(Builtin::AddSat, type, std::move(a), next());
    case 12:
      return call(Builtin::SubSat, type, std::move(a), next());
    case 13:
      return call(Builtin::Hadd, type, std::move(a), next());
    case 14:
      return call(Builtin::Rhadd, type, std::move(a), next());
    default:
      return call(Builtin::BitSelect, type, std::move(a), next(), next());
  }
}

ExprPtr Generator::floatOperation(Type type, int depth, bool uniform) {
  const auto next = [&] { return expression(type, depth - 1, uniform); };
  // The sign of a zero that fmin and fmax give is open; x + 0 has but one zero.
  const auto oneZero = [&] { return binary(BinaryOp::Add, next(), constant(type, 0)); };
  switch (below(19)) {
    case 14:
    case 15: {
      ExprPtr dividend = next();
      return binary(BinaryOp::Div, std::move(dividend), next());
    }
    case 16:
      return call(Builtin::Sqrt, type, call(Builtin::Fabs, type, next()));
    case 17:
      return call(Builtin::Round, type, next());
    case 18: {
      ExprPtr a = next();
      const bool isHalf = type.scalar == Scalar::Half;
      return call(pick({Builtin::Fdim, Builtin::Fmod, isHalf ? Builtin::Fdim : Builtin::Nextafter}),
                  type, std::move(a), leaf(type, uniform));
    }
    case 0:
      return call(Builtin::Fma, type, next(), leaf(type, uniform), leaf(type, uniform));
    case 1:
      return call(Builtin::Fabs, type, next());
    case 2:
    case 3: {
      ExprPtr a = oneZero(), b = oneZero();
      return call(chance(50) ? Builtin::Fmin : Builtin::Fmax, type, std::move(a), std::move(b));
    }
    case 4:
      return call(pick({Builtin::Floor, Builtin::Ceil, Builtin::Trunc, Builtin::Rint}), type,
                  next());
    case 5:
      return make(ExprKind::Negate, type, next());
    case 6:
    case 7: {
      Type other = integer();
      other.lanes = type.lanes;
      return convert(type, masked(other, 0x3ff, depth - 1, uniform));
    }
    case 8: {
      Type other = type;
      other.scalar = pick(scalars_);
      if (!isFloat(other.scalar) || other == type) break;
      return convert(type, expression(other, depth - 1, uniform));
    }
    default:
      break;
  }
  ExprPtr left = next();
  return binary(pick({BinaryOp::Add, BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul}), std::move(left),
                next());
}

ExprPtr Generator::vectorOperation(Type type, int depth, bool uniform) {
  const std::vector<int> sources = visibleWith([&](const Variable& variable, const Known& known) {
    return variable.type.isVector() && variable.type.scalar == type.scalar &&
           (!uniform || known.uniform);
  });
  switch (below(5)) {
    case 4: {
      if (type.lanes == 3) break;
      const Type from = vectorType(type.scalar, pick<unsigned>({2, 4, 4, 8}));
      const Type by = vectorType(toUnsigned(maskOf(type.scalar)), type.lanes);
      ExprPtr source = expression(from, depth - 2, uniform);
      return call(Builtin::Shuffle, type, std::move(source), expression(by, depth - 2, uniform));
    }
    case 0: {  // from scalars and narrower vectors
      ExprPtr vector = make(ExprKind::Vector, type);
      for (unsigned filled = 0; filled < type.lanes;) {
        const unsigned room = type.lanes - filled;
        const unsigned lanes = type.lanes >= 4 && room >= 2 && chance(40) ? 2 : 1;
        if (lanes == 2)
          vector->args.push_back(expression(vectorType(type.scalar, 2), depth - 2, uniform));
        else
          vector->args.push_back(expression(type.lane(), depth - 2, uniform));
        filled += lanes;
      }
      return vector;
    }
    case 1:
      if (!sources.empty()) {
        ExprPtr shuffled = make(ExprKind::Swizzle, type, name(pick(sources)));
        for (unsigned i = 0; i < type.lanes; ++i)
          shuffled->lanes.push_back(below(shuffled->args[0]->type.lanes));
        return shuffled;
      }
      break;
    case 2: {
      Type other = scalar();
      other.lanes = type.lanes;
      if (isFloat(type.scalar) && !isFloat(other.scalar))
        return convert(type, masked(other, 0x7f, depth - 1, uniform));
      return convert(type, expression(other, depth - 1, uniform), chance(25));
    }
    default:
      break;
  }
  return isFloat(type.scalar) ? floatOperation(type, depth, uniform)
                              : integerOperation(type, depth, uniform);
}

ExprPtr Generator::callHelper(Type type, int depth, bool uniform) {
  if (!type.isScalar() || program_.functions.size() < 2) return nullptr;
  const auto which = 1 + below(program_.functions.size() - 1);
  const Function& helper = program_.functions[which];
  if (helper.result.lanes == 0 || static_cast<int>(which) == barrierHelper_) return nullptr;
  ExprPtr call = make(ExprKind::Call, helper.result);
  call->ref = static_cast<int>(which);
  for (const int parameter : helper.parameters) {
    const Type wanted = var(parameter).type;
    if (wanted.isObject) {
      ExprPtr object = imageArgument(parameter);
      if (!object) return nullptr;
      call->args.push_back(std::move(object));
    } else if (wanted.pointer) {
      if (uniform) return nullptr;
      const std::vector<int> arrays = visibleWith([&](const Variable& variable, const Known&) {
        return variable.kind == VariableKind::Private && variable.type.array >= 4 &&
               variable.type.element() == wanted.element();
      });
      const int target = findVariable(wanted, false, false);
      if (!arrays.empty() && (target < 0 || chance(50))) {
        const int array = pick(arrays);
        ExprPtr at = index(var(array).type.array - 3, 1, false);
        call->args.push_back(addressOf(node::index(name(array), std::move(at)), Space::Private));
      } else if (target >= 0) {
        call->args.push_back(name(target));
      } else {
        return nullptr;
      }
    } else {
      call->args.push_back(expression(wanted, depth - 2, uniform));
    }
  }
  return convert(type, std::move(call));
}

ExprPtr Generator::condition(bool uniform, int depth) {
  const auto comparison = [&] {
    return pick({CompareOp::Less, CompareOp::LessEqual, CompareOp::Greater, CompareOp::GreaterEqual,
                 CompareOp::Equal, CompareOp::NotEqual});
  };
  const Type type = integer();
  switch (below(12)) {
    case 0: {
      ExprPtr left = condition(uniform, depth - 1);
      return make(pick({ExprKind::LogicalAnd, ExprKind::LogicalOr}), scalarType(Scalar::Int),
                  std::move(left), condition(uniform, depth - 1));
    }
    case 1:
      return make(ExprKind::LogicalNot, scalarType(Scalar::Int), condition(uniform, depth - 1));
    case 2:
      if (floats_) {
        const Type real = scalarType(Scalar::Float);
        ExprPtr left = expression(real, depth, uniform);
        return compare(comparison(), std::move(left), leaf(real, uniform));
      }
      break;
    case 3:
    case 4:
      if (!uniform && linear_ >= 0 && function_ == 0) {  // a prefix, or about half
        ExprPtr id = name(linear_);
        return compare(comparison(), std::move(id), constant(var(linear_).type, below(items_ + 2)));
      }
      break;
    case 5:
      if (pointers_ && !uniform && chance(30)) {
        const std::vector<int> pointers = visibleWith([&](const Variable& variable, const Known&) {
          return variable.type.pointer && variable.kind == VariableKind::Private;
        });
        if (pointers.empty()) break;
        const int one = pick(pointers), other = pick(pointers);
        if (var(one).type == var(other).type)
          return compare(pick({CompareOp::Equal, CompareOp::NotEqual}), name(one), name(other));
      }
      return masked(type, pick<uint64_t>({1, 2, 3, 4}), depth, uniform);
    case 6:
      if (!uniform && localLinear_ >= 0 && function_ == 0) {
        ExprPtr bound = constant(var(localLinear_).type, below(program_.shape.groupItems() + 1));
        return compare(comparison(), name(localLinear_), std::move(bound));
      }
      break;
    default:
      break;
  }
  const uint64_t mask = (uint64_t{1} << (1 + below(4))) - 1;
  ExprPtr left = masked(type, mask, depth, uniform);
  if (chance(50)) return compare(comparison(), std::move(left), constant(type, below(mask + 1)));
  return compare(comparison(), std::move(left), masked(type, mask, 0, uniform));
}

}  // namespace weft::fuzz
