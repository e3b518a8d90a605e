// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/spirv/grammar.h"
#include "weft/support/result.h"

namespace weft::compiler::spirv {

/// What is wrong with a module, for the build log. Thrown inside the reader alone, through no frame
/// of LLVM's; readModule() makes an error of it.
class ReadError : public std::exception {
 public:
  explicit ReadError(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// One instruction. Its words are in the Binary, all of them inside of it.
struct Instruction {
  SpvOp op = SpvOpNop;
  std::string_view name;               ///< "OpNop"
  size_t at = 0;                       ///< its first word's place in the module
  uint32_t type = 0;                   ///< id of the result's type; 0: none
  uint32_t result = 0;                 ///< 0: none
  std::span<const uint32_t> operands;  ///< those after type and result

  /// An operand that the instruction must have, or fails.
  uint32_t operand(size_t index) const {
    if (index >= operands.size()) fail("has too few operands");
    return operands[index];
  }
  /// The string that begins with an operand; fails when it does not end. `next`: the operand after.
  std::string string(size_t index, size_t* next = nullptr) const;
  /// Throws a ReadError that names the instruction.
  [[noreturn]] void fail(std::string_view what) const;
  void require(bool condition, std::string_view what) const {
    if (!condition) fail(what);
  }
};

/// A module in the words of this host, cut into instructions.
///
/// Leaves: every instruction known, with all the operands that the grammar demands; ids of types
/// and
///         results below bound(). Nothing else is checked.
class Binary {
 public:
  /// The error is for the build log.
  static Expected<Binary, std::string> decode(std::span<const std::byte> bytes);
  /// Whether `bytes` begin as a module does, in whichever order of bytes.
  static bool isModule(std::span<const std::byte> bytes);

  uint32_t version() const { return words_[1]; }  ///< 0x00010200: 1.2
  uint32_t bound() const { return words_[3]; }
  std::span<const uint32_t> words() const { return words_; }
  std::span<const Instruction> instructions() const { return instructions_; }

 private:
  void cut();

  std::vector<uint32_t> words_;
  std::vector<Instruction> instructions_;
};

}  // namespace weft::compiler::spirv
