// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// OpenCL.std: every instruction has a function of the library for every type that it takes.
#include <sstream>

#include "harness.h"
#include "support/spirv_tools.h"

namespace weft::test {
namespace {

constexpr const char* kFloatScalars[] = {"half", "float", "double"};
constexpr const char* kIntScalars[] = {"char", "short", "int", "long"};
constexpr int kWidths[] = {1, 2, 3, 4, 8, 16};

std::string named(const std::string& scalar, int width) {
  return "%" + scalar + (width == 1 ? "" : std::to_string(width));
}

/// A module that is written as its instructions are asked for, one function with all of them.
class Writer {
 public:
  Writer() {
    types_ << "%void = OpTypeVoid\n%voidType = OpTypeFunction %void\n";
    for (const char* scalar : kIntScalars)
      types_ << "%" << scalar << " = OpTypeInt "
             << (scalar[0] == 'c'   ? 8
                 : scalar[0] == 's' ? 16
                 : scalar[0] == 'i' ? 32
                                    : 64)
             << " 0\n";
    types_ << "%half = OpTypeFloat 16\n%float = OpTypeFloat 32\n%double = OpTypeFloat 64\n";
    for (const char* scalar : {"char", "short", "int", "long", "half", "float", "double"})
      for (int width : kWidths) {
        if (width != 1)
          types_ << named(scalar, width) << " = OpTypeVector %" << scalar << " " << width << "\n";
        const std::string type = named(scalar, width).substr(1);
        types_ << "%v_" << type << " = OpConstantNull %" << type << "\n";
        for (const char* space :
             {"Function", "CrossWorkgroup", "Workgroup", "Generic", "UniformConstant"}) {
          types_ << "%" << space << "_" << type << " = OpTypePointer " << space << " %" << type
                 << "\n%p_" << space << "_" << type << " = OpConstantNull %" << space << "_" << type
                 << "\n";
        }
      }
  }

  /// `operands`: names of constants.
  void add(const std::string& name, const std::string& result, const std::string& operands) {
    body_ << "%r" << count_++ << " = OpExtInst " << result << " %std " << name << " " << operands
          << "\n";
  }

  void check() {
    const std::string text =
        "OpCapability Addresses\nOpCapability Linkage\nOpCapability Kernel\nOpCapability Int64\n"
        "OpCapability Int8\nOpCapability Int16\nOpCapability Float64\nOpCapability Float16\n"
        "OpCapability Vector16\nOpCapability GenericPointer\n"
        "%std = OpExtInstImport \"OpenCL.std\"\nOpMemoryModel Physical64 OpenCL\n"
        "OpDecorate %f LinkageAttributes \"f\" Export\n" +
        types_.str() + "%f = OpFunction %void None %voidType\n%entry = OpLabel\n" + body_.str() +
        "OpReturn\nOpFunctionEnd\n";
    auto built = compilerUnderTest().compileIl({assemble(text), {}}, "");
    EXPECT_TRUE(built) << built.error().log;
  }

 private:
  std::ostringstream types_, body_;
  int count_ = 0;
};

std::vector<std::string> words(const char* text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}

std::string value(const std::string& type) { return " %v_" + type.substr(1); }
std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(SpirvStandard, FloatingPoint) {
  const std::vector<std::string> byCount[] = {
      words("acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erfc "
            "erf exp exp2 exp10 expm1 fabs floor lgamma log log2 log10 log1p logb rint round rsqrt "
            "sin sinh sinpi sqrt tan tanh tanpi tgamma trunc degrees radians sign"),
      words("atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr "
            "remainder fmax_common fmin_common step"),
      words("fma mad fclamp mix smoothstep bitselect")};
  Writer writer;
  for (const char* scalar : kFloatScalars)
    for (int width : kWidths) {
      const std::string type = named(scalar, width);
      for (int count = 1; count <= 3; ++count)
        for (const std::string& name : byCount[count - 1])
          writer.add(name, type, repeated(value(type), count));
      const std::string ints = named("int", width);
      for (const char* name : {"ldexp", "pown", "rootn"})
        writer.add(name, type, value(type) + value(ints));
      writer.add("ilogb", ints, value(type));
      const char* carrier = scalar[0] == 'h' ? "short" : scalar[0] == 'f' ? "int" : "long";
      writer.add("nan", type, value(named(carrier, width)));
      writer.add("select", type, repeated(value(type), 2) + value(named(carrier, width)));
      for (const char* space : {"Function", "CrossWorkgroup", "Workgroup", "Generic"}) {
        const std::string pointer = " %p_" + std::string(space) + "_" + type.substr(1);
        const std::string intPointer = " %p_" + std::string(space) + "_" + ints.substr(1);
        for (const char* name : {"fract", "modf", "sincos"})
          writer.add(name, type, value(type) + pointer);
        for (const char* name : {"frexp", "lgamma_r"})
          writer.add(name, type, value(type) + intPointer);
        writer.add("remquo", type, repeated(value(type), 2) + intPointer);
      }
    }
  writer.check();
}

TEST(SpirvStandard, FloatAlone) {
  Writer writer;
  for (int width : kWidths) {
    const std::string type = named("float", width);
    for (const char* name : {"cos", "exp", "exp2", "exp10", "log", "log2", "log10", "recip",
                             "rsqrt", "sin", "sqrt", "tan"})
      for (const char* prefix : {"half_", "native_"})
        writer.add(std::string(prefix) + name, type, value(type));
    for (const char* name : {"half_divide", "half_powr", "native_divide", "native_powr"})
      writer.add(name, type, repeated(value(type), 2));
  }
  for (const char* scalar : kFloatScalars)
    for (int width : {1, 2, 3, 4}) {
      const std::string type = named(scalar, width), single = named(scalar, 1);
      for (const char* name : {"distance"}) writer.add(name, single, repeated(value(type), 2));
      writer.add("length", single, value(type));
      writer.add("normalize", type, value(type));
      if (width >= 3) writer.add("cross", type, repeated(value(type), 2));
      if (scalar[0] != 'f') continue;
      writer.add("fast_distance", single, repeated(value(type), 2));
      writer.add("fast_length", single, value(type));
      writer.add("fast_normalize", type, value(type));
    }
  writer.check();
}

TEST(SpirvStandard, Integer) {
  Writer writer;
  const std::vector<std::string> byCount[] = {
      words("s_abs u_abs clz ctz popcount"),
      words("s_abs_diff u_abs_diff s_add_sat u_add_sat s_hadd u_hadd s_rhadd u_rhadd s_max u_max "
            "s_min u_min s_mul_hi u_mul_hi rotate s_sub_sat u_sub_sat"),
      words("s_clamp u_clamp s_mad_hi u_mad_hi s_mad_sat u_mad_sat bitselect select")};
  for (const char* scalar : kIntScalars)
    for (int width : kWidths) {
      const std::string type = named(scalar, width);
      for (int count = 1; count <= 3; ++count)
        for (const std::string& name : byCount[count - 1])
          writer.add(name, type, repeated(value(type), count));
      if (scalar[0] == 'i')
        for (const char* sign : {"s_", "u_"}) {
          writer.add(std::string(sign) + "mul24", type, repeated(value(type), 2));
          writer.add(std::string(sign) + "mad24", type, repeated(value(type), 3));
        }
      if (scalar[0] == 'l') continue;
      const char* twice = scalar[0] == 'c' ? "short" : scalar[0] == 's' ? "int" : "long";
      for (const char* name : {"s_upsample", "u_upsample"})
        writer.add(name, named(twice, width), repeated(value(type), 2));
    }
  writer.check();
}

TEST(SpirvStandard, Memory) {
  Writer writer;
  const std::string offset = " %v_long";
  for (int width : kWidths) {
    const std::string floats = named("float", width);
    for (const char* space :
         {"Function", "CrossWorkgroup", "Workgroup", "Generic", "UniformConstant"}) {
      const std::string prefix = " %p_" + std::string(space) + "_";
      const bool isConstant = space[0] == 'U';
      if (width != 1)
        for (const char* scalar : {"char", "short", "int", "long", "half", "float", "double"}) {
          const std::string type = named(scalar, width);
          writer.add("vloadn", type, offset + prefix + scalar + " " + std::to_string(width));
          if (!isConstant) writer.add("vstoren", "%void", value(type) + offset + prefix + scalar);
        }
      if (width == 1) {
        writer.add("vload_half", floats, offset + prefix + "half");
      } else {
        for (const char* name : {"vload_halfn", "vloada_halfn"})
          writer.add(name, floats, offset + prefix + "half " + std::to_string(width));
      }
      if (isConstant) continue;
      for (const char* scalar : {"float", "double"}) {
        const std::string type = named(scalar, width);
        const std::string operands = value(type) + offset + prefix + "half";
        for (const char* name : {"vstore_half", "vstorea_half"}) {
          if (width == 1 && std::string_view(name) == "vstorea_half") continue;
          const std::string full = std::string(name) + (width == 1 ? "" : "n");
          writer.add(full, "%void", operands);
          for (const char* mode : {" RTE", " RTZ", " RTP", " RTN"})
            writer.add(full + "_r", "%void", operands + mode);
        }
      }
    }
  }
  writer.check();
}

TEST(SpirvStandard, Shuffle) {
  Writer writer;
  const char* kinds[][2] = {{"char", "char"},  {"short", "short"}, {"int", "int"},
                            {"long", "long"},  {"half", "short"},  {"float", "int"},
                            {"double", "long"}};
  for (const auto& kind : kinds)
    for (int from : {2, 4, 8, 16})
      for (int to : {2, 4, 8, 16}) {
        const std::string type = named(kind[0], from), mask = named(kind[1], to);
        writer.add("shuffle", named(kind[0], to), value(type) + value(mask));
        writer.add("shuffle2", named(kind[0], to), repeated(value(type), 2) + value(mask));
      }
  writer.check();
}

}  // namespace
}  // namespace weft::test
