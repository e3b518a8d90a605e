// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generator.h"

#include <array>

namespace weft::fuzz {
namespace {

constexpr unsigned kVarying = 5, kUniform = 4, kFloats = 3;

std::string numbered(const char* name, unsigned number) { return name + std::to_string(number); }

}  // namespace

std::string Generator::varying() { return numbered("v", below(kVarying)); }
std::string Generator::uniform() { return numbered("u", below(kUniform)); }

// Integers are unsigned, so that no operation is undefined; shifts are masked by the language.
std::string Generator::integer(int depth, bool uniformOnly) {
  if (depth <= 0 || chance(20)) {
    switch (below(uniformOnly ? 3 : 6)) {
      case 0:
        return std::to_string(below(chance(50) ? 8 : 1000)) + "u";
      case 1:
      case 2:
        return uniform();
      case 3:
        return chance(50) ? "i" : "g";
      default:
        return varying();
    }
  }
  const std::string left = integer(depth - 1, uniformOnly);
  const std::string right = integer(depth - 1, uniformOnly);
  static constexpr std::array kOperators{"+", "-", "*", "^", "&", "|", "<<", ">>", "/", "%"};
  switch (below(8)) {
    case 0:
      return "(" + condition(uniformOnly) + " ? " + left + " : " + right + ")";
    case 1:
      return "rotate(" + left + ", " + right + ")";
    case 2:
      return "max(" + left + ", popcount(" + right + "))";
    case 3:
      return "add_sat(" + left + ", " + right + ")";
    default: {
      const std::string op = kOperators[below(kOperators.size())];
      if (op == "/" || op == "%") return "(" + left + " " + op + " (" + right + " | 1u))";
      return "(" + left + " " + op + " " + right + ")";
    }
  }
}

std::string Generator::floating(int depth) {
  if (depth <= 0 || chance(25))
    return chance(60) ? numbered("f", below(kFloats)) : "(float)(" + integer(1, false) + " & 255u)";
  const std::string left = floating(depth - 1), right = floating(depth - 1);
  switch (below(6)) {
    case 0:
      return "fmax(" + left + ", " + right + ")";
    case 1:
      return "sqrt(fabs(" + left + "))";
    case 2:
      return "(" + left + " * " + right + ")";
    case 3:
      return "(" + left + " - " + right + ")";
    default:
      return "(" + left + " + " + right + ")";
  }
}

std::string Generator::condition(bool uniformOnly) {
  static constexpr std::array kComparisons{"<", ">", "<=", ">=", "==", "!="};
  if (!uniformOnly && chance(15)) return numbered("f", below(kFloats)) + " < " + floating(1);
  if (!uniformOnly && chance(25)) return "i < (" + integer(1, true) + " & 63u)";
  const std::string mask = " & " + std::to_string((1u << (1 + below(5))) - 1) + "u) ";
  return "((" + integer(1, uniformOnly) + mask + kComparisons[below(kComparisons.size())] + " (" +
         integer(1, uniformOnly) + mask + ")";
}

void Generator::line(const std::string& text) {
  text_ += std::string(static_cast<size_t>(indent_) * 2, ' ') + text + "\n";
}

void Generator::assign() {
  switch (below(5)) {
    case 0:
      return line(numbered("f", below(kFloats)) + " = " + floating(3) + ";");
    case 1:
      return line("w.s" + std::to_string(below(4)) + " " + (chance(50) ? "+=" : "^=") + " " +
                  integer(2, false) + "; w = w.yzwx * 3u + (uint4)(" + varying() + ");");
    default:
      return line(varying() + " = " + integer(3, false) + ";");
  }
}

void Generator::useArrays() {
  switch (below(3)) {
    case 0:
      return line("p[" + integer(1, false) + " & 7u] += " + integer(1, false) + ";");
    case 1:
      return line(varying() + " ^= p[" + integer(1, false) + " & 7u];");
    default:
      return line(varying() + " += in[" + integer(2, false) + " & (uint)a];");
  }
}

/// Every work-item writes its own cell, and after a barrier reads another's.
void Generator::exchange() {
  line("barrier(CLK_LOCAL_MEM_FENCE);");
  line("cell[i] = " + integer(2, false) + ";");
  line("barrier(CLK_LOCAL_MEM_FENCE);");
  line(varying() + " += cell[(" + integer(1, false) + ") & " + std::to_string(groupSize_ - 1) +
       "u];");
}

/// One work-item decides what a variable of all becomes.
void Generator::publish() {
  line("barrier(CLK_LOCAL_MEM_FENCE);");
  line("if (i == " + std::to_string(below(groupSize_)) + "u) shared[0] = " + integer(2, false) +
       ";");
  line("barrier(CLK_LOCAL_MEM_FENCE);");
  line(uniform() + " = shared[0];");
}

void Generator::branch(int depth, bool uniformOnly, bool mayWait) {
  line("if (" + condition(uniformOnly) + ") {");
  statements(depth - 1, mayWait, 3);
  if (chance(50)) {
    line("} else {");
    statements(depth - 1, mayWait, 3);
  }
  line("}");
}

void Generator::loop(int depth, bool uniformOnly, bool mayWait) {
  const std::string t = numbered("t", static_cast<unsigned>(loops_++));
  const std::string bound = "(" + integer(1, uniformOnly) + " & 3u)";
  const bool atLeastOnce = chance(30);
  if (atLeastOnce)
    line("uint " + t + " = 0; do {");
  else
    line("for (uint " + t + " = 0; " + t + " < " + bound + "; ++" + t + ") {");
  ++indent_;
  if (!uniformOnly && chance(30)) line("if (" + condition(false) + ") break;");
  if (!atLeastOnce && !uniformOnly && chance(30)) line("if (" + condition(false) + ") continue;");
  if (uniformOnly && mayWait && chance(20)) line("if (" + condition(true) + ") break;");
  --indent_;
  statements(depth - 1, mayWait, 3);
  ++indent_;
  // A name that every turn changes, equal for the group when the loop is.
  line((uniformOnly ? uniform() : varying()) + " += " + t + " + 1u;");
  --indent_;
  line(atLeastOnce ? "} while (++" + t + " < " + bound + ");" : "}");
}

void Generator::choose(int depth, bool uniformOnly, bool mayWait) {
  line("switch (" + integer(2, uniformOnly) + " & 3u) {");
  ++indent_;
  for (int c = 0; c < 3; ++c) {
    line("case " + std::to_string(c) + ":");
    statements(depth - 1, mayWait, 2);
    if (chance(70)) line("  break;");
  }
  line("default: " + varying() + " += 3u;");
  --indent_;
  line("}");
}

void Generator::statement(int depth, bool mayWait) {
  if (depth > 0 && chance(45)) {
    // What may wait must be reached by the whole group.
    const bool uniformOnly = mayWait && chance(60);
    const bool inside = mayWait && uniformOnly;
    switch (below(5)) {
      case 0:
      case 1:
        return branch(depth, uniformOnly, inside);
      case 2:
      case 3:
        return loop(depth, uniformOnly, inside);
      default:
        return choose(depth, uniformOnly, inside);
    }
  }
  if (mayWait && chance(40)) return chance(75) ? exchange() : publish();
  if (mayWait && chance(15)) return line(uniform() + " = " + integer(2, true) + ";");
  chance(30) ? useArrays() : assign();
}

void Generator::statements(int depth, bool mayWait, unsigned most) {
  ++indent_;
  const unsigned count = 1 + below(most);
  for (unsigned k = 0; k < count; ++k) statement(depth, mayWait);
  --indent_;
}

std::string Generator::kernel() {
  text_.clear();
  text_ += "kernel void k(global const int* in, global int* out, int a, int b) {\n";
  line("local uint cell[" + std::to_string(groupSize_) + "];");
  line("local uint shared[1];");
  line("uint i = get_local_id(0), g = get_global_id(0);");
  line("uint v0 = in[g], v1 = i * 7u, v2 = g ^ (uint)b, v3 = 1u, v4 = popcount(g);");
  line("uint u0 = a, u1 = b, u2 = get_group_id(0), u3 = in[b & a];");
  line("float f0 = i, f1 = 0.5f, f2 = (float)(v0 & 1023u);");
  line("uint4 w = (uint4)(v0, i, g, 9u);");
  line("uint p[8] = {i, 1u, 2u, g, 4u, v0, 6u, 7u};");
  line("if (i == 0u) shared[0] = (uint)b;");
  indent_ = 0;
  statements(4, true, 9);
  indent_ = 1;
  line("uint h = v0 ^ rotate(v1, 3u) ^ rotate(v2, 7u) ^ rotate(v3, 11u) ^ rotate(v4, 13u);");
  line("h = h * 31u + u0 + u1 * 5u + u2 * 7u + u3 * 9u;");
  line("h = h * 31u + (w.x ^ w.y ^ w.z ^ w.w);");
  line("for (int k = 0; k < 8; ++k) h = h * 33u + p[k];");
  line("h ^= as_uint(f0) ^ rotate(as_uint(f1), 5u) ^ rotate(as_uint(f2), 9u);");
  line("out[g] = (int)h;");
  return text_ + "}\n";
}

}  // namespace weft::fuzz
