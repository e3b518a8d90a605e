// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::runtime {

/// Length modifiers; OpenCL C, section 6.15.14. `hl` exists for vectors only.
enum class Length : uint8_t { None, hh, h, hl, l };

/// One conversion specification of a printf format.
struct Specifier {
  std::string flags;      ///< of "-+ #0", each once
  unsigned width = 0;     ///< 0 when not given
  int precision = -1;     ///< -1 when not given
  unsigned elements = 1;  ///< of a vector; 1 for scalars
  Length length = Length::None;
  char conversion = 0;  ///< one of d i o u x X f F e E g G a A c s p %
};

/// Reads a specification whose '%' has been taken off `format`, and takes it off, too. Nothing
/// when it is malformed. Field widths and precisions that no output could be meant to have
/// count as malformed, so that a kernel cannot exhaust the host's memory by a format.
std::optional<Specifier> parseSpecifier(std::string_view& format);

}  // namespace weft::runtime
