// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBufferRef.h>

#include <cstdint>
#include <string>

namespace weft::compiler {

/// Work-items that one call of the entry `symbol` of a fiber runs, as the object tells by a second
/// name of it (names::kLanesSuffix); 1 when it has none.
llvm::Expected<uint32_t> laneWidth(llvm::MemoryBufferRef object, const std::string& symbol);

}  // namespace weft::compiler
