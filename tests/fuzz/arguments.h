// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/ast.h"
#include "fuzz/memory.h"
#include "kernels/harness.h"
#include "support/product.h"
#include "weft/abi/image.h"

namespace weft::fuzz {

/// Memory between two inaccessible pages, touching one of them. Of what is between the chunks only
/// pages that a chunk shares can be accessed.
class Guarded {
 public:
  Guarded(const Chunks& chunks, bool guardBelow);
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded();

  /// Where the kernel's pointer points to.
  uint8_t* data() const { return at(chunks_.origin); }
  /// The chunks side by side.
  void fill(const Bytes& bytes);
  Bytes contents() const;

 private:
  uint8_t* at(uint64_t chunk) const { return first_ + chunk * chunks_.pitch; }

  Chunks chunks_;
  uint64_t mapped_;
  uint8_t* base_ = nullptr;
  uint8_t* first_ = nullptr;
};

/// The program's buffers in guarded memory. Borrows the program and the first contents.
class Arguments {
 public:
  Arguments(const Program& program, const std::vector<Bytes>& initial);

  /// The buffers hold again what they held first.
  void reset();
  void give(test::Launch& launch) const;
  std::vector<test::product::Program::Argument> forProduct() const;
  /// Where the buffer of a variable is; null for what is none.
  uint8_t* memoryOf(int variable) const;
  /// How many bytes from there on are a buffer to the library: 0 for raw pointers.
  uint64_t sizeOf(int variable, uint64_t mostOfBuffer) const;
  /// Where the buffers first differ from what they should hold; empty when nowhere.
  std::string difference(const std::vector<Bytes>& expected) const;

 private:
  const Program& program_;
  const std::vector<Bytes>& initial_;
  std::vector<std::unique_ptr<Guarded>> memory_;
  std::map<int, abi::Image> headers_;  ///< of images, by variable
};

}  // namespace weft::fuzz
