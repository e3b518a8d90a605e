// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace weft::compiler {

/// Teaches Clang `__attribute__((endian(host)))` and `endian(device)` (OpenCL C 6.13.3), which it
/// would warn of as unknown. Host and device are one machine here, so nothing follows from it.
/// To be called before every compilation; any thread.
void registerEndianAttribute();

}  // namespace weft::compiler
