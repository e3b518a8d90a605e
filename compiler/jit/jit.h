// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

#include <cstdint>
#include <memory>
#include <string>

#include "weft/abi/services.h"

namespace weft::compiler {

/// Loads objects of compileVariant into memory; one ORC session for each compiler.
///
/// Symbols resolve against the closed service table and nothing else: no symbol of the host
/// process can be reached. Memory is never writable and executable at once.
/// Threads: all methods from any thread.
class Jit {
 public:
  static llvm::Expected<std::unique_ptr<Jit>> create(abi::ServiceTable services);
  virtual ~Jit() = default;

  struct Loaded {
    void* entry = nullptr;
    uint32_t width = 1;       ///< lanes of one call of a fiber's entry
    uint64_t frameBytes = 0;  ///< from the object's stack-size section, summed over calls
    uint64_t handle = 0;      ///< for unload
  };
  /// Links `object` and finds `symbol` in it.
  virtual llvm::Expected<Loaded> load(std::unique_ptr<llvm::MemoryBuffer> object,
                                      const std::string& symbol) = 0;
  /// Frees the code of one object. Pre: nothing runs in it any more.
  virtual void unload(uint64_t handle) = 0;
};

}  // namespace weft::compiler
