// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBufferRef.h>

#include <cstdint>
#include <string>

namespace weft::compiler {

/// Bytes of stack that a call of `symbol` needs at most, from the object's .stack_sizes section
/// summed along the deepest path of calls. Calls out of the object count with a fixed margin.
///
/// Pre: the object has a section for each function, so that every call has a relocation.
llvm::Expected<uint64_t> stackUsage(llvm::MemoryBufferRef object, const std::string& symbol);

}  // namespace weft::compiler
