// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/binary.h"

#include <bit>
#include <cstring>

namespace weft::compiler::spirv {
namespace {

constexpr size_t kHeaderWords = 5;
constexpr uint32_t kOldest = 0x00010000;
constexpr uint32_t kNewest = 0x00010600;
/// SPIR-V's universal limit of ids is below it.
constexpr uint32_t kMaxBound = uint32_t{4} << 20;
constexpr size_t kMaxBytes = size_t{256} << 20;

uint32_t firstWord(std::span<const std::byte> bytes) {
  uint32_t word = 0;
  if (bytes.size() >= sizeof word) std::memcpy(&word, bytes.data(), sizeof word);
  return word;
}

}  // namespace

void Instruction::fail(std::string_view what) const {
  throw ReadError("error: SPIR-V word " + std::to_string(at) + ": " + std::string(name) + " " +
                  std::string(what) + "\n");
}

std::string Instruction::string(size_t index, size_t* next) const {
  std::string text;
  for (size_t i = index; i < operands.size(); ++i) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const char c = static_cast<char>(operands[i] >> shift);
      if (c == '\0') {
        if (next) *next = i + 1;
        return text;
      }
      text.push_back(c);
    }
  }
  fail("has a string without an end");
}

bool Binary::isModule(std::span<const std::byte> bytes) {
  const uint32_t word = firstWord(bytes);
  return word == SpvMagicNumber || std::byteswap(word) == SpvMagicNumber;
}

Expected<Binary, std::string> Binary::decode(std::span<const std::byte> bytes) {
  const auto error = [](const char* text) {
    return weft::fail("error: " + std::string(text) + "\n");
  };
  if (!isModule(bytes)) return error("the module does not begin with SPIR-V's magic number");
  if (bytes.size() % sizeof(uint32_t) != 0 || bytes.size() < kHeaderWords * sizeof(uint32_t))
    return error("the SPIR-V module is truncated");
  if (bytes.size() > kMaxBytes) return error("the SPIR-V module is longer than 256 MiB");
  Binary binary;
  binary.words_.resize(bytes.size() / sizeof(uint32_t));
  std::memcpy(binary.words_.data(), bytes.data(), bytes.size());
  if (binary.words_[0] != SpvMagicNumber)
    for (uint32_t& word : binary.words_) word = std::byteswap(word);
  if (binary.version() < kOldest || binary.version() > kNewest ||
      (binary.version() & 0xff0000ffU) != 0)
    return error("the version of the SPIR-V module is not one of 1.0 to 1.6");
  if (binary.bound() == 0 || binary.bound() > kMaxBound)
    return error("the SPIR-V module's bound of ids is out of range");
  try {
    binary.cut();
  } catch (const ReadError& wrong) {
    return weft::fail(std::string(wrong.what()));
  }
  return binary;
}

void Binary::cut() {
  const std::span<const uint32_t> words = words_;
  instructions_.reserve(words.size() / 4);
  for (size_t at = kHeaderWords; at < words.size();) {
    Instruction instruction;
    instruction.at = at;
    const size_t length = words[at] >> 16;
    const uint32_t op = words[at] & 0xffffU;
    const OpFacts* facts = factsOf(op);
    const std::string number = facts ? "" : "instruction " + std::to_string(op);
    instruction.name = facts ? facts->name : std::string_view(number);
    if (length == 0 || length > words.size() - at)
      instruction.fail("is longer than what is left of the module");
    if (!facts) instruction.fail("is not known");
    instruction.op = static_cast<SpvOp>(op);
    if (length - 1 < facts->words) instruction.fail("has too few operands");
    instruction.operands = words.subspan(at + 1, length - 1);
    const auto takeId = [&](bool has, uint32_t& id) {
      if (!has) return;
      id = instruction.operands.front();
      instruction.operands = instruction.operands.subspan(1);
      if (id == 0 || id >= bound()) instruction.fail("has an id out of bounds");
    };
    takeId(facts->hasType, instruction.type);
    takeId(facts->hasResult, instruction.result);
    instructions_.push_back(instruction);
    at += length;
  }
}

}  // namespace weft::compiler::spirv
