// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "printf/specifier.h"

#include <array>

namespace weft::runtime {
namespace {

constexpr unsigned kMaxField = 65536;

bool takePrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Digits, possibly none (0); nothing when the number is too large.
std::optional<unsigned> takeNumber(std::string_view& text) {
  unsigned value = 0;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    value = value * 10 + static_cast<unsigned>(text.front() - '0');
    if (value > kMaxField) return std::nullopt;
    text.remove_prefix(1);
  }
  return value;
}

Length takeLength(std::string_view& text) {
  if (takePrefix(text, "hh")) return Length::hh;
  if (takePrefix(text, "hl")) return Length::hl;
  if (takePrefix(text, "h")) return Length::h;
  // OpenCL C reserves these; programs written for other dialects mean 64 bits by them.
  for (const std::string_view wide : {"ll", "j", "z", "t"})
    if (takePrefix(text, wide)) return Length::l;
  return takePrefix(text, "l") ? Length::l : Length::None;
}

bool validVector(unsigned elements) {
  return elements == 2 || elements == 3 || elements == 4 || elements == 8 || elements == 16;
}

bool validCombination(const Specifier& spec) {
  const bool vector = spec.elements > 1;
  if (spec.length == Length::hl && !vector) return false;
  switch (spec.conversion) {
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      return true;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return spec.length != Length::hh;
    case 'c':
      return !vector && spec.length == Length::None;
    case 's':
    case 'p':
      return !vector && spec.length == Length::None;
    case '%':
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<Specifier> parseSpecifier(std::string_view& format) {
  Specifier spec;
  while (!format.empty() &&
         std::string_view("-+ #0").find(format.front()) != std::string_view::npos) {
    if (spec.flags.find(format.front()) == std::string::npos) spec.flags += format.front();
    format.remove_prefix(1);
  }
  const auto width = takeNumber(format);
  if (!width) return std::nullopt;
  spec.width = *width;
  if (takePrefix(format, ".")) {
    const auto precision = takeNumber(format);
    if (!precision) return std::nullopt;
    spec.precision = static_cast<int>(*precision);
  }
  if (takePrefix(format, "v")) {
    const auto elements = takeNumber(format);
    if (!elements || !validVector(*elements)) return std::nullopt;
    spec.elements = *elements;
  }
  spec.length = takeLength(format);
  if (format.empty()) return std::nullopt;
  spec.conversion = format.front();
  format.remove_prefix(1);
  if (!validCombination(spec)) return std::nullopt;
  return spec;
}

}  // namespace weft::runtime
