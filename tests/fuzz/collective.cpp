// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/collective.h"

#include <array>
#include <limits>

#include "fuzz/value.h"

namespace weft::fuzz {
namespace {

using Op = Collective::Op;

uint64_t infinity(Scalar scalar) {
  switch (scalar) {
    case Scalar::Half:
      return 0x7c00;
    case Scalar::Float:
      return 0x7f800000;
    default:
      return 0x7ff0000000000000;
  }
}

uint64_t signOf(Scalar scalar) { return (bitMask(scalar) >> 1) + 1; }

uint64_t one(Scalar scalar) {
  switch (scalar) {
    case Scalar::Half:
      return 0x3c00;
    case Scalar::Float:
      return 0x3f800000;
    case Scalar::Double:
      return 0x3ff0000000000000;
    default:
      return 1;
  }
}

/// What leaves all other values as they are.
uint64_t neutral(Op op, Scalar scalar) {
  const uint64_t mask = bitMask(scalar);
  switch (op) {
    case Op::Add:
      return isFloat(scalar) ? signOf(scalar) : 0;
    case Op::Mul:
      return one(scalar);
    case Op::Min:
      return isFloat(scalar) ? infinity(scalar) : isSigned(scalar) ? mask >> 1 : mask;
    case Op::Max:
      return isFloat(scalar)    ? infinity(scalar) | signOf(scalar)
             : isSigned(scalar) ? signOf(scalar)
                                : 0;
    case Op::And:
    case Op::All:
      return mask;
    default:
      return 0;
  }
}

uint64_t both(Op op, Scalar scalar, uint64_t x, uint64_t y) {
  const auto plain = [&](BinaryOp operation) {
    return binary(operation, scalar, true, false, x, y);
  };
  const auto isNan = [&](uint64_t bits) {
    return isFloat(scalar) && !compare(CompareOp::Equal, scalar, bits, bits);
  };
  switch (op) {
    case Op::Add:
      return plain(BinaryOp::Add);
    case Op::Mul:
      return plain(BinaryOp::Mul);
    case Op::Min:
      return compare(CompareOp::LessEqual, scalar, x, y) || isNan(y) ? x : y;
    case Op::Max:
      return compare(CompareOp::GreaterEqual, scalar, x, y) || isNan(y) ? x : y;
    case Op::And:
    case Op::All:
      return x & y;
    case Op::Xor:
      return x ^ y;
    case Op::Or:
    case Op::Any:
    case Op::Broadcast:
      break;
  }
  return x | y;
}

constexpr size_t kColumns = 32, kBlock = 16;

}  // namespace

std::string nameOf(Collective collective) {
  static constexpr std::array kOps{"add", "mul", "min", "max", "and", "or", "xor"};
  static constexpr std::array kKinds{"reduce_", "scan_inclusive_", "scan_exclusive_"};
  switch (collective.op) {
    case Op::All:
      return "work_group_all";
    case Op::Any:
      return "work_group_any";
    case Op::Broadcast:
      return "work_group_broadcast";
    default:
      return std::string("work_group_") + kKinds[static_cast<size_t>(collective.kind)] +
             kOps[static_cast<size_t>(collective.op)];
  }
}

std::vector<uint64_t> combine(Collective collective, Scalar scalar,
                              const std::vector<std::optional<uint64_t>>& brought) {
  const Op op = collective.op;
  const uint64_t none = neutral(op, scalar);
  const auto with = [&](uint64_t x, uint64_t y) { return both(op, scalar, x, y); };
  std::vector<uint64_t> values;
  for (const auto& value : brought) values.push_back(value.value_or(none));
  const size_t items = values.size();
  if (op == Op::Broadcast) return std::vector<uint64_t>(items, brought[0].value_or(0));
  while (values.size() % kColumns != 0) values.push_back(none);
  if (isShared(collective)) {
    for (size_t i = kColumns; i < values.size(); ++i)
      values[i % kColumns] = with(values[i % kColumns], values[i]);
    for (size_t half = kColumns / 2; half > 0; half /= 2)
      for (size_t i = 0; i < half; ++i) values[i] = with(values[i], values[i + half]);
    return std::vector<uint64_t>(items, values[0]);
  }
  uint64_t before = none;
  for (size_t block = 0; block < values.size(); block += kBlock) {
    for (size_t step = 1; step < kBlock; step *= 2)
      for (size_t i = kBlock; i-- > 0;)
        values[block + i] = with(i >= step ? values[block + i - step] : none, values[block + i]);
    for (size_t i = 0; i < kBlock; ++i) values[block + i] = with(before, values[block + i]);
    before = values[block + kBlock - 1];
  }
  values.resize(items);
  if (collective.kind == Collective::Kind::ScanInclusive) return values;
  const bool isSum = op == Op::Add;  // of nothing: 0, not -0
  values.insert(values.begin(), isSum ? 0 : none);
  values.pop_back();
  return values;
}

}  // namespace weft::fuzz
