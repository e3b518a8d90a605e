// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace weft::runtime {

/// Formats one printf call of a kernel as OpenCL C defines it, in the C locale whatever the
/// application's locale is. `arguments` is a sequence of abi::PrintfArgument blocks.
///
/// What is no conversion of the language is printed as it stands. False, with `text` unspecified,
/// when the format asks for more arguments than there are, or for a string where none was passed
/// (abi::PrintfArgument::String). Strings are read from where the argument points to, a null
/// pointer as "(null)". Throws std::bad_alloc only. Threads: any.
bool formatPrintf(const char* format, std::span<const uint8_t> arguments, std::string& text);

}  // namespace weft::runtime
