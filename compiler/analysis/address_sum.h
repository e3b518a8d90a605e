// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Value.h>

#include <cstdint>

namespace weft::compiler {

/// An address as a sum: what it starts from, variable terms, and a constant. Two of which all but
/// the constant are equal lie a known distance apart.
struct AddressSum {
  struct Term {
    const llvm::Value* value;
    unsigned extension;  ///< how the value becomes 64 bits wide: an opcode, or 0
    uint64_t scale;      ///< in bytes
    friend bool operator==(const Term&, const Term&) = default;
  };
  const llvm::Value* base = nullptr;
  llvm::SmallVector<Term, 3> terms;
  int64_t offset = 0;  ///< in bytes

  static AddressSum of(const llvm::Value* pointer, const llvm::DataLayout& layout);

  bool isBeside(const AddressSum& other) const {
    return base == other.base && terms == other.terms;
  }

 private:
  void addIndex(const llvm::Value* index, uint64_t scale, bool isLocal);
  void addSum(const llvm::Value* number, const Term& kind, bool mayWrap, unsigned& steps);
};

}  // namespace weft::compiler
