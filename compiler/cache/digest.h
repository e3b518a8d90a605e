// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/BLAKE3.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace weft::compiler {

/// A 256-bit content hash: names cache entries and programs.
class Digest {
 public:
  static constexpr size_t kBytes = 32;

  Digest() = default;
  static Digest of(std::string_view text);

  std::string hex() const;
  std::span<const uint8_t, kBytes> bytes() const { return bytes_; }
  friend bool operator==(const Digest&, const Digest&) = default;

 private:
  friend class DigestBuilder;
  std::array<uint8_t, kBytes> bytes_{};
};

/// Hashes a sequence of fields. Each is preceded by its length, so no two sequences of fields
/// hash alike.
class DigestBuilder {
 public:
  DigestBuilder& add(std::string_view field);
  DigestBuilder& add(uint64_t number);
  DigestBuilder& add(const Digest& digest);
  Digest finish();

 private:
  llvm::BLAKE3 hasher_;
};

}  // namespace weft::compiler
