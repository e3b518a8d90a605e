// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>
#include <string>
#include <vector>

#include "ir/error_log.h"

namespace weft::compiler {

/// The memory of a program's variables at program scope, as it is before the first kernel runs.
struct ProgramScope {
  /// An address to be stored in the block: that of another place in it.
  struct Pointer {
    uint64_t at = 0;
    uint64_t target = 0;

    friend bool operator==(const Pointer&, const Pointer&) = default;
  };

  uint64_t bytes = 0;  ///< 0: there are none
  std::string image;   ///< the first bytes of the block; the others are zero
  std::vector<Pointer> pointers;

  friend bool operator==(const ProgramScope&, const ProgramScope&) = default;
};

/// Reads the initialisers of the variables that lay-out-program-scope has placed. Initialisers
/// that are more than data and addresses of such variables are errors of the program.
ProgramScope describeProgramScope(const llvm::Module& module, ErrorLog& errors);

}  // namespace weft::compiler
