// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "config/config.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "config/log_sink.h"
#include "weft/support/once.h"

namespace weft {
namespace {

constexpr std::string_view kPrefix = "WEFT_";
/// More threads or lanes than this are a mistake in the variable, not a wish.
constexpr Count kMaxCount = 4096;

template <class T>
std::optional<T> parseNumber(std::string_view text, std::string_view& rest) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  rest = text.substr(static_cast<size_t>(end - text.data()));
  return number;
}

bool parse(std::string_view text, Bool& out) {
  constexpr std::array<std::string_view, 4> kOff{"0", "off", "no", "false"};
  constexpr std::array<std::string_view, 4> kOn{"1", "on", "yes", "true"};
  for (size_t i = 0; i < kOff.size(); ++i) {
    if (text != kOff[i] && text != kOn[i]) continue;
    out = text == kOn[i];
    return true;
  }
  return false;
}

bool parse(std::string_view text, Count& out) {
  std::string_view rest;
  const auto number = parseNumber<Count>(text, rest);
  if (!number || !rest.empty() || *number > kMaxCount) return false;
  out = *number;
  return true;
}

bool parse(std::string_view text, Bytes& out) {
  std::string_view rest;
  const auto number = parseNumber<Bytes>(text, rest);
  if (!number || rest.size() > 1) return false;
  unsigned shift = 0;
  if (rest == "K" || rest == "k") shift = 10;
  if (rest == "M" || rest == "m") shift = 20;
  if (rest == "G" || rest == "g") shift = 30;
  if (!rest.empty() && shift == 0) return false;
  if (*number > (UINT64_MAX >> shift)) return false;
  out = *number << shift;
  return true;
}

bool parse(std::string_view text, Text& out) {
  out = text;
  return true;
}

/// One of the values that have names.
template <class T>
struct Named {
  std::string_view text;
  T value;
};

template <class T, size_t N>
bool parseNamed(std::string_view text, const std::array<Named<T>, N>& names, T& out) {
  for (const Named<T>& name : names) {
    if (name.text != text) continue;
    out = name.value;
    return true;
  }
  return false;
}

bool parse(std::string_view text, FormChoice& out) {
  return parseNamed(
      text,
      std::array<Named<FormChoice>, 5>{{{"auto", std::nullopt},
                                        {"flat", compiler::Form::Flat},
                                        {"group-loop", compiler::Form::GroupLoop},
                                        {"fibers", compiler::Form::Fibers},
                                        {"barrier-loops", compiler::Form::BarrierLoops}}},
      out);
}

bool parse(std::string_view text, TiersChoice& out) {
  return parseNamed(text,
                    std::array<Named<TiersChoice>, 3>{{{"auto", compiler::Tiers::Auto},
                                                       {"quick", compiler::Tiers::Quick},
                                                       {"final", compiler::Tiers::Final}}},
                    out);
}

bool parse(std::string_view text, TrialsChoice& out) {
  return parseNamed(text,
                    std::array<Named<TrialsChoice>, 3>{{{"off", compiler::TrialMode::Off},
                                                        {"on", compiler::TrialMode::On},
                                                        {"eager", compiler::TrialMode::Eager}}},
                    out);
}

bool parse(std::string_view text, CpuChoice& out) {
  return parseNamed(text,
                    std::array<Named<CpuChoice>, 5>{{{"host", CpuChoice::Host},
                                                     {"x86-64", CpuChoice::V1},
                                                     {"x86-64-v2", CpuChoice::V2},
                                                     {"x86-64-v3", CpuChoice::V3},
                                                     {"x86-64-v4", CpuChoice::V4}}},
                    out);
}

bool parse(std::string_view text, OpenClChoice& out) {
  return parseNamed(
      text,
      std::array<Named<OpenClChoice>, 2>{{{"3.0", OpenClChoice::V30}, {"3.1", OpenClChoice::V31}}},
      out);
}

bool parse(std::string_view text, LogChoice& out) {
  constexpr std::array<std::string_view, 5> kLevels{"off", "warning", "info", "debug", "trace"};
  const size_t colon = text.find(':');
  const std::string_view level = text.substr(0, colon);
  LogChoice choice;
  for (std::string_view words = level; !words.empty();) {
    const size_t comma = words.find(',');
    const std::string_view word = words.substr(0, comma);
    const auto found = std::ranges::find(kLevels, word);
    if (word == "vectorizer" || word == "vectoriser")
      choice.vectorizer = true;
    else if (found != kLevels.end())
      choice.level = static_cast<log::Level>(found - kLevels.begin());
    else
      return false;
    words = comma == std::string_view::npos ? std::string_view() : words.substr(comma + 1);
  }
  if (level.empty() || level.ends_with(',')) return false;
  if (colon != std::string_view::npos) choice.file = text.substr(colon + 1);
  out = std::move(choice);
  return true;
}

/// Sets the member that `name` stands for. False when no row has that name.
bool assign(Config& config, std::string_view name, std::string_view value, bool& wellFormed) {
#define WEFT_OPTION(variable, member, type, initial) \
  if (name == #variable) {                           \
    wellFormed = parse(value, config.member);        \
    return true;                                     \
  }
#include "config/options.def"
#undef WEFT_OPTION
  return false;
}

Config readProcess() {
  const char* const none = nullptr;
  // As secure_getenv: a process with raised privileges takes no orders from its caller.
  const bool secure = getauxval(AT_SECURE) != 0;
  ConfigWarnings warnings;
  Config config = parseConfig(secure || environ == nullptr ? &none : environ, warnings);
  if (!startLogging(config.log)) {
    startLogging(LogChoice{});
    warnings.push_back("WEFT_LOG: cannot write to " + config.log.file);
  }
  for (const std::string& warning : warnings) log::write(log::Level::Warning, warning);
  return config;
}

}  // namespace

Config parseConfig(const char* const* environment, ConfigWarnings& warnings) {
  Config config;
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    if (!entry.starts_with(kPrefix)) continue;
    const size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = entry.substr(0, equals);
    const std::string_view value = entry.substr(equals + 1);
    bool wellFormed = true;
    if (!assign(config, name, value, wellFormed))
      warnings.push_back("unknown variable " + std::string(name));
    else if (!wellFormed)
      warnings.push_back(std::string(name) + ": bad value \"" + std::string(value) +
                         "\", the default is used");
  }
  return config;
}

const Config& config() {
  // Never destroyed: worker threads may read it while the process exits.
  static constinit Once<const Config> instance;
  return instance.get([] { return new Config(readProcess()); });
}

}  // namespace weft
