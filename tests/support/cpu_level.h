// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdlib>
#include <string_view>

#include "weft/compiler/compiler.h"

namespace weft::test {

/// What WEFT_CPU says, as the library reads it: tests that make a compiler of their own run for
/// lesser hosts too.
inline compiler::CpuLevel cpuLevelOfEnvironment() {
  const char* text = std::getenv("WEFT_CPU");
  const std::string_view name = text ? text : "host";
  if (name == "x86-64") return compiler::CpuLevel::V1;
  if (name == "x86-64-v2") return compiler::CpuLevel::V2;
  if (name == "x86-64-v3") return compiler::CpuLevel::V3;
  if (name == "x86-64-v4") return compiler::CpuLevel::V4;
  return compiler::CpuLevel::Host;
}

}  // namespace weft::test
