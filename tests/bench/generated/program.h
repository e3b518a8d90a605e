// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that a seed draws. One text is both the kernel and plain C++: what stands before it makes
// it the one or the other (dialects.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "../compute.h"

namespace weft::bench::generated {

/// What a buffer or a value holds and how results are compared.
struct Argument {
  enum class Use { In, Out, InOut, Value };
  Use use;
  std::string type;  ///< of one element, as the program spells it
  size_t count;
  size_t bytes;  ///< of one element
  /// Writes all of it, the same each time. What is only written has a pattern before.
  std::function<void(void*)> fill;
  /// Of what an element consists, again and again: 'f' a float and 'd' a double, which may be off
  /// by `tolerance`; 'b' a byte that is exact.
  std::string layout = "b";
  double tolerance = 0;

  size_t size() const { return count * bytes; }
  bool isOutput() const { return use == Use::Out || use == Use::InOut; }
};

/// How the text reads: for one work-item, or for all of a group in phases between barriers.
enum class Style { Items, Groups };

struct Program {
  std::string family;
  uint32_t seed = 0;
  Style style = Style::Items;
  std::vector<std::pair<std::string, std::string>> defines;
  std::vector<std::pair<std::string, std::string>> kernelDefines;  ///< the kernel's alone
  std::string text;                                                ///< its kernel is called k
  std::string
      native;  ///< statements for units [begin, end) of arguments p0, p1..., for the text's own
  bool textIsPlain = true;  ///< the text is C++, too
  std::string options;
  Shape shape;
  std::vector<Argument> arguments;
  unsigned innermost = 0;  ///< the dimension that plain C++ has its inner loop over
  size_t nativeUnits = 0;  ///< of `native`; else rows or groups, counted by units()

  void define(const std::string& name, const std::string& value) {
    defines.emplace_back(name, value);
  }
  void define(const std::string& name, size_t value) { define(name, std::to_string(value)); }

  Argument& argument(Argument::Use use, const std::string& type, size_t count,
                     std::function<void(void*)> fill);
  /// Random numbers of [low, high].
  void in(const std::string& type, size_t count, double low, double high);
  void inOut(const std::string& type, size_t count, double low, double high, double tolerance);
  void out(const std::string& type, size_t count, double tolerance = 0);
  void value(const std::string& type, double number);

  /// family:seed, by which it is drawn again.
  std::string name() const;
  /// OpenCL C.
  std::string source() const;
  /// C++: `extern "C" void function(void* const* arguments, size_t begin, size_t end)`.
  std::string nativeSource(const std::string& function) const;
  /// What the native function's range counts.
  size_t units() const;
};

/// Bytes of a scalar or vector type of OpenCL C; three elements take the place of four.
size_t bytesOf(const std::string& type);
/// The letter of Argument::layout for it.
char layoutOf(const std::string& type);
void fillRandom(const std::string& type, size_t count, double low, double high, uint64_t seed,
                void* data);

}  // namespace weft::bench::generated
