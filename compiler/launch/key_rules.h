// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>

#include "weft/abi/slicing.h"
#include "weft/compiler/compiler.h"

/// What follows from a VariantKey, for those who choose one and those who judge it.
namespace weft::compiler::launch {

using Sizes = std::array<uint64_t, 3>;

/// Widest SIMD width that there are variants of.
constexpr uint32_t kMaxWidth = abi::kRowMultiple;

/// Whether whole groups are known to reach each barrier, of this size or of any.
inline bool hasProvenLoops(const KernelInfo& kernel, const Sizes& localSize) noexcept {
  return kernel.barrierLoops || kernel.lockstepLoops ||
         (kernel.barrierLoopsInRows && localSize[1] == 1 && localSize[2] == 1);
}

/// Whether rows may be along any dimension. What is kept between barriers of the program's is for
/// rows along the first, as local ids count.
inline bool hasAnyRows(const KernelInfo& kernel, Form form) noexcept {
  return form == Form::Flat || form == Form::GroupLoop ||
         (form == Form::BarrierLoops && kernel.lockstepLoops);
}

inline bool hasSize(const VariantKey& key) noexcept {
  return key.localSize != std::array<uint32_t, 3>{};
}

/// That all groups have; zeros when it is not known.
inline std::array<uint32_t, 3> exactSizeOf(const VariantKey& key) noexcept {
  return key.smallerGroups ? std::array<uint32_t, 3>{} : key.localSize;
}

inline abi::EntryKind entryKindOf(Form form) noexcept {
  switch (form) {
    case Form::Flat:
      return abi::EntryKind::Flat;
    case Form::GroupLoop:
    case Form::BarrierLoops:
      return abi::EntryKind::Group;
    case Form::Fibers:
      break;
  }
  return abi::EntryKind::Fibers;
}

}  // namespace weft::compiler::launch
