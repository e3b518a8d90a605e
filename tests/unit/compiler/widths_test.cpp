// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <regex>

#include "compiler_fixture.h"
#include "ir/host_target.h"

namespace weft::compiler::testing {
namespace {

/// Work-items that share an iteration of kernel 0 with 256-bit registers; 0 when it tells of none.
unsigned widthOf(const std::string& source) {
  CompilerOptions options = deviceOptions();
  options.cpu = CpuLevel::V3;
  const auto compiler = createCompiler(options);
  const Ref<Program> program = programOf(compiler->build(source, ""));
  if (!program) return 0;
  const auto text = program->explain(0, {.form = Form::Flat, .width = 0, .wholeRows = true});
  if (!text) return 0;
  std::smatch found;
  return std::regex_search(*text, found, std::regex("vectorised \\((\\d+)\\)"))
             ? static_cast<unsigned>(std::stoul(found[1]))
             : 0;
}

/// Each of `rows` rows of `in`, `apart` elements apart, times a number of its own to a row of
/// `out`.
std::string scaledRows(const std::string& type, unsigned rows, unsigned apart) {
  std::string source = "kernel void scale(global const " + type + "* restrict in, global " + type +
                       "* restrict out) { size_t i = get_global_id(0);\n";
  for (unsigned row = 0; row < rows; ++row) {
    const std::string place = "[i + " + std::to_string(row * apart) + "]";
    source += "out" + place + " = in" + place + " * " + std::to_string(row + 2) + " + 1;\n";
  }
  return source + "}\n";
}

TEST(Widths, ManyRowsAreFollowedALineAtATime) {
  // However long the code is, and however wide the numbers are.
  for (const unsigned rows : {17u, 40u, 120u}) {
    EXPECT_EQ(widthOf(scaledRows("float", rows, 65536)), 16u) << rows;
    EXPECT_EQ(widthOf(scaledRows("double", rows, 65536)), 8u) << rows;
    EXPECT_EQ(widthOf(scaledRows("short", rows, 65536)), 32u) << rows;
  }
}

TEST(Widths, NeighboursAreOneRow) {
  // Of code so long one register at a time is enough, less than a line; where registers are wider,
  // since another compiler of the process has said so, shorter code has two, more than a line.
  EXPECT_EQ(widthOf(scaledRows("float", 150, 4096)), 16u);
  const unsigned rows = hostHas("+avx512f") ? 40 : 150;
  EXPECT_EQ(widthOf(scaledRows("float", rows, 4096)), 16u);
  EXPECT_NE(widthOf(scaledRows("float", rows, 1)), 16u);
}

/// Six variables of 64 bits, each computed from itself by `step`.
std::string chains(const std::string& step) {
  std::string variables, steps, sum;
  for (const char* x : {"u", "v", "w", "x", "y", "z"}) {
    variables += std::string("double ") + x + " = a + " + std::to_string(x[0]) + ";\n";
    steps += std::string(x) + " = " + std::regex_replace(step, std::regex("\\$"), x) + ";\n";
    sum += std::string(" + ") + x;
  }
  return "kernel void chains(global double* out, double c, int steps) {"
         "size_t i = get_global_id(0); double a = out[i], b = out[i] * 3;\n" +
         variables + "for (int s = 0; s < steps; ++s) {\n" + steps + "}\nout[i] =" + sum + ";}\n";
}

TEST(Widths, WhatHasNoRegisterIsLoadedWhileChainsWait) {
  // Two registers of each variable, and of two more, are all that there are; a root takes as long
  // as loading some of them again, sums do not.
  const unsigned roots = widthOf(chains("sqrt($ * a + b) * c"));
  const unsigned sums = widthOf(chains("fmin($ * a, b) + ($ * b - a) * ($ + fmax($, a))"));
  if (hostHas("+avx512f")) GTEST_SKIP() << "another compiler of the process has more registers";
  EXPECT_EQ(roots, 8u);
  EXPECT_EQ(sums, 4u);
}

}  // namespace
}  // namespace weft::compiler::testing
