// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/support/result.h"

namespace weft::compiler {

enum class LanguageStandard : uint8_t { Default, C10, C11, C12, C20, C30, C31, Cxx10, Cxx2021 };

/// Which API call the options belong to: each has its own table in the specification.
enum class OptionContext : uint8_t { Compile, Link };

/// The options of clBuildProgram, clCompileProgram and clLinkProgram, parsed.
struct BuildOptions {
  LanguageStandard standard = LanguageStandard::Default;
  std::vector<std::string> macros;  ///< Clang's own form: "-DNAME=VALUE" or "-UNAME", in order
  std::vector<std::string> includeDirectories;  ///< in search order
  std::vector<std::string> warningFlags;        ///< "-Wname", handed to Clang as they are
  bool noWarnings = false;
  bool warningsAsErrors = false;
  bool optDisable = false;
  bool singlePrecisionConstant = false;
  bool denormsAreZero = false;
  bool correctlyRoundedDivideSqrt = false;
  bool strictAliasing = false;
  bool madEnable = false;
  bool noSignedZeros = false;
  bool unsafeMath = false;
  bool finiteMath = false;
  bool fastRelaxedMath = false;
  bool uniformWorkGroupSize = false;
  bool noSubgroupForwardProgress = false;
  bool kernelArgInfo = false;
  bool debugInfo = false;
  bool explain = false;  ///< -Rweft: the build log says what became of each kernel
  bool createLibrary = false;
  bool enableLinkOptions = false;
};

/// Parses an option string. The error is a sentence for the build log.
///
/// Words are separated by white space; double quotes group, and a backslash quotes a space, a
/// double quote or a backslash, so that paths and string macros can be passed.
Expected<BuildOptions, std::string> parseBuildOptions(std::string_view text, OptionContext context);

/// The value of -cl-std= that stands for `standard`, e.g. "CL1.2".
std::string_view standardName(LanguageStandard standard) noexcept;

}  // namespace weft::compiler
