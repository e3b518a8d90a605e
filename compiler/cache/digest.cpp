// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cache/digest.h"

#include <llvm/ADT/StringExtras.h>

#include <cstring>

namespace weft::compiler {

Digest Digest::of(std::string_view text) {
  Digest digest;
  digest.bytes_ =
      llvm::BLAKE3::hash<kBytes>({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  return digest;
}

std::string Digest::hex() const { return llvm::toHex(bytes_, /*LowerCase=*/true); }

DigestBuilder& DigestBuilder::add(std::string_view field) {
  add(uint64_t{field.size()});
  hasher_.update(llvm::StringRef(field.data(), field.size()));
  return *this;
}

DigestBuilder& DigestBuilder::add(uint64_t number) {
  std::array<uint8_t, sizeof number> bytes;
  std::memcpy(bytes.data(), &number, sizeof number);
  hasher_.update(bytes);
  return *this;
}

DigestBuilder& DigestBuilder::add(const Digest& digest) {
  return add(std::string_view(reinterpret_cast<const char*>(digest.bytes_.data()), Digest::kBytes));
}

Digest DigestBuilder::finish() {
  Digest digest;
  digest.bytes_ = hasher_.final<Digest::kBytes>();
  return digest;
}

}  // namespace weft::compiler
