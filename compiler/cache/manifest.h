// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cache/digest.h"
#include "cache/file_uses.h"

namespace weft::compiler {

// A program whose build looked at the disk is stored under a key that covers what it saw there. The
// manifest, stored under the key of source and options alone, tells where it looked.

/// Key of a program made from `sourceKey` with these files.
Digest programKey(const Digest& sourceKey, const FileUses& files);

std::string encodeManifest(const FileUses& files);

/// The files named by a manifest; nothing when it is malformed.
std::optional<FileUses> decodeManifest(std::span<const std::byte> bytes);

/// Whether every path is still what it was, with the contents that it had if they were read.
bool stillHolds(const FileUses& files);

}  // namespace weft::compiler
