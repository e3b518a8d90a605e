// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.h"

#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "dialects.h"

namespace weft::bench::generated {
namespace {

/// The scalar type and how many elements of it.
std::pair<std::string, size_t> split(const std::string& type) {
  const size_t digit = type.find_first_of("0123456789");
  if (digit == std::string::npos) return {type, 1};
  return {type.substr(0, digit), std::stoul(type.substr(digit))};
}

template <class T>
void fillAs(size_t count, double low, double high, uint64_t seed, void* data) {
  const std::vector<T> values = randoms<T>(count, low, high, seed);
  std::memcpy(data, values.data(), count * sizeof(T));
}

std::string textOf(const std::vector<std::pair<std::string, std::string>>& defines) {
  std::string text;
  for (const auto& [name, value] : defines) text += "#define " + name + " " + value + "\n";
  return text;
}

std::string bareName(const std::string& define) { return define.substr(0, define.find('(')); }

}  // namespace

size_t bytesOf(const std::string& type) {
  const auto [scalar, elements] = split(type);
  const size_t one = scalar == "char" || scalar == "uchar"                         ? 1
                     : scalar == "short" || scalar == "ushort"                     ? 2
                     : scalar == "int" || scalar == "uint" || scalar == "float"    ? 4
                     : scalar == "long" || scalar == "ulong" || scalar == "double" ? 8
                                                                                   : 0;
  if (one == 0) throw std::logic_error("no size for " + type);
  return one * (elements == 3 ? 4 : elements);
}

char layoutOf(const std::string& type) {
  const std::string scalar = split(type).first;
  return scalar == "float" ? 'f' : scalar == "double" ? 'd' : 'b';
}

void fillRandom(const std::string& type, size_t count, double low, double high, uint64_t seed,
                void* data) {
  const auto [scalar, elements] = split(type);
  const size_t all = count * (elements == 3 ? 4 : elements);
  if (scalar == "float") return fillAs<float>(all, low, high, seed, data);
  if (scalar == "double") return fillAs<double>(all, low, high, seed, data);
  if (scalar == "char") return fillAs<int8_t>(all, low, high, seed, data);
  if (scalar == "uchar") return fillAs<uint8_t>(all, low, high, seed, data);
  if (scalar == "short") return fillAs<int16_t>(all, low, high, seed, data);
  if (scalar == "ushort") return fillAs<uint16_t>(all, low, high, seed, data);
  if (scalar == "int") return fillAs<int32_t>(all, low, high, seed, data);
  if (scalar == "uint") return fillAs<uint32_t>(all, low, high, seed, data);
  if (scalar == "long") return fillAs<int64_t>(all, low, high, seed, data);
  if (scalar == "ulong") return fillAs<uint64_t>(all, low, high, seed, data);
  throw std::logic_error("no values for " + type);
}

Argument& Program::argument(Argument::Use use, const std::string& type, size_t count,
                            std::function<void(void*)> fill) {
  // What is no scalar or vector is a structure of the program's; its family knows its size.
  const bool known = type.find("Record") == std::string::npos;
  arguments.push_back({use, type, count, known ? bytesOf(type) : 0, std::move(fill),
                       std::string(1, known ? layoutOf(type) : 'b')});
  return arguments.back();
}

void Program::in(const std::string& type, size_t count, double low, double high) {
  const uint64_t own = seed + 977 * (arguments.size() + 1);
  argument(Argument::Use::In, type, count,
           [=](void* data) { fillRandom(type, count, low, high, own, data); });
}

void Program::inOut(const std::string& type, size_t count, double low, double high,
                    double tolerance) {
  in(type, count, low, high);
  arguments.back().use = Argument::Use::InOut;
  arguments.back().tolerance = tolerance;
}

void Program::out(const std::string& type, size_t count, double tolerance) {
  const size_t bytes = count * bytesOf(type);
  argument(Argument::Use::Out, type, count, [=](void* data) {
    std::memset(data, 0xcd, bytes);
  }).tolerance = tolerance;
}

void Program::value(const std::string& type, double number) {
  argument(Argument::Use::Value, type, 1,
           [=](void* data) { fillRandom(type, 1, number, number, 1, data); });
}

std::string Program::name() const {
  char text[16];
  std::snprintf(text, sizeof text, "%08x", seed);
  return family + ":" + text;
}

std::string Program::source() const {
  return (style == Style::Items ? kOpenClItems : kOpenClGroups) + textOf(kernelDefines) +
         textOf(defines) + text;
}

size_t Program::units() const {
  if (nativeUnits != 0) return nativeUnits;
  if (style == Style::Groups) {
    size_t groups = 1;
    for (int d = 0; d < 3; ++d)
      if (shape.global[d] != 0) groups *= shape.global[d] / shape.local[d];
    return groups;
  }
  if (shape.global[1] == 0) return shape.global[0];
  return shape.global[2] != 0 ? shape.global[2] : shape.global[1 - innermost];
}

std::string Program::nativeSource(const std::string& function) const {
  // A function of its own that says what is apart: said within another, Clang forgets it.
  std::string parameters, call, given;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    const bool isValue = argument.use == Argument::Use::Value;
    const std::string name = "p" + std::to_string(i);
    parameters += argument.type + (isValue ? " " : "* __restrict ") + name + ", ";
    call += (i == 0 ? "" : ", ") + name;
    given += std::string(isValue ? "*" : "") + "(" + argument.type + "*)arguments[" +
             std::to_string(i) + "], ";
  }
  const auto size = [this](int d) { return std::to_string(std::max<size_t>(1, shape.global[d])); };
  std::string code = textOf(defines) + "struct " + function + "_text {\n";
  std::string loops;
  if (style == Style::Groups) {
    const size_t columns = shape.global[0] / shape.local[0];
    code += "int GX, GY;\n";
    loops = "for (size_t group = begin; group < end; ++group) {\n  " + function +
            "_text self;\n  self.GX = int(group % " + std::to_string(columns) +
            ");\n  self.GY = int(group / " + std::to_string(columns) + ");\n  self.k(" + call +
            ");\n}\n";
  } else {
    code +=
        "size_t id0, id1, id2;\n"
        "size_t get_global_id(int d) const { return d == 0 ? id0 : d == 1 ? id1 : id2; }\n"
        "size_t get_global_size(int d) const { return d == 0 ? " +
        size(0) + " : d == 1 ? " + size(1) + " : " + size(2) + "; }\n";
    const std::string body = "{\n  " + function +
                             "_text self;\n  self.id0 = x;\n  self.id1 = y;\n" +
                             "  self.id2 = z;\n  self.k(" + call + ");\n}\n";
    const auto loop = [&](const char* name, bool split, int d) {
      return std::string("for (size_t ") + name + " = " + (split ? "begin" : "0") + "; " + name +
             " < " + (split ? "end" : size(d)) + "; ++" + name + ")\n";
    };
    const unsigned dimensions = shape.global[2] != 0 ? 3 : shape.global[1] != 0 ? 2 : 1;
    loops = loop("z", dimensions == 3, 2);
    loops += innermost == 0 ? loop("y", dimensions == 2, 1) + loop("x", dimensions == 1, 0)
                            : loop("x", true, 0) + loop("y", false, 1);
    loops += body;
  }
  if (textIsPlain) code += text + "\n";
  code += "__attribute__((noinline)) static void all(" + parameters +
          "size_t begin, size_t end) {\n" + (native.empty() ? loops : native) + "}\n" +
          "static void run(void* const* arguments, size_t begin, size_t end) {\n  all(" + given +
          "begin, end);\n}\n};\nextern \"C\" void " + function +
          "(void* const* arguments, size_t begin, size_t end) {\n  " + function +
          "_text::run(arguments, begin, end);\n}\n";
  for (const auto& [name, value] : defines) code += "#undef " + bareName(name) + "\n";
  return code;
}

}  // namespace weft::bench::generated
