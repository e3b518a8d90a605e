// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/validate.h"

#include <spirv-tools/libspirv.h>

#include <cstring>
#include <memory>

namespace weft::compiler::spirv {

std::string explain(std::span<const uint32_t> words) {
  // Any version up to 1.6; what producers for OpenCL send is often newer than they say.
  const std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(
      spvContextCreate(SPV_ENV_UNIVERSAL_1_6), spvContextDestroy);
  spv_diagnostic diagnostic = nullptr;
  const spv_result_t result =
      spvValidateBinary(context.get(), words.data(), words.size(), &diagnostic);
  const std::unique_ptr<spv_diagnostic_t, decltype(&spvDiagnosticDestroy)> owner(
      diagnostic, spvDiagnosticDestroy);
  if (result == SPV_SUCCESS) return {};
  std::string text = "note: the SPIR-V module is not valid";
  if (diagnostic) {
    text += " at word " + std::to_string(diagnostic->position.index);
    // The text of an instruction may be as long as that.
    constexpr size_t kMostText = 1000;
    if (diagnostic->error)
      text += ": " + std::string(diagnostic->error, ::strnlen(diagnostic->error, kMostText));
  }
  return text + "\n";
}

}  // namespace weft::compiler::spirv
