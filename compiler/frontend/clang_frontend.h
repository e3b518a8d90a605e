// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "frontend/build_options.h"
#include "frontend/device_language.h"
#include "frontend/ir_unit.h"
#include "frontend/program_files.h"

namespace weft::compiler {

/// One translation unit to compile. Borrowed by the call.
struct SourceRequest {
  std::string_view source;
  std::span<const EmbeddedHeader> headers;
  const BuildOptions* options = nullptr;
  bool keepNames = false;  ///< of values
};

/// What came of it. Filled as the build goes on, so that after a contained failure it still
/// holds what is known.
struct SourceResult {
  std::unique_ptr<IrUnit> unit;  ///< null when the source has errors
  std::string log;               ///< Clang's diagnostics
  FileUses files;
  bool usesTime = false;  ///< the result depends on the time of the build
};

/// Compiles OpenCL C to a module for spir64-unknown-unknown, as Clang leaves it: not verified,
/// target types not lowered.
///
/// Pre: on a compiler thread; the options' language version is one the device supports.
/// Throws FatalCompilerError for sources beyond our limits.
void compileSource(const DeviceLanguage& language, const SourceRequest& request,
                   SourceResult& result);

}  // namespace weft::compiler
