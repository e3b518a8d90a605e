// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "printf/format.h"

#include <locale.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string_view>

#include "printf/specifier.h"
#include "weft/abi/services.h"
#include "weft/support/checked.h"

namespace weft::runtime {
namespace {

/// The C locale on this thread for as long as it lives: an application's decimal comma must not
/// get into a kernel's output.
class CLocale {
 public:
  CLocale() noexcept : c_(newlocale(LC_ALL_MASK, "C", nullptr)) {
    if (c_) previous_ = uselocale(c_);
  }
  ~CLocale() {
    if (!c_) return;
    uselocale(previous_);
    freelocale(c_);
  }
  CLocale(const CLocale&) = delete;
  CLocale& operator=(const CLocale&) = delete;

 private:
  locale_t c_;
  locale_t previous_ = nullptr;
};

/// One argument with its elements.
struct Argument {
  abi::PrintfArgument header{};
  const uint8_t* elements = nullptr;

  uint64_t bits(unsigned index) const noexcept {
    uint64_t value = 0;
    std::memcpy(&value, elements + size_t{index} * header.elementBytes, header.elementBytes);
    return value;
  }
};

/// Walks over the argument blocks of a call.
class ArgumentReader {
 public:
  explicit ArgumentReader(std::span<const uint8_t> data) noexcept : data_(data) {}

  /// False when no well-formed argument is left.
  bool next(Argument& argument) noexcept {
    if (data_.size() < sizeof(abi::PrintfArgument)) return false;
    std::memcpy(&argument.header, data_.data(), sizeof(abi::PrintfArgument));
    data_ = data_.subspan(sizeof(abi::PrintfArgument));
    const unsigned bytes = argument.header.elementBytes;
    if ((bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) || argument.header.elements == 0)
      return false;
    // A vector of three takes the room of its elements only.
    const size_t size = alignUp<size_t>(size_t{bytes} * argument.header.elements, 8);
    if (data_.size() < size) return false;
    argument.elements = data_.data();
    data_ = data_.subspan(size);
    return true;
  }

 private:
  std::span<const uint8_t> data_;
};

double halfToDouble(uint16_t half) noexcept {
  const int exponent = half >> 10 & 0x1f;
  const int mantissa = half & 0x3ff;
  double value;
  if (exponent == 0x1f)
    value = mantissa ? std::numeric_limits<double>::quiet_NaN()
                     : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    value = std::ldexp(mantissa, -24);
  else
    value = std::ldexp(mantissa + 0x400, exponent - 25);
  return std::copysign(value, half & 0x8000 ? -1.0 : 1.0);
}

double floatValue(const Argument& argument, unsigned index) noexcept {
  const uint64_t bits = argument.bits(index);
  if (argument.header.kind != abi::PrintfArgument::Float)
    return static_cast<double>(static_cast<int64_t>(bits));
  switch (argument.header.elementBytes) {
    case 2:
      return halfToDouble(static_cast<uint16_t>(bits));
    case 4:
      return std::bit_cast<float>(static_cast<uint32_t>(bits));
    default:
      return std::bit_cast<double>(bits);
  }
}

/// Bytes that the conversion reads of an integer: the length modifier's, or of what was passed.
unsigned integerBytes(const Specifier& spec, const Argument& argument) noexcept {
  const unsigned passed = argument.header.elementBytes;
  switch (spec.length) {
    case Length::hh:
      return 1;
    case Length::h:
      return 2;
    case Length::hl:
      return 4;
    case Length::l:
      return 8;
    case Length::None:
      return spec.elements > 1 ? passed : 4;
  }
  return passed;
}

uint64_t integerBits(const Argument& argument, unsigned index) noexcept {
  if (argument.header.kind != abi::PrintfArgument::Float) return argument.bits(index);
  // A mismatch that the specification leaves undefined; the value is more use than its bits.
  const double value = floatValue(argument, index);
  if (std::isnan(value)) return 0;
  constexpr double kLimit = 9223372036854774784.0;  // largest double below 2^63
  return static_cast<uint64_t>(static_cast<int64_t>(std::fmin(std::fmax(value, -kLimit), kLimit)));
}

/// Sign- or zero-extends the low `bytes` of `bits`, which came from `passed` bytes.
uint64_t extend(uint64_t bits, unsigned passed, unsigned bytes, bool isSigned) noexcept {
  const unsigned narrow = 64 - 8 * std::min(bytes, passed);
  if (isSigned) return static_cast<uint64_t>(static_cast<int64_t>(bits << narrow) >> narrow);
  return bits << narrow >> narrow;
}

/// The specification as the host's printf takes it, with width and precision passed as `*`.
std::string hostFormat(const Specifier& spec, const char* length) {
  std::string format = "%" + spec.flags;
  if (spec.width != 0) format += '*';
  if (spec.precision >= 0) format += ".*";
  return format + length + spec.conversion;
}

template <class Value>
void print(const Specifier& spec, const char* length, Value value, std::string& text) {
  const std::string format = hostFormat(spec, length);
  const int width = static_cast<int>(spec.width);
  const auto into = [&](char* buffer, size_t size) {
    if (spec.width != 0 && spec.precision >= 0)
      return std::snprintf(buffer, size, format.c_str(), width, spec.precision, value);
    if (spec.width != 0) return std::snprintf(buffer, size, format.c_str(), width, value);
    if (spec.precision >= 0)
      return std::snprintf(buffer, size, format.c_str(), spec.precision, value);
    return std::snprintf(buffer, size, format.c_str(), value);
  };
  char small[128];
  const int needed = into(small, sizeof(small));
  if (needed < 0) return;
  const auto size = static_cast<size_t>(needed);
  if (size < sizeof(small)) {
    text.append(small, size);
    return;
  }
  const size_t start = text.size();
  text.resize(start + size + 1);
  into(text.data() + start, size + 1);
  text.resize(start + size);
}

void printElement(const Specifier& spec, const Argument& argument, unsigned index,
                  std::string& text) {
  switch (spec.conversion) {
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X': {
      const bool isSigned = spec.conversion == 'd' || spec.conversion == 'i';
      const unsigned passed =
          argument.header.kind == abi::PrintfArgument::Float ? 8 : argument.header.elementBytes;
      const uint64_t bits =
          extend(integerBits(argument, index), passed, integerBytes(spec, argument), isSigned);
      return print(spec, "ll", static_cast<unsigned long long>(bits), text);
    }
    case 'c':
      return print(spec, "", static_cast<int>(integerBits(argument, index) & 0xff), text);
    default:
      return print(spec, "", floatValue(argument, index), text);
  }
}

void printScalarOnly(const Specifier& spec, const Argument& argument, std::string& text) {
  const auto pointer = reinterpret_cast<const char*>(argument.bits(0));
  if (spec.conversion == 's') return print(spec, "", pointer ? pointer : "(null)", text);
  // The host writes null as "(nil)"; a number is what programs compare.
  Specifier hex = spec;
  hex.conversion = 'x';
  if (hex.flags.find('#') == std::string::npos) hex.flags += '#';
  if (!pointer && hex.precision < 0) {
    hex.conversion = 's';
    return print(hex, "", "0x0", text);
  }
  print(hex, "ll", static_cast<unsigned long long>(argument.bits(0)), text);
}

bool printConversion(const Specifier& spec, const Argument& argument, std::string& text) {
  if (argument.header.elements != spec.elements) return false;
  if (spec.conversion == 's' || spec.conversion == 'p') {
    const bool isString = argument.header.kind == abi::PrintfArgument::String;
    if (argument.header.elementBytes != 8 || (spec.conversion == 's' && !isString)) return false;
    printScalarOnly(spec, argument, text);
    return true;
  }
  for (unsigned i = 0; i < spec.elements; ++i) {
    if (i > 0) text += ',';
    printElement(spec, argument, i, text);
  }
  return true;
}

}  // namespace

bool formatPrintf(const char* format, std::span<const uint8_t> arguments, std::string& text) {
  const CLocale locale;
  ArgumentReader reader(arguments);
  std::string_view rest(format);
  while (true) {
    const size_t percent = rest.find('%');
    text.append(rest.substr(0, percent));
    if (percent == std::string_view::npos) return true;
    rest.remove_prefix(percent + 1);
    const std::string_view literally = rest;
    const auto spec = parseSpecifier(rest);
    if (!spec) {
      // "100%\n": undefined, and printed as it stands by the C library and by others.
      text += '%';
      rest = literally;
      continue;
    }
    if (spec->conversion == '%') {
      text += '%';
      continue;
    }
    Argument argument;
    if (!reader.next(argument) || !printConversion(*spec, argument, text)) return false;
  }
}

}  // namespace weft::runtime
