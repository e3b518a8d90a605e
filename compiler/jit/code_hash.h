// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Support/MemoryBufferRef.h>

#include <cstdint>

namespace weft::compiler {

/// A hash of all that an object file of ours has loaded: instructions and constants, whatever their
/// symbols are called. 0 when it cannot be read.
uint64_t codeHash(llvm::MemoryBufferRef object);

}  // namespace weft::compiler
