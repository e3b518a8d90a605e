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

/// Memory between two inaccessible pages, touching one of them.
class Guarded {
 public:
  Guarded(uint64_t bytes, bool guardBelow);
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded();

  uint8_t* data() const { return data_; }

 private:
  uint64_t mapped_;
  uint8_t* base_ = nullptr;
  uint8_t* data_ = nullptr;
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
  /// Where the buffers first differ from what they should hold; empty when nowhere.
  std::string difference(const std::vector<Bytes>& expected) const;

 private:
  const Program& program_;
  const std::vector<Bytes>& initial_;
  std::vector<std::unique_ptr<Guarded>> memory_;
  std::map<int, abi::Image> headers_;  ///< of images, by variable
};

}  // namespace weft::fuzz
