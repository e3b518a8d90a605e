// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Instructions.h>

#include "analysis/vector_registers.h"

namespace weft::compiler {

/// How many registers are read back from memory, or written there to be read back, when the
/// instructions of a block, from behind its phis to before its terminator, run in `order`, and
/// whatever is next needed last makes way for what is needed now: the least that any allocation of
/// registers comes to, but for what instructions read from memory without a register.
unsigned estimateSpills(llvm::ArrayRef<llvm::Instruction*> order, const VectorRegisters& registers);

}  // namespace weft::compiler
