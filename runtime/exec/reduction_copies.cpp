// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft/runtime/reduction_copies.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>

#include "weft/abi/work_group.h"
#include "weft/support/checked.h"

namespace weft::runtime {
namespace {

using compiler::ReductionOperation;

template <class T>
constexpr T neutralOf(ReductionOperation operation) noexcept {
  using Signed = std::make_signed_t<T>;
  switch (operation) {
    case ReductionOperation::And:
    case ReductionOperation::UMin:
      return std::numeric_limits<T>::max();
    case ReductionOperation::Min:
      return static_cast<T>(std::numeric_limits<Signed>::max());
    case ReductionOperation::Max:
      return static_cast<T>(std::numeric_limits<Signed>::min());
    default:
      return 0;
  }
}

template <ReductionOperation operation, class T>
constexpr T combined(T a, T b) noexcept {
  using Signed = std::make_signed_t<T>;
  if constexpr (operation == ReductionOperation::Add) return a + b;
  if constexpr (operation == ReductionOperation::And) return a & b;
  if constexpr (operation == ReductionOperation::Or) return a | b;
  if constexpr (operation == ReductionOperation::Xor) return a ^ b;
  if constexpr (operation == ReductionOperation::Min)
    return static_cast<Signed>(a) < static_cast<Signed>(b) ? a : b;
  if constexpr (operation == ReductionOperation::Max)
    return static_cast<Signed>(a) > static_cast<Signed>(b) ? a : b;
  if constexpr (operation == ReductionOperation::UMin) return std::min(a, b);
  if constexpr (operation == ReductionOperation::UMax) return std::max(a, b);
}

/// The copies of one reduction that all slots have.
struct Copies {
  const std::byte* first;
  uint64_t stride;  ///< in bytes, from slot to slot
  unsigned slots;
};

/// Combines the copies a few elements at a time, then each of these with what the buffer holds: a
/// locked instruction for each element that changes, and none for others.
template <ReductionOperation operation, class T>
void mergeInto(T* target, const Copies& copies, size_t count) noexcept {
  constexpr size_t kAtATime = 256;
  for (size_t begin = 0; begin < count; begin += kAtATime) {
    const size_t size = std::min(kAtATime, count - begin);
    std::array<T, kAtATime> values;
    values.fill(neutralOf<T>(operation));
    for (unsigned slot = 0; slot < copies.slots; ++slot) {
      const T* own = reinterpret_cast<const T*>(copies.first + slot * copies.stride) + begin;
      for (size_t i = 0; i < size; ++i) values[i] = combined<operation>(values[i], own[i]);
    }
    for (size_t i = 0; i < size; ++i) {
      if (values[i] == neutralOf<T>(operation)) continue;
      const std::atomic_ref<T> shared(target[begin + i]);
      T old = shared.load(std::memory_order_relaxed);
      T next = old;
      do next = combined<operation>(old, values[i]);
      while (next != old && !shared.compare_exchange_weak(old, next, std::memory_order_relaxed));
    }
  }
}

template <class T>
void mergeInto(std::byte* target, const Copies& copies, uint64_t bytes,
               ReductionOperation operation) noexcept {
  T* const elements = reinterpret_cast<T*>(target);
  const size_t count = bytes / sizeof(T);
  switch (operation) {
    case ReductionOperation::Add:
      return mergeInto<ReductionOperation::Add>(elements, copies, count);
    case ReductionOperation::And:
      return mergeInto<ReductionOperation::And>(elements, copies, count);
    case ReductionOperation::Or:
      return mergeInto<ReductionOperation::Or>(elements, copies, count);
    case ReductionOperation::Xor:
      return mergeInto<ReductionOperation::Xor>(elements, copies, count);
    case ReductionOperation::Min:
      return mergeInto<ReductionOperation::Min>(elements, copies, count);
    case ReductionOperation::Max:
      return mergeInto<ReductionOperation::Max>(elements, copies, count);
    case ReductionOperation::UMin:
      return mergeInto<ReductionOperation::UMin>(elements, copies, count);
    case ReductionOperation::UMax:
      return mergeInto<ReductionOperation::UMax>(elements, copies, count);
  }
}

template <class T>
void fillNeutral(std::byte* copy, uint64_t bytes, ReductionOperation operation) noexcept {
  // Fresh memory holds zeros.
  if (neutralOf<T>(operation) != 0)
    std::fill_n(reinterpret_cast<T*>(copy), bytes / sizeof(T), neutralOf<T>(operation));
}

}  // namespace

std::unique_ptr<ReductionCopies> ReductionCopies::create(const compiler::KernelInfo& kernel,
                                                         const void* arguments,
                                                         const ReductionSizes& sizes,
                                                         unsigned slots) {
  constexpr uint64_t kAlignment = abi::kArgumentAlignment;
  std::unique_ptr<ReductionCopies> copies(new (std::nothrow) ReductionCopies(kernel));
  if (!copies) return nullptr;
  copies->slots_ = slots;
  uint64_t end = kernel.argumentBytes;
  for (size_t i = 0; i < kernel.reductions.size(); ++i) {
    Place& place = copies->places_[i];
    place.bytes = sizes[i] - sizes[i] % kernel.reductions[i].bytes;
    place.offset = alignUp(end, kAlignment);
    const auto sum = checkedAdd(place.offset, place.bytes);
    if (!sum || *sum > std::numeric_limits<uint64_t>::max() / 2) return nullptr;
    end = *sum;
    const uint32_t pointer = kernel.arguments[kernel.reductions[i].argument].offset;
    std::memcpy(&place.target, static_cast<const std::byte*>(arguments) + pointer,
                sizeof place.target);
  }
  copies->stride_ = alignUp(end, kAlignment);
  const auto bytes = checkedMul<uint64_t>(copies->stride_, slots);
  if (!bytes) return nullptr;
  // calloc leaves large blocks to the system, whose pages are zeros when a slot first uses them.
  copies->memory_.reset(static_cast<std::byte*>(std::calloc(1, *bytes + kAlignment)));
  if (!copies->memory_) return nullptr;
  copies->fill(arguments);
  return copies;
}

void ReductionCopies::fill(const void* arguments) noexcept {
  const auto address = reinterpret_cast<uintptr_t>(memory_.get());
  blocks_ = memory_.get() + (alignUp<uintptr_t>(address, abi::kArgumentAlignment) - address);
  for (unsigned slot = 0; slot < slots_; ++slot) {
    std::byte* const block = blocks_ + slot * stride_;
    std::memcpy(block, arguments, kernel_.argumentBytes);
    for (size_t i = 0; i < kernel_.reductions.size(); ++i) {
      const compiler::Reduction& reduction = kernel_.reductions[i];
      std::byte* const copy = block + places_[i].offset;
      std::memcpy(block + kernel_.arguments[reduction.argument].offset, &copy, sizeof copy);
      if (reduction.bytes == sizeof(uint32_t))
        fillNeutral<uint32_t>(copy, places_[i].bytes, reduction.operation);
      else
        fillNeutral<uint64_t>(copy, places_[i].bytes, reduction.operation);
    }
  }
}

void ReductionCopies::merge() const noexcept {
  for (size_t i = 0; i < kernel_.reductions.size(); ++i) {
    const Place& place = places_[i];
    const Copies copies{blocks_ + place.offset, stride_, slots_};
    const compiler::Reduction& reduction = kernel_.reductions[i];
    if (reduction.bytes == sizeof(uint32_t))
      mergeInto<uint32_t>(place.target, copies, place.bytes, reduction.operation);
    else
      mergeInto<uint64_t>(place.target, copies, place.bytes, reduction.operation);
  }
}

}  // namespace weft::runtime
