// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `--record` writes into the documents.
#pragma once

#include <string>

namespace weft::bench {

/// Where and when a run is made: the date, the commit, the host, its load and the command.
std::string provenanceOf(const std::string& command);

/// Puts `text` between the markers of `file`. False, with a message, when there are none.
bool record(const std::string& file, const std::string& text);

}  // namespace weft::bench
