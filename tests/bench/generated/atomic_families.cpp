// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "families.h"

// Atomic operations whose order does not show, on local and global memory, in the spellings of 1.x
// and of C11.
namespace weft::bench::generated {
namespace {

/// Returns the operation, as it is spelled in names.
std::string drawSpelling(Draw& draw, Program& program, const char* scope) {
  const bool c11 = draw.chance(50);
  const std::string operation = draw.pick({"add", "add", "add", "or", "max", "xor"});
  if (c11) {
    program.options = "-cl-std=CL3.0";
    program.kernelDefines.emplace_back(
        "ATOMIC(p, v)",
        "atomic_fetch_" + operation + "_explicit(p, v, memory_order_relaxed, " + scope + ")");
    program.kernelDefines.emplace_back("CELL", "atomic_uint");
    program.kernelDefines.emplace_back("CLEAR(p)", "atomic_init(p, 0u)");
    program.kernelDefines.emplace_back(
        "READ(p)", std::string("atomic_load_explicit(p, memory_order_relaxed, ") + scope + ")");
  } else {
    program.kernelDefines.emplace_back("ATOMIC(p, v)", "atomic_" + operation + "(p, v)");
    program.kernelDefines.emplace_back("CELL", "uint");
    program.kernelDefines.emplace_back("CLEAR(p)", "*(p) = 0");
    program.kernelDefines.emplace_back("READ(p)", "*(p)");
  }
  return operation;
}

std::string plainOperation(const std::string& operation, const std::string& place,
                           const std::string& v) {
  if (operation == "max") return place + " = max(" + place + ", " + v + ")";
  return place + (operation == "add" ? " += " : operation == "or" ? " |= " : " ^= ") + v;
}

/// Which counter an input goes to, and what it adds.
void drawBin(Draw& draw, Program& program, size_t bins) {
  program.define("BINS", bins);
  program.define("BIN(v)", draw.pick({"((v) & (BINS - 1))", "(((v) >> 3) & (BINS - 1))",
                                      "(((v) * 2654435761u >> 7) & (BINS - 1))"}));
  program.define("AMOUNT(v)", draw.pick({"1u", "((v) & 15)", "((v) >> 4 & 0xffff)"}));
}

/// A count for each group in local memory.
void local(Draw& draw, Program& program) {
  const std::string type = draw.pick({"uint", "uint", "uchar", "ushort"});
  const size_t size = draw.pick<size_t>({32, 64, 128, 256});
  const size_t bins = draw.pick<size_t>({16, 64, 256, 256, 1024}),
               each = draw.pick<size_t>({8, 16, 64, 128});
  const std::string operation = drawSpelling(draw, program, "memory_scope_work_group");
  program.style = Style::Groups;
  program.define("L0", size);
  program.define("L1", 1);
  program.define("T", type);
  program.define("EACH", each);
  drawBin(draw, program, bins);
  drawRestrict(draw, program);
  program.text = R"(
kernel void k(global const T* RESTRICT in, global uint* RESTRICT out) {
  local CELL count[BINS];
  PHASE { for (int b = LX; b < BINS; b += L0) CLEAR(&count[b]); }
  SYNC
  PHASE {
    for (int e = 0; e < EACH; ++e) {
      uint v = in[(GX * EACH + e) * L0 + LX];
      ATOMIC(&count[BIN(v)], AMOUNT(v));
    }
  }
  SYNC
  PHASE { for (int b = LX; b < BINS; b += L0) out[GX * BINS + b] = READ(&count[b]); }
}
)";
  program.native = R"(
  T const* __restrict in = p0;
  uint* __restrict out = p1;
  for (size_t group = begin; group < end; ++group) {
    uint count[BINS] = {};
    for (int e = 0; e < EACH * L0; ++e) {
      uint v = in[group * (EACH * L0) + e];
      )" + plainOperation(operation, "count[BIN(v)]", "AMOUNT(v)") +
                   R"(;
    }
    for (int b = 0; b < BINS; ++b) out[group * BINS + b] = count[b];
  }
)";
  program.textIsPlain = false;
  const size_t groups = draw.items(static_cast<double>(size * each * 6 + 2 * bins));
  program.nativeUnits = groups;
  program.shape = {{groups * size}, {size}};
  program.in(type, groups * size * each, 0, type == "uchar" ? 255.99 : 65535);
  program.out("uint", groups * bins);
}

/// Counts for all in global memory: integers, or floats by exchanges that are compared.
void global(Draw& draw, Program& program) {
  const size_t bins = draw.size({64, 256, 4096, 65536});
  const bool floats = draw.chance(20);
  std::string operation = "add";
  if (!floats) operation = drawSpelling(draw, program, "memory_scope_device");
  drawBin(draw, program, bins);
  drawRestrict(draw, program);
  const size_t each = draw.pick<size_t>({1, 1, 4, 16});
  program.define("EACH", each);
  if (floats)
    program.kernelDefines.emplace_back(
        "ADD_FLOAT(p, v)",
        "{ union { uint u; float f; } old, next; do { old.u = *(volatile global uint*)(p); next.f "
        "= old.f + (v); } "
        "while (atomic_cmpxchg((volatile global uint*)(p), old.u, next.u) != old.u); }");
  // Sums of few small multiples of 1/16 are exact in any order.
  program.text = floats ? R"(
kernel void k(global const uint* RESTRICT in, global float* RESTRICT out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  for (int e = 0; e < EACH; ++e) {
    uint v = in[e * n + i];
    ADD_FLOAT(&out[BIN(v)], (float)(v & 15) * 0.0625f);
  }
}
)"
                        : R"(
kernel void k(global const uint* RESTRICT in, global CELL* RESTRICT out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  for (int e = 0; e < EACH; ++e) {
    uint v = in[e * n + i];
    ATOMIC(&out[BIN(v)], AMOUNT(v));
  }
}
)";
  const std::string cell = floats ? "float" : "uint";
  // A thread has few counters of its own, and shares many.
  const auto addition = [&](const std::string& place, const std::string& amount) {
    return "__atomic_fetch_" + operation + "(&" + place + ", " + amount + ", __ATOMIC_RELAXED);\n";
  };
  const std::string amount = floats ? "(float)(v & 15) * 0.0625f" : "AMOUNT(v)";
  const bool own = bins <= 4096;
  program.native =
      "  uint const* __restrict in = p0;\n  " + cell + "* out = p1;\n  const int n = p2;\n" +
      (own ? "  " + cell + " own[BINS] = {};\n" : "") +
      "  for (int e = 0; e < EACH; ++e)\n    for (size_t i = begin; i < end; ++i) {\n"
      "      uint v = in[e * n + i];\n      " +
      (own ? plainOperation(operation, "own[BIN(v)]", amount) + ";\n"
           : addition("out[BIN(v)]", amount)) +
      "    }\n" + (own ? "  for (int b = 0; b < BINS; ++b) " + addition("out[b]", "own[b]") : "");
  program.textIsPlain = false;
  const size_t count = draw.items(static_cast<double>(each) * 24);
  program.nativeUnits = count;
  rangeFor(draw, program, count);
  program.in("uint", count * each, 0, 4e9);
  program.inOut(floats ? "float" : "uint", bins, 0, 0, 0);
  program.value("int", static_cast<double>(count));
}

constexpr Family kFamilies[] = {
    {"atomics-local", local},
    {"atomics-global", global},
};

}  // namespace

std::span<const Family> atomicFamilies() { return kFamilies; }

}  // namespace weft::bench::generated
