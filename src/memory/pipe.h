// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "memory/memory.h"
#include "weft/abi/pipe.h"

namespace weft {

/// A pipe: an abi::Pipe in host memory, which kernels alone work on.
class Pipe final : public Memory {
 public:
  /// Pre: the numbers are validated and not zero. CL_MEM_OBJECT_ALLOCATION_FAILURE when there is
  /// no memory, or not enough numbers for the places.
  static Result<Ref<Pipe>> create(Context& context, cl_uint packetBytes, cl_uint packets);

  cl_uint packetBytes() const noexcept { return header().packetBytes; }
  cl_uint maxPackets() const noexcept { return header().capacity; }
  Pipe* pipe() noexcept override { return this; }

 private:
  template <class T, class... Args>
  friend Ref<T> weft::makeRef(Args&&... args);
  Pipe(Context& context, size_t bytes, HostBlock block);
  ~Pipe() override = default;

  const abi::Pipe& header() const noexcept { return *reinterpret_cast<const abi::Pipe*>(data()); }

  HostBlock block_;
};

}  // namespace weft
