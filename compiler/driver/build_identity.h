// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace weft::compiler {

/// Text that differs between two builds of the library: the linker's build id of the module
/// that this code is in, or the size and time stamp of its file. Keys the disk cache, so that a
/// rebuilt compiler never meets results of an older one.
const std::string& buildIdentity();

}  // namespace weft::compiler
