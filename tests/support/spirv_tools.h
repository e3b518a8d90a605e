// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Modules of SPIR-V for tests.
namespace weft::test {

/// The words of a module written in SPIR-V's assembly, as bytes. On an error the current test fails
/// and the result is empty. `version`: 0x00010200 is 1.2.
std::string assemble(std::string_view text, uint32_t version = 0x00010200);

/// What other compilers make of a source: Clang 15 and the translator of its day, where they are
/// installed. Nothing when they do not take it.
std::optional<std::string> translate(std::string_view source, std::string_view options);

}  // namespace weft::test
