// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cache/digest.h"
#include "frontend/program_files.h"

namespace weft::compiler {

// A program that read files of the disk is stored under a key that covers their contents. The
// manifest, stored under the key of source and options alone, tells which files these are.

/// Key of a program made from `sourceKey` with these files.
Digest programKey(const Digest& sourceKey, const FileUses& files);

std::string encodeManifest(const FileUses& files);

/// The files named by a manifest; nothing when it is malformed.
std::optional<FileUses> decodeManifest(std::span<const std::byte> bytes);

/// Whether every file still has the contents it had, and every path that was probed in vain is
/// still missing.
bool stillHolds(const FileUses& files);

}  // namespace weft::compiler
