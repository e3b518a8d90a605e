// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "frontend/build_options.h"
#include "weft/compiler/compiler.h"

namespace weft::compiler {

/// What the device makes of the language: which versions, extensions and features a program
/// sees. Immutable. Threads: any.
class DeviceLanguage {
 public:
  /// `hostFeatures`: the host's instruction sets as "+avx2,+fma,...".
  DeviceLanguage(const CompilerOptions& options, std::string hostFeatures);

  /// Whether programs may ask for this version with -cl-std.
  bool supports(LanguageStandard standard) const;
  /// The version that Clang is asked for; the arguments below make up for the difference.
  static std::string clangStandard(LanguageStandard standard);
  /// Arguments for Clang that define exactly the macros of the device for one version.
  std::vector<std::string> clangArguments(LanguageStandard standard) const;
  /// Whether kernels may require a sub-group size, one of abi::kSubGroupSizes.
  bool takesSubGroupSizes() const;
  bool hasIntelSubGroups() const;
  /// Text that changes whenever anything of the above does; part of cache keys.
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  bool has(std::string_view name) const;

  uint32_t openClVersion_;
  std::vector<std::string> extensions_;
  std::vector<std::string> features_;
  std::string hostFeatures_;
  std::string fingerprint_;
};

}  // namespace weft::compiler
