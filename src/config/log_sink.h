// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "config/config.h"

namespace weft {

/// Sends log lines of `choice.level` and above to its file or to standard error. False, and
/// nothing changed, when the file cannot be opened for appending.
bool startLogging(const LogChoice& choice);

/// Writes a line to where log lines go, whatever the level.
void writeLogLine(std::string_view line) noexcept;

}  // namespace weft
