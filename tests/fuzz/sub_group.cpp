// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/sub_group.h"

#include <array>
#include <bit>

#include "fuzz/value.h"

namespace weft::fuzz {
namespace {

using Op = Collective::Op;
using Kind = SubGroupCall::Kind;

uint64_t signOf(Scalar scalar) { return (bitMask(scalar) >> 1) + 1; }
uint64_t infinity(Scalar scalar) {
  return scalar == Scalar::Float ? 0x7f800000 : 0x7ff0000000000000;
}
uint64_t one(Scalar scalar) {
  if (!isFloat(scalar)) return 1;
  return scalar == Scalar::Float ? 0x3f800000 : 0x3ff0000000000000;
}

/// In place of who takes no part.
uint64_t neutral(const SubGroupCall& call, Scalar scalar) {
  const uint64_t mask = bitMask(scalar);
  switch (call.op) {
    case Op::Add:
      return isFloat(scalar) && call.kind != Kind::ScanExclusive ? signOf(scalar) : 0;
    case Op::Mul:
      return one(scalar);
    case Op::Min:
      return isFloat(scalar) ? infinity(scalar) : isSigned(scalar) ? mask >> 1 : mask;
    case Op::Max:
      return isFloat(scalar)    ? infinity(scalar) | signOf(scalar)
             : isSigned(scalar) ? signOf(scalar)
                                : 0;
    case Op::And:
      return mask;
    default:
      return 0;
  }
}

uint64_t pair(Op op, Scalar scalar, uint64_t x, uint64_t y) {
  const bool yIsNan = isFloat(scalar) && !compare(CompareOp::Equal, scalar, y, y);
  switch (op) {
    case Op::Add:
      return binary(BinaryOp::Add, scalar, true, false, x, y);
    case Op::Mul:
      return binary(BinaryOp::Mul, scalar, true, false, x, y);
    case Op::Min:
      return yIsNan || compare(CompareOp::Less, scalar, x, y) ? x : y;
    case Op::Max:
      return yIsNan || compare(CompareOp::Greater, scalar, x, y) ? x : y;
    case Op::And:
      return x & y;
    case Op::Xor:
      return x ^ y;
    default:
      return x | y;
  }
}

/// Reductions and scans.
std::vector<uint64_t> combined(const SubGroupCall& call, Scalar scalar,
                               std::vector<uint64_t> values) {
  const size_t size = values.size();
  const uint64_t none = neutral(call, scalar);
  const auto with = [&](uint64_t x, uint64_t y) { return pair(call.op, scalar, x, y); };
  if (call.kind == Kind::Reduce) {
    for (size_t half = size / 2; half > 0; half /= 2)
      for (size_t i = 0; i < half; ++i) values[i] = with(values[i], values[i + half]);
    return std::vector<uint64_t>(size, values[0]);
  }
  if (call.kind == Kind::Cluster) {
    for (size_t half = size / 2; half > 0; half /= 2) {
      if (half >= call.number) continue;
      const std::vector<uint64_t> before = values;
      for (size_t i = 0; i < size; ++i) values[i] = with(before[i & ~half], before[i | half]);
    }
    return values;
  }
  if (call.kind == Kind::ScanExclusive) {
    values.insert(values.begin(), none);
    values.pop_back();
  }
  for (size_t step = 1; step < size; step *= 2)
    for (size_t i = size; i-- > 0;) values[i] = with(i < step ? none : values[i - step], values[i]);
  return values;
}

/// Which item's value the item at `id` gets.
uint64_t sourceOf(const SubGroupCall& call, uint64_t id, uint64_t argument, uint64_t first,
                  uint64_t size) {
  switch (call.kind) {
    case Kind::Broadcast:
      return call.number % size;
    case Kind::BroadcastFirst:
      return first;
    case Kind::ShuffleXor:
      return (id ^ call.number) % size;
    case Kind::ShuffleUp:
      return (id - argument) % size;
    case Kind::ShuffleDown:
    case Kind::Rotate:
      return (id + argument) % size;
    default:
      return argument % size;
  }
}

}  // namespace

unsigned argumentsOf(Kind kind) {
  switch (kind) {
    case Kind::Elect:
    case Kind::Barrier:
      return 0;
    case Kind::Shuffle:
    case Kind::ShuffleUp:
    case Kind::ShuffleDown:
    case Kind::Rotate:
      return 2;
    default:
      return 1;
  }
}

std::string callOf(const SubGroupCall& call, const std::vector<std::string>& arguments) {
  static constexpr std::array kOps{"add", "mul", "min", "max", "and", "or", "xor"};
  const auto op = [&] { return std::string(kOps[static_cast<size_t>(call.op)]); };
  const auto of = [&](const std::string& name, const std::string& last = "") {
    std::string text = "sub_group_" + name + "(";
    for (const std::string& argument : arguments)
      text += (text.back() == '(' ? "" : ", ") + argument;
    return text + (last.empty() ? "" : ", " + last) + ")";
  };
  switch (call.kind) {
    case Kind::Reduce:
      return of("non_uniform_reduce_" + op());
    case Kind::ScanInclusive:
      return of("non_uniform_scan_inclusive_" + op());
    case Kind::ScanExclusive:
      return of("non_uniform_scan_exclusive_" + op());
    case Kind::Cluster:
      return of("clustered_reduce_" + op(), std::to_string(call.number));
    case Kind::Broadcast:
      return of("non_uniform_broadcast", std::to_string(call.number));
    case Kind::BroadcastFirst:
      return of("broadcast_first");
    case Kind::Shuffle:
      return of("shuffle");
    case Kind::ShuffleXor:
      return of("shuffle_xor", std::to_string(call.number));
    case Kind::ShuffleUp:
      return of("shuffle_up");
    case Kind::ShuffleDown:
      return of("shuffle_down");
    case Kind::Rotate:
      return of("rotate");
    case Kind::Any:
      return of("non_uniform_any");
    case Kind::All:
      return of("non_uniform_all");
    case Kind::Elect:
      return of("elect");
    case Kind::Count:
      return "(int)sub_group_ballot_bit_count(" + of("ballot") + ")";
    case Kind::Rank:
      return "(int)sub_group_ballot_exclusive_scan(" + of("ballot") + ")";
    case Kind::Barrier:
      return "sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)";
  }
  return "";
}

std::vector<uint64_t> meet(const SubGroupCall& call, Scalar scalar,
                           const std::vector<std::optional<Brought>>& brought) {
  const size_t size = brought.size();
  std::vector<uint64_t> results(size), values(size);
  uint64_t first = size, votes = 0, active = 0;
  for (size_t i = size; i-- > 0;) {
    if (!brought[i]) continue;
    first = i;
    active |= uint64_t{1} << i;
    if (brought[i]->value != 0) votes |= uint64_t{1} << i;
  }
  switch (call.kind) {
    case Kind::Reduce:
    case Kind::ScanInclusive:
    case Kind::ScanExclusive:
    case Kind::Cluster:
      for (size_t i = 0; i < size; ++i)
        values[i] = brought[i] ? brought[i]->value : neutral(call, scalar);
      return combined(call, scalar, std::move(values));
    case Kind::Any:
      return std::vector<uint64_t>(size, votes != 0);
    case Kind::All:
      return std::vector<uint64_t>(size, votes == active);
    case Kind::Count:
      return std::vector<uint64_t>(size, static_cast<uint64_t>(std::popcount(votes)));
    case Kind::Elect:
      if (first < size) results[first] = 1;
      return results;
    case Kind::Rank:
      for (size_t i = 0; i < size; ++i)
        results[i] = static_cast<uint64_t>(std::popcount(votes & ((uint64_t{1} << i) - 1)));
      return results;
    case Kind::Barrier:
      return results;
    default:
      break;
  }
  for (size_t i = 0; i < size; ++i) {
    if (!brought[i]) continue;
    const auto& source = brought[sourceOf(call, i, brought[i]->argument, first, size)];
    results[i] = source ? source->value : 0;
  }
  return results;
}

}  // namespace weft::fuzz
