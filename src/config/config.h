// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/compiler/compiler.h"
#include "weft/support/log.h"

namespace weft {

using Bool = bool;
using Count = uint32_t;
using Bytes = uint64_t;
using Text = std::string;
using FormChoice = std::optional<compiler::Form>;  ///< empty: the library chooses

using TiersChoice = compiler::Tiers;
using TrialsChoice = compiler::TrialMode;
using CpuChoice = compiler::CpuLevel;
enum class OpenClChoice : uint8_t { V30, V31 };

struct LogChoice {
  log::Level level = log::Level::Warning;
  bool vectorizer = false;  ///< whatever the level: what becomes of each kernel
  std::string file;         ///< empty: standard error
};

/// The value of every WEFT_* variable. The members are the rows of options.def.
struct Config {
#define WEFT_OPTION(variable, member, type, initial) type member = initial;
#include "config/options.def"
#undef WEFT_OPTION
};

/// The process's configuration: read from the environment once, on the first call, which also
/// starts logging and warns about malformed values and unknown WEFT_* names. Never changes.
/// Nothing is read when the process runs with raised privileges. Threads: any.
const Config& config();

/// One environment entry that parseConfig did not understand.
using ConfigWarnings = std::vector<std::string>;

/// Reads "NAME=value" strings; entries that are not WEFT_* are skipped.
Config parseConfig(const char* const* environment, ConfigWarnings& warnings);

}  // namespace weft
